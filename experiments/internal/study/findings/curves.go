package findings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/effects"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
)

const (
	maxCurves = 8 // in a chart
	maxCharts = 4
	maxBars   = 40
	maxPoints = 2000 // of a scatter plot
)

// curveSection shows the objective over each of the strongest factors, with a curve for each level of the strongest of
// the others; all further factors are as at the best point.
func (r *sections) curveSection() *report.Section {
	if r.Study.Design.Kind != design.Factorial {
		return r.scatterSection()
	}
	s := &report.Section{Heading: "Curves", Text: []string{"All other factors are at their levels of the best point."}}
	strongest := r.Strongest()
	if n := len(strongest); n > maxCharts {
		strongest = strongest[:maxCharts]
		s.Text[0] += fmt.Sprintf(" There are charts of %d of %d factors.", maxCharts, n)
	}
	s.Blocks = each.Append(s.Blocks, strongest, r.chartOver)
	if len(s.Blocks) == 0 {
		return nil
	}
	return s
}

// levelsShown returns at most n levels of a factor, including those of the best and the worst configuration, and what a
// caption says about them.
func (r *sections) levelsShown(factor, n int) (levels []int, caption string) {
	all := len(r.Table.Factors[factor].Levels)
	levels = chart.Few(all, n, r.Reference.At[factor], r.Ranking[len(r.Ranking)-1].Levels[factor])
	if len(levels) < all {
		caption = fmt.Sprintf(" %d of the %d levels of %s are shown, including those of the best and the worst configuration.", len(levels), all, r.label(r.Table.Factors[factor].Name))
	}
	return levels, caption
}

// along returns the configurations at the levels of a factor, in the order of its values, with another factor at a
// level and the rest as at the best point.
func (r *sections) along(factor, other, level int) (levels []int, cells []*analysis.Cell) {
	at := slices.Clone(r.Reference.At)
	if other >= 0 {
		at[other] = level
	}
	for _, l := range r.Table.Factors[factor].Order() {
		at[factor] = l
		if i := r.Cells.Find(at); i >= 0 {
			levels, cells = append(levels, l), append(cells, &r.Cells.List[i])
		}
	}
	return levels, cells
}

// chartOver shows the objective at the levels of a factor: curves or, if the factor is not numeric or has two levels,
// bars; one for each level of the second strongest factor, or a single one.
func (r *sections) chartOver(factor int) report.Block {
	f := &r.Table.Factors[factor]
	line := &report.LineChart{X: r.axis(f.Name, f.Unit), Y: r.objective()}
	bars := &report.BarChart{X: r.axis(f.Name, ""), Y: line.Y}
	line.Title, bars.Title = over(line.Y.Title, line.X.Title), input.Capitalized(line.Y.Title)+" by "+line.X.Title
	categories, thinnedTo := r.levelsShown(factor, maxBars)
	bars.Categories = each.Append(bars.Categories, categories, f.Text)
	name, other, others, caption := line.Y.Title, -1, []int{0}, ""
	if all := slices.DeleteFunc(r.Strongest(), func(i int) bool { return i == factor }); len(all) > 0 {
		other = all[0]
		others, caption = r.levelsShown(other, maxCurves)
	}
	if r.PureError != nil {
		caption += " Whiskers: 95 % intervals of the means over repetitions; differences at equal draws may be clearer."
	}
	var allX, allY []float64
	var none []string
	for _, level := range others {
		if other >= 0 {
			name = r.label(r.Table.Factors[other].Name) + " = " + r.Table.Factors[other].Text(level)
		}
		levels, cells := r.along(factor, other, level)
		if len(levels) == 0 {
			none = append(none, name)
			continue
		}
		curve := report.Series{Name: name}
		for i, l := range levels {
			r.point(&curve, f.Levels[l].Value, cells[i].Mean)
			if r.PureError != nil {
				r.whisker(&curve, cells[i].Mean, cells[i].Interval())
			}
		}
		n := len(categories)
		of := report.BarSeries{Name: name, Values: make([]float64, n), Missing: slices.Repeat([]bool{true}, n)}
		if r.PureError != nil {
			of.Low, of.High = make([]float64, n), make([]float64, n)
		}
		for i, l := range levels {
			if k := slices.Index(categories, l); k >= 0 {
				of.Values[k], of.Missing[k] = curve.Y[i], false
				if r.PureError != nil {
					of.Low[k], of.High[k] = curve.Low[i], curve.High[i]
				}
			}
		}
		allX, allY = append(allX, curve.X...), append(allY, curve.Y...)
		line.Series, bars.Series = append(line.Series, curve), append(bars.Series, of)
	}
	if none != nil {
		caption += " No point has " + strings.Join(none, " or ") + "."
	}
	line.Caption, bars.Caption = strings.TrimSpace(caption), strings.TrimSpace(thinnedTo+caption)
	if !f.Numeric || len(f.Levels) < 3 {
		return bars
	}
	if other >= 0 && !slices.ContainsFunc(line.Series, func(s report.Series) bool { return len(s.X) > 1 }) {
		line.Series = []report.Series{joined(line.Series, line.Y.Title)}
		line.Caption = strings.TrimSpace(fmt.Sprintf("%s differs from point to point.", r.label(r.Table.Factors[other].Name)) + caption)
	}
	if len(allX) > 0 {
		line.X.Log, line.Y.Log = page.ByRatio(allX), page.Wide(allY)
	}
	return line
}

