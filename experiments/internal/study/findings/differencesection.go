package findings

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
	"github.com/isoscale/isoscale/experiments/report"
)

// differenceSection shows the difference over the two factors of the map.
func (r *sections) differenceSection() *report.Section {
	d := r.Difference
	x, y, ok := r.Mapped()
	if d == nil || !ok || r.Study.Design.Kind != design.Factorial {
		return nil
	}
	factor, first, second := d.Numbers()
	if x == factor || y == factor {
		return nil
	}
	at := r.slice(x, y)
	before, after := slices.Clone(at), slices.Clone(at)
	before[factor], after[factor] = first, second
	from, g := r.gridOver(x, y, before), r.gridOver(x, y, after)
	if from == nil || g == nil {
		return nil
	}
	r.show(from)
	r.show(g)
	far := 0.0 // the largest difference, of ratios in logarithms
	for j, row := range g.Values {
		for i := range row {
			row[i] = d.Between(from.Values[j][i], row[i])
			v := math.Abs(row[i])
			if d.By == sweep.ByRatio {
				v = math.Abs(math.Log(row[i]))
			}
			if v > far { // false for NaN
				far = v
			}
		}
	}
	text := r.DifferenceInWords()
	if far <= Rounding {
		return &report.Section{Heading: "Difference of " + d.From + " and " + d.To, Text: text}
	}
	low, high, none, unit := -far, far, 0.0, page.Unit(r.shown.Unit)
	what := fmt.Sprintf("%s of %s minus that of %s", r.label(r.Response.Name), d.To, d.From)
	if d.By == sweep.ByRatio {
		low, high, none, unit = math.Exp(-far), math.Exp(far), 1, report.Dimensionless
		what = fmt.Sprintf("%s of %s over that of %s", r.label(r.Response.Name), d.To, d.From)
	}
	surface := r.surface(g)
	surface.Title = fmt.Sprintf("%s, over %s and %s", what, r.label(r.Table.Factors[x].Name), r.label(r.Table.Factors[y].Name))
	surface.Value = report.Axis{Title: what, Unit: unit, Min: &low, Max: &high, Log: d.By == sweep.ByRatio}
	surface.Diverging = true
	others := slices.Clone(after)
	others[x], others[y], others[factor] = -1, -1, -1
	surface.Caption = "Colour: " + what + "."
	if fixed := r.Others(others); fixed != "" {
		surface.Caption += " Other factors: " + fixed + "."
	}
	surface.Layers = differenceLayers(g, none, low, high)
	if len(surface.Layers) > 0 && surface.Layers[len(surface.Layers)-1].Mark == report.MarkPath {
		surface.Caption += fmt.Sprintf(" Bold line: no difference (%g).", none)
	} else {
		surface.Caption += " There is no line without a difference on this map."
	}
	return &report.Section{Heading: "Difference of " + d.From + " and " + d.To, Text: text, Blocks: []report.Block{surface}}
}

// differenceLayers are lines of equal difference, the one without difference bold.
func differenceLayers(g *analysis.Grid, none, low, high float64) []report.Layer {
	equal := report.Layer{Name: "equal difference", Mark: report.MarkContours}
	zero := report.Layer{Name: "no difference", Mark: report.MarkPath}
	levels := slices.DeleteFunc(g.NiceLevels(contours), func(v float64) bool { return math.Abs(v-none) <= 1e-9*math.Abs(high-low) })
	lines, err := g.Contours(append(levels, none))
	if err != nil {
		return nil
	}
	for _, c := range lines {
		into := &equal
		if c.Level == none {
			into = &zero
		}
		for _, l := range c.Lines {
			into.Traces = append(into.Traces, report.Trace{Label: fmt.Sprintf("%.4g", c.Level), X: l.X, Y: l.Y})
		}
	}
	return slices.DeleteFunc([]report.Layer{equal, zero}, func(l report.Layer) bool { return len(l.Traces) == 0 })
}
