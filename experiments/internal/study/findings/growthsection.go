package findings

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
)

// growthSection follows the best configuration over the sizes.
func (r *sections) growthSection() *report.Section {
	if r.Path == nil {
		return nil
	}
	list, of := r.Growth, "of each size"
	if r.Envelope != nil {
		list, of = r.UpTo, "up to each size"
	}
	best := report.Series{Name: "best " + of}
	t := &report.Table{
		Title:   "Best configuration " + of,
		Columns: []report.Column{{Title: r.label(r.Size.Name), Unit: page.Unit(r.Size.Unit), Numeric: true}, {Title: "configuration"}, {Title: r.label(r.Response.Name), Numeric: true}, {Title: "configurations", Numeric: true}, {Title: "change from previous size"}},
	}
	noisy := r.Envelope == nil && slices.ContainsFunc(r.Growth, func(o Optimum) bool { return o.StdErr != nil })
	if noisy {
		t.Columns = append(t.Columns, report.Column{Title: "standard error", Numeric: true}, report.Column{Title: "others within the noise", Numeric: true})
	} else {
		t.Columns = append(t.Columns, report.Column{Title: "others as good", Numeric: true})
	}
	for _, o := range list {
		best.X, best.Y = append(best.X, o.Size), append(best.Y, o.Value)
		size := fmt.Sprintf("%.6g", o.Size)
		if r.Envelope != nil {
			size = fmt.Sprintf("%.6g, of up to %.6g", o.Size, o.Bound)
		}
		row := []string{size, r.Describe(o.At), r.InUnit(o.Value), fmt.Sprint(o.Of), o.Move}
		switch {
		case noisy && o.StdErr != nil:
			row = append(row, r.InUnit(*o.StdErr), fmt.Sprint(o.WithinNoise))
		case noisy:
			row = append(row, "", fmt.Sprint(o.WithinNoise))
		default:
			row = append(row, fmt.Sprint(o.Tied))
		}
		t.Rows = append(t.Rows, row)
	}
	best.Y = r.shown.All(best.Y)
	chart := &report.LineChart{
		Title: "Best " + r.label(r.Response.Name) + " " + of,
		X:     report.Axis{Title: r.label(r.Size.Name), Unit: page.Unit(r.Size.Unit), Log: page.Wide(best.X)},
		Y:     report.Axis{Title: r.label(r.Response.Name), Unit: page.Unit(r.shown.Unit), Log: page.Wide(best.Y)},
	}
	chart.Series = []report.Series{best}
	section := &report.Section{Heading: "Growth path", Text: r.GrowthInWords(), Blocks: []report.Block{chart, t}}
	if r.Ascent == nil || len(r.Ascent.Steps) < 2 {
		return section
	}
	walk := report.Series{Name: "greedy growth", Dashed: true}
	for _, s := range r.Ascent.Steps {
		walk.X, walk.Y = append(walk.X, s.Size), append(walk.Y, s.Value*r.shown.Factor)
	}
	chart.Series = append(chart.Series, walk)
	if told := r.ToldMisses(); len(told) > 0 {
		told = told[:min(len(told), MaxSizes)]
		m := &report.Table{
			Title:   "Sizes at which greedy growth misses the optimum",
			Caption: fmt.Sprintf("The worst first, at most %d; misses of less than %d %% are left out. Difference: in per cent of the optimum.", MaxSizes, WorthTelling),
			Columns: []report.Column{{Title: r.label(r.Size.Name), Unit: page.Unit(r.Size.Unit), Numeric: true}, {Title: "greedy growth"}, {Title: r.label(r.Response.Name), Numeric: true}, {Title: "optimum"}, {Title: r.label(r.Response.Name), Numeric: true}, {Title: "difference", Numeric: true}},
		}
		for _, x := range told {
			m.Rows = append(m.Rows, []string{fmt.Sprintf("%.6g", x.Size), r.Describe(x.Walk.At), r.InUnit(x.Walk.Value), r.Describe(x.Best.At), r.InUnit(x.Best.Value), r.shortfall(x.Percent, x.Shortfall)})
		}
		section.Blocks = append(section.Blocks, m)
	}
	return section
}
