package topology

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/model/units"
)

// Selection says which part of a machine a program uses.
type Selection struct {
	// Nodes is how many nodes of each type take part: none of types that are missing.
	// Nil means all nodes of the machine.
	Nodes map[string]int
	// Processes is how many processes run on each node of a type, by default 1, or one
	// per device.
	Processes map[string]int
	// Threads is how many cores each process of a type computes with, by default 1.
	Threads map[string]int
	// Precision is the precision of computations on the devices of a type, with one
	// process on each. Processes of types that are missing run on cores.
	Precision map[string]string
	// Oversubscribe allows more processes of one thread on a node than it has cores.
	Oversubscribe bool
	// Order is the slot of each rank, a permutation; nil: rank r is in slot r.
	Order []int32 `json:",omitempty"`
}

// Placement is the outcome of a Selection: the processes of a program, and the node of
// each. Each process has a slot. Slots are numbered in the order of the machine's
// groups, with all slots of one node together; a rank is in the slot with its number,
// unless Order says otherwise. Without Order, memory is proportional to the groups, not
// to the processes: a million nodes are one Block.
type Placement struct {
	Blocks []Block // in the order of the slots; never empty

	slots, ranks []int32 // slot by rank and rank by slot; nil: equal numbers
}

// Block is a number of equal nodes with consecutive slots.
type Block struct {
	Type      *NodeType
	Group     Group  // of the machine
	Nodes     int    // the first ones of the group
	Processes int    // on each node
	Threads   int    // of each process: cores that it computes with
	Precision string // of the devices, with one process on each; "" if processes run on cores
	FirstSlot int
	FirstNode int // number of the first node among all that take part
}

// end returns the slot after the last one of the block.
func (r Block) end() int { return r.FirstSlot + r.Nodes*r.Processes }

// OnDevices reports whether the processes run on devices.
func (r Block) OnDevices() bool { return r.Precision != "" }

// Speed returns the marked speed of a process: that of all its cores, or of its device.
func (r Block) Speed() units.FlopsPerSecond {
	if r.OnDevices() {
		return r.Type.Devices.Speed(r.Precision)
	}
	return units.FlopsPerSecond(r.Threads) * r.Type.MarkedSpeed
}

// Cores returns how many cores of a node compute.
func (r Block) Cores() int {
	if r.OnDevices() {
		return 0
	}
	return min(r.Processes*r.Threads, r.Type.Cores)
}

// OnNode returns the connection between processes of one node: the link of the devices,
// otherwise that of the node type; nil if neither is known.
func (r Block) OnNode() *Connection {
	if r.OnDevices() && r.Type.Devices.Link != nil {
		return r.Type.Devices.Link
	}
	return r.Type.OnNode
}

// Memory is the memory that processes compute with.
type Memory struct {
	Size      units.Bytes          // 0 if it is not known
	Bandwidth units.BytesPerSecond // 0 if it is not known
	Processes int                  // that share it
}

// Memory returns the memory that a process computes with: that of its node, which
// it shares with the other processes there, or that of its device.
func (r Block) Memory() Memory {
	if r.OnDevices() {
		return Memory{r.Type.Devices.Memory, r.Type.Devices.MemoryBandwidth, 1}
	}
	return Memory{r.Type.Memory, r.Type.MemoryBandwidth, r.Processes}
}

