package findings

import (
	"cmp"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/study/search"
)

// Search is what a search simulated, and what its surrogate says of the rest. In it,
// standard errors and expected improvements of a logarithm are shares of the value.
type Search struct {
	Configurations int              `json:"configurations"` // of the design
	Simulated      int              `json:"simulated"`
	Start          int              `json:"start"` // of them
	Batch          int              `json:"batch"`
	Criterion      search.Criterion `json:"criterion"`
	FoundAs        int              `json:"found_as"` // the best one's place in the order of simulation, from 1; 0 if there is none
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

	// The results, what is predicted for them, and the ends of two standard errors.
	Simulated, Predicted, Low, High []float64 `json:"-"`
}

// Candidate is the configuration that would be simulated next.
type Candidate struct {
	Configuration         // with the predicted value
	StdErr        float64 `json:"standard_error"`
	Improvement   float64 `json:"expected_improvement"`
}

// findPredictions answers what a search is for.
func (r *Result) findPredictions() error {
	s := r.Study
	h, err := s.History()
	if err != nil {
		return err
	}
	r.Search = &Search{
		Configurations: s.Design.Configurations(), Simulated: len(h.Configurations), Start: s.Search.Start, Batch: s.Search.Batch,
		Criterion: s.Search.Criterion, FoundAs: r.Ranking[0].Points[0]/s.Design.Repetitions + 1,
	}
	r.History, r.Model = h, h.Model()
	if r.Model == nil {
		return nil
	}
	x := &Surrogate{Logarithm: r.Model.Log, LengthScales: r.lengthScales(), Check: r.leftOut(), Next: r.nextCandidate()}
	if s.Search.Noise {
		noise := r.Model.Noise()
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
	for i := range r.Study.Design.Factors {
		if f := &r.Study.Design.Factors[i]; f.Len() > 1 {
			scales = append(scales, LengthScale{f.Name, r.Model.Process.Kernel.Lengths[len(scales)]})
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
	for i := range r.History.Configurations {
		if r.History.Known(i) {
			results = append(results, r.History.Mean(i))
		}
	}
	if len(results) < 3 || r.Model.Process.StdDev == 0 {
		return nil
	}
	scale := func(v float64) float64 {
		if r.Model.Log {
			return math.Log(v)
		}
		return v
	}
	mean := 0.0
	for _, v := range results {
		mean += scale(v) / float64(len(results))
	}
	errors, all := 0.0, 0.0
	for i, p := range r.Model.Process.LeaveOneOut() {
		v, predicted := scale(results[i]), r.Model.Sign*p.Mean
		errors += float64((v - predicted) * (v - predicted))
		all += float64((v - mean) * (v - mean))
		if x.Of++; math.Abs(v-predicted) <= 2*p.StdErr {
			x.Within++
		}
		end := func(sigmas float64) float64 {
			if r.Model.Log {
				return math.Exp(predicted + float64(sigmas*p.StdErr))
			}
			return predicted + float64(sigmas*p.StdErr)
		}
		x.Simulated = append(x.Simulated, results[i])
		x.Predicted, x.Low, x.High = append(x.Predicted, end(0)), append(x.Low, end(-2)), append(x.High, end(2))
	}
	x.Explained = 1 - errors/all
	return x
}

// nextCandidate is what the search would simulate next.
func (r *Result) nextCandidate() *Candidate {
	next, improvement := r.History.Candidate(r.Model)
	if next < 0 {
		return nil
	}
	p := r.Model.At(next)
	levels := r.Study.Design.Point(next * r.Study.Design.Repetitions).Levels
	return &Candidate{*r.configuration(levels, p.Mean), p.StdErr, improvement}
}
