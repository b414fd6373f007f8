package iso

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// late is a study of systems of one process. A process of C flop/s computes n flop and
// then delays for a(C) s, so that
//
//	T = n/C + a,   E_s = n/(T C) = n/(n + a C),   and E_s = 1/2 at n = a C, T = 2a.
func late(systems ...machine1) *scenario.Study {
	s := studyOf(0.5, anySize, nil)
	s.Machine = &topology.Machine{Name: "m"}
	s.Systems = nil
	delays := map[units.FlopsPerSecond]float64{}
	for i, x := range systems {
		name := string(rune('A' + i))
		s.Machine.Types = append(s.Machine.Types, topology.NodeType{Name: name, Cores: 1, MarkedSpeed: units.FlopsPerSecond(x.speed)})
		s.Machine.Groups = append(s.Machine.Groups, topology.Group{Type: name, Count: 1, Name: name})
		s.Systems = append(s.Systems, scenario.StudySystem{Name: name, Selection: topology.Selection{Nodes: map[string]int{name: 1}}})
		delays[units.FlopsPerSecond(x.speed)] = x.delay
	}
	s.Workload.Build = func(n int, speeds []units.FlopsPerSecond, _ int64) algorithm.Algorithm {
		c := speeds[0]
		// onCurve delays n/E - n seconds.
		return onCurve{n, float64(n) / (float64(n) + delays[c])}
	}
	return s
}

// machine1 is one process of a speed in flop/s that is late by a time in seconds.
type machine1 struct{ speed, delay float64 }

// A: C = 1 flop/s, a = 1000 s, so n = 1000. B: C = 4, a = 2000, so n = 8000. C: C = 2,
// a = 1000, so n = 2000.
//
//	psi(A, B) = 4 1000/(1 8000) = 0.5
//	psi(B, C) = 2 8000/(4 2000) = 2, to a slower system
//
//	n = 1000: A 1000/1 + 1000 = 2000 s,  B 1000/4 + 2000 = 2250 s
//	n = 8000: A 8000/1 + 1000 = 9000 s,  B 8000/4 + 2000 = 4000 s
//	n = 2000: B 2000/4 + 2000 = 2500 s,  C 2000/2 + 1000 = 2000 s
//	n = 8000: B 4000 s,                  C 8000/2 + 1000 = 5000 s
func TestAStepToASlowerSystemIsSetApart(t *testing.T) {
	r := mustIso(t, late(machine1{1, 1000}, machine1{4, 2000}, machine1{2, 1000}))
	near := func(what string, got, want float64) {
		t.Helper()
		expect.That(t, scalar.EqualWithinRel(got, want, 1e-12), "%s is %v, want %v", what, got, want)
	}
	near("psi(A, B)", r.Psi[0].Psi, 0.5)
	near("psi(B, C)", r.Psi[1].Psi, 2)
	expect.That(t, r.Psi[0].Growth && !r.Psi[1].Growth,
		"growth %v and %v, want true and false", r.Psi[0].Growth, r.Psi[1].Growth)
	expect.Need(t, r.Ends != nil && r.Ends.From == "A" && r.Ends.To == "B", "the ends are %+v, want A and B", r.Ends)
	near("psi of the ends", r.Ends.Psi, 0.5)
	for i, want := range [][]EqualSize{
		{{N: 1000, From: new(2000.0), To: new(2250.0)}, {N: 8000, From: new(9000.0), To: new(4000.0)}},
		{{N: 2000, From: new(2500.0), To: new(2000.0)}, {N: 8000, From: new(4000.0), To: new(5000.0)}},
	} {
		got := r.Psi[i].EqualN
		expect.Need(t, len(got) == 2 && got[0].N == want[0].N && got[1].N == want[1].N,
			"step %d: equal sizes %v", i, got)
		for k := range want {
			near("time on the first", *got[k].From, *want[k].From)
			near("time on the second", *got[k].To, *want[k].To)
		}
	}
	expect.That(t, len(r.Warnings) != 0 && strings.HasPrefix(r.Warnings[len(r.Warnings)-1],
		"B to C: the marked speed does not grow"),
		"warnings %q", r.Warnings)

	// Nowhere does the step to C pass for a scalability: not in the words, the facts
	// or the chart. 9000 s/4000 s = 2.25.
	doc := r.Report()
	expect.Success(t, doc.Check())
	expect.Says(t, strings.Join(doc.Lead, "\n"), "From A, the smallest system, to B, the largest", "psi = 0.5", "2.25 times as fast")
	for _, f := range doc.Facts {
		expect.That(t, !strings.Contains(f.Value, "psi = 2"), "fact %+v", f)
	}
	for _, s := range doc.Sections {
		for _, b := range s.Blocks {
			if c, ok := b.(*report.BarChart); ok && c.Title == "Isospeed-efficiency scalability" {
				expect.That(t, len(c.Categories) == 1 && c.Categories[0] == "A to B",
					"the chart shows %q, want A to B only", c.Categories)
			}
		}
	}
}

// With equal marked speeds nothing grows, and there is no smallest system.
func TestEqualMarkedSpeedsAreNoGrowth(t *testing.T) {
	s := late(machine1{1, 1000}, machine1{1, 1000})
	r := mustIso(t, s)
	expect.That(t, r.Ends == nil && len(r.Growing()) == 0 && len(r.Apart()) == 1,
		"ends %v, %d growing, %d apart", r.Ends, len(r.Growing()), len(r.Apart()))
	lead := r.lead()
	expect.That(t, len(lead) == 1 && strings.HasPrefix(lead[0], "All systems have the same marked speed"), "%q", lead)
	expect.Success(t, r.Report().Check())
}

