package algorithm

import (
	"math/bits"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// rowSwaps are the ways of HPL to exchange pivot rows in a column of processes,
// by their names in its output.
var rowSwaps = []string{"bin-exch", "long", "mix"}

// binaryExchange is the swap of HPL that combines the exchange of the pivot rows
// with their broadcast (HPL_pdlaswp00). The process at distance 0 has the rows of
// the panel; each of the p processes has an equal share of the rows that come in
// their place. In step k of a butterfly, partners are 2^k apart. A process below
// 2^k has all rows of U and sends them; others send the shares that they have
// collected, each row with its number.
//
// If p is no power of 2, the processes beyond the largest one in p first give their
// shares to those at the beginning. Of them, the one that gets U from distance 0
// broadcasts it to the others by a binomial tree: they take those rows of the panel out
// of it that come into their part of the matrix. At the end, the processes at the
// beginning send them U with all pivot rows.
type binaryExchange struct {
	p     int
	all   units.Bytes // of U
	share units.Bytes // of a process, with numbers of the rows
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

// beyond is step for distances from the largest power of 2 on.
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

// copies returns the time that the process at distance d copies rows after that many
// of its operations, where a share has so many numbers. Before the first, the process
// with the rows of the panel copies them and its own pivot rows into U, and the others
// pack their shares. A process that has U puts the shares that it receives there,
// one that gets U those that it has.
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
	k := operations - 1 // the step of the butterfly that is over
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
