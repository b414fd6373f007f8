package topology

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// Selection says which part of a machine a program uses.
type Selection struct {
	// Nodes is how many nodes of each type take part. Types that are not
	// mentioned do not; nil means all nodes of the machine.
	Nodes map[string]int
	// Processes is how many processes run on each node of a type, by default 1.
	Processes map[string]int
}

// Placement is the outcome of a Selection: the processes of a program,
// numbered from 0, and the node of each. Processes fill the nodes in the order
// of the machine's groups, all processes of one node next to each other.
type Placement struct {
	Nodes []PlacedNode
	Ranks []int32 // Ranks[r] is the index in Nodes of the node that rank r runs on
}

// PlacedNode is a node that takes part.
type PlacedNode struct {
	Name      string
	Type      *NodeType
	Processes int
}

// Place puts the processes of a program on the nodes that sel selects.
func (m *Machine) Place(sel Selection) (*Placement, error) {
	for name, n := range sel.Nodes {
		if err := m.CheckNodes(name, n); err != nil {
			return nil, err
		}
	}
	for name, n := range sel.Processes {
		if err := m.CheckProcesses(name, n); err != nil {
			return nil, err
		}
	}
	left := map[string]int{}
	for _, t := range m.Types {
		left[t.Name] = m.Available(t.Name)
		if sel.Nodes != nil {
			left[t.Name] = sel.Nodes[t.Name]
		}
	}
	p := &Placement{}
	for _, g := range m.Groups {
		t := m.Type(g.Type)
		if t == nil {
			return nil, fmt.Errorf("machine %s: group %s is of unknown node type %s", m.Name, g.Name, g.Type)
		}
		n := min(g.Count, left[g.Type])
		left[g.Type] -= n
		processes, given := sel.Processes[g.Type]
		if !given {
			processes = 1
		}
		for i := range n {
			for range processes {
				p.Ranks = append(p.Ranks, int32(len(p.Nodes)))
			}
			p.Nodes = append(p.Nodes, PlacedNode{Name: g.NodeName(i), Type: t, Processes: processes})
		}
	}
	if len(p.Ranks) == 0 {
		return nil, fmt.Errorf("machine %s: no node takes part; expected at least one", m.Name)
	}
	return p, nil
}

// CheckNodes reports why n nodes of that type cannot take part.
func (m *Machine) CheckNodes(typeName string, n int) error {
	if m.Type(typeName) == nil {
		return fmt.Errorf("machine %s has no node type %q", m.Name, typeName)
	}
	if have := m.Available(typeName); n < 0 || n > have {
		return fmt.Errorf("machine %s has %d %s nodes, not %d", m.Name, have, typeName, n)
	}
	return nil
}

// CheckProcesses reports why n processes cannot run on each node of that type.
// Every process has a core to itself.
func (m *Machine) CheckProcesses(typeName string, n int) error {
	t := m.Type(typeName)
	if t == nil {
		return fmt.Errorf("machine %s has no node type %q", m.Name, typeName)
	}
	if n < 1 || n > t.Cores {
		return fmt.Errorf("a %s node has %d cores and each process needs one, so %d processes do not go", typeName, t.Cores, n)
	}
	return nil
}

// Speeds returns the marked speed of each process, which is that of a core.
func (p *Placement) Speeds() []units.FlopsPerSecond {
	speeds := make([]units.FlopsPerSecond, len(p.Ranks))
	for r, n := range p.Ranks {
		speeds[r] = p.Nodes[n].Type.MarkedSpeed
	}
	return speeds
}

// MarkedSpeed returns the marked speed C of the system, the sum over its
// processes: [Chen2008] Definition 1, with the processors that the program uses
// in the place of whole nodes, as the paper does in section 4.
func (p *Placement) MarkedSpeed() units.FlopsPerSecond {
	var c units.FlopsPerSecond
	for _, n := range p.Nodes {
		c += units.FlopsPerSecond(n.Processes) * n.Type.MarkedSpeed
	}
	return c
}

// Node returns the node that a rank runs on.
func (p *Placement) Node(rank int) *PlacedNode { return &p.Nodes[p.Ranks[rank]] }
