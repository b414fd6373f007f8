package hold

import (
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/internal/expect"
)

// probed is an efficiency that records the sizes at which it is asked for.
type probed struct {
	of    func(n float64) float64
	sizes []int
}

func (p *probed) efficiency(n int) (float64, error) {
	p.sizes = append(p.sizes, n)
	return p.of(float64(n)), nil
}

// E(n) = n/(n + 100) is 0.75 at n = 300. 1/E is a line in 1/n, so 300 is expected when doubling has come to 160, and
// the next size is half as much again.
func TestSearchDoublesAndHalves(t *testing.T) {
	p := &probed{of: func(n float64) float64 { return n / (n + 100) }}
	n, err := Search(0.75, 10, 1e6, p.efficiency)
	expect.That(t, n == 300 && err == nil, "n = %d, %v; want 300", n, err)
	// Between 160 and 450 300 is the next size, then its neighbour.
	want := []int{10, 20, 40, 80, 160, 450, 160, 450, 300, 299}
	expect.That(t, slices.Equal(p.sizes[:len(want)], want), "sizes %v, want first %v", p.sizes, want)
}

// The last size is tried even if it is not a doubling.
func TestSearchReachesTheLastSize(t *testing.T) {
	e := func(n int) (float64, error) { return float64(n) / 1000, nil }
	for _, tt := range []struct{ from, to, want int }{{10, 75, 75}, {10, 80, 75}, {75, 75, 75}, {70, 75, 75}} {
		n, err := Search(0.075, tt.from, tt.to, e)
		expect.That(t, n == tt.want && err == nil, "from %d to %d: n = %d, %v; want %d", tt.from, tt.to, n, err, tt.want)
	}
}

// Where the search ends below its target, by hand from the stop rule.
func TestSearchStops(t *testing.T) {
	rational := func(limit, a, power float64) func(float64) float64 {
		return func(n float64) float64 { return limit / (1 + math.Pow(a/n, power)) }
	}
	for _, tt := range []struct {
		name   string
		of     func(n float64) float64
		target float64
		to     int // where it ends
		flat   bool
	}{
		// Flat from the start: after the doublings that do not count.
		{"constant", func(float64) float64 { return 0.5 }, 0.6, 4 << 8, true},
		// One process is as efficient at all sizes, but for rounding.
		{"constant but for rounding", func(n float64) float64 { return 1 - n*1e-16 }, 2, 4 << 8, true},
		// A gain of 0.5 a/(2n) is below 0.001 from n = 250 a on: between 2^18 and 2^19
		// for a = 1000.
		{"below the limit", rational(0.5, 1000, 1), 0.6, 1 << 19, true},
		// It gains next to nothing for long, and would reach the target at 9e7.
		{"near 0", rational(1, 1e7, 1), 0.9, 1 << 20, false},
		// The gain of the last doubling is 0.61 (0.0437 - 0.0309), above 0.001.
		{"slow", rational(0.61, 1000, 0.5), 0.6, 1 << 20, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &probed{of: tt.of}
			_, err := Search(tt.target, 4, 1<<20, p.efficiency)
			u := expect.Kind[*fault.UnattainableError](t, err)
			last := p.sizes[len(p.sizes)-1]
			expect.That(t, last == tt.to && u.To == tt.to && u.Flat == tt.flat && !u.TooEasy && u.From == 4 &&
				u.Target == tt.target,
				"ended at %d with %+v, want %d, flat %v", last, u, tt.to, tt.flat)
			want := tt.of(float64(u.BestN))
			expect.That(t, u.BestN == tt.to && math.Abs(u.Best-want) < 1e-12, "best %v at n = %d, want %v", u.Best, u.BestN, want)
		})
	}
}

