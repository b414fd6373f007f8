package laws

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
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
		what, f.Size, lawName(best.Model), best.Formula, f.Size, input.Figure(from, 6), input.Figure(to, 6), best.Quality.CrossSMAPE)}
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
	of := input.Figure(high, 6) + " " + f.Size
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