// joined connects series of one point each to a curve, for a factor that follows from another.
func joined(points []report.Series, name string) report.Series {
	points = slices.DeleteFunc(points, func(s report.Series) bool { return len(s.X) == 0 })
	slices.SortFunc(points, func(a, b report.Series) int { return cmp.Compare(a.X[0], b.X[0]) })
	curve := report.Series{Name: name}
	for _, p := range points {
		curve.X, curve.Y = append(curve.X, p.X...), append(curve.Y, p.Y...)
		curve.Low, curve.High = append(curve.Low, p.Low...), append(curve.High, p.High...)
	}
	return curve
}

// scatterSection shows all points over each of the strongest factors, for designs
// in which factors vary together.
func (r *sections) scatterSection() *report.Section {
	s := &report.Section{Heading: "Scatter plots", Text: []string{"Each point is one simulation. All factors vary at the same time."}}
	at := func(x analysis.Ranked) int { // the row of the configuration's first point
		return slices.IndexFunc(r.Table.Rows, func(row analysis.Row) bool { return row.Point == x.Rows[0].Point })
	}
	rows := chart.Few(len(r.Table.Rows), maxPoints, at(r.Ranking[0]), at(r.Ranking[len(r.Ranking)-1]))
	if n := len(r.Table.Rows); len(rows) < n {
		s.Text[0] += fmt.Sprintf(" %d of %d are shown, including the best and the worst.", len(rows), n)
	}
	for _, i := range r.Strongest() {
		f := &r.Table.Factors[i]
		if len(s.Blocks) == maxCharts || !f.Numeric {
			continue
		}
		points := report.ScatterSeries{Name: "points"}
		for _, k := range rows {
			row := &r.Table.Rows[k]
			if v := row.Values[r.Cells.Column]; v == v {
				p := report.ScatterPoint{Name: r.Describe(row.Levels), X: f.Levels[row.Levels[i]].Value, Y: v * r.shown.Factor}
				points.Points = append(points.Points, p)
			}
		}
		c := scatter(r.axis(f.Name, f.Unit), r.objective(), page.Wide, points)
		c.Title = over(c.Y.Title, c.X.Title)
		s.Blocks = append(s.Blocks, c)
	}
	if len(s.Blocks) == 0 {
		return nil
	}
	return s
}

// scatter returns a chart of points, with logarithmic axes where they suit; wide decides for y.
func scatter(x, y report.Axis, wide func([]float64) bool, series ...report.ScatterSeries) *report.ScatterChart {
	var xs, ys []float64
	for _, s := range series {
		for _, p := range s.Points {
			xs, ys = append(xs, p.X), append(ys, p.Y)
		}
	}
	if len(xs) > 0 {
		x.Log, y.Log = page.ByRatio(xs), wide(ys)
	}
	return &report.ScatterChart{X: x, Y: y, Series: series}
}

