package collective

import (
	"math/bits"

	"github.com/isoscale/isoscale/workloads"
)

// barrierDissemination is the barrier without a centre. In round i = 0, 1, ...
// rank r sends to r + 2^i and receives from r - 2^i, both modulo P. After round
// i it has heard, directly or through others, of the 2^(i+1) - 1 ranks before
// it; after ceil(log2 P) rounds, of all. P messages without data a round.
//
// A round is Isend, Recv, Waitall: the ranks of a round form rings, in which
// blocking sends would wait for each other under a rendezvous protocol.
//
// Source: [Hensgen1988], the dissemination algorithm. Deviation: that one sets
// flags in shared memory, here a flag is a message.
func barrierDissemination(c Call, rank, k int) (Step, bool) {
	round := k / 3
	if round >= bits.Len(uint(c.Size-1)) { // ceil(log2 P)
		return Step{}, false
	}
	distance := 1 << round // less than P
	switch k % 3 {
	case 0:
		return Step{Kind: workloads.Isend, Peer: (rank + distance) % c.Size}, true
	case 1:
		return Step{Kind: workloads.Recv, Peer: (rank - distance + c.Size) % c.Size}, true
	default:
		return Step{Kind: workloads.Waitall}, true
	}
}
