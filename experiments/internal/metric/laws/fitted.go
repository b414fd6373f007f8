package laws

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/regression"
)

// A Subject is what laws are fitted to.
type Subject struct {
	Title          string // distinguishes it from others on the same page; may be empty
	Outcome, Unit  string // what the points are, such as "time" and "s"
	Size, SizeUnit string // what p is, such as "processes" and ""
	Points         string // name of the points in a chart
	Kind           regression.Kind
	Samples        []regression.Sample
	Low, High      []float64 // ends of the samples, such as the fastest and the slowest run; may be nil
}

// Fitted are the laws fitted to a subject, the one with the smallest cross-validation error first.
type Fitted struct {
	Subject
	*regression.Comparison
	Beyond *regression.Forecast // for larger sizes; nil if there are too few points
}

// A Model is one law; its JSON form is part of contracts (docs/formats/json.md).
type Model struct {
	Model      string  `json:"model"`
	Formula    string  `json:"formula"`
	RMSE       float64 `json:"rmse"`
	CrossSMAPE float64 `json:"cross_validated_smape_percent"`
	From       float64 `json:"from"` // smallest size it was fitted to; outside the sizes it extrapolates
	To         float64 `json:"to"`
}

// Fit fits all laws. The error says that there are too few points for any law.
func Fit(s Subject) (*Fitted, error) {
	c, err := regression.Compare(s.Kind, s.Samples)
	if err != nil {
		return nil, err
	}
	beyond, err := regression.FitForecast(s.Kind, s.Samples)
	if err != nil {
		beyond = nil
	}
	return &Fitted{s, c, beyond}, nil
}

// sound reports whether a law describes the points.
func (f *Fitted) sound() bool { return f.Fits[0].Sound }

// Lawless says why no law describes the points; "" if one does. what names the points.
func (f *Fitted) Lawless(what string) string {
	if f.sound() {
		return ""
	}
	return "No scaling law describes " + what + ": " + strings.Join(f.Fits[0].Warnings, "; ") + "."
}

// Models lists the sound laws.
func (f *Fitted) Models() []Model {
	var all []Model
	for _, x := range f.Fits {
		if x.Sound {
			from, to := x.Range()
			all = append(all, Model{x.Model, x.Formula, x.Quality.RMSE, x.Quality.CrossSMAPE, from, to})
		}
	}
	return all
}

// InWords names the law with the smallest prediction error, and what is doubtful about it. what names the points.
func (f *Fitted) InWords(what string) []string {
	if !f.sound() {
		return []string{f.Lawless(what)}
	}
	best := f.Fits[0]
	from, to := best.Range()
	if !(best.Quality.CrossSMAPE < misleading) {
		return []string{fmt.Sprintf("No scaling law predicts %s over %s: the best, %s, misses points that it was not fitted to by %.2g %%.",
			what, f.Size, lawName(best.Model), best.Quality.CrossSMAPE)}
	}
	lines := []string{fmt.Sprintf("The law that best predicts %s over %s is %s: %s, with p = %s from %s to %s; its cross-validation error is %.2g %%.",
		what, f.Size, lawName(best.Model), best.Formula, f.Size, input.Number(from), input.Number(to), best.Quality.CrossSMAPE)}
	lines = each.Append(lines, best.Warnings, func(w string) string { return "However, " + w + "." })
	if f.Beyond != nil {
		lines = append(lines, f.beyondInWords())
	}
	return lines
}

// beyondInWords says how far the prediction reaches, or why there is none. REQUIRES: the forecast exists.
func (f *Fitted) beyondInWords() string {
	b := f.Beyond
	_, high := f.Fits[0].Range()
	of := input.Number(high) + " " + f.Size
	switch {
	case len(b.Formula) == 0:
		return fmt.Sprintf("Nothing is predicted beyond %s: no form predicts the largest sizes from the smaller ones.", of)
	case b.Reach == high:
		return fmt.Sprintf("Nothing is predicted beyond %s: the best form misses the largest sizes by %.2g %%, fitted to the smaller ones, so an interval would be too wide.", of, 100*math.Expm1(b.Validation))
	}
	what := f.Outcome
	if f.Kind != regression.Time {
		what = "1/" + what
	}
	return fmt.Sprintf("Beyond %s, up to %s, %s is predicted by %s, with p = %s: the form that best predicts the largest sizes from the smaller ones.",
		of, input.Figure(b.Reach, 4), what, b.Formula, f.Size)
}