// Place puts the processes of a program on the nodes that sel selects.
func (m *Machine) Place(sel Selection) (*Placement, error) {
	for name, n := range sel.Nodes {
		if err := m.CheckNodes(name, n); err != nil {
			return nil, err
		}
	}
	for name, n := range sel.Processes {
		if err := m.checkPart(name, n, sel); err != nil {
			return nil, err
		}
	}
	for name, n := range sel.Threads {
		if err := m.CheckThreads(name, max(1, sel.Processes[name]), n); err != nil {
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
	slot, node := 0, 0
	for _, g := range m.Groups {
		t := m.Type(g.Type)
		if t == nil {
			return nil, fmt.Errorf("machine %s: group %s is of unknown node type %s", m.Name, g.Name, g.Type)
		}
		run := Block{
			Type: t, Group: g, Nodes: min(g.Count, left[g.Type]), Processes: 1, Threads: 1,
			FirstSlot: slot, FirstNode: node,
		}
		if run.Precision = sel.Precision[g.Type]; run.OnDevices() {
			if err := m.CheckPrecision(g.Type, run.Precision); err != nil {
				return nil, err
			}
			run.Processes = t.Devices.Count
		}
		if n, given := sel.Processes[g.Type]; given {
			run.Processes = n
		}
		if n, given := sel.Threads[g.Type]; given {
			run.Threads = n
		}
		if run.Nodes == 0 {
			continue
		}
		left[g.Type] -= run.Nodes
		p.Blocks = append(p.Blocks, run)
		slot, node = run.end(), node+run.Nodes
		if slot > MaxRanks {
			return nil, fmt.Errorf("machine %s: more than %d processes", m.Name, MaxRanks)
		}
	}
	if len(p.Blocks) == 0 {
		return nil, fmt.Errorf("machine %s: no node takes part; expected at least one", m.Name)
	}
	return p, p.reorder(sel.Order)
}

// reorder puts rank r into slot order[r].
func (p *Placement) reorder(order []int32) error {
	if order == nil {
		return nil
	}
	if len(order) != p.Ranks() {
		return fmt.Errorf("an order of %d ranks for %d processes", len(order), p.Ranks())
	}
	p.slots, p.ranks = order, slices.Repeat([]int32{-1}, len(order))
	for r, s := range order {
		if s < 0 || int(s) >= len(order) || p.ranks[s] >= 0 {
			return fmt.Errorf("rank %d in slot %d; expected one of 0 to %d, each once", r, s, len(order)-1)
		}
		p.ranks[s] = int32(r)
	}
	return nil
}

// MaxRanks is the largest number of processes of a program: ranks are counted
// in 32 bits.
const MaxRanks = 1<<31 - 1

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

// checkPart reports why n processes cannot run on each node of that type, on cores or
// devices.
func (m *Machine) checkPart(typeName string, n int, sel Selection) error {
	if sel.Precision[typeName] != "" {
		return m.CheckDevices(typeName, n)
	}
	return m.CheckProcesses(typeName, n, sel.Oversubscribe)
}

// CheckProcesses reports why n processes cannot run on each node of that type.
// Every process has a core to itself, unless nodes may be oversubscribed.
func (m *Machine) CheckProcesses(typeName string, n int, oversubscribe bool) error {
	t := m.Type(typeName)
	if t == nil {
		return fmt.Errorf("machine %s has no node type %q", m.Name, typeName)
	}
	if n < 1 || n > t.Cores && !oversubscribe {
		return fmt.Errorf("%d processes on each %s node; expected at least 1 and at most %d, one for each core, "+
			"or network flow, on which processes share cores", n, typeName, t.Cores)
	}
	return nil
}

// CheckThreads reports why each of the processes of a node cannot have n threads. Every
// thread has a core to itself: only processes of one thread may share cores.
func (m *Machine) CheckThreads(typeName string, processes, n int) error {
	t := m.Type(typeName)
	if t == nil {
		return fmt.Errorf("machine %s has no node type %q", m.Name, typeName)
	}
	if n < 1 || n > 1 && n > t.Cores/processes {
		return fmt.Errorf("%d processes of %d threads on each %s node; expected at least 1 and at most %d in all, one for each core", processes, n, typeName, t.Cores)
	}
	return nil
}

// Cores returns how many cores compute, and how many cores the nodes have on which
// cores compute. Where processes run on devices, the cores of the node serve these and
// do not count.
func (p *Placement) Cores() (used, all int) {
	for _, r := range p.Blocks {
		if r.OnDevices() {
			continue
		}
		used += r.Nodes * r.Cores()
		all += r.Nodes * r.Type.Cores
	}
	return used, all
}

// Devices returns how many devices compute, and how many devices the participating
// nodes have.
func (p *Placement) Devices() (used, all int) {
	for _, r := range p.Blocks {
		if r.OnDevices() {
			used += r.Nodes * r.Processes
		}
		if r.Type.Devices != nil {
			all += r.Nodes * r.Type.Devices.Count
		}
	}
	return used, all
}

// Ranks returns the number of processes.
func (p *Placement) Ranks() int { return p.Blocks[len(p.Blocks)-1].end() }

// Speeds returns the marked speed of each process.
func (p *Placement) Speeds() []units.FlopsPerSecond {
	speeds := make([]units.FlopsPerSecond, 0, p.Ranks())
	for b := range p.Each {
		speeds = append(speeds, b.Speed())
	}
	return speeds
}

// Each yields the block of each rank in turn.
func (p *Placement) Each(yield func(*Block) bool) {
	if p.slots != nil {
		for rank := range p.slots {
			if !yield(p.block(rank)) {
				return
			}
		}
		return
	}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		for range b.Nodes * b.Processes {
			if !yield(b) {
				return
			}
		}
	}
}

// byRank returns the values of slots in the order of their ranks.
func byRank[T any](p *Placement, bySlot []T) []T {
	if p.slots == nil {
		return bySlot
	}
	all := make([]T, len(bySlot))
	for r, s := range p.slots {
		all[r] = bySlot[s]
	}
	return all
}

// MarkedSpeed returns the marked speed C of the system, the sum over its processes:
// [Chen2008] Definition 1, but for the processors that the program uses instead of
// whole nodes, as in section 4 of the paper. Processes that share cores count as the
// cores that they share.
func (p *Placement) MarkedSpeed() units.FlopsPerSecond {
	var c units.FlopsPerSecond
	for _, r := range p.Blocks {
		if r.OnDevices() {
			c += units.FlopsPerSecond(units.FlopsPerSecond(r.Nodes*r.Processes) * r.Speed())
			continue
		}
		c += units.FlopsPerSecond(units.FlopsPerSecond(r.Nodes*r.Cores()) * r.Type.MarkedSpeed)
	}
	return c
}

// Locations returns, for each rank, the number of its node and of its Block.
func (p *Placement) Locations() (node, group []int32) {
	node, group = make([]int32, 0, p.Ranks()), make([]int32, 0, p.Ranks())
	for g, r := range p.Blocks {
		for i := range r.Nodes {
			for range r.Processes {
				node, group = append(node, int32(r.FirstNode+i)), append(group, int32(g))
			}
		}
	}
	return byRank(p, node), byRank(p, group)
}

// Rank returns the rank in a slot.
func (p *Placement) Rank(slot int) int {
	if p.ranks == nil {
		return slot
	}
	return int(p.ranks[slot])
}

func (p *Placement) slot(rank int) int {
	if p.slots == nil {
		return rank
	}
	return int(p.slots[rank])
}

// BlockOf returns the block that a rank belongs to.
func (p *Placement) BlockOf(rank int) Block { return *p.block(rank) }

func (p *Placement) block(rank int) *Block {
	i, _ := slices.BinarySearchFunc(p.Blocks, p.slot(rank), func(r Block, slot int) int { return cmp.Compare(r.end()-1, slot) })
	return &p.Blocks[i]
}

// Node returns the number of a rank's node, from 0 among the participating nodes, and
// the node's name.
func (p *Placement) Node(rank int) (number int, name string) {
	r := p.block(rank)
	i := (p.slot(rank) - r.FirstSlot) / r.Processes
	return r.FirstNode + i, r.Group.NodeName(i)
}
