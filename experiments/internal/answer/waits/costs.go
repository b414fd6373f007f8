package waits

import (
	"math"
	"slices"
	"sort"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// Delay costs, after [Boehme2010]. The wait w of rank r, which an act of rank d ended at time e, is
// charged to what d did longer than r since the two last met, at time s. Let A(x, k) be the time for
// which rank x did k from s to e, where k is computation, overhead, or waiting without w itself. Then
//
//	sum over k of A(d, k) - A(r, k) = w
//
// and w is charged to the k in proportion to max(0, A(d, k) - A(r, k)). The charge to waiting is passed
// on to the waits of d in that time, in proportion to their lengths, and from there in the same way to
// the ranks that caused these; it stays with d, as transfer, where no rank did. So all charges add up to
// all waits that ranks caused.
//
// Deviation: there, activities are told apart by call paths, and here by kind.

// Cost is what a rank is charged for waits of others, in seconds of all ranks together.
type Cost struct {
	Rank     int     `json:"rank"`
	Total    float64 `json:"total_s"`    // the sum of the next three
	Compute  float64 `json:"compute_s"`  // because it computed longer
	Overhead float64 `json:"overhead_s"` // because it was busy with messages longer
	Transfer float64 `json:"transfer_s"` // because it waited longer, though no rank was late
	Indirect float64 `json:"indirect_s"` // the part of the total that came by way of waits of other ranks
}

// rounding is the difference up to which sums of times count as equal, as a share of the time.
const rounding = 1e-12

// piece is a stretch of a rank's wait of one class.
type piece struct {
	from, to units.Seconds
	before   units.Seconds // length of the rank's pieces before it
	since    units.Seconds // with a cause: when rank and cause last met
	rank     int32
	cause    int32 // the rank that was late, or nobody
	known    int   // with a cause: how many pieces of the cause came before
	class    Class

	// extra is charged to the piece beside the rate of its rank. Seen backwards, that rate rises by last at the piece's
	// end and falls by first at its beginning; ends and begins count the ranges that end and begin with the piece.
	extra, last, first float64
	ends, begins       int
}

// spent is how long a rank has computed, been busy otherwise, and waited, up to the end of each span. While a rank
// waits and its streams compute, it counts as computing.
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

// costs charges all pieces that have a cause, from the last to the first. Ranges of a rank's pieces are charged at
// rates: rates[r] is the sum of the rates of the ranges that contain the current piece of rank r, open[r] their
// number. chained is [States.Chained].
func (a *analysis) costs() (costs []Cost, chained float64) {
	var late, waited float64 // waits for late senders, and the part of these that is due to waiting
	costs = make([]Cost, a.ranks)
	rates, open := make([]float64, len(a.calls)), make([]int, len(a.calls))
	for _, o := range slices.Backward(a.told) {
		p := &a.pieces[o[0]][o[1]]
		length := float64(p.to - p.from)
		rates[p.rank] += p.last
		open[p.rank] += p.ends - p.begins
		inherited := float64(rates[p.rank]*length) + p.extra
		if rates[p.rank] -= p.first; open[p.rank] == 0 {
			rates[p.rank] = 0 // exactly, without rounding errors
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
		if more == [3]float64{} { // a wait as short as rounding
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

// charge spreads a cost over the parts of a rank's pieces after a time, or charges the rank itself if there are none.
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