// notes say what is doubtful, and which laws could not be fitted.
func (f *Fitted) notes() []string {
	var notes []string
	for _, x := range f.Fits {
		notes = each.Append(notes, x.Warnings, func(w string) string { return x.Model + ": " + w })
	}
	notes = append(notes, f.Warnings...)
	return each.Append(notes, f.Left, func(err error) string { return strings.TrimPrefix(err.Error(), "regression: ") })
}

// lawName is the name of a law in a sentence.
func lawName(model string) string {
	names := map[string]string{"Amdahl": "Amdahl's law", "USL": "the Universal Scalability Law"}
	return cmp.Or(names[model], "the normal form")
}

// level of the bands of laws.
const level = 0.95

// Blocks returns a chart, a table and, if needed, notes.
func (f *Fitted) Blocks() []report.Block {
	blocks := []report.Block{f.chart(), f.table()}
	if notes := f.notes(); len(notes) > 0 {
		blocks = append(blocks, &report.Notes{Items: notes})
	}
	return blocks
}

// titled returns the title of a block.
func (f *Fitted) titled(title string) string {
	if f.Title == "" {
		return title
	}
	return f.Title + ": " + title
}

func (f *Fitted) table() *report.Table {
	t := &report.Table{
		Title: f.titled("Scaling laws, smallest cross-validation error first"),
		Caption: "Cross-validation: mean error (SMAPE) of predicting each point from the others. " +
			"A law cannot hold if its parameters are impossible, such as a serial fraction below 0.",
		Columns: page.Columns("law", "formula, p = "+f.Size, "#cross-validation [%]", "#RMSE ["+page.Unit(f.Unit)+"]", "can hold"),
	}
	// A law that cannot hold is no candidate, but may predict best; the report says both.
	fits := slices.Clone(f.Fits)
	slices.SortStableFunc(fits, func(a, b *regression.Fit) int {
		return cmp.Compare(a.Quality.CrossSMAPE, b.Quality.CrossSMAPE)
	})
	for _, x := range fits {
		holds := "yes"
		if !x.Sound {
			holds = "no"
		}
		t.Rows = append(t.Rows, []string{
			x.Model, x.Formula, fmt.Sprintf("%.3g", x.Quality.CrossSMAPE), input.Figure(x.Quality.RMSE, 3), holds})
	}
	return t
}

