package hold

import (
	"math"
	"slices"
	"sort"

	"github.com/isoscale/isoscale/experiments/internal/file/fault"
)

// Search returns the problem size from one to another whose efficiency is nearest to the target, at the
// first place found where the efficiency rises through it. It returns an
// [fault.UnattainableError], without the name of a system, if there is none.
//
// A size is a whole number and the efficiency is known only where it was simulated, so this is a
// bisection on the integers: doubling from the smallest size finds one that reaches the target,
// [Bisect] the nearest between that and the one before. A doubling that [Likely] expects to pass the target, or
// nearly, goes half as far beyond it as it is instead. Bisection needs no derivative and no smoothness, only a
// change of sign; gonum, which isoscale uses for numerics, has no root finder for one variable. Where the efficiency
// is not monotone there may be several solutions, and a rise between two sizes of the doubling can be missed.
//
// A smallest size that is above the target by more than [Tolerance] is an error
// with TooEasy: no size searched holds the target.
//
// Stop rule. Let the time be T = k W/C + T_o, with T_o/W falling like 1/n. Then
//
//	E(n) = E_inf n/(n + a)        gain g = E(2n) - E(n)
//
//	E_inf - E(2n) = (1 + a/n) g   what further growth can add
//	g/E(2n) = a/(2(n + a))        which is below 1/4 from n = a on
//
// So once g < E(2n)/4 the efficiency is past half of its limit, and no larger size adds more than
// 2g. The search ends when the curve is flat, g below 0.001, in that sense and ten times the gain
// would not reach the target: the factor leaves room for T_o/W that falls more slowly, down to
// n^-0.14. Near 0 a curve gains little as well, which the comparison of g with E(2n) tells from a
// flat one. The first sizes, up to 256 times the smallest, are too rough to judge by.
func Search(target float64, from, to int, efficiency func(n int) (float64, error)) (int, error) {
	low := from
	e, err := efficiency(low)
	if err != nil {
		return 0, err
	}
	if e >= target {
		if e-target <= Tolerance(target) {
			return low, nil
		}
		return 0, &fault.UnattainableError{Target: target, Best: e, BestN: low, From: low, To: low, TooEasy: true}
	}
	const (
		flat  = 0.001 // gain of a doubling
		rough = 8     // doublings
	)
	best, bestN := e, low
	known := []Point{{low, e}}
	for doublings := 1; low < to; doublings++ {
		high := 2 * low
		if n := Likely(target, known, low, 9*low/4); n < 9*low/4 {
			high = n + n/2
		}
		high = min(high, to)
		next, err := efficiency(high)
		if err != nil {
			return 0, err
		}
		if next >= target {
			return Bisect(target, low, high, efficiency, known[:len(known)-1]...)
		}
		known = append(known, Point{high, next})
		if next > best {
			best, bestN = next, high
		}
		gain := next - e
		if high >= 2*low && doublings >= rough && gain < flat && gain < next/4 && next+float64(10*max(gain, 0)) < target {
			return 0, &fault.UnattainableError{Target: target, Best: best, BestN: bestN, From: from, To: high,
				Flat: true}
		}
		low, e = high, next
	}
	return 0, &fault.UnattainableError{Target: target, Best: best, BestN: bestN, From: from, To: to}
}

