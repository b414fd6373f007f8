package paper

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/scalability"
)

// powerLaw is a number of super-instructions, A n1^E1 n2^E2.
type powerLaw struct {
	A, E1, E2 float64
	text      string // as in the sheet of parameters
}

func (w powerLaw) at(n1, n2 float64) float64 {
	return w.A * math.Pow(n1, w.E1) * math.Pow(n2, w.E2)
}

// jinCase is a case study of [Jin] section 5: how the work of each level grows with a cluster of n1 = 2^r1 subclusters
// of n2 = 2^r2 nodes.
type jinCase struct {
	number int
	w      [2]powerLaw
	c      [2]float64 // c_1, c_2

	cells  *analysis.Cells  // log2 of the speedup of all configurations, with their size r1 + r2
	path   *analysis.Growth // of the best configurations
	ascent *analysis.Ascent // from one node
}

// jinRange is the largest r1 and r2: 512 nodes.
const jinRange = 9

func jinCases() []*jinCase {
	s := load("jin_parameters")
	c := [2]float64{s.constant("c_1").Value, s.constant("c_2").Value}
	fixed := powerLaw{512, 0, 0, "512"}
	byLevel1, byLevel2 := powerLaw{8, 1.5, 0, "8*n1^1.5"}, powerLaw{8, 0, 1.5, "8*n2^1.5"}
	cases := []*jinCase{
		{w: [2]powerLaw{fixed, fixed}},                                // all work fixed
		{w: [2]powerLaw{{1 << 18, 0, -1.5, "2^18/n2^1.5"}, byLevel2}}, // and that of a subcluster grows
		{w: [2]powerLaw{fixed, byLevel2}},                             // the work of a subcluster grows with it
		{w: [2]powerLaw{byLevel1, fixed}},                             // the number of its tasks grows with subclusters
		{w: [2]powerLaw{byLevel1, byLevel2}},                          // work grows on both levels
	}
	for i, k := range cases {
		k.number, k.c = i+1, c
		k.study()
	}
	return cases
}

// study analyses the configurations of whole r1 and r2 like those of a sweep.
func (k *jinCase) study() {
	levels := make([]analysis.Level, jinRange+1)
	for r := range levels {
		levels[r] = analysis.Level{Text: fmt.Sprint(r), Value: float64(r)}
	}
	t := analysis.Table{
		Factors:   []analysis.Factor{{Name: "r1", Numeric: true, Levels: levels}, {Name: "r2", Numeric: true, Levels: levels}},
		Responses: []analysis.Response{{Name: "log2 S"}, {Name: "r"}},
	}
	k.where(func(c configuration) bool {
		t.Rows = append(t.Rows, analysis.Row{Levels: c[:], Values: []float64{k.at(c), float64(c[0] + c[1])}})
		return false
	})
	k.cells = must(must(t.Gather("log2 S", analysis.Maximize)).By("r"))
	k.path = k.cells.Growth()
	k.ascent = k.cells.Ascend(k.path)
}

// speedup returns log2 of the speedup over one node that does the same work,
// w1 w2/(C_1 C_2) with C_i = (w_i + c_i (n_i - 1))/n_i: [Jin] Eq. 24 to 26.
func (k *jinCase) speedup(r1, r2 float64) float64 {
	n1, n2 := math.Exp2(r1), math.Exp2(r2)
	return must(scalability.Levels{
		{Nodes: n1, Work: k.w[0].at(n1, n2), Imbalance: k.c[0]},
		{Nodes: n2, Work: k.w[1].at(n1, n2), Imbalance: k.c[1]},
	}.Log2Speedup())
}

// gradient returns the derivatives of speedup along r1 and r2: the scalability
// along either, [Jin] Eq. 8. With w_i a power law of exponent e_ij in n_j,
//
//	dU/dr_j = sum over i of d_ij + e_ij - (e_ij w_i + d_ij c_i n_i)/(w_i + c_i (n_i - 1)),
//
// where d_ij is 1 for i = j and 0 otherwise.
func (k *jinCase) gradient(r1, r2 float64) [2]float64 {
	n := [2]float64{math.Exp2(r1), math.Exp2(r2)}
	var g [2]float64
	for i := range n {
		w := k.w[i].at(n[0], n[1])
		total := w + float64(k.c[i]*(n[i]-1))
		for j, e := range [2]float64{k.w[i].E1, k.w[i].E2} {
			g[j] += e - e*w/total
			if i == j {
				g[j] += 1 - k.c[i]*n[i]/total
			}
		}
	}
	return g
}

