package network

import (
	"cmp"
	"math"
	"slices"

	"github.com/isoscale/isoscale/model/units"
)

// A Model prices messages between ranks. Implementations must be pure, and safe for
// calls from several goroutines.
type Model interface {
	// Message returns what a message of the given size costs. All times must
	// be finite and at least 0, and the Latency of one pair of ranks must not
	// depend on the size, so that messages of a pair cannot overtake each other.
	Message(from, to int32, size units.Bytes) Cost
	// MinLatency returns a lower bound of Latency over all pairs of different
	// ranks. The larger it is, the further ranks may run apart, and the faster
	// the simulation. 0 is always correct.
	MinLatency() units.Seconds
	// Rendezvous reports whether a message of this size waits for its receiver.
	Rendezvous(size units.Bytes) bool
	// Handling says which part of a host deals with messages.
	Handling() Handling
}

// Hierarchy prices a message by how far apart its ends are: on one node, on two
// nodes of one group (a subcluster), or in different groups.
type Hierarchy struct {
	node, group            []int32 // by rank
	onNode                 []Model // by group: its nodes are alike
	inGroup, betweenGroups Model
	minLatency             units.Seconds
}

// NewHierarchy returns the hierarchy of ranks on the given nodes and groups,
// which have the same length. onNode has a model for each group. All three slices
// are kept. The models must handle messages the same way and agree on which sizes
// use rendezvous.
func NewHierarchy(node, group []int32, onNode []Model, inGroup, betweenGroups Model) *Hierarchy {
	h := &Hierarchy{node: node, group: group, onNode: onNode, inGroup: inGroup, betweenGroups: betweenGroups}
	h.minLatency = h.smallestLatency()
	return h
}

// between returns the model that holds between two ranks.
func (h *Hierarchy) between(from, to int32) Model {
	switch {
	case h.node[from] == h.node[to]:
		return h.onNode[h.group[from]]
	case h.group[from] == h.group[to]:
		return h.inGroup
	}
	return h.betweenGroups
}

// Message returns the cost between the nodes of the two ranks.
func (h *Hierarchy) Message(from, to int32, size units.Bytes) Cost {
	return h.between(from, to).Message(from, to, size)
}

// MinLatency returns the smallest latency between two different ranks: that of
// the levels at which there are two.
func (h *Hierarchy) MinLatency() units.Seconds { return h.minLatency }

func (h *Hierarchy) smallestLatency() units.Seconds {
	smallest := units.Seconds(math.Inf(1))
	nodes := map[int32]bool{}
	first := map[int32]int32{} // of each group, the node of one rank
	for r, n := range h.node {
		if nodes[n] {
			smallest = min(smallest, h.onNode[h.group[r]].MinLatency())
		}
		nodes[n] = true
		if other, ok := first[h.group[r]]; !ok {
			first[h.group[r]] = n
		} else if other != n {
			smallest = min(smallest, h.inGroup.MinLatency())
		}
	}
	if len(first) > 1 {
		smallest = min(smallest, h.betweenGroups.MinLatency())
	}
	if math.IsInf(float64(smallest), 1) { // a single rank
		return 0
	}
	return smallest
}

// Rendezvous reports whether a message of this size waits for its receiver.
func (h *Hierarchy) Rendezvous(size units.Bytes) bool { return h.inGroup.Rendezvous(size) }

// Handling is that of the models.
func (h *Hierarchy) Handling() Handling { return h.inGroup.Handling() }

// Tree prices a message by the lowest level of a homogeneous tree that contains both of
// its ends: one node, the nodes below one switch of the innermost level, below one of
// the next level, and so on. [Hierarchy] has groups of any size, but only two levels.
type Tree struct {
	node, group []int32 // by rank: the position of its node in the tree, and the group of its node
	widths      []int32
	onNode      []Model // by group
	below       []Model // by level
	minLatency  units.Seconds
}

// NewTree returns the tree of ranks at the given positions. onNode has a model for each
// group of nodes with the same internal connection; between nodes, groups do not matter.
// widths[0] nodes are below a switch of the innermost level, widths[l] switches of level
// l-1 below one of level l. below[l] is the model between nodes whose lowest common
// switch is of level l.
//
// node, group, onNode and below are kept. node and group have the same length; so have
// widths and below, and it is at least 1. The widths are at least 1, and their product
// is above all positions. The models must handle messages the same way and agree on
// which sizes use rendezvous.
func NewTree(node, group []int32, widths []int, onNode, below []Model) *Tree {
	t := &Tree{node: node, group: group, onNode: onNode, below: below}
	for _, w := range widths {
		t.widths = append(t.widths, int32(w))
	}
	t.minLatency = t.smallestLatency()
	return t
}

// between returns the model that holds between two ranks.
func (t *Tree) between(from, to int32) Model {
	a, b := t.node[from], t.node[to]
	if a == b {
		return t.onNode[t.group[from]]
	}
	for l, w := range t.widths {
		a, b = a/w, b/w
		if a == b {
			return t.below[l]
		}
	}
	return t.below[len(t.below)-1]
}

// Message returns the cost between the nodes of the two ranks.
func (t *Tree) Message(from, to int32, size units.Bytes) Cost {
	return t.between(from, to).Message(from, to, size)
}

// MinLatency returns the smallest latency between two different ranks: that of
// the levels at which there are two.
func (t *Tree) MinLatency() units.Seconds { return t.minLatency }

// smallestLatency compares neighbours in the order of positions only. Between two
// positions with some lowest common switch there are two neighbours below different
// children of that switch, so every level in use is seen.
func (t *Tree) smallestLatency() units.Seconds {
	sorted := make([]int32, len(t.node)) // ranks
	for r := range sorted {
		sorted[r] = int32(r)
	}
	slices.SortFunc(sorted, func(a, b int32) int { return cmp.Compare(t.node[a], t.node[b]) })
	smallest := units.Seconds(math.Inf(1))
	for i := 1; i < len(sorted); i++ {
		smallest = min(smallest, t.between(sorted[i-1], sorted[i]).MinLatency())
	}
	if math.IsInf(float64(smallest), 1) { // a single rank
		return 0
	}
	return smallest
}

// Rendezvous reports whether a message of this size waits for its receiver.
func (t *Tree) Rendezvous(size units.Bytes) bool { return t.below[0].Rendezvous(size) }

// Handling is that of the models.
func (t *Tree) Handling() Handling { return t.below[0].Handling() }
