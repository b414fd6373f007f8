package algorithm

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"github.com/isoscale/isoscale/model/units"
)

// Shares splits n rows among processes in proportion to their speeds, as whole
// rows: process q gets floor(n C_q / C), and the rows left over go to the
// largest remainders, lower ranks first among equals. The shares add up to n,
// and none is off its exact value by a row or more.
func Shares(n int, speeds []units.FlopsPerSecond) []int {
	var total float64
	for _, c := range speeds {
		total += float64(c)
	}
	shares := make([]int, len(speeds))
	remainder := make([]float64, len(speeds))
	left := n
	for q, c := range speeds {
		// Mod is exact, so equal remainders compare as equal.
		scaled := float64(float64(n) * float64(c))
		remainder[q] = math.Mod(scaled, total)
		shares[q] = int(math.Round((scaled - remainder[q]) / total))
		left -= shares[q]
	}
	byRemainder := make([]int, len(speeds))
	for q := range byRemainder {
		byRemainder[q] = q
	}
	slices.SortStableFunc(byRemainder, func(a, b int) int { return cmp.Compare(remainder[b], remainder[a]) })
	for i := range left { // left is between 0 and len(speeds), which rounding may make it reach
		shares[byRemainder[i]]++
	}
	return shares
}

// Cyclic deals n rows out to processes of different speed so that every
// trailing part of the matrix is split nearly in proportion to the speeds: the heterogeneous cyclic distribution of
// [KalinovLastovetsky2001]. It returns the owner of each row.
//
// The rows are dealt from the last to the first, each to the process that
// would be the first to finish with one more row, min (n_q + 1)/C_q, the lower
// rank among equals. So for every i the rows from i on are the optimal
// split of n-i rows [Beaumont2001], which is what elimination needs: after
// step i only those are left.
func Cyclic(n int, speeds []units.FlopsPerSecond) []int32 {
	h := make(byFinish, len(speeds))
	for q, c := range speeds {
		h[q] = dealt{rank: int32(q), speed: float64(c), finish: 1 / float64(c)}
	}
	heap.Init(&h)
	owner := make([]int32, n)
	for i := n - 1; i >= 0; i-- {
		next := &h[0]
		owner[i] = next.rank
		next.rows++
		next.finish = float64(next.rows+1) / next.speed // one rounding: equals stay equal
		heap.Fix(&h, 0)
	}
	return owner
}

// dealt is a process in the heap of Cyclic: finish is when it would be done
// with one row more than it has.
type dealt struct {
	rank   int32
	rows   int
	speed  float64
	finish float64
}

type byFinish []dealt

func (h byFinish) Len() int { return len(h) }
func (h byFinish) Less(i, j int) bool {
	if h[i].finish != h[j].finish {
		return h[i].finish < h[j].finish
	}
	return h[i].rank < h[j].rank
}
func (h byFinish) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *byFinish) Push(x any)   { panic("algorithm: the heap of Cyclic has a fixed size") }
func (h *byFinish) Pop() any     { panic("algorithm: the heap of Cyclic has a fixed size") }
