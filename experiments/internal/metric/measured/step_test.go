package measured

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/metric/laws"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/regression"
)

// A superlative says how many steps it covers: those without a result may be harder.
func TestHardestStepSaysOfHowMany(t *testing.T) {
	step := func(from, to string, psi float64) Step { return Step{From: from, To: to, Psi: psi} }
	none := make([]Step, 7)
	three := []Step{step("a", "b", 2.5), step("b", "c", 2), step("c", "d", 3)}
	for _, c := range []struct {
		name       string
		steps      []Step
		says, note string
	}{
		{"all", three,
			"The hardest step: psi = 2 from b to c; the easiest: psi = 3 from c to d.", "b to c, of 3 steps"},
		{"3 of 10", append(three[:3:3], none...),
			"The hardest step of the 3 of 10 that have a result: psi = 2 from b to c; the easiest: psi = 3 from c to d.",
			"b to c, of the 3 of 10 steps that have a result"},
		{"one", three[1:2], "psi = 2 from b to c.", "b to c"},
		{"1 of 8", append(three[1:2:2], none...), "psi = 2 from b to c. No result for 7 of 8 steps.",
			"b to c, the only one of 8 steps that has a result"},
		{"alike", []Step{step("a", "b", 2.09), step("b", "c", 2), step("c", "d", 2)}, "psi = 2 from b to c; the other steps differ from it by less than 5 %.", "b to c, of 3 steps"},
		{"2 of 9 alike", append([]Step{step("b", "c", 2), step("c", "d", 2)}, none...),
			"psi = 2 from b to c; the other steps differ from it by less than 5 %. No result for 7 of 9 steps.", "b to c, of the 2 of 9 steps that have a result"},
		{"none", none, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := saySteps(c.steps)
			expect.That(t, got == c.says, "%q", got)
			note := ""
			for _, m := range Metrics() {
				if m.Steps && note == "" {
					r := &Result{Scaling: []Scaling{{Metric: m.Name, Title: m.Title, Steps: c.steps}}}
					for _, f := range r.facts() {
						if strings.HasSuffix(f.Label, "hardest step") || strings.HasSuffix(f.Label, "all alike") {
							note = f.Note
							expect.That(t, f.Value == "psi = 2", "value %q", f.Value)
						}
					}
				}
			}
			expect.That(t, note == c.note, "the fact says %q", note)
		})
	}
}

// The work that holds an efficiency on a ladder grows as its closed form: T = n^3/p + n^2 log2(p) of unit
// speed has E = 1/2 at n = p log2(p), so that W = (p log2(p))^3. All trend lines are read off within what was measured.
func TestWorkThatHoldsAnEfficiencyGrowsAsItsPower(t *testing.T) {
	var text strings.Builder
	text.WriteString("processes,n,work [flop],time [s]\n")
	var want []regression.Sample
	for _, p := range []float64{4, 8, 16, 32, 64} {
		half := p * math.Log2(p)
		want = append(want, regression.Sample{P: p, Y: half * half * half})
		for _, x := range []float64{0.5, 0.7, 0.85, 1, 1.2, 1.4, 2} {
			n := x * half
			fmt.Fprintf(&text, "%v,%v,%v,%v\n", p, n, n*n*n, n*n*n/p+n*n*math.Log2(p))
		}
		fmt.Fprintf(&text, "1,%v,%v,%v\n", half, half*half*half, half*half*half)
	}
	r := metricsOf(t, text.String(), func(o *Options) { o.Efficiency, o.Degree = 0.5, 3 })
	s := r.scaling("isoefficiency")
	expect.Need(t, s != nil && len(s.Isoefficiency) == 1, "no function: %+v", r.Scaling)
	g := s.Isoefficiency[0]
	exact := expect.Value(laws.FitPower(want, 0))(t)
	expect.That(t, g.Held == 0.5 && math.Abs(g.Exponent-exact.Exponent) < 0.02, "exponent %v, want %v", g.Exponent, exact.Exponent)
	expect.That(t, g.Power.From == 4 && g.Power.To == 64, "from %v to %v", g.Power.From, g.Power.To)
	// The interval comes from five systems, three of which are the end of one step and the start of another.
	wide := exact.Interval[1] - exact.Interval[0]
	expect.That(t, math.Abs((g.Interval[1]-g.Interval[0])/wide-1) < 0.2, "interval %v, want about %v", g.Interval, exact.Interval)
	says := g.says(s.held)
	expect.That(t, strings.Contains(says, "grows as p^a, ") && strings.HasSuffix(says, ", p: processes."), "%s", says)
}