// Extrapolate returns the size that [Search] does where the efficiency is smooth: where it is, in the end, what the sizes
// before lead to expect, within half of what one more adds. It is not ok otherwise, nor if no size is found or one fails.
//
// From doublings of the smallest size, and sizes besides that are asked for anyway, it leaps to where [Likely] expects the
// target, once the two largest say the same as three to a twentieth, and goes on by the three largest, each time with the
// limit of the efficiency for ever larger sizes. A size is the nearest, and no neighbour asked for, if by the slope there
// the target is nearer to it than half of the way to a neighbour, by a tenth and by what was off before.
func Extrapolate(target, limit float64, from, to int, efficiency func(n int) (float64, error), besides ...int) (n int, ok bool) {
	var low, high Point
	known := []Point{{math.MaxInt, limit}} // in the order of sizes
	at := func(n int) bool {
		i, found := slices.BinarySearchFunc(known, n, func(p Point, n int) int { return p.N - n })
		if found {
			return true
		}
		e, err := efficiency(n)
		p := Point{n, e}
		known = slices.Insert(known, i, p)
		switch {
		case e < target && n > low.N:
			low = p
		case e >= target && (high.N == 0 || n < high.N):
			high = p
		}
		return err == nil && (high.N == 0 || low.N < high.N)
	}
	for _, n := range besides {
		if n >= from && n <= to && !at(n) {
			return 0, false
		}
	}
	for far, leap := from, false; !leap; far *= 2 {
		if far > to || !at(far) || low.N == 0 {
			return 0, false
		}
		last := 32 * low.N
		if high.N > 0 {
			last = high.N
		}
		if k := len(known); k > 3 && far >= low.N/8 {
			next, rough := Likely(target, known, low.N, last), Likely(target, known[k-3:], low.N, last)
			leap = next < 32*low.N && math.Abs(math.Log(float64(next)/float64(rough))) < 0.05
		}
		leap = leap || far >= high.N && high.N > 0
	}
	for off, steps := 1.0, 0; steps < 6; steps++ {
		if high.N == low.N+1 {
			return nearer(target, low, high).N, off < 0.5
		}
		last := 32 * low.N
		if high.N > 0 {
			last = high.N - 1
		}
		known = known[max(0, len(known)-4):]
		expected := func(n int) float64 { return 1 / Through(known, n) }
		n := Likely(target, known, low.N+1, last)
		slope := expected(n) - expected(n-1)
		if !(slope > 0) {
			return 0, false
		}
		exact := float64(n) - (expected(n)-target)/slope
		if n = int(math.Round(exact)); n == low.N || n == high.N {
			switch {
			case math.Abs(exact-float64(n)) < 0.4-off:
				return n, true
			case n == low.N:
				n++
			default:
				n--
			}
		}
		e := expected(n)
		if n <= low.N || n > min(last, to) || !at(n) {
			return 0, false
		}
		i := slices.IndexFunc(known, func(p Point) bool { return p.N == n })
		off = math.Abs(known[i].Efficiency-e) / slope
	}
	return 0, false
}

// nearer returns which of two neighbours has the efficiency that is nearer to the target.
func nearer(target float64, low, high Point) Point {
	if target-low.Efficiency < high.Efficiency-target {
		return low
	}
	return high
}

// Tolerance is how far from the target an efficiency may be to count as holding
// it where no size comes nearer.
func Tolerance(target float64) float64 { return min(0.002, target/100) }

// Bisect returns, of two neighbouring sizes between low and high through which the
// efficiency rises to the target, the one with the nearer efficiency. REQUIRES:
// efficiency(low) < target <= efficiency(high).
//
// Where E = E_inf n/(n + a), 1/E is linear in 1/n. So the next size is where that has the target, by [Likely] of both ends
// and the last two points known besides, or beside the last size, in steps that double after the second, if it is there:
// the other end must come near too. Two steps that leave more than half of the interval are followed by one to its
// middle, so that there are at most three times as many as halvings alone would take.
func Bisect(target float64, low, high int, efficiency func(n int) (float64, error), known ...Point) (int, error) {
	known = known[max(0, len(known)-2):]
	below, err := efficiency(low)
	if err != nil {
		return 0, err
	}
	above, err := efficiency(high)
	if err != nil {
		return 0, err
	}
	near, slow := 0, 0
	for width := high - low; high-low > 1; width = high - low {
		next := Likely(target, append(slices.Clone(known), Point{low, below}, Point{high, above}), low+1, high-1)
		step := 1 << max(0, near-1)
		switch {
		case slow == 2:
			next, slow = low+width/2, 0
		case next <= low+step:
			next, near = min(low+step, high-1), near+1
		case next >= high-step:
			next, near = max(high-step, low+1), near+1
		}
		e, err := efficiency(next)
		if err != nil {
			return 0, err
		}
		if e >= target {
			high, above = next, e
		} else {
			low, below = next, e
		}
		if 2*(high-low) > width {
			slow++
		}
	}
	return nearer(target, Point{low, below}, Point{high, above}).N, nil
}

// A Point is the efficiency of a size.
type Point struct {
	N          int
	Efficiency float64
}

// Likely is the first size from low to high at which 1/E comes down to the target, high if there is none, where 1/E is
// the polynomial in 1/n through the last four of the points known or fewer: most overheads are powers of n over the work.
func Likely(target float64, known []Point, low, high int) int {
	known = known[max(0, len(known)-4):]
	return low + sort.Search(high-low, func(k int) bool { return Through(known, low+k) <= 1/target })
}

// Through is the value at size n of the polynomial in 1/n through 1/E of points of different sizes, by Lagrange's formula.
func Through(known []Point, n int) float64 {
	sum := 0.0
	for i, a := range known {
		term := 1 / a.Efficiency
		for j, b := range known {
			if i != j {
				term *= (1/float64(n) - 1/float64(b.N)) / (1/float64(a.N) - 1/float64(b.N))
			}
		}
		sum += term
	}
	return sum
}
