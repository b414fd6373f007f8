package findings

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
)

// Difference says how two levels of a factor differ, over pairs of points that differ in nothing else.
type Difference struct {
	sweep.Comparison
	Pairs int     `json:"pairs"`
	Equal int     `json:"equal"` // pairs that differ by no more than rounding
	Mean  float64 `json:"mean"`  // of the differences; the geometric mean of ratios
	// Interval is the 95 % interval of the mean over repetitions.
	Interval analysis.Interval      `json:"interval,omitzero"`
	Lowest   analysis.Configuration `json:"lowest"`
	Highest  analysis.Configuration `json:"highest"`

	factor, from, to int // indices
}

// Rounding is the relative difference up to which values are equal.
const Rounding = 1e-9

// findDifference computes the comparison of the plan.
func (r *Result) findDifference() {
	c := r.Study.Comparison()
	if c == nil {
		return
	}
	factor, err := r.Table.FactorIndex(c.Factor)
	if err != nil {
		return
	}
	d := &Difference{Comparison: *c, factor: factor}
	if d.By == "" {
		if d.By = sweep.ByRatio; r.Study.Outcome(r.Response.Name).Log2Of != "" {
			d.By = sweep.ByDifference
		}
	}
	level := func(text string) int {
		return slices.IndexFunc(r.Table.Factors[factor].Levels, func(l analysis.Level) bool { return l.Text == text })
	}
	if d.from, d.to = level(c.From), level(c.To); d.from < 0 || d.to < 0 {
		return
	}
	sum := 0.0
	each := map[int][]float64{} // differences of the pairs, by repetition
	for _, x := range r.Cells.List {
		levels := slices.Clone(x.Levels)
		levels[factor] = d.from
		other := r.Cells.Find(levels)
		if x.Levels[factor] != d.to || other < 0 {
			continue
		}
		before := r.Cells.List[other].Mean
		v := d.Between(before, x.Mean)
		if math.IsNaN(v) {
			r.warn("%s of %s and %s cannot be compared by ratio: some values are 0 or have different signs", r.Response.Name, d.From, d.To)
			return
		}
		if d.Pairs++; math.Abs(x.Mean-before) <= Rounding*max(math.Abs(before), math.Abs(x.Mean)) {
			d.Equal++
		}
		if d.Pairs == 1 || v < d.Lowest.Value {
			d.Lowest = r.Cells.Configuration(x.Levels, v)
		}
		if d.Pairs == 1 || v > d.Highest.Value {
			d.Highest = r.Cells.Configuration(x.Levels, v)
		}
		for repetition, v := range r.Cells.Within(&r.Cells.List[other], &x, d.scaled) {
			each[repetition] = append(each[repetition], v)
		}
		sum += d.scaled(before, x.Mean)
	}
	if d.Pairs == 0 {
		return
	}
	if d.Mean = sum / float64(d.Pairs); d.By == sweep.ByRatio {
		d.Mean = math.Exp(d.Mean)
	}
	var means []float64 // of the repetitions that have all pairs
	for _, of := range each {
		if len(of) == d.Pairs {
			means = append(means, stat.Mean(of, nil))
		}
	}
	d.Interval = d.intervalOf(means)
	for _, c := range []*analysis.Configuration{&d.Lowest, &d.Highest} {
		delete(c.Levels, d.Factor)
	}
	r.Difference = d
}

// scaled returns the difference on the scale on which means are taken: for ratios, the logarithm.
func (d *Difference) scaled(from, to float64) float64 {
	if d.By == sweep.ByRatio {
		return math.Log(d.Between(from, to))
	}
	return d.Between(from, to)
}

// intervalOf returns the interval of the mean of scaled differences.
func (d *Difference) intervalOf(scaled []float64) analysis.Interval {
	x := analysis.MeanInterval(scaled)
	if d.By == sweep.ByRatio {
		for i := range x {
			x[i] = analysis.Number(math.Exp(float64(x[i])))
		}
	}
	return x
}

// Between returns the difference or ratio of two values; NaN if they have no ratio.
func (d *Difference) Between(from, to float64) float64 {
	switch {
	case d.By == sweep.ByDifference:
		return to - from
	case from == to:
		return 1
	}
	if v := to / from; v > 0 && v <= math.MaxFloat64 {
		return v
	}
	return math.NaN()
}

// DifferenceInWords says how much two levels differ.
func (r *Result) DifferenceInWords() []string {
	d := r.Difference
	if d == nil {
		return nil
	}
	if d.Equal == d.Pairs {
		return []string{fmt.Sprintf("For %s, %s and %s agree at %s.", d.Factor, d.From, d.To, input.Plural(d.Pairs, "configuration"))}
	}
	where := func(c analysis.Configuration) string { return r.Describe(except(c.At, d.factor)) }
	amount, by := func(v float64) string { return fmt.Sprintf("%+.4g", v) }, "by"
	switch {
	case d.By == sweep.ByRatio:
		amount, by = func(v float64) string { return fmt.Sprintf("%.4g", v) }, "by a factor of"
	case r.Response.Unit != "":
		amount = r.InUnit
	}
	text := fmt.Sprintf("From %s %s to %s, %s changes %s %s (%s) to %s (%s), on average over %s %s %s",
		d.Factor, d.From, d.To, r.label(r.Response.Name), by, amount(d.Lowest.Value), where(d.Lowest),
		amount(d.Highest.Value), where(d.Highest), input.Plural(d.Pairs, "configuration"), by, amount(d.Mean))
	if d.Interval.Exists() {
		text += fmt.Sprintf(" (95 %%: %s to %s)", amount(float64(d.Interval[0])), amount(float64(d.Interval[1])))
	}
	if d.Equal > 0 {
		text += fmt.Sprintf("; at %d it does not change", d.Equal)
	}
	return []string{text + "."}
}
