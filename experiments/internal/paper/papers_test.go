package paper

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// computed are all papers, each computed once for all tests, which must not change them.
var computed = sync.OnceValue(func() []Source {
	sources := Sources()
	for i := range sources {
		once := sync.OnceValues(func() (*Paper, error) { return Sources()[i].Make(context.Background()) })
		sources[i].Make = func(context.Context) (*Paper, error) { return once() }
	}
	return sources
})

// takesSeconds reports whether the simulations of a paper take seconds, so that they belong to the long form.
func takesSeconds(s Source) bool { return s.Name == "sun2005" || s.Name == "jpdc2008" }

// papers returns the papers to be computed.
func papers() []Source {
	if !expect.IsLong() {
		return slices.DeleteFunc(slices.Clone(computed()), takesSeconds)
	}
	return computed()
}

// makePaper returns a paper, whose tables are checked.
func makePaper(t *testing.T, name string) *Paper {
	t.Helper()
	i := slices.IndexFunc(computed(), func(s Source) bool { return s.Name == name })
	s := computed()[i]
	if !expect.IsLong() && takesSeconds(s) {
		t.Skip("takes seconds")
	}
	p := expect.Value(s.Make(t.Context()))(t)
	for i := range p.Tables {
		expect.Success(t, p.Tables[i].check())
	}
	return p
}

func findTable(t *testing.T, p *Paper, id string) *Table {
	t.Helper()
	i := slices.IndexFunc(p.Tables, func(x Table) bool { return x.ID == id })
	expect.Need(t, i >= 0, "no table %s", id)
	return &p.Tables[i]
}

// verdicts are exact, rounding and different cells.
type verdicts [3]int

func verdictsOf(n Tally) verdicts { return verdicts{n.Exact, n.Rounding, n.Differ} }

// recomputed are the verdicts of an independent program on the recomputed cells of each table: a script in another
// language, with its own parser, formulas and interval arithmetic, that ran on the same data files. Of the figures it
// covers those that print numbers, the optima of Figures 1 and 3 of [Jin]; and of that paper's growth 35 gains, 27 of
// them exact, and the 17 levels that the printed digits decide.
var recomputed = map[string]verdicts{
	"sun2005_parameters": {4}, "sun2005_table1": {}, "sun2005_table2": {15}, "sun2005_table3": {8, 0, 2},
	"sun2005_table4": {3, 3, 2}, "sun2005_table5": {3, 1}, "sun2005_table6": {0, 0, 4}, "sun2005_table7": {4, 0, 8},
	"jpdc2008_parameters": {4, 1}, "jpdc2008_table2": {}, "jpdc2008_table3": {15}, "jpdc2008_table4": {20, 1},
	"jpdc2008_table5": {10}, "jpdc2008_table6": {5, 3}, "jpdc2008_table7": {5}, "jpdc2008_table8": {5},
	"jpdc2008_table9": {5, 3}, "jpdc2008_table10": {5}, "jpdc2008_table11": {5, 3}, "jpdc2008_table12": {0, 0, 4}, "jpdc2008_table13": {4, 0, 8},
	"bosque_parameters": {0, 0, 1}, "bosque_table1": {2}, "bosque_table2": {23, 5, 28}, "bosque_table3": {11, 6, 2}, "bosque_table2_rows": {},
	"jin_table1": {100}, "jin_table2": {10}, "jin_fig1": {38}, "jin_fig2": {}, "jin_fig3": {2}, "jin_fig4": {}, "jin_fig5": {}, "jin_fig1_growth": {44, 8},
	"he2004_table1": {}, "he2004_table2": {19, 1}, "he2004_table3": {}, "he2004_table4": {107, 3}, "he2004_table5": {}, "he2004_table6": {94, 16},
}

// doNotHold are the claims that do not hold; the claim on the levels of [Jin] Table II and all others do. The
// independent program does not cover the claims of [Jin] on growth.
var doNotHold = map[string][]string{
	"bosque": {"114 NF and 16 NS are the 128 processors of the caption"},
	"jin": {
		"it falls only at r1 = 9",
		"unlike in Figures 3 and 4, the best directions form a path to the optimal configurations", // in case 2
		"the optimal direction is downsizing where r1 is 9 and r2 is above 7",
	},
}

// Verdicts and claims are as expected, whatever differs has a reason, and each printed cell occurs once for each way
// and reading.
func TestVerdicts(t *testing.T) {
	seen := 0
	for _, s := range papers() {
		p := makePaper(t, s.Name)
		for i := range p.Tables {
			x := &p.Tables[i]
			want, ok := recomputed[x.ID]
			expect.That(t, (ok || strings.Contains(x.ID, "_fig")) && (!ok || verdictsOf(x.Tally(Recomputed)) == want),
				"%s: %v, want %v", x.ID, verdictsOf(x.Tally(Recomputed)), want)
			if ok {
				seen++
			}
			cells := map[[4]string]bool{}
			for _, c := range x.Cells {
				key := [4]string{c.Row, c.Column, c.Reading, string(c.How)}
				expect.That(t, !cells[key], "%s: %v twice", x.ID, key)
				cells[key] = true
				expect.That(t, c.How != Recomputed || c.Verdict != Differs || c.Note != "",
					"%s, %s, %s: differs without a reason", x.ID, c.Row, c.Column)
			}
		}
		var failed []string
		for _, c := range p.Claims {
			if !c.Holds {
				failed = append(failed, c.What)
			}
			expect.That(t, c.Holds != (c.Note != ""), "%+v: a claim has a note if it does not hold", c)
		}
		expect.List(t, failed, doNotHold[p.Name], "%s: what does not hold", p.Name)
	}
	expect.That(t, !expect.IsLong() || seen == len(recomputed),
		"%d tables have verdicts, want %d", seen, len(recomputed))
	// The independent program also applied one fitted cost to [Bosque] by formula.
	for id, want := range map[string]verdicts{"bosque_table2": {21}, "bosque_table3": {3, 1}} {
		n := findTable(t, makePaper(t, "bosque"), id).Tally(Fitted)
		expect.That(t, verdictsOf(n) == want, "%s, fitted: %+v, want %v", id, n, want)
	}
}
