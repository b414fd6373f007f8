package waits

import (
	"math"
	"slices"
	"sort"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// Delay costs, after [Boehme2010]. The wait w of rank r that ended at time e by an act of rank d is
// charged to what d did longer than r since the two last met, at time s. With the time A(x, k) for which
// rank x did k from s to e, k being computation, overhead, and waiting but for w itself,
//
//	sum over k of A(d, k) - A(r, k) = w
//
// and k is charged w in proportion to max(0, A(d, k) - A(r, k)). What is charged to waiting goes on to
// the waits of d in that time, in proportion to their lengths, and from there in the same way to those
// that caused them; it stays with d, as transfer, where nobody did. So all charges add up to all waits
// that were caused.
//
// Deviation: there, activities are told apart by call paths, and here by kind.

// Cost is what the waits of others are charged to a rank, in seconds of all ranks together.
type Cost struct {
	Rank     int     `json:"rank"`
	Total    float64 `json:"total_s"`    // the sum of the next three
	Compute  float64 `json:"compute_s"`  // computed longer
	Overhead float64 `json:"overhead_s"` // was busy with messages longer
	Transfer float64 `json:"transfer_s"` // waited longer, for what no rank was late for
	Indirect float64 `json:"indirect_s"` // of the total, by way of waits of ranks in between
}

// rounding is what sums of times differ by though they are equal, as a share of the time.
const rounding = 1e-12

// piece is a stretch of a rank's wait of one class.
type piece struct {
	from, to units.Seconds
	before   units.Seconds // length of the rank's pieces before it
	since    units.Seconds // with a cause: when the rank and it last met
	rank     int32
	cause    int32 // which was late, or nobody
	known    int   // with a cause: how many pieces of that rank came before
	class    Class

	// What is charged to it beside the rate of its rank, how that changes at its end, seen from behind, and at its
	// beginning, and how many ranges end and begin with it.
	extra, last, first float64
	ends, begins       int
}

// spent is how much a rank has computed, been busy otherwise and waited, up to the end of each span. A rank computes, too,
// while it waits and its streams compute.
type spent struct {
	until []units.Seconds
	sums  [][3]units.Seconds
}

func (s *spent) end() units.Seconds {
	if n := len(s.until); n > 0 {
		return s.until[n-1]
	}
	return 0
}

func (s *spent) add(x sim.Span, beside units.Seconds) {
	sums := s.by(x.From)
	switch x.Part {
	case sim.PartCompute:
		sums[0] += x.To - x.From
	case sim.PartDelay, sim.PartSendOverhead, sim.PartRecvOverhead, sim.PartCollectiveCost:
		sums[1] += x.To - x.From
	default:
		sums[0] += beside
		sums[2] += x.To - x.From - beside
	}
	s.until, s.sums = append(s.until, x.To), append(s.sums, sums)
}

// by returns the sums up to a time.
func (s *spent) by(t units.Seconds) (sums [3]units.Seconds) {
	n, _ := slices.BinarySearch(s.until, t)
	var since units.Seconds
	if n > 0 {
		sums, since = s.sums[n-1], s.until[n-1]
	}
	if n < len(s.until) {
		part := (t - since) / (s.until[n] - since)
		for k := range sums {
			sums[k] += units.Seconds(part * (s.sums[n][k] - sums[k]))
		}
	}
	return sums
}

// costs charges all pieces that have a cause, from the last to the first. Ranges of a rank's pieces are
// charged at rates: rates[r] is what those that have the current piece add up to, open[r] how many they are. chained is
// [States.Chained].
func (a *analysis) costs() (costs []Cost, chained float64) {
	var late, waited float64 // waits for late senders, and what of them is due to waiting
	costs = make([]Cost, a.ranks)
	rates, open := make([]float64, len(a.calls)), make([]int, len(a.calls))
	for _, o := range slices.Backward(a.told) {
		p := &a.pieces[o[0]][o[1]]
		length := float64(p.to - p.from)
		rates[p.rank] += p.last
		open[p.rank] += p.ends - p.begins
		inherited := float64(rates[p.rank]*length) + p.extra
		if rates[p.rank] -= p.first; open[p.rank] == 0 {
			rates[p.rank] = 0 // but for rounding
		}
		if p.cause == nobody {
			costs[p.rank].Transfer += inherited
			costs[p.rank].Indirect += inherited
			continue
		}
		d := &costs[p.cause]
		var more [3]float64
		mine, others := a.spent[p.rank].by(p.from), a.spent[p.cause].by(p.to)
		mine0, others0 := a.spent[p.rank].by(p.since), a.spent[p.cause].by(p.since)
		for k := range more {
			if d := float64(others[k] - others0[k] - (mine[k] - mine0[k])); d > rounding*float64(p.to) {
				more[k] = d
			}
		}
		if more == [3]float64{} { // a wait as short as that
			more[0] = 1
		}
		share := (length + inherited) / (more[0] + more[1] + more[2])
		if p.class == LateSender {
			late += length
			waited += float64(length * (more[2] / (more[0] + more[1] + more[2])))
		}
		d.Compute += float64(share * more[0])
		d.Overhead += float64(share * more[1])
		d.Indirect += inherited * (more[0] + more[1]) / (more[0] + more[1] + more[2])
		if more[2] > 0 {
			a.charge(a.pieces[p.cause][:p.known], p.since, share*more[2], d)
		}
	}
	for r := range costs {
		c := &costs[r]
		c.Rank, c.Total = r, c.Compute+c.Overhead+c.Transfer
	}
	return costs, waited / max(late, math.SmallestNonzeroFloat64)
}

// charge charges a cost to what of pieces of a rank comes after a time, or to the rank where there is none.
func (a *analysis) charge(list []piece, since units.Seconds, cost float64, rank *Cost) {
	first := sort.Search(len(list), func(i int) bool { return list[i].to > since })
	if first == len(list) {
		rank.Transfer += cost
		rank.Indirect += cost
		return
	}
	f, l := &list[first], &list[len(list)-1]
	overlap := f.to - max(f.from, since)
	rate := cost / float64(overlap+l.before+(l.to-l.from)-f.before-(f.to-f.from))
	f.extra += float64(rate * float64(overlap))
	if f != l {
		l.last += rate
		l.ends++
		list[first+1].first += rate
		list[first+1].begins++
	}
}
