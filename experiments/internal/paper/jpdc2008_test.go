package paper

import (
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// The trend lines, and the N at which the model of section 4.5 holds its efficiency, are as an independent program
// found them.
func TestReadings(t *testing.T) {
	p := makePaper(t, "jpdc2008")
	want := map[string]float64{
		"2 nodes, E_s = 0.3/trend line of degree 2":        287.087,
		"2 nodes, E_s = 0.3/trend line of degree 3":        288.142,
		"2 nodes, E_s = 0.3/straight lines between points": 290.152,
		"4 nodes, E_s = 0.3/trend line of degree 2":        456.838,
		"4 nodes, E_s = 0.3/trend line of degree 3":        457.321,
		"4 nodes, E_s = 0.3/straight lines between points": 446.479,
	}
	for _, c := range findTable(t, p, "jpdc2008_fig2").Cells {
		w, ok := want[c.Row+"/"+c.Reading]
		expect.That(t, !ok || math.Abs(c.Ours-w) <= 6e-4, "%s, %s: %v, want %v", c.Row, c.Reading, c.Ours, w)
		delete(want, c.Row+"/"+c.Reading)
	}
	expect.That(t, len(want) <= 0, "missing: %v", want)
	for i, w := range []float64{504.933, 894.696, 1674.14, 3232.99} {
		c := findTable(t, p, "jpdc2008_table12").Cells[i]
		expect.That(t, math.Abs(c.Ours/w-1) <= 1e-5, "%s: %v, want %v", c.Row, c.Ours, w)
	}
}

// The curves of multiplication reach the target near the size that the search on the engine finds, as the search says.
func TestCurvesOfMultiplication(t *testing.T) {
	makePaper(t, "jpdc2008") // skipped except in the long form
	sim := expect.Value(runSunwulf(t.Context()))(t)
	expect.Need(t, len(sim.curves) == 5, "%d curves", len(sim.curves))
	for i, c := range sim.curves {
		n := float64(sim.matMul.Systems[i].N)
		for k := range c.n {
			expect.That(t, (c.n[k] >= 0.8*n || c.e[k] < 0.2) && (c.n[k] <= 1.2*n || c.e[k] > 0.2),
				"%s: E_s = %v at N = %v, the target is held at %v", c.name, c.e[k], c.n[k], n)
		}
	}
}
