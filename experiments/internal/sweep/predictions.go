package sweep

import (
	"cmp"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/studytable"
	"github.com/isoscale/isoscale/experiments/internal/surrogate"
)

// Search is what a search simulated, and what its surrogate says of the rest. In it,
// standard errors and expected improvements of a logarithm are shares of the value.
type Search struct {
	Configurations int    `json:"configurations"` // of the design
	Simulated      int    `json:"simulated"`
	Start          int    `json:"start"` // of them
	Batch          int    `json:"batch"`
	Criterion      string `json:"criterion"`
	FoundAs        int    `json:"found_as"` // the best one's place in the order of simulation, from 1; 0 if there is none
	// Surrogate is null if the results do not determine one.
	Surrogate *Surrogate `json:"surrogate"`
}

// Surrogate is what predicts.
type Surrogate struct {
	Logarithm    bool          `json:"logarithm"`     // of the objective is predicted
	LengthScales []LengthScale `json:"length_scales"` // the shortest first
	Noise        *float64      `json:"noise"`         // standard deviation of a result; null if there is none
	Check        *LeftOut      `json:"leave_one_out"` // null with less than three values or none that differ
	Next         *Candidate    `json:"next"`          // null if all are simulated
}

// LengthScale says over which share of the axis of a factor the objective changes.
type LengthScale struct {
	Factor string  `json:"factor"`
	Length float64 `json:"length"`
}

// LeftOut compares results with what the others predict for them.
type LeftOut struct {
	Explained float64 `json:"explained"` // share of the variance; of the logarithm, if that is predicted
	Within    int     `json:"within_two_standard_errors"`
	Of        int     `json:"of"`

	simulated, predicted, low, high []float64 // the ends of two standard errors
}

// Candidate is the configuration that would be simulated next.
type Candidate struct {
	Configuration         // with the predicted value
	StdErr        float64 `json:"standard_error"`
	Improvement   float64 `json:"expected_improvement"`
}

// findPredictions answers what a search is for.
func (r *Result) findPredictions() error {
	s := r.study
	h, err := s.finishedHistory()
	if err != nil {
		return err
	}
	r.Search = &Search{
		Configurations: s.Design.Configurations(), Simulated: len(h.configurations), Start: s.search.Start, Batch: s.search.Batch,
		Criterion: s.search.Criterion, FoundAs: r.ranked[0].Points[0]/s.Design.Repetitions + 1,
	}
	r.history, r.model = h, h.model(len(h.configurations))
	if r.model == nil {
		return nil
	}
	x := &Surrogate{Logarithm: r.model.log, LengthScales: r.lengthScales(), Check: r.leftOut(), Next: r.nextCandidate()}
	if s.search.Noise {
		noise := r.model.outside(surrogate.Prediction{StdErr: r.model.process.StdDev * math.Sqrt(r.model.process.Kernel.Nugget)}).StdErr
		x.Noise = &noise
	}
	r.Search.Surrogate = x
	if c := x.Check; c != nil && c.Explained < poor {
		r.warn("predictions are poor: the other results explain %.0f %% of the variance of the results; expected at least %.0f %%, as with more points", 100*max(0, c.Explained), 100*poor)
	}
	return nil
}

// lengthScales are those of the factors that vary, the shortest first.
func (r *Result) lengthScales() []LengthScale {
	var scales []LengthScale
	for i := range r.study.Design.Factors {
		if f := &r.study.Design.Factors[i]; f.Len() > 1 {
			scales = append(scales, LengthScale{f.Name, r.model.process.Kernel.Lengths[len(scales)]})
		}
	}
	slices.SortStableFunc(scales, func(a, b LengthScale) int { return cmp.Compare(a.Length, b.Length) })
	return scales
}

// leftOut compares each result with what the others predict, on the scale on which the
// objective is predicted.
func (r *Result) leftOut() *LeftOut {
	x := new(LeftOut)
	var results []float64
	for i := range r.history.configurations {
		if r.history.counts[i] > 0 {
			results = append(results, r.history.mean(i))
		}
	}
	if len(results) < 3 || r.model.process.StdDev == 0 {
		return nil
	}
	scale := func(v float64) float64 {
		if r.model.log {
			return math.Log(v)
		}
		return v
	}
	mean := 0.0
	for _, v := range results {
		mean += scale(v) / float64(len(results))
	}
	errors, all := 0.0, 0.0
	for i, p := range r.model.process.LeaveOneOut() {
		v, predicted := scale(results[i]), r.model.sign*p.Mean
		errors += float64((v - predicted) * (v - predicted))
		all += float64((v - mean) * (v - mean))
		if x.Of++; math.Abs(v-predicted) <= 2*p.StdErr {
			x.Within++
		}
		end := func(sigmas float64) float64 {
			if r.model.log {
				return math.Exp(predicted + float64(sigmas*p.StdErr))
			}
			return predicted + float64(sigmas*p.StdErr)
		}
		x.simulated = append(x.simulated, results[i])
		x.predicted, x.low, x.high = append(x.predicted, end(0)), append(x.low, end(-2)), append(x.high, end(2))
	}
	x.Explained = 1 - errors/all
	return x
}

// nextCandidate is what the search would simulate next.
func (r *Result) nextCandidate() *Candidate {
	h := r.history
	taken := make([]bool, len(h.places))
	for _, c := range h.configurations {
		taken[c] = true
	}
	next := r.model.process.Next(h.places, taken, 1, h.criterion())
	if next == nil {
		return nil
	}
	p := r.model.at(next[0])
	improvement := r.model.process.ExpectedImprovement(h.places[next[0]])
	if r.model.log {
		improvement = math.Expm1(improvement)
	}
	levels := r.study.Design.Point(next[0] * r.study.Design.Repetitions).Levels
	return &Candidate{*r.configuration(levels, p.Mean), p.StdErr, improvement}
}

// Responses of the table of predictions.
const (
	predictedValue = "predicted"
	predictedError = "standard error"
)

// predictions returns a table of all configurations with what is predicted for them.
func (r *Result) predictions() *studytable.Table {
	t := &studytable.Table{Factors: r.table.Factors, Responses: []studytable.Response{{Name: predictedValue}, {Name: predictedError}}}
	for c := range r.history.places {
		p := r.model.at(c)
		if r.model.log {
			p.StdErr *= 100 // per cent
		}
		t.Rows = append(t.Rows, studytable.Row{Point: c, Levels: r.study.Design.Point(c * r.study.Design.Repetitions).Levels, Values: []float64{p.Mean, p.StdErr}})
	}
	return t
}
