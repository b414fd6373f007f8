package collective

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// bcastBinomial is the broadcast along a binomial tree. Every rank but the root
// first receives the block from its parent. Then it serves its children, the
// largest subtree first, because that one has the longest way to go. The last
// rank has the block after ceil(log2 P) messages in a row.
//
// Source: [Thakur2005], section on broadcast (the algorithm for short
// messages), in the order of MPICH.
func bcastBinomial(c Call, rank, k int) (Step, bool) {
	v := c.relative(rank)
	if v > 0 {
		if k == 0 {
			return recv(c.absolute(parent(v)), Range(0, 1))
		}
		k--
	}
	i := children(c.Size, v) - 1 - k
	if i < 0 {
		return Step{}, false
	}
	return send(c.absolute(v+1<<i), Range(0, 1))
}

// defaultSegment is the segment of the chain that Lookup returns if the name has none:
// the largest in the fixed rules of Open MPI.
const defaultSegment units.Bytes = 128 << 10

// maxSegments keeps the number of steps of a rank in 31 bits.
const maxSegments = 1 << 30

// chainBcast returns the broadcast along a chain of all ranks, pipelined in
// segments of at most the given size, which must be above 0. With n segments
// there are n(P-1) messages; the last rank is done after n+P-2 messages in a
// row. In the middle of the chain a rank passes a segment on while it receives
// the next.
//
// Source: the pipeline algorithm of Open MPI. Deviations: segments are equal,
// see cut, where Open MPI's last one is shorter; there are at most 2^30.
func chainBcast(segment units.Bytes) (Divider, error) {
	if !(segment > 0) || math.IsInf(float64(segment), 1) {
		return nil, fmt.Errorf("chain: segment is %v byte; expected a finite number above 0", float64(segment))
	}
	name := "chain"
	if segment != defaultSegment {
		name = fmt.Sprintf("chain:%.0f", float64(segment))
	}
	return newChain(name, segment), nil
}

func newChain(name string, segment units.Bytes) *divided {
	return &divided{
		scheme{workloads.Bcast, name, bcastChain},
		func(_ Call, size units.Bytes) int {
			return int(max(1, min(math.Ceil(float64(size/segment)), maxSegments)))
		},
	}
}

func bcastChain(c Call, rank, k int) (Step, bool) {
	v := c.relative(rank)
	left, right := c.absolute(max(0, v-1)), c.absolute(min(v+1, c.Size-1))
	first, last := v == 0, v == c.Size-1
	n := c.Pieces
	switch {
	case first && last:
	case first && k < n:
		return send(right, Range(k, 1))
	case first:
	case last && k < n:
		return recv(left, Range(k, 1))
	case last:
	case k == 0:
		return recv(left, Range(0, 1))
	case k < n:
		return exchange(right, Range(k-1, 1), left, Range(k, 1))
	case k == n:
		return send(right, Range(n-1, 1))
	}
	return Step{}, false
}

// bcastFlat is the broadcast in which the root sends the block to every other
// rank in rank order: P-1 messages, all of them one after the other at the
// root.
//
// Source: the definition of MPI_Bcast taken literally [MPI4]; called linear or
// flat tree elsewhere.
func bcastFlat(c Call, rank, k int) (Step, bool) {
	switch {
	case rank == c.Root && k < c.Size-1:
		return send(c.other(k), Range(0, 1))
	case rank != c.Root && k == 0:
		return recv(c.Root, Range(0, 1))
	}
	return Step{}, false
}

// bcastScatterAllgather is the broadcast for long messages: the data are cut
// into a piece for each rank, scattered along a binomial tree, and then go round
// in a ring until everybody has all. Every rank sends and receives about twice
// the data, however many ranks there are. Piece v belongs to the rank that has
// number v counted from the root.
//
// Source: [Thakur2005], section on broadcast (the algorithm for long messages, due to
// van de Geijn; see [Barnett1994]). As there, the ring also moves pieces that an inner
// rank of the tree already has.
func bcastScatterAllgather(c Call, rank, k int) (Step, bool) {
	v := c.relative(rank)
	if v > 0 {
		if k == 0 {
			return recv(c.absolute(parent(v)), Range(v, span(c.Size, v)))
		}
		k--
	}
	n := children(c.Size, v)
	if i := n - 1 - k; i >= 0 {
		child := v + 1<<i
		return send(c.absolute(child), Range(child, span(c.Size, child)))
	}
	return ring(c, rank, v, k-n)
}
