package efficiencies

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
)

// classes are words for how good an efficiency is, and least has the smallest efficiency of each. The
// POP centre takes efficiencies below 80 % for what needs attention.
var (
	classes = []string{"good", "fair", "low"}
	least   = []float64{0.9, 0.8, 0}
)

func class(x float64) string {
	for i, from := range least {
		if x >= from {
			return classes[i]
		}
	}
	return classes[len(classes)-1]
}

// Facts has the parallel efficiency, if it is known, for the numbers at the head of an answer.
func (e *Efficiencies) Facts() []report.Fact {
	if e == nil {
		return nil
	}
	return []report.Fact{{Label: "Parallel efficiency", Value: fmt.Sprintf("%.3f", e.Parallel), Note: "mean computation time / time"}}
}

// Show adds sections on where the time goes, what would help and what the time depends on; nil was not asked for.
func Show(doc *report.Document, effects []Effect, e *Efficiencies, s *Sensitivities, makespan float64) {
	if e != nil {
		doc.Sections = append(doc.Sections, e.Section())
	}
	if effects != nil {
		doc.Sections = append(doc.Sections, effectSection(effects, e))
	}
	if s != nil {
		doc.Sections = append(doc.Sections, s.Section(makespan))
	}
}

// Line is the parallel efficiency as a product; number formats each number.
func (e *Efficiencies) Line(number func(float64) string) string {
	factors := each.Append(nil, e.Factors(), func(f Factor) string { return f.Name + " " + number(f.Value) })
	return number(e.Parallel) + " = " + strings.Join(factors, " x ")
}

// ComputationLine is the computation efficiency as a product, "" if its factors are not known.
func (e *Efficiencies) ComputationLine(number func(float64) string) string {
	if e.MemoryBandwidth == 0 || e.Computation == 0 {
		return ""
	}
	return number(e.Computation) + " = memory bandwidth " + number(e.MemoryBandwidth) + " x work and speed " +
		number(e.Computation/e.MemoryBandwidth)
}

// Says names the factor that costs most, which may be memory bandwidth; "" if none costs 1 %.
func (e *Efficiencies) Says() string {
	x := e.Lowest()
	if m := e.MemoryBandwidth; m > 0 && m < min(x.Value, 0.99) {
		return fmt.Sprintf("Memory bandwidth costs more than any factor of the parallel efficiency (%.1f %%): "+
			"without that limit, computations would take %.1f %% of their time.", 100*e.Parallel, 100*m)
	}
	if x.Value > 0.99 {
		return ""
	}
	return fmt.Sprintf("Of the factors of the parallel efficiency (%.1f %%), %s is the lowest (%.1f %%): %s.", 100*e.Parallel, x.Name, 100*x.Value, x.Meaning)
}

// A Named run is a column of a table.
type Named struct {
	Name string
	*Efficiencies
}

// Table shows the efficiencies of runs as a tree of factors, with a row for each factor and a column for each run.
func Table(runs ...Named) *report.Table {
	heads := each.Append([]string{"efficiency"}, runs, func(r Named) string { return "#" + r.Name })
	t := &report.Table{Title: "Efficiencies and their factors", Columns: page.Columns(heads...)}
	for i := range runs {
		t.Columns[i+1].Sizes = classes
	}
	for _, part := range Parts {
		cells, known := []string{strings.Repeat(". ", part.Depth) + part.Name}, false
		for _, x := range runs {
			cell := input.None
			if v := part.Value(x.Efficiencies); v > 0 {
				cell, known = Cell(v), true
			}
			cells = append(cells, cell)
		}
		if known {
			t.Rows = append(t.Rows, cells)
		}
	}
	return t
}

// Cell is the text of an efficiency in a table, with the word for its class.
func Cell(x float64) string { return fmt.Sprintf("%.4f %s", x, class(x)) }

func (e *Efficiencies) Section() report.Section {
	t := Table(Named{"value", e})
	t.Caption = fmt.Sprintf("Each efficiency is the product of those below it that have one more dot. Good: from "+
		"%.0f %%; low: below %.0f %%. On a network free of cost the run takes %v.",
		100*least[0], 100*least[1], input.Rounded(e.IdealMakespan))
	if e.Computation > 0 {
		t.Caption += " Parallel efficiency times computation is the speed-efficiency."
	}
	s := report.Section{Heading: "Efficiencies", Blocks: []report.Block{t}}
	if text := e.Says(); text != "" {
		s.Text = []string{text}
	}
	return s
}
