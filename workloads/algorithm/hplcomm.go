package algorithm

import (
	"math/bits"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// panelBroadcasts are the ways of HPL to broadcast a panel along a row of
// processes, by their names in its output.
var panelBroadcasts = []string{"1ring", "1ringM", "2ring", "2ringM", "long", "longM"}

// rings are the routes of a panel from its owner, at distance 0, to the processes at
// distances 1 ... q-1 along the row. The owner sends the panel to the first process of
// each ring, in this order; every other process gets it from the previous one. A ring
// ends where the next begins. In a modified variant, the process at distance 1, which
// factors the next panel, is a ring by itself.
type rings struct {
	first []int // of each ring, ascending
	q     int   // processes that they reach, including the sender
}

// ringsOf returns the rings of a broadcast among q processes. In long and longM they do
// not reach the processes that get the panel in parts: all in long, all but the one at
// distance 1 in longM.
func ringsOf(bcast string, q int) rings {
	middle := (q + 1) / 2
	var starts []int
	switch bcast {
	case "1ring":
		starts = []int{1}
	case "1ringM":
		starts = []int{1, 2}
	case "2ring":
		starts = []int{1, middle}
	case "2ringM":
		starts = []int{1, 2, middle}
	case "long":
		q = 1
	case "longM":
		starts, q = []int{1}, min(q, 2)
	}
	r := rings{q: q}
	for _, d := range starts {
		if d < q && (len(r.first) == 0 || d > r.first[len(r.first)-1]) {
			r.first = append(r.first, d)
		}
	}
	return r
}

// ring returns where the ring of distance d begins, and where the next does.
func (r rings) ring(d int) (begin, end int) {
	end = r.q
	for _, f := range r.first {
		if f > d {
			return begin, f
		}
		begin = f
	}
	return begin, end
}

// source returns the distance of the process from which the one at distance d > 0 gets the panel.
func (r rings) source(d int) int {
	if begin, _ := r.ring(d); begin == d {
		return 0
	}
	return d - 1
}

// passesOn tells whether the process at distance d > 0 sends the panel to the next.
func (r rings) passesOn(d int) bool {
	_, end := r.ring(d)
	return d+1 < end
}

// updateBefore returns the share of its update that the process at distance d > 0 does
// before it takes the next panel. During the first half of an update the panel is
// factored, during the second half it goes round: the i-th of l processes of a ring
// takes it after i/l of that half. So the last of a ring, for whom nobody waits, takes
// it after its whole update.
func (r rings) updateBefore(d int) float64 {
	begin, end := r.ring(d)
	return 0.5 + float64(d-begin+1)/float64(2*(end-begin))
}

// rowSwaps are the ways of HPL to exchange pivot rows in a column of processes,
// by their names in its output.
var rowSwaps = []string{"bin-exch", "long", "mix"}

// binaryExchange is the swap of HPL that combines the exchange of the pivot rows with
// their broadcast (HPL_pdlaswp00). The process at distance 0 has the rows of the panel;
// each of the p processes has an equal share of the rows that replace them. In step k
// of a butterfly, partners are 2^k apart. A process below 2^k has all rows of U and
// sends them; others send the shares that they have collected, each row with its
// number.
//
// If p is not a power of 2, the extra processes, beyond the largest power of 2 in p,
// first give their shares to those at the beginning. One of the extra processes gets U
// from distance 0 and broadcasts it to the others by a binomial tree: they take from it
// the rows of the panel that come into their part of the matrix. At the end, the
// processes at the beginning send them U with all pivot rows.
type binaryExchange struct {
	p     int
	all   units.Bytes // of U
	share units.Bytes // of a process, with the row numbers
}

// step stores operation number k of the process at distance d, whose partners
// are distances from now on, and returns false if there is none.
func (b binaryExchange) step(d, k int, op *workloads.Op) bool {
	steps := bits.Len(uint(b.p)) - 1 // of the butterfly
	power := 1 << steps
	extra := b.p - power
	if d >= power {
		return b.beyond(d, power, k, op)
	}
	if d < extra {
		switch {
		case k == steps+1:
			*op = workloads.Op{Kind: workloads.Send, Peer: int32(d + power), Size: b.all}
			return true
		case k > 0:
			k--
		case d == 0:
			*op = exchange(power, b.all)
			return true
		default:
			*op = workloads.Op{Kind: workloads.Recv, Peer: int32(d + power)}
			return true
		}
	}
	if k >= steps {
		return false
	}
	size := b.all
	if d >= 1<<k {
		size = units.Bytes(collected(d, k, extra)) * b.share
	}
	*op = exchange(d^1<<k, size)
	return true
}

// beyond is step for the extra processes, at distances from the largest power of 2 on.
func (b binaryExchange) beyond(d, power, k int, op *workloads.Op) bool {
	e := d - power // in the tree
	if k == 0 {
		if e == 0 {
			*op = exchange(0, b.share)
		} else {
			*op = workloads.Op{Kind: workloads.Send, Peer: int32(e), Size: b.share}
		}
		return true
	}
	k--
	switch peer, _, k := binomial(b.p-power).step(e, k); {
	case peer < e:
		*op = workloads.Op{Kind: workloads.Recv, Peer: int32(power + peer)}
	case peer > e:
		*op = workloads.Op{Kind: workloads.Send, Peer: int32(power + peer), Size: b.all}
	case k == 0:
		*op = workloads.Op{Kind: workloads.Recv, Peer: int32(e)}
	default:
		return false
	}
	return true
}

// collected returns how many shares the process at distance d has before step k:
// those of its group of 2^k, and those that the members 1 ... extra-1 were given.
func collected(d, k, extra int) int {
	begin := d >> k << k
	end := begin + 1<<k
	return end - begin + max(0, min(end, extra)-max(begin, 1))
}

// copies returns the time for which the process at distance d copies rows after that
// many of its operations; share is how many numbers a share has. Before the first
// operation, the process with the rows of the panel copies them and its own pivot rows
// into U, and the others pack their shares. A process that has U puts received shares
// into it; one that receives U puts the shares that it has into it.
func (b binaryExchange) copies(t CopyTimes, d, operations int, share float64) units.Seconds {
	power := 1 << (bits.Len(uint(b.p)) - 1)
	extra := b.p - power
	of := func(time units.Seconds, shares int) units.Seconds {
		return units.Seconds(time * units.Seconds(float64(shares)*share))
	}
	switch {
	case operations == 0 && d == 0:
		return of(t.Dlaswp01, b.p+1)
	case operations == 0:
		return of(t.Dlaswp02, 1)
	case d >= power:
		return 0
	}
	k := operations - 1 // the completed step of the butterfly
	if d < extra {
		if k--; k < 0 {
			if d == 0 {
				return of(t.Dlaswp03, 1)
			}
			return 0
		}
	}
	switch {
	case 1<<k >= power:
		return 0
	case d < 1<<k:
		return of(t.Dlaswp03, collected(d+1<<k, k, extra))
	case d < 2<<k:
		return of(t.Dlaswp04, collected(d, k, extra))
	}
	return 0
}

// exchange is a Sendrecv with one partner.
func exchange(partner int, size units.Bytes) workloads.Op {
	return workloads.Op{Kind: workloads.Sendrecv, Peer: int32(partner), From: int32(partner), Size: size}
}

// spreadRoll is how HPL distributes data of the process at distance 0 to all in p parts, one
// for each process: U in the swap long (HPL_spreadT and HPL_rollT), a panel in the broadcasts
// long and longM (HPL_bcast_blong, HPL_bcast_blonM).
//
// First the parts are spread over a binomial tree. Then they roll: in each of p-1 steps a
// process exchanges a part with a neighbour: with the next one if its distance plus the
// number of the step is even, with the previous one if it is odd. In step k it gives the part
// that came floor(k/2) exchanges before from the other side, at first its own, so that parts
// travel round both ways. If p is odd, the last process and the first are out of step: what
// one exchanges in step k, the other exchanges in step k+1.
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

// roll returns the partner of the process at distance d in step k, and the part that the
// process gives.
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

// begin returns where a part begins. There may be fewer numbers than parts.
func (s spreadRoll) begin(part int) units.Bytes {
	return min(s.all, units.Bytes(units.Bytes(part)*s.part))
}

// binomial is a binomial tree over the distances 0 ... binomial-1. If s is the lowest set bit
// of distance d, the process there gets the data for d ... d+s-1 from d-s in one message, and
// keeps passing on the farther half of what it has until only its own part is left.
type binomial int

// step returns the peer of message number k of the process at distance d: d receives if
// the peer is nearer to distance 0, and sends otherwise. The message has the data for
// span distances (fewer at the end of the tree) from the farther of the two on. After
// the last message of d, peer is d, and rest is k minus the number of its messages.
func (b binomial) step(d, k int) (peer, span, rest int) {
	lowest := 1 << bits.Len(uint(b-1)) // above all distances
	if d > 0 {
		lowest = d & -d
		if k == 0 {
			return d - lowest, lowest, 0
		}
		k--
	}
	for span = lowest >> 1; span > 0; span >>= 1 {
		if d+span >= int(b) {
			continue
		}
		if k == 0 {
			return d + span, span, 0
		}
		k--
	}
	return d, 0, k
}
