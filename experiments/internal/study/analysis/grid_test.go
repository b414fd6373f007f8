package analysis_test

import (
	"math"
	"slices"
	"testing"

	. "github.com/isoscale/isoscale/experiments/internal/study/analysis"
	kit "github.com/isoscale/isoscale/experiments/internal/study/analysis/analysistest"
	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/expect"
)

// surface returns a grid of a function over places along both axes.
func surface(xs, ys []float64, f func(x, y float64) float64) *Grid {
	g := &Grid{X: Axis{At: xs}, Y: Axis{At: ys}}
	for _, y := range ys {
		row := each.Append(nil, xs, func(x float64) float64 { return f(x, y) })
		g.Values = append(g.Values, row)
	}
	return g
}

func TestGridFixesOthers(t *testing.T) {
	// y = 100 a + 10 b + c, with b in descending order in the plan.
	table := kit.Factorial([]Factor{kit.Numbers("a", 1, 2), kit.Numbers("b", 3, 1), kit.Words("c", "u", "v", "w")}, 1,
		func(x []float64, _ int) float64 { return 100*x[0] + 10*x[1] + x[2] })
	at := []int{1, 1, 2}
	// Rows are b = 1, 3; columns a = 1, 2; c = w counts 2.
	g := sized(t, table, Maximize, "a").Grid(0, 1, at)
	expect.Same(t, g.Values, [][]float64{{112, 212}, {132, 232}}, "values")
	expect.That(t, slices.Equal(g.Y.Levels, []int{1, 0}) && slices.Equal(g.Y.At, []float64{1, 3}) &&
		g.Y.Scale == ScaleValue,
		"%+v", g)
	// A failed value is unknown.
	for i := range table.Rows {
		if slices.Equal(table.Rows[i].Levels, []int{0, 0, 2}) {
			table.Rows[i].Values[0] = math.NaN()
		}
	}
	c := sized(t, table, Maximize, "a")
	g = c.Grid(0, 1, at)
	expect.That(t, math.IsNaN(g.Values[1][0]) && g.Values[0][0] == 112, "%v", g.Values)
	at[2] = -1
	expect.That(t, c.Grid(0, 1, at) == nil, "several configurations with a = 1 and b = 3 have a grid")
	expect.That(t, c.Where(func(levels []int) bool { return levels[2] == 1 }).Grid(0, 1, []int{0, 0, 0}) == nil,
		"no configuration with c = u has a grid")
}

func TestScales(t *testing.T) {
	for _, tt := range []struct {
		values   []float64
		want     Scale
		at, even []float64 // even: equidistant
	}{
		{[]float64{1, 2, 8}, ScaleLog2, []float64{0, 1, 3}, []float64{0, 1, 2}},
		{[]float64{0.5, 1, 2}, ScaleLog2, []float64{-1, 0, 1}, []float64{-1, 0, 1}},
		{[]float64{1, 2}, ScaleValue, []float64{1, 2}, []float64{1, 2}},
		{[]float64{0, 1, 2}, ScaleValue, []float64{0, 1, 2}, []float64{0, 1, 2}},
		{[]float64{-1, 2, 4}, ScaleValue, []float64{-1, 2, 4}, []float64{0, 1, 2}},
		{[]float64{10, 30, 20}, ScaleValue, []float64{10, 20, 30}, []float64{10, 20, 30}},
	} {
		table := kit.Factorial([]Factor{kit.Numbers("a", tt.values...)}, 1, func([]float64, int) float64 { return 1 })
		a := AxisOf(sized(t, table, Maximize, "a"), 0)
		even := Even(*a)
		expect.That(t, a.Scale == tt.want && slices.Equal(a.At, tt.at) && slices.Equal(even.At, tt.even) &&
			(even.Scale == ScaleIndex) != slices.Equal(tt.at, tt.even),
			"%v: %+v, at equal distances %+v", tt.values, a, even)
	}
}

