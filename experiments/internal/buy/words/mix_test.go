package words

import (
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/expect"
)

// noNumber finds printed values that are no number, and zeros with a minus sign.
var noNumber = regexp.MustCompile(`NaN|\bInf\b|-0(\.0*)?([^.0-9A-Za-z-]|$)`)

// texts are the texts of an answer and of its report.
func texts(t *testing.T, r Answer) []string {
	t.Helper()
	data, err := json.Marshal(r.Result) // rejects what is no number
	expect.Success(t, err)
	doc := r.Report()
	all := append(append(append(r.Summary(), r.Certainty()...), r.Warnings...), doc.Subtitle, string(data))
	all = append(all, doc.Lead...)
	for _, f := range doc.Facts {
		all = append(all, f.Value, f.Note)
		all = each.Append(all, f.Bars, func(b chart.Bar) string { return b.Value })
	}
	for _, s := range doc.Sections {
		all = append(all, s.Text...)
		for _, b := range s.Blocks {
			switch b := b.(type) {
			case *report.Table:
				for _, row := range b.Rows {
					all = append(all, row...)
				}
			case *report.Notes:
				all = append(all, b.Items...)
			}
		}
	}
	return all
}

// An application split in halves is the same work, and one that runs once in a million years is none: machines, order
// and times do not change. No text about these, nor about a plan with almost no work, has an invalid number.
func TestSplitAndRareApplications(t *testing.T) {
	const paths = "- {name: paths, runs_per_year: 9000000, nodes: [1, 2], run: {name: floyd, n: 100, sustained: 0.5}}\n"
	half := strings.Replace(paths, "9000000", "4500000", 1)
	rare := strings.Replace(strings.Replace(paths, "9000000", "1e-6", 1), "name: paths", "name: rare", 1)
	answer := func(with string, set ...string) Answer {
		t.Helper()
		text := strings.Replace(buytest.Site, paths, with, 1)
		r := solve(t, buytest.Read(t, buytest.PlanFile(t, text), append(set, "robustness.samples=20")...))
		for _, x := range texts(t, r) {
			if at := noNumber.FindStringIndex(x); at != nil {
				t.Errorf("%q of %v, in %q", x[at[0]:at[1]], set, x[max(0, at[0]-60):min(len(x), at[1]+20)])
			}
		}
		return r
	}
	objectives := []string{"objective=cheapest", "objective=throughput", "objective={name: cheapest, mean_wait: 1 h}"}
	for _, objective := range objectives[:expect.Often(1, 3)] {
		want := answer(paths, objective)
		for name, with := range map[string]string{"halves": half + strings.Replace(half, "paths", "others", 1),
			"rare": paths + rare} {
			got := answer(with, objective)
			expect.Need(t, got.Recommended == want.Recommended && len(got.Ranking) == len(want.Ranking), "%s, %s: %s of %d, want %s of %d",
				objective, name, got.Recommended, len(got.Ranking), want.Recommended, len(want.Ranking))
			for i, x := range want.Ranking {
				y := got.Ranking[i]
				expect.That(t, x.Name == y.Name && math.Abs(x.Score/y.Score-1) <= 1e-9 && math.Abs(x.LifeCost/y.LifeCost-1) <= 1e-9,
					"%s, %s: %s %v s %v EUR, want %s %v s %v EUR", objective, name, y.Name, y.Score, y.LifeCost, x.Name, x.Score, x.LifeCost)
			}
		}
		if strings.Contains(objective, "mean_wait") {
			continue // it is not known where jobs are so rare
		}
		for _, runs := range []string{"1e-6", "1e-12"} {
			answer(paths, objective, "workloads[0].runs_per_year="+runs, "workloads[1].runs_per_year="+runs)
		}
	}
}

func TestWhatRoundsToZeroHasNoMinus(t *testing.T) {
	for got, want := range map[string]string{
		model.Signed(-0.04, 1): "+0.0", model.Signed(-0.06, 1): "-0.1", model.Signed(math.Copysign(0, -1), 2): "+0.00",
		input.Thousands(-0.4): "0", input.Thousands(-1234.4): "-1 234",
	} {
		expect.That(t, got == want, "%q, want %q", got, want)
	}
}
