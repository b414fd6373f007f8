package paper

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// The gains of case 1 are differences of Table I: 0.99747 and 0.99803 from one node, so
// level 2 is the first to double, and 15.644 - 15.034 and 15.701 - 15.034 from (8, 8).
// Steepest ascent follows the optimum there. In case 2 it raises r1 first. log2 S is
//
//	(9,1): 9 - log2(1 + 459.9/92681.9) + 1 - log2(1 + 0.7/22.627) = 9.94890
//	(5,5): 5 - log2(1 + 27.9/1448.15) + 5 - log2(1 + 21.7/1448.15) = 9.95101
//
// so that at r = 10 it misses by 0.0021, and nowhere else, as an independent program
// finds.
func TestGrowthOfCases1And2(t *testing.T) {
	cases := jinCases()
	one, two := cases[0].updates(), cases[1].updates()
	for _, tt := range []struct {
		u     jinUpdate
		level int
		gain  [2]float64
	}{
		{one[0], 1, [2]float64{0.99747, 0.99803}},
		{one[16], 1, [2]float64{15.644 - 15.034, 15.701 - 15.034}},
	} {
		expect.That(t, tt.level == tt.u.level && math.Abs(tt.u.gain[0]-tt.gain[0]) <= 0.001 &&
			math.Abs(tt.u.gain[1]-tt.gain[1]) <= 0.001,
			"%+v, want level %d of gains %v", tt.u, tt.level+1, tt.gain)
	}
	missed := cases[0].ascent.Misses
	expect.That(t, len(missed) == 0, "case 1: %v", missed)
	for r, u := range two {
		want := 0.0
		if r == 10 {
			want = 9.95101 - 9.94890
			expect.That(t, u.walk == (configuration{9, 1}) && u.optimum == (configuration{5, 5}), "%+v", u)
		}
		expect.That(t, math.Abs(u.shortfall-want) <= 1e-4, "r = %d: %+v, want a shortfall of %v", r, u, want)
		// If a node costs 1, a doubling costs the number of nodes.
		expect.That(t, math.Abs(u.byNode*math.Exp2(float64(r))-u.byDoubling) <= 1e-12 &&
			u.byDoubling == u.gain[u.level],
			"r = %d: %+v", r, u)
	}
	// (9,7) has the largest speedup: no step from there, up or down, gains anything.
	expect.List(t, cases[1].shrinks(), []configuration{{8, 9}, {9, 8}, {9, 9}}, "downsizing gains at")
}

// Deviations of the model from the measured speedups as the independent program
// prints them, in %.
func TestMeasuredSpeedups(t *testing.T) {
	x := findTable(t, makePaper(t, "jin"), "jin_table2")
	want := []float64{0, -6.1, -1.9, -1.7, -1.0, -0.5, 2.6, -0.3, 0.2, -0.3}
	i := 0
	for _, c := range x.Cells {
		if c.Reading != jinByModel {
			continue
		}
		expect.Equal(t, math.Round(1000*c.Deviation)/10, want[i], "%s", c.Row)
		i++
	}
	expect.Equal(t, i, len(want), "measured speedups")
	// sqrt of the mean of the nine squares above: sqrt((37.2 + ... + 0.1)/9) = 2.4.
	expect.Says(t, x.Notes[0], "2.4 %")
	// The simulated dispatch stays within 4 %.
	n := x.tally(func(c Cell) bool { return c.Reading == jinByDispatch && c.Row != "(1,1)" })
	expect.That(t, n.Cells == 9 && n.RMS <= 0.04,
		"the simulated dispatch deviates by %.3f from %d measured speedups, want at most 0.04 from 9", n.RMS, n.Cells)
}

// The optimum of each size as the independent program prints it.
func TestOptima(t *testing.T) {
	want := []string{
		"00 01 11 12 22 23 33 34 44 45 55 56 66 67 77 78 88 89 99",
		"00 10 20 30 40 50 60 70 80 90 55 92 93 94 95 96 97 98 99",
		"00 10 20 30 04 05 06 07 08 09 19 29 39 49 59 69 79 89 99",
		"00 01 02 03 04 50 60 70 80 90 91 92 93 94 95 96 97 98 99",
		"00 01 02 03 04 05 06 07 08 09 55 65 66 76 77 87 88 98 99",
	}
	failures := []int{16, 4, 1, 0, 0}
	jumps := [][]int{nil, {9, 10}, {3}, {4}, {9}}
	cases := jinCases()
	for i := range cases {
		k := cases[i]
		var got []string
		for r := range 19 {
			c := k.best(r)
			got = append(got, fmt.Sprintf("%d%d", c[0], c[1]))
		}
		expect.That(t, strings.Join(got, " ") == want[i], "case %d: %v, want %s", k.number, got, want[i])
		expect.That(t, k.boundFailures() == failures[i] && slices.Equal(k.jumps(), jumps[i]),
			"case %d: Eq. 23 fails at %d sizes, jumps at %v", k.number, k.boundFailures(), k.jumps())
	}
}

