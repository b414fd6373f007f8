package findings

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
)

// PureError is how far repetitions of a configuration differ from each other, pooled over all configurations.
type PureError struct {
	Deviation float64 `json:"deviation"` // standard deviation, in the unit of the objective
	Freedom   int     `json:"degrees_of_freedom"`
	Share     float64 `json:"share"` // relative to the mean of all configurations
}

// findUndecided says why nothing is concluded from the points, if random draws cannot be told apart from effects of the
// factors.
func (r *Result) findUndecided() {
	once := r.Study.Design.Repetitions == 1
	if r.Study.Search != nil || !once && !r.Study.Template.HasSeed() || !r.Study.Draws() {
		return
	}
	r.Undecided = "Nothing is concluded: runs depend on random numbers, and "
	if once {
		r.Undecided += "each point was run once, so its draws cannot be told from the effects of the factors. "
	} else {
		r.Undecided += "the seed of the scenario gives all repetitions the same ones. "
	}
	r.Undecided += fmt.Sprintf("With repetitions: %d and no seed in the scenario, points are compared.", sweep.Enough)
	r.warn("%s", r.Undecided)
}

// findPureError pools the differences of repetitions.
func (r *Result) findPureError() {
	var squares, sum float64
	freedom := 0
	for i := range r.One.List {
		x := &r.One.List[i]
		squares, sum, freedom = squares+x.Within, sum+math.Abs(x.Mean), freedom+len(x.Rows)-1
	}
	if freedom > 0 && squares > 0 {
		deviation := math.Sqrt(squares / float64(freedom))
		r.PureError = &PureError{deviation, freedom, deviation * float64(len(r.One.List)) / sum}
	}
}

// PureErrorInWords says by how much repetitions differ.
func (r *Result) PureErrorInWords() []string {
	if r.PureError == nil {
		return nil
	}
	with := ""
	if x := r.Study.Perturb; x != nil {
		with = fmt.Sprintf(", with changes of %s by up to %.3g %%,", strings.Join(x.Fields, ", "), 100*x.By)
	}
	return []string{fmt.Sprintf("Repetitions of a configuration%s differ by %s (standard deviation, pooled over %s), %.2g %% of the mean.",
		with, r.InUnit(input.Digits(r.PureError.Deviation, 3)), input.Plural(len(r.One.List), "configuration"), 100*r.PureError.Share)}
}

// mostInSet bounds the list of configurations that may be the best.
const mostInSet = 100

// set lists the configurations that may be as good as the first of a ranking.
func (r *Result) set(ranking []analysis.Ranked) (all []analysis.Configuration) {
	for _, x := range ranking[1:] {
		if x.WithinNoise && len(all) < mostInSet {
			all = append(all, r.Cells.Configuration(x.Levels, x.Mean))
		}
	}
	return all
}

// digitsOfEnds are those of the ends of an interval, and of the value between them, which fewer could put outside.
const digitsOfEnds = 4

// interval writes the ends of an interval of the objective.
func (r *Result) interval(x analysis.Interval) string {
	if !x.Exists() {
		return input.None
	}
	end := func(i int) string { return r.InUnit(input.Digits(float64(x[i]), digitsOfEnds)) }
	return end(0) + " to " + end(1)
}

// rivalsOfBest says which configurations may be as good as the best, and by how much the next one is worse; "" without
// repetitions that differ, or others.
func (r *Result) rivalsOfBest() string {
	if r.PureError == nil || len(r.among) == 1 {
		return ""
	}
	near := count(r.among[1:], func(x analysis.Ranked) bool { return x.WithinNoise })
	next := slices.IndexFunc(r.among, func(x analysis.Ranked) bool { return !x.WithinNoise })
	text := "; it is told apart from all others"
	if near > 0 {
		text = fmt.Sprintf("; %s may be as good", input.Plural(near, "other configuration"))
		if d := r.Study.Design; d.More == 0 && r.Study.Search == nil && r.Study.Perturb == nil {
			text += fmt.Sprintf(", which repetitions: {least: %d, more: %d} would look into", max(d.Repetitions, 2), 50*(near+1))
		}
	}
	if next < 0 {
		return text
	}
	x := &r.among[next]
	best := r.among[0].Mean
	behind := func(by float64) string {
		return r.shortfall(r.Cells.Shortfall(best-r.Cells.Goal.Gain(0, by), best))
	}
	text += fmt.Sprintf("; %s is worse by %s", r.Describe(x.Levels), behind(x.Behind.Gain))
	if low, high := x.Behind.Gain-x.Behind.Half, x.Behind.Gain+x.Behind.Half; low > 0 { // else ratios tell them apart, or their place by Holm
		text += fmt.Sprintf(" (95 %%: %s to %s)", behind(low), behind(high))
	}
	return text
}
