package watch

import (
	"fmt"
	"testing"

	"github.com/isoscale/isoscale/topology"
)

// Up to eight types are named, more are counted: two nodes of each with three
// processes on a node.
func TestNodeSummary(t *testing.T) {
	for types, want := range map[int]string{
		2: "2 t0 x 3, 2 t1 x 3",
		9: "18 nodes of 9 types with 54 processes",
	} {
		m := &topology.Machine{Name: "m"}
		use := topology.Selection{Processes: map[string]int{}}
		for i := range types {
			name := fmt.Sprintf("t%d", i)
			m.Types = append(m.Types, topology.NodeType{Name: name, Cores: 4, MarkedSpeed: 1e9})
			m.Groups = append(m.Groups, topology.Group{Type: name, Name: name, Count: 2, First: 1})
			use.Processes[name] = 3
		}
		p, err := m.Place(use)
		if err != nil {
			t.Fatal(err)
		}
		if got := NodeSummary(p); got != want {
			t.Errorf("%d types: %q, want %q", types, got, want)
		}
	}
}
