package findings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/report"
)

// searchSection shows what is predicted for all configurations, how surely, and what
// was simulated.
func (r *sections) searchSection() *report.Section {
	if r.Model == nil {
		return nil
	}
	s := &report.Section{Heading: "Predictions of a Gaussian process", Text: []string{r.scalesInWords()}}
	s.Blocks = append(s.Blocks, r.predictionMaps()...)
	s.Blocks = append(s.Blocks, r.progress())
	if c := r.Search.Surrogate.Check; c != nil {
		s.Blocks = append(s.Blocks, r.checkChart(c))
	}
	return s
}

// scalesInWords says over which distances the objective changes.
func (r *sections) scalesInWords() string {
	var parts []string
	for _, l := range r.Search.Surrogate.LengthScales {
		i, _ := r.Table.FactorIndex(l.Factor) // a factor of the table
		if r.Study.Design.Factors[i].Numeric {
			parts = append(parts, fmt.Sprintf("%s %.3g of its axis", l.Factor, l.Length))
		} else {
			parts = append(parts, fmt.Sprintf("%s %.3g of the difference of two levels", l.Factor, l.Length))
		}
	}
	text := "Length scales, over which the objective changes: " + strings.Join(parts, ", ") + "."
	if x := r.Search.Surrogate.Noise; x != nil {
		text += fmt.Sprintf(" The noise of a result has a standard deviation of %s.", r.Uncertainty(*x))
	}
	return text
}

// predictionMaps show the prediction and its standard error over two factors, the others
// as at the best point; none if the configurations have no grid.
func (r *sections) predictionMaps() []report.Block {
	x, y, ok := r.Mapped()
	if !ok || r.Study.Design.Kind != design.Factorial {
		return nil
	}
	t := r.predictions()
	over := fmt.Sprintf(" over %s and %s", r.label(t.Factors[x].Name), r.label(t.Factors[y].Name))
	var blocks []report.Block
	for _, response := range []string{predictedValue, predictedError} {
		g := gridOf(t, response, x, y, r.slice(x, y))
		if g == nil {
			return nil
		}
		percent := r.Model.Log && response == predictedError
		value := report.Axis{Title: r.label(r.Response.Name), Unit: "%"}
		if !percent {
			r.show(g)
			value.Unit = page.Unit(r.shown.Unit)
		}
		low, high := g.Extremes()
		if !(low < high) {
			continue
		}
		value.Min, value.Max = &low, &high
		m := r.surface(g)
		m.Value = value
		others := r.othersInWords(g, x, y) + " Rings: simulated configurations."
		if response == predictedValue {
			m.Layers = contoursOf(g, "equal prediction")
			m.Title = "Predicted " + r.label(r.Response.Name) + over
			m.Value.Log = low >= 1e-9 && high > 100*low
			m.Caption = "Colour and lines: prediction." + others
		} else {
			m.Title = "Standard error of the prediction of " + r.label(r.Response.Name) + over
			m.Value.Title = "standard error"
			m.Caption = "Colour: standard error of the prediction." + others
			low = 0
		}
		m.Layers = append(m.Layers, r.simulatedOn(g, x, y, r.slice(x, y)))
		blocks = append(blocks, m)
	}
	layers := func(g *analysis.Grid, x, y int, at []int) []report.Layer {
		return append(contoursOf(g, "equal prediction"), r.simulatedOn(g, x, y, at))
	}
	if more := r.slicesBlock(drawing{t, predictedValue, "Predicted " + r.label(r.Response.Name), layers, "Lines: equal prediction. Rings: simulated configurations."}); more != nil {
		blocks = append(blocks, more)
	}
	return blocks
}

// simulatedOn shows the configurations that were simulated with the levels of a map.
func (r *sections) simulatedOn(g *analysis.Grid, x, y int, at []int) report.Layer {
	layer := report.Layer{Name: "simulated", Mark: report.MarkPoints}
	for i, c := range r.History.Configurations {
		levels := r.Study.Design.Point(c * r.Study.Design.Repetitions).Levels
		if px, py, ok := project(g, x, y, levels); ok && inSlice(levels, at, x, y) {
			layer.Traces = append(layer.Traces, report.Trace{Label: fmt.Sprintf("number %d", i+1), X: []float64{px}, Y: []float64{py}})
		}
	}
	return layer
}

// progress shows the results in the order of their simulation.
func (r *sections) progress() *report.LineChart {
	start, chosen, best := report.Series{Name: "start", Points: true}, report.Series{Name: "chosen", Points: true}, report.Series{Name: "best so far", Plain: true}
	for i := range r.History.Configurations {
		if !r.History.Known(i) {
			continue
		}
		at, v := float64(i+1), r.History.Mean(i)*r.shown.Factor
		of := &start
		if i >= r.Search.Start {
			of = &chosen
		}
		of.X, of.Y = append(of.X, at), append(of.Y, v)
		if n := len(best.Y); n > 0 {
			best.X, best.Y = append(best.X, at), append(best.Y, best.Y[n-1])
			if (best.Y[n-1] > v) == (r.Goal == studytable.Maximize) {
				continue
			}
		}
		best.X, best.Y = append(best.X, at), append(best.Y, v)
	}
	c := &report.LineChart{
		Title:   "Results in the order of simulation",
		Caption: "Start: of a Latin hypercube. Chosen: by what the results before predict.",
		X:       report.Axis{Title: "configuration", Unit: report.Dimensionless},
		Y:       report.Axis{Title: r.label(r.Response.Name), Unit: page.Unit(r.shown.Unit), Log: r.Model.Log},
	}
	for _, s := range []report.Series{start, chosen, best} {
		if len(s.X) > 0 {
			c.Series = append(c.Series, s)
		}
	}
	return c
}

// checkChart shows what the others predict for each result.
func (r *sections) checkChart(c *LeftOut) *report.LineChart {
	axis := func(title string) report.Axis {
		return report.Axis{Title: title, Unit: page.Unit(r.shown.Unit), Log: r.Model.Log}
	}
	simulated := r.shown.All(c.Simulated)
	low, high := slices.Min(simulated), slices.Max(simulated)
	return &report.LineChart{
		Title:   "Each result, and its prediction from the others",
		Caption: "Whiskers: two standard errors to both sides. On the line predictions are exact.",
		X:       axis("simulated " + r.label(r.Response.Name)), Y: axis("predicted " + r.label(r.Response.Name)),
		Square: true,
		Series: []report.Series{
			{Name: "equal", X: []float64{low, high}, Y: []float64{low, high}, Ideal: true},
			{Name: "predicted from the others", Points: true, X: simulated, Y: r.shown.All(c.Predicted), Low: r.shown.All(c.Low), High: r.shown.All(c.High)},
		},
	}
}

// Responses of the table of predictions.
const (
	predictedValue = "predicted"
	predictedError = "standard error"
)

// predictions returns a table of all configurations with what is predicted for them.
func (r *sections) predictions() *studytable.Table {
	t := &studytable.Table{Factors: r.Table.Factors, Responses: []studytable.Response{{Name: predictedValue}, {Name: predictedError}}}
	for c := range r.Study.Design.Configurations() {
		p := r.Model.At(c)
		if r.Model.Log {
			p.StdErr *= 100 // per cent
		}
		t.Rows = append(t.Rows, studytable.Row{Point: c, Levels: r.Study.Design.Point(c * r.Study.Design.Repetitions).Levels, Values: []float64{p.Mean, p.StdErr}})
	}
	return t
}
