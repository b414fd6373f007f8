package yamldoc_test

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// A reader goes through the document once and reports all problems together.
func Example() {
	const text = `
machine: sunwulf
nodes: {server: 1, blade: two}
sead: 1
`
	root, err := yamldoc.Parse("gauss.yaml", []byte(text))
	if err != nil {
		fmt.Println(err)
		return
	}

	var d yamldoc.Decoder
	m := d.Mapping(root, "a scenario")
	d.String(m.Require("machine", "the name of a machine"), "the name of a machine")
	nodes := d.Mapping(m.Take("nodes"), "the nodes that take part")
	for _, kind := range nodes.Keys() {
		d.Int(nodes.Take(kind), 0, math.MaxInt, "")
	}
	d.String(m.Require("workload", "the name of a workload"), "the name of a workload")
	d.Int(m.Take("seed"), 0, math.MaxInt, "")
	m.Done()

	fmt.Println(d.Err())
	// Output:
	// gauss.yaml:2:1: missing key "workload"; expected the name of a workload
	// gauss.yaml:3:27: nodes.blade: found the text "two"; expected an integer of at least 0
	// gauss.yaml:4:1: unknown key "sead"; expected one of machine, nodes, seed, workload; did you mean "seed"?
}

func ExampleNode_Set() {
	root, err := yamldoc.Parse("s.yaml", []byte("network: hockney\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	root, err = root.Set("network.latency", "50 us")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(root.Plain())
	_, err = root.Set("network.latency", "[50")
	fmt.Println(err)
	// Output:
	// map[network:map[latency:50 us name:hockney]]
	// --set network.latency=[50:1:17: not valid YAML: sequence end token ']' not found
}
