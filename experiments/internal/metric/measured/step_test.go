package measured

import (
	"fmt"
	"math"
	"math/rand/v2"
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

// tableOf has times n^3/p + 4 n^2 log2(p) in ns, with some runs of each point and a relative error.
func tableOf(t *testing.T, runs int, deviation float64, rng *rand.Rand, change ...func(*Options)) *Result {
	var text strings.Builder
	text.WriteString("processes,n,work [flop],time [s]\n")
	for _, p := range []float64{2, 4, 8, 16} {
		for _, n := range []float64{20, 40, 80, 160, 320} {
			for range runs {
				time := 1e-9 * (n*n*n/p + 4*n*n*math.Log2(p))
				fmt.Fprintf(&text, "%g,%g,%g,%g\n", p, n, n*n*n, time*math.Exp(deviation*rng.NormFloat64()))
			}
		}
	}
	return metricsOf(t, text.String(), change...)
}

// In about 95 of 100 tables of times with errors, the intervals of psi hold what the form of the times gives: n = 4 p
// log2(p) v/(1 - v) at a speed of v Gflop/s and so psi = 2 (n/n')^3 = (log2(p)/log2(2p))^3/4. Where the trend lines go
// through all points, the intervals are no wider than they must be: with four times the runs they are half as wide.
func TestIntervalsHoldPsi(t *testing.T) {
	expect.Long(t, "fits hundreds of tables")
	rng := rand.New(rand.NewPCG(7, 7))
	exact := func(o *Options) { o.Degree = 4 }
	width := map[int]float64{}
	for _, runs := range []int{3, 12} {
		held, all := 0, 0
		for range 25 {
			for i, s := range tableOf(t, runs, 0.03, rng).scaling("isospeed").Steps {
				expect.Need(t, s.Psi > 0 && s.Interval != nil, "step %d: %+v", i, s)
				truth := math.Pow(float64(i+1)/float64(i+2), 3) / 4
				if all++; s.Interval.Low <= truth && truth <= s.Interval.High {
					held++
				}
			}
			for _, s := range tableOf(t, runs, 0.03, rng, exact).scaling("isospeed").Steps {
				width[runs] += math.Log(s.Interval.High / s.Interval.Low)
			}
		}
		share := float64(held) / float64(all)
		t.Logf("%d runs: %d of %d intervals hold psi", runs, held, all)
		expect.That(t, share >= 0.88, "%d runs: %d of %d intervals hold psi", runs, held, all)
	}
	ratio := width[3] / width[12]
	expect.That(t, ratio > 1.7 && ratio < 2.4, "three runs have intervals %.2f times as wide as twelve, expected 2", ratio)
}

// An overhead of 50 p^(3/2) ms beside n^3/p times 2 ns needs 2^(3/2) times the work for each doubling, whatever is
// held. A cubic misses the five sizes of each system, so no step is the hardest and each interval holds psi = 2^(-1/2).
func TestTrendLinesThatMissArePartOfIntervals(t *testing.T) {
	var text strings.Builder
	text.WriteString("processes,n,work [flop],time [s]\n")
	for _, p := range []float64{2, 4, 8, 16, 32} {
		for _, n := range []float64{200, 400, 800, 1600, 3200} {
			fmt.Fprintf(&text, "%g,%g,%g,%.17g\n", p, n, 2*n*n*n, 2e-9*n*n*n/p+0.05*math.Sqrt(p))
		}
	}
	r := metricsOf(t, text.String())
	steps := r.scaling("isospeed").Steps
	expect.Equal(t, len(steps), 4, "steps")
	for _, s := range steps {
		expect.That(t, s.Interval != nil && s.Interval.Low < math.Sqrt2/2 && s.Interval.High > math.Sqrt2/2, "%+v: %+v", s, s.Interval)
	}
	_, m := FindMetric("isospeed")
	expect.Says(t, r.says(m), "; runs and trend lines do not distinguish the other steps from it.")
	// With processes of 1 Gflop/s each, an interval of H-isoefficiency, which has no psi, holds 2^(-3/2).
	lines := strings.Split(strings.ReplaceAll(text.String(), "work [flop]", "work [flop],power [Gflop/s]"), "\n")
	for i, line := range lines {
		if cells := strings.Split(line, ","); len(cells) == 4 {
			lines[i] = strings.Join([]string{cells[0], cells[1], cells[2], cells[0], cells[3]}, ",")
		}
	}
	r = metricsOf(t, strings.Join(lines, "\n"))
	expect.Equal(t, len(r.scaling("h_isoefficiency").Steps), 4, "steps of H-isoefficiency")
	for _, s := range r.scaling("h_isoefficiency").Steps {
		expect.That(t, s.Interval.Low < math.Sqrt2/4 && s.Interval.High > math.Sqrt2/4, "%+v: %+v", s, s.Interval)
	}
	for _, table := range r.Tables() {
		for title, of := range map[string]string{"H-isoefficiency": "W/W'", "Isospeed": "psi"} {
			expect.That(t, table.Title != title || strings.Contains(table.Caption, " 95 %: interval of "+of+", if"), "%s: %s", table.Title, table.Caption)
		}
	}
}

// Times without overhead hold any speed at any size: errors give psi an interval around 1, no step is hardest.
func TestNoiseIsNoStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	var text strings.Builder
	text.WriteString("processes,n,work [flop],time [s]\n")
	for _, p := range []float64{1, 2, 4, 8, 16, 32} {
		for _, n := range []float64{1000, 2000, 4000} {
			for range 5 {
				fmt.Fprintf(&text, "%g,%g,%g,%g\n", p, n, n*n*n, 1e-9*n*n*n/p*math.Exp(0.05*rng.NormFloat64()))
			}
		}
	}
	r := metricsOf(t, text.String())
	found := ranked(r.scaling("isospeed").Steps)
	expect.Need(t, len(found) > 1, "%d steps have a result", len(found))
	for _, s := range found {
		expect.That(t, s.Interval.Low < 1 && s.Interval.High > 1, "psi = %g is 1 but for noise: %+v", s.Psi, s.Interval)
	}
	_, m := FindMetric("isospeed")
	says := r.says(m)
	expect.That(t, strings.Contains(says, "; runs and trend lines do not distinguish the ") && !strings.Contains(says, "hardest"), "%s", says)
}
