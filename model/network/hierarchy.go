package network

import (
	"math"

	"github.com/isoscale/isoscale/model/units"
)

// Model is what the models of this package have in common.
type Model interface {
	Message(from, to int32, size units.Bytes) Cost
	MinLatency() units.Seconds
	Rendezvous(size units.Bytes) bool
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