// Central differences are exact for parabolas on any spacing; at the sides the
// difference is that of the chord.
func TestGradient(t *testing.T) {
	xs, ys := []float64{0, 1, 3, 4, 8}, []float64{-2, 0, 5}
	f := func(x, y float64) float64 { return 7 + 2*x + 3*x*x - y*y/2 + 5*y }
	dx, dy := surface(xs, ys, f).Gradient()
	for j, y := range ys {
		for i, x := range xs {
			wantX, wantY := 2+6*x, 5-y
			switch i {
			case 0:
				wantX = (f(xs[1], y) - f(xs[0], y)) / 1
			case 4:
				wantX = (f(xs[4], y) - f(xs[3], y)) / 4
			}
			switch j {
			case 0:
				wantY = (f(x, 0) - f(x, -2)) / 2
			case 2:
				wantY = (f(x, 5) - f(x, 0)) / 5
			}
			expect.Near(t, dx[j][i], wantX, 1e-9, "d/dx")
			expect.Near(t, dy[j][i], wantY, 1e-9, "d/dy")
		}
	}
	// Beside a hole differences are one-sided; in it and between two holes there are none.
	g := surface([]float64{0, 1, 2, 3, 4}, []float64{0, 1}, func(x, y float64) float64 {
		if x == 1 || x == 3 {
			return math.NaN()
		}
		return 10 * y
	})
	dx, dy = g.Gradient()
	for i := range 5 {
		expect.That(t, math.IsNaN(dx[0][i]) && (i%2 == 0) == (dy[0][i] == 10), "at %d: %v %v", i, dx[0][i], dy[0][i])
	}
	g.Values[0][1] = 6
	dx, _ = g.Gradient()
	expect.That(t, dx[0][0] == 6 && dx[0][1] == 0 && dx[0][2] == -6, "%v", dx[0])
	// One level of a factor gives no derivative along it.
	dx, _ = surface([]float64{1}, ys, f).Gradient()
	expect.That(t, math.IsNaN(dx[0][0]), "%v", dx)
}

func contour(g *Grid, level float64) []Line { return g.Contours([]float64{level}) }

// closed reports whether the last point of a line is the first.
func closed(l Line) bool {
	last := len(l.X) - 1
	return l.X[0] == l.X[last] && l.Y[0] == l.Y[last]
}

// The contours of a plane are exact.
func TestContourOfPlane(t *testing.T) {
	g := surface([]float64{0, 1, 2.5, 4}, []float64{-1, 0, 3}, func(x, y float64) float64 { return 2*x + y })
	lines := contour(g, 3.3)
	expect.Need(t, len(lines) == 1 && !closed(lines[0]), "%+v", lines)
	l := lines[0]
	for i := range l.X {
		expect.Near(t, 2*l.X[i]+l.Y[i], 3.3, 1e-9, "2 x + y")
	}
	// From where 2 x - 1 = 3.3 at the lower side to where 2 x + 3 = 3.3 at the upper, or back: higher values, which lie
	// to the right in x, are on the left on the way down.
	n := len(l.X) - 1
	expect.That(t, l.Y[0] == 3 && l.Y[n] == -1, "from y = %v to %v", l.Y[0], l.Y[n])
	for _, level := range []float64{-1.5, 11.5} {
		expect.Equal(t, len(contour(g, level)), 0, "lines")
	}
}

// x^2 + y^2 = 1/2. Linear interpolation along a side of length h errs by less than
// h^2/(8 r), times the curvature 2 over the slope 2 r.
func TestContourOfCircle(t *testing.T) {
	const n = 41
	g := surface(kit.Linspace(-1, 1, n), kit.Linspace(-1, 1, n), func(x, y float64) float64 { return x*x + y*y })
	lines := contour(g, 0.5)
	expect.Need(t, len(lines) == 1 && closed(lines[0]), "%d lines", len(lines))
	l := lines[0]
	radius, h := math.Sqrt(0.5), 2.0/(n-1)
	var area, length float64
	for i := range l.X {
		d := math.Abs(math.Hypot(l.X[i], l.Y[i]) - radius)
		expect.That(t, d <= h*h/(4*radius), "point %d is off by %v", i, d)
		if i > 0 {
			area += (l.X[i-1]*l.Y[i] - l.X[i]*l.Y[i-1]) / 2
			length += math.Hypot(l.X[i]-l.X[i-1], l.Y[i]-l.Y[i-1])
		}
	}
	// Clockwise, as the higher values are outside. A polygon of some 100 chords has
	// area and circumference to a thousandth.
	expect.That(t, math.Abs(area+math.Pi/2) <= 0.003 && math.Abs(length-2*math.Pi*radius) <= 0.005,
		"area %v, length %v", area, length)
}

// The mean of the corners 1, 0, 1, 0 is 1/2: below that the high corners are
// connected and the lines go round the low ones, above it the other way round.
func TestContourOfSaddle(t *testing.T) {
	g := surface([]float64{0, 1}, []float64{0, 1}, func(x, y float64) float64 {
		if x == y {
			return 1
		}
		return 0
	})
	for _, tt := range []struct {
		level float64
		round [][2]float64 // the corners that the lines cut off
	}{{0.4, [][2]float64{{1, 0}, {0, 1}}}, {0.5, [][2]float64{{1, 0}, {0, 1}}}, {0.6, [][2]float64{{0, 0}, {1, 1}}}} {
		lines := contour(g, tt.level)
		expect.Need(t, len(lines) == 2, "at %v: %+v", tt.level, lines)
		for i, l := range lines {
			mx, my := (l.X[0]+l.X[1])/2, (l.Y[0]+l.Y[1])/2
			d := math.Hypot(mx-tt.round[i][0], my-tt.round[i][1])
			expect.That(t, len(l.X) == 2 && d <= 0.5, "at %v line %d is %+v, want one round %v", tt.level, i, l, tt.round[i])
		}
	}
	// x y = 0.1 has a branch in two quadrants, each of which is one open line.
	lines := contour(surface(kit.Linspace(-1, 1, 21), kit.Linspace(-1, 1, 21), func(x, y float64) float64 { return x * y }), 0.1)
	expect.Need(t, len(lines) == 2 && !closed(lines[0]) && !closed(lines[1]), "%d lines", len(lines))
	for _, l := range lines {
		for i := range l.X { // bilinear cells are linear along their sides
			expect.Near(t, l.X[i]*l.Y[i], 0.1, 1e-9, "x y")
		}
	}
}