// configuration is r1 and r2.
type configuration [2]int

func (c configuration) String() string { return fmt.Sprintf("(%d,%d)", c[0], c[1]) }

func (k *jinCase) at(c configuration) float64 { return k.speedup(float64(c[0]), float64(c[1])) }

// where lists the configurations for which something holds, by r1.
func (k *jinCase) where(holds func(configuration) bool) []configuration {
	var all []configuration
	for r1 := range jinRange + 1 {
		for r2 := range jinRange + 1 {
			if c := (configuration{r1, r2}); holds(c) {
				all = append(all, c)
			}
		}
	}
	return all
}

// best returns the configuration of 2^r nodes in all with the largest speedup.
func (k *jinCase) best(r int) configuration { return configuration(k.path.Optima[r].At) }

// jumps returns the sizes r from which the optimum of r + 1 is more than one
// doubling away.
func (k *jinCase) jumps() []int {
	var all []int
	for r, o := range k.path.Optima {
		if o.Move == analysis.Jump {
			all = append(all, r-1)
		}
	}
	return all
}

// step names the optima of two successive sizes.
func (k *jinCase) step(r int) string {
	return fmt.Sprintf("%v to %v at r = %d to %d", k.best(r), k.best(r+1), r, r+1)
}

// gains returns the gains in speedup from doubling either level, NaN if the level is at its limit.
func (k *jinCase) gains(c configuration) [2]float64 {
	g := [2]float64{math.NaN(), math.NaN()}
	for _, u := range k.cells.Updates(c[:]) {
		g[u.Factor] = u.Gain
	}
	return g
}

// double returns the doubling that gains more, of level 0 or 1, at equal prices: the edge of [Jin] section 4.3. At the
// last corner nothing is left to double.
func (k *jinCase) double(c configuration) (u analysis.Update, ok bool) {
	return analysis.BestUpdate(k.cells.Updates(c[:]), analysis.ByScalability)
}

// touch returns where a contour touches the line r1 + r2 = r or meets its end: the
// point with the largest speedup on that line. Sampling brackets the maximum, where both
// derivatives are equal.
func (k *jinCase) touch(r float64) (r1, r2 float64) {
	from, to := max(0, r-jinRange), min(r, jinRange)
	on := func(x float64) float64 { return k.speedup(x, r-x) }
	const samples = 240
	step := (to - from) / samples
	top := from
	for i := range samples + 1 {
		if x := from + float64(step*float64(i)); on(x) > on(top) {
			top = x
		}
	}
	x := bisect(max(from, top-step), min(to, top+step), func(x float64) bool {
		g := k.gradient(x, r-x)
		return g[0] > g[1]
	})
	// At an end of the line, a contour meets it without touching it.
	for _, end := range []float64{from, to} {
		if on(end) >= on(x) {
			x = end
		}
	}
	return x, r - x
}

// contour returns the points of equal speedup. The speedup must rise with r1,
// as in all cases, so that every r2 has at most one point.
func (k *jinCase) contour(level float64) (r1, r2 []float64) {
	const last = float64(jinRange)
	holds := func(b float64) bool { return k.speedup(0, b) <= level && level <= k.speedup(last, b) }
	add := func(b float64) {
		r1 = append(r1, bisect(0, last, func(a float64) bool { return k.speedup(a, b) < level }))
		r2 = append(r2, b)
	}
	const steps = 72
	for i := range steps + 1 {
		b := last * float64(i) / steps
		inside := holds(b)
		if before := b - last/steps; i > 0 && inside != holds(before) {
			add(bisect(before, b, func(x float64) bool { return holds(x) != inside }))
		}
		if inside {
			add(b)
		}
	}
	return r1, r2
}

// bisect returns the point between a and b at which a condition that holds at a
// ceases to hold.
func bisect(a, b float64, condition func(float64) bool) float64 {
	for range 60 {
		if m := (a + b) / 2; condition(m) {
			a = m
		} else {
			b = m
		}
	}
	return (a + b) / 2
}

// lineSizes are the sizes r1 + r2 of the lines to draw; more would hide the surface.
func lineSizes() []float64 { return []float64{2, 4, 6, 8, 10, 12, 14, 16} }

