package hold

import (
	"math"
	"slices"
	"sort"

	"github.com/isoscale/isoscale/experiments/internal/file/fault"
)

// Search returns the problem size between from and to whose efficiency is nearest to the target, at the
// first place that it finds where the efficiency rises through the target. If there is none it returns an
// [fault.UnattainableError], without the name of a system.
//
// A size is a whole number and the efficiency is known only where it was simulated, so this is a
// bisection on the integers: doubling from the smallest size finds one that reaches the target, and
// [Bisect] the nearest between that and the one before. If [Likely] expects the target before the next doubling or
// soon after, 1.5 times the expected size is tried instead. Bisection needs no derivative and no smoothness, only a
// change of sign; gonum, which isoscale uses for numerics, has no root finder for one variable. If the efficiency
// is not monotone there may be several solutions, and a rise between two tried sizes can be missed.
//
// If the smallest size is above the target by more than [Tolerance], the error has
// TooEasy set: no size in the range holds the target.
//
// Stop rule. Let the time be T = k W/C + T_o, with T_o/W falling like 1/n. Then
//
//	E(n) = E_inf n/(n + a)        gain g = E(2n) - E(n)
//
//	E_inf - E(2n) = (1 + a/n) g   what further growth can add
//	g/E(2n) = a/(2(n + a))        which is below 1/4 from n = a on
//
// So once g < E(2n)/4 the efficiency is past half of its limit, and larger sizes add no more than 2g
// in all. The search ends when that holds, the curve is flat (g < 0.001), and ten times the gain would
// not reach the target: the factor leaves room for a T_o/W that falls more slowly, down to n^-0.14.
// A curve near 0 also gains little; comparing g with E(2n) tells it from a flat one. The first sizes, up
// to 256 times the smallest, are too rough to judge by.
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
		flat     = 0.001 // gain of a doubling
		rough    = 8     // doublings
		rounding = 1e-12
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
		if next >= best-float64(rounding*best) { // one process is as efficient at all sizes
			best, bestN = max(best, next), high
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

// Extrapolate returns the size that [Search] would, if the efficiency is smooth: at the last size it is what the sizes
// before lead to expect, within half of what one more adds. Otherwise, or if none is found or one fails, ok is false.
//
// It doubles the smallest size, beside sizes that are asked for anyway, until the sizes at which [Likely] expects the
// target from the two largest and from the three largest agree to a twentieth. It leaps there and goes on from the
// three largest. All predictions also use the limit of the efficiency for ever larger sizes. A size is the nearest,
// without a look at its neighbours, if by the slope there the target is less than half of the way to a neighbour away,
// minus a tenth and the error of the last prediction.
func Extrapolate(target, limit float64, from, to int, efficiency func(n int) (float64, error), besides ...int) (n int, ok bool) {
	var low, high Point
	known := []Point{{math.MaxInt, limit}} // by size
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

// nearer returns the neighbour whose efficiency is nearer to the target.
func nearer(target float64, low, high Point) Point {
	if target-low.Efficiency < high.Efficiency-target {
		return low
	}
	return high
}

// Tolerance is how far an efficiency may be from the target and still hold it if no
// size comes nearer.
func Tolerance(target float64) float64 { return min(0.002, target/100) }

// Bisect finds two neighbouring sizes between low and high between which the efficiency
// rises to the target, and returns the one with the nearer efficiency. REQUIRES:
// efficiency(low) < target <= efficiency(high).
//
// Where E = E_inf n/(n + a), 1/E is linear in 1/n. So the next size is where [Likely] expects the target, given both
// ends and the last two other points known. If that is less than a step from an end, it is one step from the end
// instead, so that the other end comes near too; steps are 1 twice and double from then on. After two sizes that leave
// more than half of the interval comes its middle, so there are at most three times as many sizes as by halving.
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

// Likely returns the first size from low to high at which E is expected to reach the target, high if there is none. It
// takes 1/E as a polynomial in 1/n through the last four known points or fewer: most overheads are powers of n over W.
func Likely(target float64, known []Point, low, high int) int {
	known = known[max(0, len(known)-4):]
	return low + sort.Search(high-low, func(k int) bool { return Through(known, low+k) <= 1/target })
}

// Through returns the value at size n of the polynomial in 1/n that has 1/E at the known points, by Lagrange's formula.
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