// timeSection splits the time over the number of processes into what ranks do, and shows the energy if it is known. It
// is nil if no factor changes that number.
func (r *sections) timeSection() *report.Section {
	if r.Study.Design.Kind != design.Factorial {
		return nil // points that differ in only one factor were not simulated
	}
	ladder, choice := r.overProcesses()
	if len(ladder) < 2 {
		return nil
	}
	var runs []page.Parts
	var times []float64
	best := slices.IndexFunc(ladder, func(x *analysis.Cell) bool { return slices.Equal(x.Levels, r.Reference.At) })
	for _, k := range chart.Few(len(ladder), maxBars, max(best, 0)) {
		x := ladder[k]
		p := page.Parts{
			Name: fmt.Sprintf("p = %.6g", r.of(x, system.Processes)), At: r.of(x, system.Processes),
			Compute: r.of(x, system.Compute), Overhead: r.of(x, system.Overhead), Wait: r.of(x, system.Wait),
		}
		if of, err := r.Table.ResponseIndex(system.Time); err == nil && r.PureError != nil && len(x.Rows) > 1 {
			interval := analysis.MeanInterval(x.Values(of))
			p.Interval = [2]float64{float64(interval[0]), float64(interval[1])}
		}
		runs, times = append(runs, p), append(times, p.Time())
	}
	s := &report.Section{
		Heading: "Time and energy over processes",
		Text:    []string{"Factors that do not change the number of processes are as at the best point."},
		Blocks:  []report.Block{page.TimeBars("Time over processes by what ranks do", "processes p", runs)},
	}
	if choice {
		s.Text[0] += fmt.Sprintf(" Where several configurations have equally many processes, the one with the %s %s is shown.", r.Wanted(), r.label(r.Response.Name))
	}
	if len(runs) < len(ladder) {
		s.Text = append(s.Text, fmt.Sprintf("%d of %d numbers of processes have a bar.", len(runs), len(ladder)))
	}
	if page.Wide(times) {
		s.Blocks = append(s.Blocks, page.ShareBars("Shares of the time over processes", "processes p", runs))
	}
	energies := r.energyOver(ladder)
	if s.Blocks = append(s.Blocks, energies...); len(energies) == 0 {
		s.Heading = "Time over processes"
	}
	return s
}

// of returns the mean of an outcome over the repetitions of a configuration.
func (r *sections) of(x *analysis.Cell, outcome string) float64 {
	k, err := r.Table.ResponseIndex(outcome)
	if err != nil {
		panic("findings: scenarios have no outcome " + outcome)
	}
	return x.MeanOf(k)
}

// overProcesses returns the best configuration for each number of processes, from the fewest to the most, with factors
// that do not change that number as at the best point; nothing if the points have no processes. choice says that
// several configurations have the same number.
func (r *sections) overProcesses() (ladder []*analysis.Cell, choice bool) {
	c, err := r.Table.Gather(system.Processes, analysis.Minimize)
	if err != nil {
		return nil, false // super-programs have none
	}
	fixed := slices.Clone(r.Reference.At)
	for k, changes := range effects.Changes(c) {
		if changes {
			fixed[k] = -1
		}
	}
	c, err = r.Cells.Where(func(levels []int) bool { return analysis.Matches(levels, fixed) }).By(system.Processes)
	if err != nil {
		return nil, false
	}
	for _, o := range c.Growth().Optima {
		ladder, choice = append(ladder, &c.List[c.Find(o.At)]), choice || o.Of > 1
	}
	return ladder, choice
}

// energyOver shows the energy of a run over the number of processes and, where all do the same work, its product with
// the time; nothing if the energy is not known.
func (r *sections) energyOver(ladder []*analysis.Cell) []report.Block {
	if _, err := r.Table.ResponseIndex(system.Energy); err != nil {
		return nil
	}
	energy, product := page.Bill{Name: "best configuration"}, page.Bill{Name: "best configuration"}
	sameWork := true
	for _, x := range ladder {
		p, e := r.of(x, system.Processes), r.of(x, system.Energy)
		if !(e > 0) {
			return nil
		}
		energy.Add(p, e)
		product.Add(p, e*r.of(x, system.Time))
		sameWork = sameWork && r.of(x, system.Work) == r.of(ladder[0], system.Work)
	}
	blocks := []report.Block{
		page.BillChart("Energy over processes", "energy of a run", "J", []page.Bill{energy}),
		page.BillChart("Energy-delay product over processes", "energy times time of a run", "J s", []page.Bill{product}),
	}
	if !sameWork {
		return blocks[:1]
	}
	return blocks
}

