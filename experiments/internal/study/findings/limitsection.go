package findings

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/report"
)

// limitSection draws the probe that saves most over the factors of the map, a chart for
// each level of the factors without order.
func (r *sections) limitSection() *report.Section {
	x, y, ok := r.Mapped()
	if !ok || r.Limits == nil {
		return nil
	}
	fx, fy := &r.Table.Factors[x], &r.Table.Factors[y]
	s := &report.Section{Heading: "What limits", Text: r.LimitsInWords()}
	t := &report.Table{Title: "The changes that were tried", Columns: []report.Column{{Title: "probe"}, {Title: "sets"}}}
	for i := range r.Study.Probes {
		t.Rows = append(t.Rows, []string{r.Study.Probes[i].Name, r.Study.Probes[i].Sets()})
	}
	if len(fx.Levels) <= maxLossSide && len(fy.Levels) <= maxLossSide {
		for i := range r.Limits {
			if c := r.limitChart(&r.Limits[i], x, y); len(c.Series) > 0 {
				s.Blocks = append(s.Blocks, c)
			}
		}
	}
	s.Blocks = append(s.Blocks, t)
	return s
}

func (r *sections) limitChart(l *LimitsAt, x, y int) *report.ScatterChart {
	fx, fy := &r.Table.Factors[x], &r.Table.Factors[y]
	at := slices.Clone(r.Reference.At)
	if k, err := r.Table.FactorIndex(l.Factor); err == nil {
		at[k] = l.Number
	}
	chart := &report.ScatterChart{
		Title:   fmt.Sprintf("What limits over %s and %s", r.label(fx.Name), r.label(fy.Name)),
		Caption: "Each point is a configuration; its colour and shape say which change saves most of its time, and its text how much." + r.fixedInWords(at, x, y),
	}
	if l.Factor != "" {
		chart.Title += ", " + l.Factor + " = " + l.Level
	}
	names := make([]string, len(l.Limits))
	for i := range names {
		names[i] = l.Limits[i].Probe
	}
	r.scatter(chart, at, x, y, names, func(row studytable.Row) (int, string) {
		i, share := l.MostSaved(row)
		return i, fmt.Sprintf("saves %.1f %% of the time", 100*share)
	})
	return chart
}
