package collective

import "math/bits"

// scanLinear is the inclusive scan along the ranks: rank r receives the result
// of r-1, combines it with its own data and sends its result to r+1. P-1
// messages in a row.
//
// Source: the definition of MPI_Scan [MPI4]; the linear algorithm of Open MPI.
func scanLinear(c Call, rank, k int) (Step, bool) {
	if rank == 0 {
		k += 2 // rank 0 begins with the send
	}
	switch {
	case k == 0:
		return recvCombine(rank-1, Range(0, 1))
	case k == 1:
		return compute(Range(0, 1))
	case k == 2 && rank < c.Size-1:
		return send(rank+1, Range(0, 1))
	}
	return Step{}, false
}

// scanRecursiveDoubling is the inclusive scan in ceil(log2 P) rounds: in round i
// rank r sends what it has to r+2^i and combines what comes from r-2^i, as far
// as there are such ranks. After round i it has the contributions of the
// 2^(i+1) ranks up to itself. P - 2^i messages in round i.
//
// A rank takes part as a receiver as long as r-2^i is a rank, and sends as long
// as r+2^i is one. So there are rounds of both, then of one, then of none:
//
//	both         while 2^i <= min(r, P-1-r): Sendrecv, Compute
//	then either  while 2^i <= r:             Recv, Compute
//	or           while 2^i <= P-1-r:         Send
//
// Source: [KoggeStone1973]; [Hillis1986]. Deviation: MPICH and Open MPI exchange
// with rank r xor 2^i and keep two partial results apart.
func scanRecursiveDoubling(c Call, rank, k int) (Step, bool) {
	receives := bits.Len(uint(rank)) // rounds in which rank receives
	sends := bits.Len(uint(c.Size - 1 - rank))
	one := Range(0, 1)
	switch i := k / 2; {
	case i < min(receives, sends):
		return combine(k, rank+1<<i, one, rank-1<<i, one)
	case i < receives && k%2 == 0:
		return recvCombine(rank-1<<i, one)
	case i < receives:
		return compute(one)
	}
	if i := k - receives; i < sends { // after the rounds in which it receives, of two steps each
		return send(rank+1<<i, one)
	}
	return Step{}, false
}
