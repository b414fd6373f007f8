package sweep

import (
	"fmt"
	"math"
	"strings"

	"github.com/isoscale/isoscale/experiments/report"
)

// extrapolated is how far beyond the largest size the laws are drawn.
const extrapolated = 4

// scalingSection shows the laws fitted to the best values over the sizes.
func (r *Result) scalingSection() *report.Section {
	if r.lawless != "" {
		return &report.Section{Heading: "Scalability", Text: []string{r.lawless}}
	}
	if r.scaling == nil {
		return nil
	}
	outcome := r.Objective.Response
	if outcome == "log2_speedup" {
		outcome = "speedup"
	}
	column := r.study.column(outcome)
	measured := report.Series{Name: "best of each size", Style: report.StylePoints}
	for _, o := range r.growth.Optima {
		v := o.Value
		if outcome != r.Objective.Response {
			v = math.Exp2(v)
		}
		if o.Size >= 1 {
			measured.X, measured.Y = append(measured.X, o.Size), append(measured.Y, v)
		}
	}
	shown := display(column.Unit, measured.Y...)
	measured.Y = shown.all(measured.Y)
	chart := &report.LineChart{
		Title:  "Scaling laws",
		X:      report.Axis{Title: r.size.Name, Unit: unit(r.size.Unit), Log: wide(measured.X)},
		Y:      report.Axis{Title: column.Name, Unit: unit(shown.unit), Log: wide(measured.Y)},
		Series: []report.Series{measured},
	}
	table := &report.Table{
		Title:   "Scaling laws, smallest cross-validation error first",
		Caption: "Cross-validation: mean error (SMAPE) of predicting each point from the others.",
		Columns: []report.Column{{Title: "law"}, {Title: "formula, p = " + r.size.Name}, {Title: "cross-validation", Unit: "%", Numeric: true}, {Title: "RMSE", Unit: unit(column.Unit), Numeric: true}},
	}
	extrapolates := false
	low, high := r.scaling.Fits[0].Range()
	for i, f := range r.scaling.Fits {
		table.Rows = append(table.Rows, []string{f.Model, f.Formula, fmt.Sprintf("%.3g", f.Quality.CrossSMAPE), fmt.Sprintf("%.3g", f.Quality.RMSE)})
		if !f.Sound {
			continue
		}
		inside := report.Series{Name: f.Model, Style: report.StylePlain, Colour: f.Model}
		outside := report.Series{Name: f.Model + ", extrapolated", Style: report.StylePlainDashed, Colour: f.Model}
		band := report.Band{Name: "95 % interval of " + f.Model, Colour: f.Model}
		const points = 40
		for k := range points + 1 {
			p := low * math.Pow(extrapolated*high/low, float64(k)/points)
			y := f.At(p) * shown.factor
			if !f.Holds(p) || chart.Y.Log && y < 1e-9 {
				continue
			}
			if f.Extrapolates(p) {
				outside.X, outside.Y = append(outside.X, p), append(outside.Y, y)
			} else {
				inside.X, inside.Y = append(inside.X, p), append(inside.Y, y)
			}
			if i > 0 {
				continue
			}
			if b, err := f.Band(p, 0.95); err == nil && (!chart.Y.Log || b.Prediction[0]*shown.factor >= 1e-9) && !math.IsInf(b.Prediction[1], 0) {
				band.X = append(band.X, p)
				band.Low, band.High = append(band.Low, b.Prediction[0]*shown.factor), append(band.High, b.Prediction[1]*shown.factor)
			}
		}
		chart.Series = append(chart.Series, inside, outside)
		extrapolates = extrapolates || len(outside.X) > 0
		if i == 0 {
			chart.Bands = []report.Band{band}
		}
	}
	chart.Caption = "Lines: laws fitted to the points."
	if extrapolates {
		chart.Caption += " Dashed lines: extrapolation beyond the simulated sizes."
	}
	if len(chart.Bands) > 0 && len(chart.Bands[0].X) > 0 {
		chart.Caption += fmt.Sprintf(" Band: 95 %% prediction interval of %s.", modelName(r.Scaling[0].Model))
	}
	section := &report.Section{Heading: "Scalability", Text: r.scalingInWords(), Blocks: []report.Block{chart, table}}
	var notes []string
	for _, f := range r.scaling.Fits {
		for _, w := range f.Warnings {
			notes = append(notes, f.Model+": "+w)
		}
	}
	notes = append(notes, r.scaling.Warnings...)
	for _, err := range r.scaling.Left {
		notes = append(notes, strings.TrimPrefix(err.Error(), "regression: "))
	}
	if len(notes) > 0 {
		section.Blocks = append(section.Blocks, &report.Notes{Items: notes})
	}
	return section
}
