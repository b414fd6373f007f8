package findings

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/report"
)

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
	low, high := math.Inf(1), math.Inf(-1)
	for i := range r.Ranking {
		v := r.Ranking[i].Mean * r.shown.Factor
		low, high = min(low, v), max(high, v)
	}
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