const (
	mostParallel = 8   // axes beside the objective's
	mostLines    = 200 // more would hide each other and enlarge the page
)

// parallelSection shows configurations of three or more factors, each as a line.
func (r *sections) parallelSection() *report.Section {
	factors := r.parallelFactors()
	if len(factors) < 3 {
		return nil
	}
	values := each.Of(r.Ranking, func(x analysis.Ranked) float64 { return x.Mean * r.shown.Factor })
	low, high := slices.Min(values), slices.Max(values)
	if !(low < high) {
		return nil
	}
	c := &report.Parallel{
		Title: input.Capitalized(r.label(r.Response.Name)) + " over all factors", Least: !r.Objective.Maximize, Value: colours(r.objective(), low, high),
	}
	if all := r.varied(); len(all) > len(factors) {
		c.Title = fmt.Sprintf("%s over %d of %d factors", input.Capitalized(r.label(r.Response.Name)), len(factors), len(all))
	}
	heights := make([][]int, len(factors)) // of the levels of a factor
	for i, k := range factors {
		f := &r.Table.Factors[k]
		axis := report.ParallelAxis{Name: r.label(f.Name)}
		if f.Unit != "" {
			axis.Name += " (" + f.Unit + ")"
		}
		heights[i] = make([]int, len(f.Levels))
		for height, l := range f.Order() {
			axis.Levels = append(axis.Levels, f.Levels[l].Text)
			heights[i][l] = height
		}
		c.Axes = append(c.Axes, axis)
	}
	line := func(levels []int, mean float64) report.ParallelLine {
		l := report.ParallelLine{Value: min(high, max(low, mean*r.shown.Factor))}
		for i, k := range factors {
			l.At = append(l.At, heights[i][levels[k]])
		}
		return l
	}
	marked, what := r.parallelMarked()
	n := len(r.Ranking)
	others := chart.Few(n, max(mostLines-len(marked), 1))
	for _, i := range slices.Backward(others) { // the best in front
		x := &r.Ranking[i]
		if !slices.ContainsFunc(marked, func(m analysis.Optimum) bool { return slices.Equal(m.At, x.Levels) }) {
			c.Lines = append(c.Lines, line(x.Levels, x.Mean))
		}
	}
	for _, m := range marked {
		l := line(m.At, m.Value)
		if l.Marked = true; r.Path != nil {
			l.Label = fmt.Sprintf("best of %s %.6g", r.Size.Name, m.Size)
		}
		c.Lines = append(c.Lines, l)
	}
	c.Marked = what
	c.Caption = fmt.Sprintf("Each line is a configuration; its colour and its end on the last axis are its %s. Bold: %s.", r.label(r.Response.Name), what)
	if len(c.Lines) < n {
		c.Caption += fmt.Sprintf(" Of %s, %d are drawn: the bold ones, and others at equal distances in the ranking from the best to the worst.", input.Plural(n, "configuration"), len(c.Lines))
	}
	return &report.Section{Heading: "All factors at once", Blocks: []report.Block{c}}
}

// parallelFactors returns the factors with an axis, in the order of the plan: all, or the strongest if there are too
// many.
func (r *sections) parallelFactors() []int {
	all := r.varied()
	if len(all) <= mostParallel {
		return all
	}
	strongest := r.Strongest()
	place := func(k int) uint { return uint(slices.Index(strongest, k)) } // a factor without a place comes last
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(place(a), place(b)) })
	all = all[:mostParallel]
	slices.Sort(all)
	return all
}

// parallelMarked returns the highlighted configurations and what they are: the growth path, or the best.
func (r *sections) parallelMarked() (list []analysis.Optimum, what string) {
	switch {
	case r.Path == nil:
		return []analysis.Optimum{{Configuration: r.Reference.Configuration}}, "the best configuration"
	case r.Envelope != nil:
		what = "the best up to each size"
	default:
		what = "the best of each size"
	}
	for _, o := range r.Told() {
		if !slices.ContainsFunc(list, func(m analysis.Optimum) bool { return slices.Equal(m.At, o.At) }) {
			list = append(list, o)
		}
	}
	return list, what
}
