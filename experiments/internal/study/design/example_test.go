package design_test

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
)

// A study of 3 x 3 combinations, of which a condition removes three.
func Example() {
	const plan = `
title: more nodes or a better network
factors:
  latency: {path: network.latency, log: {from: 1 us, to: 100 us, count: 3}}
  nodes: {path: nodes.blade, powers_of_two: {from: 1, to: 4}}
exclude: [nodes > 1 and latency > 50, nodes == 1 and latency < 5]
`
	root, err := yamldoc.Parse("plan.yaml", []byte(plan))
	if err != nil {
		fmt.Println(err)
		return
	}
	var d yamldoc.Decoder
	var study *design.Design
	schema.Declare("a plan", func(k *schema.Keys, to **design.Design) {
		k.Optional("title", schema.Text.To(new(string)), "the study in a few words")
		design.Keys(k, to)
	}).Read(&d, root, &study)
	if err := d.Err(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(study.Points(), "points")
	for i := 0; i < study.Points(); i += 2 { // the first of two shards
		p := study.Point(i)
		fmt.Print(p.Index, " seed ", p.Seed)
		for _, s := range p.Settings() {
			fmt.Printf(", %s = %s", s.Path, s.Value.Text())
		}
		fmt.Println()
	}
	// Output:
	// 6 points
	// 0 seed 5659294716130789, nodes.blade = 2, network.latency = 1 us
	// 2 seed 5756968323226093, nodes.blade = 1, network.latency = 10 us
	// 4 seed 4520135793951385, nodes.blade = 4, network.latency = 10 us
}
