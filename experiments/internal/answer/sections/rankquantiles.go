package sections

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/chart/quantile"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
)

// rankShares are the percentages of ranks whose quantiles a table shows.
var rankShares = []int{0, 1, 5, 25, 50, 75, 95, 99, 100}

// quantileTable shows how the times of all ranks are distributed.
func quantileTable(ranks []Rank) *report.Table {
	t := &report.Table{
		Title:   "Quantiles over all ranks",
		Caption: fmt.Sprintf("All %d ranks: the given share of them has at most this time. Each column is sorted for itself.", len(ranks)),
		Columns: []report.Column{{Title: "share of ranks", Unit: "%", Numeric: true}},
	}
	for _, share := range rankShares {
		t.Rows = append(t.Rows, []string{fmt.Sprint(share)})
	}
	for _, c := range timesOfRanks {
		t.Columns = append(t.Columns, report.Column{Title: c.name, Numeric: true})
		sorted := make([]float64, len(ranks))
		for i, x := range ranks {
			sorted[i] = c.of(x)
		}
		slices.Sort(sorted)
		for i, share := range rankShares {
			t.Rows[i] = append(t.Rows[i], units.Seconds(quantile.Of(sorted, share)).String())
		}
	}
	return t
}
