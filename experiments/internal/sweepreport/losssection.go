package sweepreport

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
)

// maxLossSide is the number of levels of a factor up to which each point is drawn.
const maxLossSide = 40

// lossSection shows what each point of the map loses most.
func (r *sections) lossSection() *report.Section {
	x, y, ok := r.Mapped()
	if !ok || len(r.FrequentLosses()) == 0 {
		return nil
	}
	fx, fy := &r.Table.Factors[x], &r.Table.Factors[y]
	if len(fx.Levels) > maxLossSide || len(fy.Levels) > maxLossSide {
		return nil
	}
	at := r.Study.AtDispatch(r.slice(x, y))
	chart := &report.ScatterChart{
		Title:   fmt.Sprintf("Largest loss over %s and %s", r.label(fx.Name), r.label(fy.Name)),
		Caption: "Each point is a configuration; its colour and shape say what most of the time of its processors is lost to, and its text how much." + r.fixedInWords(at, x, y),
		X:       report.Axis{Title: r.label(fx.Name), Unit: page.Unit(fx.Unit)},
		Y:       report.Axis{Title: r.label(fy.Name), Unit: page.Unit(fy.Unit)},
	}
	series := make([]report.ScatterSeries, len(r.Losses))
	var xs, ys []float64
	seen := map[[2]int]bool{}
	for _, row := range r.Table.Rows {
		if !inSlice(row.Levels, at, x, y) || seen[[2]int{row.Levels[x], row.Levels[y]}] {
			continue
		}
		i, share := r.LargestLoss(row)
		if i < 0 {
			continue
		}
		seen[[2]int{row.Levels[x], row.Levels[y]}] = true // of repetitions the first
		p := report.ScatterPoint{
			Name: r.Describe(row.Levels), X: fx.Levels[row.Levels[x]].Value, Y: fy.Levels[row.Levels[y]].Value,
			Notes: fmt.Sprintf("%.1f %% of the time", 100*share),
		}
		series[i].Points = append(series[i].Points, p)
		xs, ys = append(xs, p.X), append(ys, p.Y)
	}
	for i, s := range series {
		if len(s.Points) > 0 {
			s.Name = r.Losses[i].String()
			chart.Series = append(chart.Series, s)
		}
	}
	if len(xs) == 0 {
		return nil
	}
	chart.X.Log, chart.Y.Log = page.ByRatio(xs), page.ByRatio(ys)
	return &report.Section{Heading: "Why: the largest loss", Text: r.LossesInWords(), Blocks: []report.Block{chart}}
}

// inSlice reports whether levels are those of a slice but for two factors. -1 is any
// level.
func inSlice(levels, at []int, x, y int) bool {
	for i, l := range levels {
		if i != x && i != y && at[i] >= 0 && l != at[i] {
			return false
		}
	}
	return true
}

// fixedInWords says at which levels the other factors of a slice are.
func (r *sections) fixedInWords(at []int, x, y int) string {
	var parts []string
	for i, l := range at {
		if f := &r.Study.Design.Factors[i]; i != x && i != y && l >= 0 && f.Len() > 1 {
			parts = append(parts, f.Name+" = "+f.Text(l))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " Other factors: " + strings.Join(parts, ", ") + "."
}