// The work of the cases is the one in the sheet of parameters.
func TestCasesAreAsPrinted(t *testing.T) {
	s := load("jin_parameters")
	for _, k := range jinCases() {
		for i, w := range k.w {
			symbol := fmt.Sprintf("w%d_case%d", i+1, k.number)
			row := slices.IndexFunc(s.Rows, func(r []string) bool { return r[0] == symbol })
			expect.That(t, row >= 0 && s.text(row, "value") == w.text, "%s is not %q", symbol, w.text)
		}
	}
	// By hand: 2^18/4^1.5 = 2^15, 8*4^1.5 = 64, and n1 plays no part.
	c := jinCases()[1]
	a, b := c.w[0].at(16, 4), c.w[1].at(16, 4)
	expect.That(t, a == 1<<15 && b == 64, "work %v and %v", a, b)
}

// The gradient by formula agrees with central differences of the speedup.
func TestGradient(t *testing.T) {
	const h = 1e-4
	for _, k := range jinCases() {
		for r1 := 0.5; r1 <= 9; r1 += 1.7 {
			for r2 := 0.5; r2 <= 9; r2 += 1.7 {
				g := k.gradient(r1, r2)
				d1 := (k.speedup(r1+h, r2) - k.speedup(r1-h, r2)) / (2 * h)
				d2 := (k.speedup(r1, r2+h) - k.speedup(r1, r2-h)) / (2 * h)
				expect.That(t, math.Abs(g[0]-d1) <= 1e-7 && math.Abs(g[1]-d2) <= 1e-7,
					"case %d at (%v, %v): %v, differences (%v, %v)", k.number, r1, r2, g, d1, d2)
				expect.That(t, g[0] > 0,
					"case %d at (%v, %v): the speedup does not rise with r1, which contour needs", k.number, r1, r2)
			}
		}
	}
}

// A contour has its speedup at every point, and touches its line: no point of the line is better, and where they touch
// inside the range both derivatives are equal.
func TestContoursTouch(t *testing.T) {
	inside := 0
	for _, k := range jinCases() {
		for _, r := range lineSizes() {
			a, b := k.touch(r)
			u := k.speedup(a, b)
			expect.Need(t, math.Abs(a+b-r) <= 1e-9 && a >= 0 && b >= 0 && a <= jinRange && b <= jinRange,
				"case %d: (%v, %v) is not of size %v", k.number, a, b, r)
			for x := math.Max(0, r-9); x <= math.Min(r, 9); x += 0.01 {
				expect.Need(t, k.speedup(x, r-x) <= u+1e-12,
					"case %d, r = %v: (%v, %v) is better than (%v, %v)", k.number, r, x, r-x, a, b)
			}
			if g := k.gradient(a, b); a > 0 && b > 0 && a < 9 && b < 9 {
				inside++
				expect.That(t, math.Abs(g[0]-g[1]) <= 1e-5, "case %d at (%v, %v): derivatives %v", k.number, a, b, g)
			}
			xs, ys := k.contour(u)
			expect.Need(t, len(xs) >= 2, "case %d: no contour at %v", k.number, u)
			for i := range xs {
				expect.Near(t, k.speedup(xs[i], ys[i]), u, 1e-9, "case %d: speedup at (%v, %v)", k.number, xs[i], ys[i])
			}
		}
	}
	expect.That(t, inside != 0, "no contour touches inside the range")
}

// The arrows of case 2 point down where the text says that downsizing is best, and no arrow is missing except at the
// last corner.
func TestDirections(t *testing.T) {
	k := jinCases()[1]
	s := k.directions(readDraft("jin"))
	arrows := s.Layers[len(s.Layers)-1]
	expect.Equal(t, len(arrows.Traces), 99, "arrows")
	var down []string
	for _, a := range arrows.Traces {
		if a.Y[1] < a.Y[0] {
			down = append(down, fmt.Sprintf("%v,%v", a.X[0], a.Y[0]))
		}
	}
	expect.List(t, down, []string{"9,7", "9,8"}, "arrows point down at")
}

// What is called the optimum of a size, the level to double, a path or a jump does not rest on a tie: no other
// configuration of a size is as good, and no two doublings gain the same. The narrowest margin that the independent
// program found is 0.0001.
func TestOptimaOfJinHaveNoTies(t *testing.T) {
	for _, k := range jinCases() {
		for r := range 2*jinRange + 1 {
			best := k.best(r)
			near := k.where(func(c configuration) bool { return c[0]+c[1] == r && k.at(best)-k.at(c) < 1e-5 })
			expect.List(t, near, []configuration{best}, "case %d, r = %d", k.number, r)
		}
		alike := k.where(func(c configuration) bool { g := k.gains(c); return math.Abs(g[0]-g[1]) < 1e-6 })
		expect.That(t, alike == nil, "case %d: both doublings gain the same at %v", k.number, alike)
	}
}