// impossible is an algorithm that a system cannot run.
type impossible struct{ onCurve }

func (impossible) Validate() error { return errors.New("fewer rows than processes") }

// A size that one system cannot run has no time there, and the study goes on. The
// search on B doubles from 4 and does not try 1000.
func TestASizeThatASystemCannotHave(t *testing.T) {
	s := late(machine1{1, 1000}, machine1{4, 2000})
	build := s.Workload.Build
	s.Workload.Build = func(n int, speeds []units.FlopsPerSecond, seed int64) algorithm.Algorithm {
		if speeds[0] == 4 && n == 1000 {
			return impossible{}
		}
		return build(n, speeds, seed)
	}
	r := mustIso(t, s)
	e := r.Psi[0].EqualN[0]
	expect.That(t, e.N == 1000 && e.From != nil && *e.From == 2000 && e.To == nil,
		"at the size of A: %+v, want 2000 s on A and none on B", e)
	row := r.EqualSizeRows()[0]
	expect.That(t, row[4] == "-" && row[5] == "-", "row %q", row)
	expect.Success(t, r.Report().Check())
}

// A bar more than four times as high as all others is named and not drawn; so are two
// if each is more than four times the next. A published value counts as well.
func TestNoBarDwarfsTheOthers(t *testing.T) {
	of := func(values ...float64) (steps []Psi) {
		for _, v := range values {
			steps = append(steps, Psi{Psi: v, Growth: true})
		}
		return steps
	}
	for _, tt := range []struct {
		steps []Psi
		shown int
	}{
		{of(0.4, 0.3, 0.2), 3},
		{of(0.4, 0.3, 1.6), 3},   // 4 times
		{of(0.4, 7.768, 0.3), 2}, // 19 times
		{of(0.4, 2, 100, 0.3), 2},
		{of(7), 1},
		{append(of(0.4, 0.3), Psi{Psi: 0.3, PsiCompared: new(5.0)}), 2},
	} {
		shown, left := drawn(tt.steps)
		expect.That(t, len(shown) == tt.shown && len(shown)+len(left) == len(tt.steps),
			"%v: %d shown and %d left, want %d shown", tt.steps, len(shown), len(left), tt.shown)
	}
}

// A table and a chart have room for predictions only where there are some.
func TestPredictionsAreShownWhereThereAreSome(t *testing.T) {
	predicted := 0.4
	for _, tt := range []struct {
		steps   []Psi
		columns string
		series  int
	}{
		{[]Psi{{From: "a", To: "b", Psi: 0.5}, {From: "b", To: "c", Psi: 0.5}}, "from to psi", 1},
		{[]Psi{{From: "a", To: "b", Psi: 0.5}, {From: "b", To: "c", Psi: 0.5, PsiPredicted: &predicted}}, "from to psi psi predicted", 2},
	} {
		var r Result
		table := r.PsiTable("", "", tt.steps)
		var titles []string
		for _, c := range table.Columns {
			titles = append(titles, c.Title)
		}
		expect.Equal(t, strings.Join(titles, " "), tt.columns, "columns")
		for _, row := range table.Rows {
			expect.That(t, len(row) == len(table.Columns),
				"%d cells in a row of %d columns", len(row), len(table.Columns))
		}
		expect.Equal(t, len(r.psiChart(tt.steps).Series), tt.series, "series")
	}
}

// All psi have one colour, from whatever source: simulated bars are filled, predicted ones
// dashed outlines, published ones outlines.
func TestPsiHasOneColour(t *testing.T) {
	s := late(machine1{1, 1000}, machine1{4, 2000})
	s.Compare = &scenario.Comparison{Label: "published", Source: "a paper", Psi: []float64{0.4}}
	r := mustIso(t, s)
	bars := r.psiChart(r.Growing()).Series
	expect.Need(t, len(bars) == 3, "%d series; want simulated, predicted and published", len(bars))
	for i, want := range []struct {
		name           string
		hollow, dashed bool
	}{{"simulated", false, false}, {"predicted from T_o", false, true}, {"published", true, false}} {
		b := bars[i]
		expect.That(t, b.Name == want.name && b.Hollow == want.hollow && b.Dashed == want.dashed && b.Colour != "" &&
			b.Colour == bars[0].Colour,
			"series %+v; want %+v in the colour %q", b, want, bars[0].Colour)
	}
}

// The lead names the efficiencies of both systems where no size holds the target of one.
func TestLeadSaysWhatIsHeld(t *testing.T) {
	r := mustIso(t, late(machine1{1, 1000}, machine1{4, 2000}))
	target := r.TargetEfficiency
	for off, want := range map[float64]string{
		0:     fmt.Sprintf("at a speed-efficiency of %g, the problem size", target),
		0.014: fmt.Sprintf("at a speed-efficiency of %.3g and %.3g, as near to %g as problem sizes allow, the problem size", target+0.014, target, target),
	} {
		r.Systems[0].SpeedEfficiency, r.Systems[1].SpeedEfficiency = target+off, target
		expect.Says(t, r.lead()[1], want)
	}
}
