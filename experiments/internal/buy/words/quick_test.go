package words

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/buy/search"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/expect"
)

// A quick answer has the ranking of the complete one, and says that the rest is left out. The complete answer shows its
// ranking first. The tender is answered in full if there is time.
func TestQuickAnswerIsTheFirstRanking(t *testing.T) {
	site := append([]string{"ranges={samples: 100}"}, "robustness={samples: 20}")
	for _, x := range []struct {
		name, text string
		set        []string
		full       bool
	}{
		{"site", buytest.Site, site, true},
		{"cheapest", buytest.Site, append([]string{"objective=cheapest"}, site...), expect.IsLong()},
		{"shares", buytest.Ideal, nil, true},
		{"tender", buytest.Tender, nil, expect.IsLong()},
	} {
		t.Run(x.name, func(t *testing.T) {
			p := buytest.Read(t, buytest.PlanFile(t, x.text), x.set...)
			q := expect.Value(search.Solve(t.Context(), p, search.Options{Jobs: 2, Quick: true}))(t)
			quick := Of(q)
			expect.That(t, slices.Contains(quick.LeftOut, "robustness") && slices.Contains(quick.LeftOut, "ranges") == (p.Ranges != nil) &&
				strings.HasPrefix(quick.Warnings[0], "a first answer: "), "%q, %q", quick.LeftOut, quick.Warnings)
			expect.That(t, quick.sureFact().Value == "not tested" && len(quick.Robustness.Parameters)+len(quick.Upgrades)+len(quick.Causes) == 0 &&
				quick.Uncertain == nil, "%+v", quick.Robustness)
			expect.Success(t, quick.Report().Check())
			for _, text := range texts(t, quick) {
				expect.Lacks(t, text, "No estimate changes", "limited by -")
			}
			if !x.full {
				return
			}
			var shown [][]string
			later := 0
			r, err := search.Solve(t.Context(), p, search.Options{Jobs: 2, Progress: func(s input.Step) {
				if s.Found != nil {
					shown = append(shown, s.Found)
				} else if strings.HasPrefix(s.What, "robustness") || strings.HasPrefix(s.What, "upgrades") {
					later++
					expect.That(t, len(shown) == 1, "no ranking before %s", s.What)
				}
			}})
			expect.Success(t, err)
			expect.Equal(t, strings.Join(ranked(q), "\n"), strings.Join(ranked(r), "\n"), "ranking")
			expect.That(t, q.Recommended == r.Recommended && q.Provenance.Simulations <= r.Provenance.Simulations, "%s, %s", q.Recommended, r.Recommended)
			expect.Need(t, len(shown) == 1 && later > 0, "shown %q", shown)
			expect.That(t, strings.HasPrefix(shown[0][1], " 1  "+r.Recommended+": "+p.ScoreText(r.Recommendation().Score)), "%q", shown[0])
		})
	}
}

// ranked is the part of a ranking that does not depend on how well waits are known.
func ranked(r *model.Result) (all []string) {
	for _, c := range r.Ranking {
		all = append(all, fmt.Sprint(c.Rank, c.Name, c.Objective, c.Score, c.Price, c.LifeCost, c.LifeEnergy, c.Fronts))
	}
	return all
}
