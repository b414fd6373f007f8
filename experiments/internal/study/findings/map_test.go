package findings

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/expect"
)

// Formula and dispatch at two further sizes. On 2 nodes the formula loses nothing with c = 0, and dispatch is never
// better, so the map is that of the formula; with ties the path stays there. Names of factors are as the user wrote
// them.
func TestCaptionNamesOtherFactors(t *testing.T) {
	r := drawn(t, `scenario: {workload: super-program, log2_levels: [0, 0], tasks: [8, 8], imbalance: [0, 0]}
factors:
  how: {path: method, role: machine, values: [formula, dispatch]}
  r1: {path: "log2_levels[0]", from: 0, to: 3}
  r2: {path: "log2_levels[1]", from: 0, to: 3}
`)
	caption := r.mapSection().Blocks[0].(*report.Surface).Caption
	expect.That(t, strings.Contains(caption, " Other factors: how = ") &&
		!strings.Contains(caption, "not on this map"),
		"caption %q", caption)
	for i := range r.Path.Optima[:3] {
		r.Path.Optima[i].At[0] = 1 - r.Best.At[0]
	}
	caption = r.mapSection().Blocks[0].(*report.Surface).Caption
	expect.Says(t, caption, "The best configurations of 3 of 7 sizes are not on this map")
}

// A map with too many levels for arrows does not describe arrows, nor lines that it lacks.
func TestCaptionDescribesWhatIsDrawn(t *testing.T) {
	r := drawn(t, `scenario: {workload: super-program, levels: [1, 1], tasks: [8, 8], imbalance: [1, 1]}
factors:
  n1: {path: "levels[0]", from: 1, to: 21}
  n2: {path: "levels[1]", from: 1, to: 4}
objective: {maximize: efficiency, size: nodes}
`)
	words := map[report.Mark]string{report.MarkContours: "Contour lines:", report.MarkArrows: "Arrows:", report.MarkPath: "Bold line:", report.MarkDashes: "Dashed line:", report.MarkPoints: "Rings"}
	surface := r.mapSection().Blocks[0].(*report.Surface)
	drawn := map[report.Mark]bool{}
	for _, l := range surface.Layers {
		drawn[l.Mark] = drawn[l.Mark] || len(l.Traces) > 0
	}
	expect.That(t, !drawn[report.MarkArrows], "a map of 21 levels has arrows")
	for mark, text := range words {
		expect.That(t, strings.Contains(surface.Caption, text) == drawn[mark],
			"mark %d is drawn: %v; caption %q", mark, drawn[mark], surface.Caption)
	}
}

// Points on a line have no cell with four corners: the map shows them, but a chart in space would be empty.
func TestNoEmptyChartInSpace(t *testing.T) {
	const plan = `scenario: {workload: super-program, log2_levels: [0, 0], tasks: [64, 64], imbalance: [1, 1]}
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 3}
  r2: {path: "log2_levels[1]", from: 0, to: 3}
`
	for exclude, want := range map[string]bool{"": true, "exclude: [r1 + r2 > 3]\n": true, "exclude: [(r1 + r2) % 2 == 1]\n": false} {
		inSpace := false
		for _, b := range drawn(t, plan+exclude).mapSection().Blocks {
			_, space := b.(*report.Surface3D)
			inSpace = inSpace || space
		}
		expect.That(t, inSpace == want, "%q: a chart in space: %v, want %v", exclude, inSpace, want)
	}
}

func TestOver(t *testing.T) {
	s := drawn(t, sweeptest.Gauss).Study
	expect.Success(t, s.Over("latency", "blades"))
	found := expect.Value(Of(s, nil, 0))(t)
	r := sectionsOf(found)
	x, y, ok := r.Mapped()
	expect.That(t, ok && r.Table.Factors[x].Name == "latency" && r.Table.Factors[y].Name == "blades",
		"the map is over %d and %d", x, y)
	section := r.mapSection()
	expect.That(t, section != nil, "no map")
	// A factor with one level is no side of a map.
	narrow := drawn(t, strings.Replace(sweeptest.Costs, "values: [1, 2, 4]", "values: [2]", 1))
	err := narrow.Study.Over("n1", "n2")
	expect.That(t, err == nil && narrow.mapSection() == nil, "a map of one level: %v", err)
	for _, bad := range [][2]string{{"latency", "latency"}, {"colour", "n"}, {"n", ""}} {
		expect.Failure(t, s.Over(bad[0], bad[1]), "")
	}
}

// In the plan 2, 4, 8, 16 and 32 nodes have 1, 2, 3, 2 and 1 configurations that are as good as the best.
func TestRingsOfTies(t *testing.T) {
	r := drawn(t, sweeptest.Ties)
	rings := 0
	for _, b := range r.mapSection().Blocks[0].(*report.Surface).Layers {
		if b.Name == rivalsName {
			for _, trace := range b.Traces {
				rings += len(trace.X)
			}
		}
	}
	expect.That(t, rings == 1+2+3+2+1, "%d rings, want one for each tied configuration", rings)
}