// surface shows the speedup with contours.
func (k *jinCase) surface(d *draft) *report.Surface {
	s := chartOf[report.Surface](d, "surface", "${case}", fmt.Sprint(k.number))
	for r2 := range jinRange + 1 {
		var row []float64
		for r1 := range jinRange + 1 {
			row = append(row, k.speedup(float64(r1), float64(r2)))
		}
		s.Values = append(s.Values, row)
	}
	contours := report.Layer{Name: "equal speedup", Mark: report.MarkContours}
	lines := report.Layer{Name: "equal size", Mark: report.MarkDashes}
	gradients := report.Layer{Name: "gradient", Mark: report.MarkArrows}
	touches := report.Layer{Name: "best of a size", Mark: report.MarkPoints}
	for _, r := range lineSizes() {
		from, to := math.Max(0, r-jinRange), math.Min(r, jinRange)
		label := fmt.Sprintf("r1 + r2 = %v", r)
		mark(&lines, label, [2]float64{from, r - from}, [2]float64{to, r - to})
		a, b := k.touch(r)
		u := k.speedup(a, b)
		mark(&touches, label, [2]float64{a, b})
		cx, cy := k.contour(u)
		contours.Traces = append(contours.Traces, report.Trace{Label: fmt.Sprintf("%.2f", u), X: cx, Y: cy})
		g := k.gradient(a, b)
		const scale = 0.9 // cells for a slope of 1
		if ax, ay := a+float64(scale*g[0]), b+float64(scale*g[1]); ax <= jinRange+0.5 && ay <= jinRange+0.5 {
			mark(&gradients, fmt.Sprintf("(%.3f, %.3f)", g[0], g[1]), [2]float64{a, b}, [2]float64{ax, ay})
		}
	}
	s.Layers = []report.Layer{contours, lines, gradients, touches}
	return s
}

// directions shows the best doubling of every configuration. The length of an
// arrow is the gain; it points down if even the best doubling is a loss.
func (k *jinCase) directions(d *draft) *report.Surface {
	s := chartOf[report.Surface](d, "directions", "${case}", fmt.Sprint(k.number))
	arrows := report.Layer{Name: "best doubling", Mark: report.MarkArrows}
	least, most := math.Inf(1), math.Inf(-1)
	for r2 := range jinRange + 1 {
		row := make([]float64, jinRange+1)
		for r1 := range row {
			best, ok := k.double(configuration{r1, r2})
			if !ok { // the last corner: nothing is left to double
				row[r1] = math.NaN()
				continue
			}
			row[r1] = best.Gain
			least, most = math.Min(least, best.Gain), math.Max(most, best.Gain)
			const scale = 0.75 // cells for a gain of 1
			tip := [2]float64{float64(r1), float64(r2)}
			tip[best.Factor] += float64(scale * best.Gain)
			mark(&arrows, fmt.Sprintf("level %d: %+.3f", best.Factor+1, best.Gain), [2]float64{float64(r1), float64(r2)}, tip)
		}
		s.Values = append(s.Values, row)
	}
	s.Value.Min, s.Value.Max = new(math.Floor(10*least)/10), new(math.Ceil(10*most)/10)
	path, jumps := k.paths()
	s.Layers = []report.Layer{path}
	if len(jumps.Traces) > 0 {
		s.Layers = append(s.Layers, jumps)
	}
	s.Layers = append(s.Layers, arrows)
	return s
}

// paths connects the best configurations of all sizes, and marks whether one doubling
// leads from one to the next.
func (k *jinCase) paths() (path, jumps report.Layer) {
	path = report.Layer{Name: "optimal path", Mark: report.MarkPath}
	jumps = report.Layer{Name: "jump", Mark: report.MarkDashes}
	var t report.Trace
	for r, o := range k.path.Optima {
		x, y := float64(o.At[0]), float64(o.At[1])
		if n := len(t.X); o.Move == analysis.Jump {
			mark(&jumps, fmt.Sprintf("r = %d to %d", r-1, r), [2]float64{t.X[n-1], t.Y[n-1]}, [2]float64{x, y})
			path.Traces = append(path.Traces, t)
			t = report.Trace{}
		}
		if t.X == nil {
			t.Label = fmt.Sprintf("from r = %d", r)
		}
		t.X, t.Y = append(t.X, x), append(t.Y, y)
	}
	path.Traces = append(path.Traces, t)
	return path, jumps
}