// A hole in a plane cuts the lines that meet its cells, and no others.
func TestContourLeavesOutNaN(t *testing.T) {
	g := surface(kit.Linspace(0, 4, 5), kit.Linspace(0, 4, 5), func(x, y float64) float64 {
		if x == 2 && y == 2 {
			return math.NaN()
		}
		return y
	})
	expect.Equal(t, len(contour(g, 1.5)), 2, "lines")
	lines := contour(g, 0.5)
	expect.That(t, len(lines) == 1 && len(lines[0].X) == 5, "beside the hole: %+v", lines)
	// A level met exactly at grid points.
	expect.Equal(t, len(contour(g, 1)), 1, "lines")
}

// Whatever the values, lines pass every crossing of a side of a complete cell exactly once, and nothing else; all
// points have the level by interpolation.
func TestContoursAreComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nx, ny := rapid.IntRange(2, 6).Draw(t, "nx"), rapid.IntRange(2, 6).Draw(t, "ny")
		value := rapid.SampledFrom([]float64{0, 1, 2, 3, math.NaN()})
		g := surface(kit.Linspace(0, 1, nx), kit.Linspace(0, 1, ny), func(_, _ float64) float64 { return value.Draw(t, "value") })
		const level = 1.5 // no value: all crossings are inside the sides
		type point struct{ x, y float64 }
		want := make(map[point]bool)
		complete := func(i, j int) bool {
			if i < 0 || j < 0 || i+1 >= nx || j+1 >= ny {
				return false
			}
			return !math.IsNaN(g.Values[j][i] + g.Values[j][i+1] + g.Values[j+1][i] + g.Values[j+1][i+1])
		}
		for j := range ny {
			for i := range nx {
				if i+1 < nx && (complete(i, j) || complete(i, j-1)) && (g.Values[j][i] < level) != (g.Values[j][i+1] < level) {
					x, y := Crossing(g, i, j, false, level)
					want[point{x, y}] = true
				}
				if j+1 < ny && (complete(i, j) || complete(i-1, j)) && (g.Values[j][i] < level) != (g.Values[j+1][i] < level) {
					x, y := Crossing(g, i, j, true, level)
					want[point{x, y}] = true
				}
			}
		}
		got := make(map[point]bool)
		for _, l := range contour(g, level) {
			points := len(l.X)
			if closed(l) {
				points--
			}
			for i := range points {
				p := point{l.X[i], l.Y[i]}
				expect.Need(t, !got[p] && want[p], "point %v is there twice, or should not be", p)
				got[p] = true
			}
		}
		expect.Need(t, len(got) == len(want), "%d points of %d", len(got), len(want))
	})
}

func TestExtremes(t *testing.T) {
	low, high := Extremes([][]float64{{2, math.NaN()}, {-1}})
	expect.Equal(t, [2]float64{low, high}, [2]float64{-1, 2}, "from and to")
}

// The gradient of Jin's case 1 against [Jin] Eq. 8 in closed form: the derivative of
// log2(n w/(w + c (n - 1))) by r = log2 n is 1 - c n/(w + c (n - 1)).
func TestGradientOfJin(t *testing.T) {
	g := sized(t, jin(fixedWork, fixedWork), Maximize, "size").Grid(0, 1, []int{0, 0})
	dx, dy := g.Gradient()
	for j := 1; j < 9; j++ {
		for i := 1; i < 9; i++ {
			n1, n2 := math.Exp2(float64(i)), math.Exp2(float64(j))
			wantX, wantY := 1-0.9*n1/(512+0.9*(n1-1)), 1-0.7*n2/(512+0.7*(n2-1))
			// Third derivatives are below 0.05 here; a sixth of that is the error.
			expect.That(t, math.Abs(dx[j][i]-wantX) <= 0.01 && math.Abs(dy[j][i]-wantY) <= 0.01,
				"(%d, %d): %v %v, want %v %v", i, j, dx[j][i], dy[j][i], wantX, wantY)
		}
	}
}
