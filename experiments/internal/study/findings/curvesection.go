package findings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/report"
)

const (
	maxCurves = 8 // in a chart
	maxCharts = 4
	maxBars   = 40
	maxPoints = 2000 // of a scatter plot
)

// curveSection shows the objective over each of the strongest factors, a curve
// for each level of the factor that is strongest among the others, which are as
// at the best point.
func (r *sections) curveSection() *report.Section {
	if r.Study.Design.Kind != "factorial" {
		return r.scatterSection()
	}
	s := &report.Section{Heading: "Curves", Text: []string{"All other factors are at their levels of the best point."}}
	strongest := r.Strongest()
	if n := len(strongest); n > maxCharts {
		strongest = strongest[:maxCharts]
		s.Text[0] += fmt.Sprintf(" There are charts of the %d strongest of %d factors.", maxCharts, n)
	}
	for _, i := range strongest {
		if f := &r.Study.Design.Factors[i]; f.Numeric && f.Len() > 2 {
			s.Blocks = append(s.Blocks, r.curves(i))
		} else {
			s.Blocks = append(s.Blocks, r.bars(i))
		}
	}
	if len(s.Blocks) == 0 {
		return nil
	}
	return s
}

// thinned picks at most n of so many places: the first and the last, others at equal
// distances, and those to keep in place of the nearest between the ends.
func thinned(places, n int, keep ...int) []int {
	var all []int
	n = min(n, places)
	for i := range n {
		all = append(all, i*(places-1)/max(1, n-1))
	}
	for _, k := range keep {
		at, found := slices.BinarySearch(all, k)
		if found {
			continue
		}
		if at = min(at, n-2); slices.Contains(keep, all[at]) {
			at-- // which is below k, too
		}
		all[max(at, 0)] = k
	}
	return all
}

// levelsShown are at most n levels of a factor, those of the best and of the worst
// configuration among them, and what a caption says of it.
func (r *sections) levelsShown(factor, n int) (levels []int, caption string) {
	all := r.Study.Design.Factors[factor].Len()
	levels = thinned(all, n, r.Reference.At[factor], r.Ranking[len(r.Ranking)-1].Levels[factor])
	if len(levels) < all {
		caption = fmt.Sprintf(" %d of the %d levels of %s are shown, those of the best and of the worst configuration among them.", len(levels), all, r.label(r.Table.Factors[factor].Name))
	}
	return levels, caption
}

// along returns the mean objective at the levels of a factor, in the order of its
// values, with another at a level and the rest as at the best point.
func (r *sections) along(factor, other, level int) (levels []int, means []float64) {
	response, err := r.Table.ResponseIndex(r.Response.Name)
	if err != nil {
		return nil, nil
	}
	sums, counts := map[int]float64{}, map[int]int{}
rows:
	for _, row := range r.Table.Rows {
		for i, l := range row.Levels {
			want := r.Reference.At[i]
			if i == other {
				want = level
			}
			if i != factor && l != want {
				continue rows
			}
		}
		if v := row.Values[response]; v == v {
			sums[row.Levels[factor]] += v
			counts[row.Levels[factor]]++
		}
	}
	for l := range counts {
		levels = append(levels, l)
	}
	f := &r.Table.Factors[factor]
	slices.SortFunc(levels, func(a, b int) int {
		if x, y := &f.Levels[a], &f.Levels[b]; x.Numeric && x.Value != y.Value {
			return cmp.Compare(x.Value, y.Value)
		}
		return a - b
	})
	for _, l := range levels {
		means = append(means, sums[l]/float64(counts[l]))
	}
	return levels, means
}

func (r *sections) curves(factor int) *report.LineChart {
	f := &r.Table.Factors[factor]
	c := &report.LineChart{
		Title: r.label(r.Response.Name) + " over " + r.label(f.Name),
		X:     report.Axis{Title: r.label(f.Name), Unit: page.Unit(f.Unit)},
		Y:     report.Axis{Title: r.label(r.Response.Name), Unit: page.Unit(r.shown.Unit)},
	}
	var allX, allY []float64
	families, caption := r.families(factor)
	c.Caption = strings.TrimSpace(caption)
	for _, series := range families {
		levels, means := r.along(factor, series.factor, series.level)
		s := report.Series{Name: series.name, Y: r.shown.All(means)}
		for _, l := range levels {
			s.X = append(s.X, f.Levels[l].Value)
		}
		allX, allY = append(allX, s.X...), append(allY, s.Y...)
		c.Series = append(c.Series, s)
	}
	if len(allX) > 0 {
		c.X.Log, c.Y.Log = page.ByRatio(allX), page.Wide(allY)
	}
	return c
}

