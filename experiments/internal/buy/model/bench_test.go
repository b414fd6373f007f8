package model

import (
	"testing"
)

// BenchmarkCarry packs five workloads on two types of node.
func BenchmarkCarry(b *testing.B) {
	p := &Plan{Nodes: make([]Node, 2), ByRuns: true}
	c := Choice{Types: []int{0, 1}, Counts: []int{200, 20}}
	var works []Work
	for w := range 5 {
		p.Workloads = append(p.Workloads, Workload{Weight: 1000 * float64(w+1)})
		var x Work
		for t := range 2 {
			for n := 1; n <= 8; n *= 2 {
				x.Ways = append(x.Ways, TimedWay{Way{t, n}, 3600 / float64((t*4*(w%3)+1)*n) * (1 + 0.1*float64(n)), 1, 0})
			}
		}
		works = append(works, x)
	}
	for b.Loop() {
		if l := p.Carry(c, works); l.Seconds <= 0 {
			b.Fatal("no load")
		}
	}
}
