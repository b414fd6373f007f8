package iso

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
)

// stepSection shows psi and the times at equal problem size from system to system.
func (r *Result) stepSection() report.Section {
	section := report.Section{
		Heading: "Scalability",
		Text: []string{
			"psi(C, C') = C'W/(C W') compares two systems of marked speed C and C' that run at the same speed-efficiency on work W and W'. It is 1 if the work has to grow only as fast as the system, and smaller the more additional work the larger system needs for the same speed-efficiency.",
		},
	}
	if predicted(r.Psi) {
		section.Text = append(section.Text, "The prediction uses single messages and collective operations timed on each system, the closed form of the algorithm's overhead T_o, and Theorem 1 of [Chen2008], without a run of the algorithm itself.")
	}
	if len(r.Psi) == 0 {
		section.Text = append(section.Text, "This study has only one system, so no scalability can be computed.")
		return section
	}
	if growing := r.Growing(); len(growing) > 0 {
		section.Blocks = append(section.Blocks, r.psiChart(growing), r.psiTable("psi of each step", "", growing))
	}
	if apart := r.Apart(); len(apart) > 0 {
		section.Blocks = append(section.Blocks, r.psiTable("Steps to systems of no larger marked speed",
			"Set apart: psi is a scalability only towards a larger marked speed. To a smaller one it is one over that of the step back.", apart))
	}
	section.Blocks = append(section.Blocks, r.equalSizeTable())
	return section
}

// predicted tells whether a step has a prediction: workloads without a closed form of their
// overhead have none.
func predicted(steps []Psi) bool {
	return slices.ContainsFunc(steps, func(p Psi) bool { return p.PsiPredicted != nil })
}

// dwarfs is how many times as high as all others a bar must be to be left out of the
// chart: beside it, differences between the others could not be seen.
const dwarfs = 4

// drawn divides steps into those that a chart can show side by side and those whose
// bars would dwarf the others.
func drawn(steps []Psi) (shown, left []Psi) {
	highest := func(p Psi) float64 {
		h := p.Psi
		for _, v := range []*float64{p.PsiPredicted, p.PsiCompared} {
			if v != nil {
				h = max(h, *v)
			}
		}
		return h
	}
	byHeight := slices.SortedStableFunc(slices.Values(steps), func(a, b Psi) int { return cmp.Compare(highest(a), highest(b)) })
	limit := highest(byHeight[len(byHeight)-1])
	for i := len(byHeight) - 1; i > 0 && highest(byHeight[i]) > dwarfs*highest(byHeight[i-1]); i-- {
		limit = highest(byHeight[i-1])
	}
	for _, p := range steps {
		if highest(p) <= limit {
			shown = append(shown, p)
		} else {
			left = append(left, p)
		}
	}
	return shown, left
}

func (r *Result) psiChart(steps []Psi) *report.BarChart {
	steps, left := drawn(steps)
	n := len(steps)
	const psi = "psi" // which has one colour, wherever it comes from
	ours := report.BarSeries{Name: "simulated", Colour: psi, Values: make([]float64, n)}
	fromOverhead := report.BarSeries{Name: "predicted from T_o", Colour: psi, Dashed: true, Values: make([]float64, n), Missing: make([]bool, n)}
	compared := report.BarSeries{Colour: psi, Hollow: true, Values: make([]float64, n), Missing: make([]bool, n)}
	c := &report.BarChart{
		Title: "Isospeed-efficiency scalability",
		X:     report.Axis{Title: "from system to system", Unit: report.Dimensionless},
		Y:     report.Axis{Title: "scalability psi", Unit: report.Dimensionless},
	}
	for i, p := range steps {
		c.Categories = append(c.Categories, p.From+" to "+p.To)
		ours.Values[i] = p.Psi
		if fromOverhead.Missing[i] = p.PsiPredicted == nil; p.PsiPredicted != nil {
			fromOverhead.Values[i] = *p.PsiPredicted
		}
		if compared.Missing[i] = p.PsiCompared == nil; p.PsiCompared != nil {
			compared.Values[i] = *p.PsiCompared
		}
	}
	c.Series = []report.BarSeries{ours}
	if slices.Contains(fromOverhead.Missing, false) {
		c.Series = append(c.Series, fromOverhead)
	}
	if r.Comparison != nil && len(r.study.Compare.Psi) > 0 {
		compared.Name = r.study.Compare.Label
		c.Series = append(c.Series, compared)
		c.Caption = r.comparisonCaption()
	}
	for _, p := range left {
		if c.Caption != "" {
			c.Caption += " "
		}
		c.Caption += fmt.Sprintf("Not drawn, as its bar would dwarf the others: %s to %s, psi = %.3f.", p.From, p.To, p.Psi)
	}
	return c
}

func (r *Result) psiTable(title, caption string, steps []Psi) *report.Table {
	t := &report.Table{
		Title: title, Caption: caption,
		Columns: []report.Column{{Title: "from"}, {Title: "to"}, {Title: "psi", Numeric: true}},
	}
	withPrediction := predicted(steps)
	if withPrediction {
		t.Columns = append(t.Columns, report.Column{Title: "psi predicted", Numeric: true})
	}
	compared := r.Comparison != nil && len(r.study.Compare.Psi) > 0
	if compared {
		t.Columns = append(t.Columns, report.Column{Title: "psi " + r.study.Compare.Label, Numeric: true})
	}
	for _, p := range steps {
		row := []string{p.From, p.To, fmt.Sprintf("%.3f", p.Psi)}
		if withPrediction {
			row = append(row, input.Optional(p.PsiPredicted, "%.3f"))
		}
		if compared {
			row = append(row, input.Optional(p.PsiCompared, "%.3f"))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// equalSizeTable answers whether a larger system is worth it for a problem that does
// not grow.
func (r *Result) equalSizeTable() *report.Table {
	return &report.Table{
		Title:   "Times at equal problem size",
		Caption: "The problems that hold the target on either system of a step, simulated on both. Faster: time on the first system over that on the second; below 1 the second is slower.",
		Columns: []report.Column{{Title: "from"}, {Title: "to"}, {Title: "N", Numeric: true}, {Title: "time on the first", Numeric: true}, {Title: "time on the second", Numeric: true}, {Title: "faster", Numeric: true}},
		Rows:    r.EqualSizeRows(),
	}
}