// family is one curve of a chart.
type family struct {
	name          string
	factor, level int
}

// families are the curves of a chart over a factor: one for each level of the
// second strongest, or a single one; and what a caption says of them.
func (r *sections) families(factor int) ([]family, string) {
	others := slices.DeleteFunc(r.Strongest(), func(i int) bool { return i == factor })
	if len(others) == 0 {
		return []family{{r.label(r.Response.Name), -1, 0}}, ""
	}
	other := others[0]
	var all []family
	levels, caption := r.levelsShown(other, maxCurves)
	for _, l := range levels {
		all = append(all, family{r.label(r.Table.Factors[other].Name) + " = " + r.LevelText(other, l), other, l})
	}
	return all, caption
}

// bars shows a factor that is not numeric, or has two levels.
func (r *sections) bars(factor int) *report.BarChart {
	f := &r.Table.Factors[factor]
	c := &report.BarChart{
		Title: r.label(r.Response.Name) + " by " + r.label(f.Name),
		X:     report.Axis{Title: r.label(f.Name), Unit: report.Dimensionless},
		Y:     report.Axis{Title: r.label(r.Response.Name), Unit: page.Unit(r.shown.Unit)},
	}
	levels, thinnedTo := r.levelsShown(factor, maxBars)
	for _, l := range levels {
		c.Categories = append(c.Categories, r.LevelText(factor, l))
	}
	families, caption := r.families(factor)
	c.Caption = strings.TrimSpace(thinnedTo + caption)
	for _, series := range families {
		s := report.BarSeries{Name: series.name, Values: make([]float64, len(levels)), Missing: slices.Repeat([]bool{true}, len(levels))}
		at, means := r.along(factor, series.factor, series.level)
		for i, l := range at {
			if k := slices.Index(levels, l); k >= 0 {
				s.Values[k], s.Missing[k] = means[i]*r.shown.Factor, false
			}
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// scatterSection shows all points over each of the strongest factors, for designs
// in which factors vary together.
func (r *sections) scatterSection() *report.Section {
	response, err := r.Table.ResponseIndex(r.Response.Name)
	if err != nil {
		return nil
	}
	s := &report.Section{Heading: "Scatter plots", Text: []string{"Each point is one simulation. All factors vary at the same time."}}
	at := func(x analysis.Ranked) int { // the row of its first point
		return slices.IndexFunc(r.Table.Rows, func(row studytable.Row) bool { return row.Point == x.Points[0] })
	}
	rows := thinned(len(r.Table.Rows), maxPoints, at(r.Ranking[0]), at(r.Ranking[len(r.Ranking)-1]))
	if n := len(r.Table.Rows); len(rows) < n {
		s.Text[0] += fmt.Sprintf(" %d of %d are shown, the best and the worst among them.", len(rows), n)
	}
	for _, i := range r.Strongest() {
		if len(s.Blocks) == maxCharts || !r.Study.Design.Factors[i].Numeric {
			continue
		}
		f := &r.Table.Factors[i]
		c := &report.ScatterChart{
			Title: r.label(r.Response.Name) + " over " + r.label(f.Name),
			X:     report.Axis{Title: r.label(f.Name), Unit: page.Unit(f.Unit)},
			Y:     report.Axis{Title: r.label(r.Response.Name), Unit: page.Unit(r.shown.Unit)},
		}
		points := report.ScatterSeries{Name: "points"}
		var xs, ys []float64
		for _, k := range rows {
			row := r.Table.Rows[k]
			if v := row.Values[response]; v == v {
				x, y := f.Levels[row.Levels[i]].Value, v*r.shown.Factor
				points.Points = append(points.Points, report.ScatterPoint{Name: r.Describe(row.Levels), X: x, Y: y})
				xs, ys = append(xs, x), append(ys, y)
			}
		}
		if len(xs) > 0 {
			c.X.Log, c.Y.Log = page.ByRatio(xs), page.Wide(ys)
		}
		c.Series = []report.ScatterSeries{points}
		s.Blocks = append(s.Blocks, c)
	}
	if len(s.Blocks) == 0 {
		return nil
	}
	return s
}