// Three levels with r1 + r2 + r3 = 6 are shown on their plane, and the path of a cube
// is projected from the levels that are not on the map.
func TestPlane(t *testing.T) {
	const plan = `scenario: {workload: super-program, log2_levels: [0, 0, 0], tasks: [64, 64, 64], imbalance: [0.9, 0.7, 0.5]}
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 3}
  r2: {path: "log2_levels[1]", from: 0, to: 3}
  r3: {path: "log2_levels[2]", from: 0, to: 3}
`
	r := drawn(t, plan+"exclude: [r1 + r2 + r3 != 6]\n")
	expect.Need(t, r.Relation != nil && r.Relation.Describe(r.Table) == "r1 + r2 + r3 = 6",
		"the relation is %+v", r.Relation)
	surface := r.mapSection().Blocks[0].(*report.Surface)
	values := 0
	for _, row := range surface.Values {
		for _, v := range row {
			if v == v {
				values++
			}
		}
	}
	// r1, r2 and r3 of 0 to 3 that add up to 6: 3 - r_i add up to 3, in 10 ways.
	expect.That(t, values == 10 && strings.Contains(surface.Caption, "on the plane r1 + r2 + r3 = 6"),
		"%d points on the map, want 10: %s", values, surface.Caption)

	r = drawn(t, plan)
	surface = r.mapSection().Blocks[0].(*report.Surface)
	steps := 0
	for _, l := range surface.Layers {
		if l.Name == projectedName {
			steps = len(l.Traces)
		}
	}
	// Three of the nine steps between ten sizes raise the factor that is not on the map,
	// so at most six are lines in projection.
	expect.That(t, steps != 0 && steps <= 6 && strings.Contains(surface.Caption, "projected on the map") &&
		strings.Contains(surface.Caption, "of 10 sizes are not on this map"),
		"%d projected steps: %s", steps, surface.Caption)
}

// The map of a ratio has the ratio of each configuration, and colours that are symmetrical
// about 1: w SIs on n nodes take ceil(w/n) n/w times as long by dispatch.
func TestMapOfRatios(t *testing.T) {
	r := drawn(t, sweeptest.Methods)
	ratio := func(n, w int) float64 { return math.Ceil(float64(w)/float64(n)) * float64(n) / float64(w) }
	section := r.differenceSection()
	expect.Need(t, section != nil, "no map")
	surface := section.Blocks[0].(*report.Surface)
	expect.That(t, surface.Diverging && surface.Value.Log && math.Abs(*surface.Value.Min**surface.Value.Max-1) <= 1e-12,
		"the scale is %v to %v, want it symmetrical about 1", *surface.Value.Min, *surface.Value.Max)
	for j, w := range []int{6, 7, 9} {
		for i, n := range []int{1, 2, 3} {
			got := surface.Values[j][i]
			if strings.Contains(surface.X.Title, "w") {
				got = surface.Values[i][j]
			}
			expect.That(t, math.Abs(got-ratio(n, w)) <= 1e-12, "n = %d, w = %d: %v, want %v", n, w, got, ratio(n, w))
		}
	}
}

// Two further factors make 2 x 3 maps; each has the values of its own levels. With
// c = 0 and tasks that are multiples, log2 of the speedup is r1 + r2 + r3.
func TestSlicesOfFurtherFactors(t *testing.T) {
	r := drawn(t, `scenario: {workload: super-program, log2_levels: [0, 0, 0], tasks: [64, 64, 64], imbalance: [0, 0, 0]}
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 3}
  r2: {path: "log2_levels[1]", from: 0, to: 4}
  r3: {path: "log2_levels[2]", values: [2, 0, 1]}
  method: [formula, dispatch]
`)
	b := r.slicesBlock(r.simulated())
	expect.Need(t, b != nil && len(b.Variables) == 2 && len(b.Surfaces) == 6, "%+v, want 6 maps of 2 variables", b)
	expect.That(t, b.Variables[0].Name == "r3" && b.Variables[0].Levels[0] == "0" &&
		b.Variables[1].Levels[1] == "dispatch",
		"variables %+v, want r3 from 0 to 2 and method", b.Variables)
	for i, s := range b.Surfaces {
		r3 := float64(i / 2)
		for y, row := range s.Values {
			for x, v := range row {
				expect.That(t, math.Abs(v-(float64(x+y)+r3)) <= 1e-12,
					"%s: %v at (%d, %d), want %v", s.Title, v, x, y, float64(x+y)+r3)
			}
		}
		expect.That(t, *s.Value.Min == 0 && math.Abs(*s.Value.Max-9) <= 1e-12,
			"%s: colours from %v to %v, want 0 to 9 on all maps", s.Title, *s.Value.Min, *s.Value.Max)
	}
	expect.Equal(t, b.Start[0], 2, "first level of r3, that of the best point,")
}

