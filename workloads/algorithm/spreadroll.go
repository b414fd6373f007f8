package algorithm

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// spreadRoll is how HPL gives everyone the data of the process at distance 0 in parts,
// one for each of p processes: U in the swap long (HPL_spreadT and HPL_rollT), a panel in the
// broadcasts long and longM (HPL_bcast_blong, HPL_bcast_blonM).
//
// First the parts are spread over a binomial tree. Then they roll: in each of p-1 steps
// a process exchanges a part with one of its two neighbours, with the next one where its
// distance plus the number of the step is even, and with the one before where it is odd. In
// step k it gives the part that came floor(k/2) exchanges before from the other side, its own
// at first, so that parts travel both ways round. If p is odd, the last process and the first
// one are out of step: what one exchanges in step k, the other does in step k+1.
type spreadRoll struct {
	p    int
	all  units.Bytes
	part units.Bytes // part i begins at i times this; the last one is the rest
}

// step stores operation number k of the process at distance d, whose partners are
// distances from now on, and returns false if there is none.
func (s spreadRoll) step(d, k int, op *workloads.Op) bool {
	peer, span, k := binomial(s.p).step(d, k)
	switch {
	case peer < d:
		*op = workloads.Op{Kind: workloads.Recv, Peer: int32(peer)}
		return true
	case peer > d:
		*op = workloads.Op{Kind: workloads.Send, Peer: int32(peer), Size: s.parts(peer, min(peer+span, s.p))}
		return true
	case k >= s.p-1:
		return false
	}
	partner, given := s.roll(d, k)
	*op = exchange(partner, s.parts(given, given+1))
	return true
}

// roll returns with whom the process at distance d exchanges a part in step k, and which part
// it gives.
func (s spreadRoll) roll(d, k int) (partner, given int) {
	partner, given = d+1, d-k/2
	if (d+k)%2 != 0 {
		partner, given = d-1, d+k/2
	}
	return (partner + s.p) % s.p, (given + s.p) % s.p
}

// parts returns the size of the parts first ... end-1.
func (s spreadRoll) parts(first, end int) units.Bytes {
	begin := s.begin(first)
	if end == s.p {
		return s.all - begin
	}
	return s.begin(end) - begin
}

// begin is where a part begins. There may be fewer numbers than parts.
func (s spreadRoll) begin(part int) units.Bytes {
	return min(s.all, units.Bytes(units.Bytes(part)*s.part))
}
