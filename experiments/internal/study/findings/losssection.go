package findings

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
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
	}
	names := make([]string, len(r.Losses))
	for i := range names {
		names[i] = r.Losses[i].String()
	}
	seen := map[[2]int]bool{} // of repetitions the first is shown
	r.scatter(chart, at, x, y, names, func(row studytable.Row) (int, string) {
		i, share := r.LargestLoss(row)
		levels := [2]int{row.Levels[x], row.Levels[y]}
		if i < 0 || seen[levels] {
			return -1, ""
		}
		seen[levels] = true
		return i, fmt.Sprintf("%.1f %% of the time", 100*share)
	})
	if len(chart.Series) == 0 {
		return nil
	}
	return &report.Section{Heading: "Why: the largest loss", Text: r.LossesInWords(), Blocks: []report.Block{chart}}
}

// scatter fills a chart over two factors with the configurations of a slice. Each of the
// names is a series; of tells in which one a row is, -1 if in none, and what is noted of
// it. Names without a row are left out.
func (r *sections) scatter(chart *report.ScatterChart, at []int, x, y int, names []string, of func(studytable.Row) (int, string)) {
	fx, fy := &r.Table.Factors[x], &r.Table.Factors[y]
	series := make([]report.ScatterSeries, len(names))
	var xs, ys []float64
	for _, row := range r.Table.Rows {
		if !inSlice(row.Levels, at, x, y) {
			continue
		}
		i, notes := of(row)
		if i < 0 {
			continue
		}
		p := report.ScatterPoint{
			Name: r.Describe(row.Levels), X: fx.Levels[row.Levels[x]].Value, Y: fy.Levels[row.Levels[y]].Value,
			Notes: notes,
		}
		series[i].Points = append(series[i].Points, p)
		xs, ys = append(xs, p.X), append(ys, p.Y)
	}
	for i, s := range series {
		if s.Name = names[i]; len(s.Points) > 0 {
			chart.Series = append(chart.Series, s)
		}
	}
	chart.X = report.Axis{Title: r.label(fx.Name), Unit: page.Unit(fx.Unit), Log: page.ByRatio(xs)}
	chart.Y = report.Axis{Title: r.label(fy.Name), Unit: page.Unit(fy.Unit), Log: page.ByRatio(ys)}
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