// The smallest size is an answer only if it holds the target: within 0.002, or a
// hundredth of the target.
func TestSearchBeginsAboveTheTarget(t *testing.T) {
	e := func(int) (float64, error) { return 0.5, nil }
	for _, tt := range []struct {
		target float64
		ok     bool
	}{{0.5, true}, {0.4981, true}, {0.4979, false}, {0.1, false}} {
		n, err := Search(tt.target, 7, 100, e)
		var u *fault.UnattainableError
		expect.That(t, tt.ok == (err == nil && n == 7) && (tt.ok || errors.As(err, &u) && u.TooEasy && u.BestN == 7 &&
			u.Best == 0.5),
			"target %g: n = %d, %v", tt.target, n, err)
	}
}

func TestSearchPassesErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	for _, at := range []int{4, 8, 21, 13, 14} {
		e := func(n int) (float64, error) {
			if n == at {
				return 0, broken
			}
			return float64(n) / 100, nil
		}
		_, err := Search(0.135, 4, 100, e)
		expect.That(t, errors.Is(err, broken), "an error at %d becomes %v", at, err)
	}
}

// On rising curves of many forms the size is that of a search through all sizes, and few sizes are tried.
func TestBisectIsExactAndQuick(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 1))
	asked := 0
	const cases = 500
	for i := range cases {
		a, power, steps := math.Exp(10*rng.Float64()), 0.2+2*rng.Float64(), math.Exp(8*rng.Float64())
		p := &probed{of: func(n float64) float64 {
			if i%3 == 0 {
				n = math.Ceil(n/steps) * steps // stairs
			}
			return 1 / (1 + math.Pow(a/n, power))
		}}
		target := 0.05 + 0.9*rng.Float64()
		low, high := 1, 2
		for p.of(float64(high)) < target {
			low, high = high, 2*high
		}
		if p.of(float64(low)) >= target || high > 1<<22 {
			continue
		}
		n, err := Bisect(target, low, high, p.efficiency)
		expect.Success(t, err)
		first := low + sort.Search(high-low, func(k int) bool { return p.of(float64(low+k)) >= target })
		want := first
		if target-p.of(float64(first-1)) < p.of(float64(first))-target {
			want = first - 1
		}
		expect.That(t, n == want, "a = %v, power %v: n = %d, want %d", a, power, n, want)
		expect.That(t, len(p.sizes) <= 4+3*bits.Len(uint(high-low)), "%d sizes between %d and %d", len(p.sizes), low, high)
		if i%3 != 0 {
			asked += len(p.sizes)
		}
	}
	expect.That(t, asked < 9*cases*2/3, "%d sizes in all on smooth curves", asked)
}

// On rising curves with a known limit the size is that of a search through all sizes, and few sizes, mostly small ones,
// are tried. A stair is refused, unless its size is the same.
func TestExtrapolateIsExactAndQuick(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 2))
	found, asked := 0, 0.0
	const cases = 500
	for i := range cases {
		a, b, steps := math.Exp(2+6*rng.Float64()), math.Exp(8*rng.Float64()), math.Ceil(math.Exp(1+4*rng.Float64()))
		limit, target := 0.3+0.7*rng.Float64(), 0.0
		target = limit * (0.2 + 0.7*rng.Float64())
		p := &probed{of: func(n float64) float64 {
			if i%3 == 0 {
				n = math.Ceil(n/steps) * steps // stairs
			}
			return limit / (1 + a/n + b*b/(n*n))
		}}
		want, err := Search(target, 4, 1<<20, p.efficiency)
		if err != nil {
			continue
		}
		p.sizes = nil
		n, ok := Extrapolate(target, limit, 4, 1<<20, p.efficiency, want/3)
		if i%3 == 0 {
			expect.That(t, !ok || math.Abs(p.of(float64(n))-target) == math.Abs(p.of(float64(want))-target), "stairs of %v: n = %d, want %d or none", steps, n, want)
			continue
		}
		expect.That(t, ok && n == want, "a = %v, b = %v: n = %d, %v; want %d", a, b, n, ok, want)
		found++
		for _, x := range p.sizes {
			asked += float64(x) / float64(n)
		}
	}
	expect.That(t, found > cases/2 && asked < 3*float64(found), "%v times the size that holds the target on average of %d", asked/float64(found), found)
}
