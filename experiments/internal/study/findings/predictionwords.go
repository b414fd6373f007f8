package findings

import (
	"fmt"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/search"
)

// poor is the share of the variance below which predictions of results left out get a
// warning.
const poor = 0.5

// negligible is the share of a standard error below which no improvement is expected.
const negligible = 1e-6

// searchInWords says what was simulated and what the rest is expected to be.
func (r *Result) searchInWords() []string {
	x := r.Search
	if x == nil {
		return nil
	}
	text := fmt.Sprintf("Simulated were %d of %s: %d of a Latin hypercube", x.Simulated, input.Plural(x.Configurations, "configuration"), x.Start)
	if n := x.Simulated - x.Start; n > 0 {
		what := "the largest expected improvement"
		if x.Criterion == search.Uncertainty {
			what = "the most uncertain prediction"
		}
		text += fmt.Sprintf(", then %d with %s", n, what)
	}
	lines := []string{text + fmt.Sprintf(". The best is number %d of them.", x.FoundAs)}
	if x.Surrogate == nil {
		return append(lines, "Nothing can be predicted from them.")
	}
	if c := x.Surrogate.Check; c != nil {
		of := ""
		if x.Surrogate.Logarithm {
			of = ", as logarithms,"
		}
		lines = append(lines, fmt.Sprintf("Predicted from the other results, %.0f %% of the variance of the results%s is explained, and %d of %d are within two standard errors.", 100*max(0, c.Explained), of, c.Within, c.Of))
	}
	if n := x.Surrogate.Next; n != nil {
		predicted := fmt.Sprintf("%s, predicted with %s and a standard error of %s", r.Describe(n.At), r.InUnit(digits(n.Value, 4)), r.Uncertainty(n.StdErr))
		if n.Improvement > negligible*n.StdErr {
			lines = append(lines, fmt.Sprintf("Next would be %s: the expected improvement is %s.", predicted, r.Uncertainty(n.Improvement)))
		} else {
			lines = append(lines, fmt.Sprintf("No other configuration is expected to be better; next would be %s.", predicted))
		}
	}
	return lines
}

// Uncertainty writes a standard error or an expected improvement.
func (r *Result) Uncertainty(x float64) string {
	if r.Model.Log {
		return fmt.Sprintf("%.3g %%", 100*x)
	}
	return quantity(digits(x, 3), r.Response.Unit)
}

// digits rounds to so many significant digits.
func digits(x float64, n int) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', n, 64), 64) // what was just written
	return rounded
}
