package paper

import (
	"math"
	"strings"
	"testing"
)

func TestJPDC2008Verdicts(t *testing.T) {
	p := makePaper(t, "jpdc2008")
	checkCounts(t, p, map[string]counts{
		"jpdc2008_parameters": {exact: 4, rounding: 1},
		"jpdc2008_table2":     {},
		"jpdc2008_table3":     {exact: 15},
		"jpdc2008_table4":     {exact: 20, rounding: 1},
		"jpdc2008_table5":     {exact: 10},
		"jpdc2008_table6":     {exact: 5, rounding: 3},
		"jpdc2008_table7":     {exact: 5},
		"jpdc2008_table8":     {exact: 5},
		"jpdc2008_table9":     {exact: 5, rounding: 3},
		"jpdc2008_table10":    {exact: 5},
		"jpdc2008_table11":    {exact: 5, rounding: 3},
		"jpdc2008_table12":    {differs: 4},
		"jpdc2008_table13":    {exact: 4, differs: 8},
	})
	// Five node counts, one identity, two theorems.
	if len(p.Claims) != 8 {
		t.Errorf("%d claims, want 8", len(p.Claims))
	}
	for _, c := range p.Claims {
		if !c.Holds {
			t.Errorf("%+v", c)
		}
	}
}

// What an independent program found for the trend lines, and the N at which the
// model of section 4.5 holds its efficiency.
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
		if w, ok := want[c.Row+"/"+c.Reading]; ok && math.Abs(c.Ours-w) > 6e-4 {
			t.Errorf("%s, %s: %v, want %v", c.Row, c.Reading, c.Ours, w)
		}
		delete(want, c.Row+"/"+c.Reading)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
	for i, w := range []float64{504.933, 894.696, 1674.14, 3232.99} {
		if c := findTable(t, p, "jpdc2008_table12").Cells[i]; math.Abs(c.Ours/w-1) > 1e-5 {
			t.Errorf("%s: %v, want %v", c.Row, c.Ours, w)
		}
	}
}

// The curves of multiplication rise through the target near the size that the
// search on the engine finds: that is what the search says.
func TestCurvesOfMultiplication(t *testing.T) {
	p := makePaper(t, "jpdc2008")
	sim, err := runSunwulf(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(sim.curves) != 5 {
		t.Fatalf("%d curves", len(sim.curves))
	}
	for i, c := range sim.curves {
		n := float64(sim.matMul.Systems[i].N)
		for k := range c.n {
			if c.n[k] < 0.8*n && c.e[k] >= 0.2 || c.n[k] > 1.2*n && c.e[k] <= 0.2 {
				t.Errorf("%s: E_s = %v at N = %v, the target is held at %v", c.name, c.e[k], c.n[k], n)
			}
		}
	}
	if len(p.Figures) != 2 || !strings.HasSuffix(p.Figures[1].ID, "fig3") {
		t.Fatalf("figures %+v", p.Figures)
	}
	for _, f := range p.Figures {
		if len(f.Draw) == 0 {
			t.Errorf("%s has nothing drawn", f.ID)
		}
	}
}