func (f *Fitted) chart() *report.LineChart {
	points := report.Series{Name: f.Points, Points: true}
	for _, s := range f.Samples {
		points.X, points.Y = append(points.X, s.P), append(points.Y, s.Y)
	}
	shown := page.Display(f.Unit, points.Y...)
	points.Y = shown.All(points.Y)
	if f.Low != nil && !slices.Equal(f.Low, f.High) {
		points.Low, points.High = shown.All(f.Low), shown.All(f.High)
	}
	chart := &report.LineChart{
		Title:   f.titled("Scaling laws"),
		X:       report.Axis{Title: f.Size, Unit: page.Unit(f.SizeUnit), Log: page.Wide(points.X)},
		Y:       report.Axis{Title: f.Outcome, Unit: page.Unit(shown.Unit), Log: page.Wide(points.Y)},
		Series:  []report.Series{points},
		Caption: "Lines: laws fitted to the points.",
	}
	var left []string
	for i, x := range f.Fits {
		if reason := notDrawn(x); reason != "" {
			left = append(left, fmt.Sprintf("%s (%s)", x.Model, reason))
			continue
		}
		low, high := x.Range()
		l := draw(x.Model, low, high, shown.Factor, chart.Y.Log, func(p float64) (float64, [2]float64, bool) {
			b, err := x.Band(p, level)
			if err != nil {
				b.Prediction[1] = math.Inf(1)
			}
			return x.At(p), b.Prediction, true
		})
		if chart.Series = append(chart.Series, l.Series); i == 0 {
			chart.Bands = append(chart.Bands, l.band)
		}
	}
	if len(chart.Series) == 1 {
		chart.Caption = "No law describes the points."
	}
	if len(left) > 0 {
		chart.Caption += " Not drawn: " + strings.Join(left, ", ") + "."
	}
	if len(chart.Bands) > 0 && len(chart.Bands[0].X) > 0 {
		chart.Caption += fmt.Sprintf(" Band: 95 %% prediction interval of %s.", lawName(f.Fits[0].Model))
	}
	if b := f.Beyond; b != nil {
		_, high := f.Fits[0].Range()
		if l := draw("prediction", high, b.Reach, shown.Factor, chart.Y.Log, b.At); len(l.X) > 0 {
			l.Dashed = true
			chart.Series, chart.Bands = append(chart.Series, l.Series), append(chart.Bands, l.band)
		}
		chart.Caption += " " + f.beyondInWords()
	}
	return chart
}

// misleading is the cross-validation error, in %, from which on a law is not drawn: a line that misses points by a
// quarter would still be read as a statement about them.
const misleading = 25

// notDrawn says why a law is not drawn; "" if it is.
func notDrawn(x *regression.Fit) string {
	switch {
	case !x.Sound:
		return "it cannot hold"
	case !(x.Quality.CrossSMAPE < misleading):
		return fmt.Sprintf("misses left-out points by %.2g %%", x.Quality.CrossSMAPE)
	}
	return ""
}

// line is how a chart shows a law or a prediction.
type line struct {
	report.Series
	band report.Band
}

// draw draws a line from one size to another, up to where there is no value, with its band. A value comes with its
// interval, which is not finite if there is none. The low side of a band that cannot be negative ends at 0 or, on a
// logarithmic axis, at a tenth of the line, which stands for "anything below".
func draw(
	name string, low, high, factor float64, log bool, at func(p float64) (value float64, interval [2]float64, ok bool),
) line {
	l := line{
		Series: report.Series{Name: name, Plain: true, Colour: name},
		band:   report.Band{Name: "95 % interval of " + name, Colour: name},
	}
	const points = 30
	for k := range points + 1 {
		p := low * math.Pow(high/low, float64(k)/points)
		value, interval, ok := at(p)
		y := value * factor
		if !ok || log && y < 1e-9 {
			if k == 0 { // a prediction begins beyond the points
				continue
			}
			break
		}
		l.X, l.Y = append(l.X, p), append(l.Y, y)
		if math.IsInf(interval[1], 0) {
			continue
		}
		floor := 0.0
		if log {
			floor = y / 10
		}
		l.band.X = append(l.band.X, p)
		l.band.Low = append(l.band.Low, max(interval[0]*factor, floor))
		l.band.High = append(l.band.High, interval[1]*factor)
	}
	return l
}

// Section shows performance models: a table of all, and charts of the first most of them.
func Section(models []Performance, table *report.Table, most int) report.Section {
	s := report.Section{
		Heading: "Performance models",
		Text: []string{"Which formula predicts times that it was not fitted to with the least error: Amdahl's law, the Universal Scalability Law " +
			"or the performance model normal form, a sum of terms p^i log2(p)^j. " +
			"Beyond the measured range the form predicts that best found the largest numbers of processes from the smaller ones, as far as its 95 % interval is narrower than a factor of 1.6 to both sides."},
		Blocks: []report.Block{table},
	}
	for i := range min(len(models), most) {
		s.Blocks = append(s.Blocks, models[i].Blocks()...)
	}
	if left := len(models) - most; left > 0 {
		s.Text = append(s.Text, fmt.Sprintf("%d more are only in the table.", left))
	}
	return s
}