// captionOf is the caption of a map.
func captionOf(t *testing.T, b report.Block) string {
	t.Helper()
	surface, ok := b.(*report.Surface)
	expect.Need(t, ok, "a map is %T", b)
	return surface.Caption
}

// Each point has its own draws, compared with which a tenth of a microsecond is nothing: rings mark the two latencies
// of the fast machine, and no slow one. The intervals are Student's, with t = 2.776 for four degrees of freedom.
func TestMapMarksWhatMayBeTheBest(t *testing.T) {
	r := drawn(t, sweeptest.Cluster("cores: 1, marked_speed: 1 Gflop/s", 4, "1 us",
		"{name: pattern, n: 20, size: 8 B, compute: 1 Mflop, imbalance: 0.3}")+`factors:
  speed: {path: machine.node_types.n.marked_speed, values: [1 Gflop/s, 3 Gflop/s]}
  latency: {path: machine.network.latency, values: [1 us, 1.1 us]}
repetitions: 5
seeds: point
objective: {minimize: time, size: processes}
`)
	surface := r.mapSection().Blocks[0].(*report.Surface)
	i := slices.IndexFunc(surface.Layers, func(l report.Layer) bool { return l.Name == "may be the best" })
	expect.Need(t, i >= 0 && len(surface.Layers[i].Traces) == 1, "%+v", surface.Layers)
	rings := surface.Layers[i].Traces[0]
	along := rings.X
	if strings.HasPrefix(surface.Y.Title, "speed") {
		along = rings.Y
	}
	expect.That(t, len(along) == 2 && along[0] == along[1] && along[0] == 3, "rings at %v, %v", rings.X, rings.Y)
	for j, row := range surface.Half {
		for k, half := range row {
			mean := surface.Values[j][k] / r.shown.Factor
			c := slices.IndexFunc(r.Cells.List, func(c analysis.Cell) bool { return math.Abs(c.Mean-mean) < 1e-12 })
			squares := 0.0
			for _, x := range r.Cells.List[c].Rows {
				squares += math.Pow(x.Values[r.Cells.Column]-mean, 2)
			}
			expect.Close(t, half/r.shown.Factor, 2.776445*math.Sqrt(squares/4/5), 1e-5, "half of the interval")
		}
	}
	expect.That(t, len(surface.Half) == 2, "%d rows of intervals", len(surface.Half))
}

// Two equal machines, or one twice as fast, with separate draws: the difference of each cell has Student's interval of
// the logarithms of five ratios, with t = 2.776, and a ring if that contains 0. All of the fast machine are told apart.
func TestMapOfDifferencesMarksWhatMayBeNone(t *testing.T) {
	for _, factor := range []string{"{path: title, values: [first, second]}", "{path: machine.node_types.n, values: [{marked_speed: 1 Gflop/s}, {marked_speed: 2 Gflop/s}], labels: [slow, fast]}"} {
		r := drawn(t, sweeptest.Cluster("marked_speed: 1 Gflop/s", 4, "1 us",
			"{name: pattern, n: 20, size: 8 B, compute: 1 Mflop, imbalance: 0.3}")+`factors:
  who: `+factor+`
  latency: {path: machine.network.latency, values: [1 us, 2 us, 3 us]}
  workload.size: {values: [8 B, 16 B], role: machine}
repetitions: 5
seeds: point
objective: {minimize: time}
compare: {factor: who, by: ratio}
`)
		surface := r.differenceSection().Blocks[0].(*report.Surface)
		var logs [2][3][5]float64 // by size and latency, of the second machine over the first
		for _, row := range r.Table.Rows {
			sign := float64(2*row.Levels[0] - 1)
			logs[row.Levels[2]][row.Levels[1]][row.Repetition-1] += sign * math.Log(row.Values[r.Cells.Column])
		}
		open := 0
		for _, of := range logs {
			for _, all := range of {
				mean, squares := 0.0, 0.0
				for _, v := range all {
					mean += v / 5
				}
				for _, v := range all {
					squares += (v - mean) * (v - mean)
				}
				if math.Abs(mean) <= 2.776445*math.Sqrt(squares/4/5) {
					open++
				}
			}
		}
		rings := 0
		for _, l := range surface.Layers {
			if l.Name == "may be no difference" {
				rings += len(l.Traces[0].X)
			}
		}
		expect.That(t, rings == open && (rings > 0) == strings.Contains(factor, "title"), "%s: %d rings, want %d", factor, rings, open)
		expect.That(t, len(surface.Half) == len(surface.Values) && surface.Half[0][0] > 0, "%+v", surface.Half)
	}
}
