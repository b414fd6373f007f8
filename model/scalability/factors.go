package scalability

import (
	"slices"

	"github.com/isoscale/isoscale/model/units"
)

// Factors are the efficiencies of the POP methodology, whose products say where the time of ranks goes:
//
//	Parallel = LoadBalance Communication
//	Communication = Serialisation Transfer
type Factors struct {
	Parallel      float64 // C_mean/T
	LoadBalance   float64 // C_mean/C_max
	Communication float64 // C_max/T
	Serialisation float64 // C'_max/T', what is left of communication when messages cost nothing
	Transfer      float64 // Communication/Serialisation
}

// ParallelFactors returns the factors of a run with the help of one on an ideal network, where messages cost nothing
// and arrive at once, and nobody waits for a receiver,
//
//	useful  time for which each rank computes, s, >= 0, of which C_mean is the mean and C_max the largest
//	T       time of the run, s, > 0
//	C'_max  largest useful time of the ideal run, s, > 0
//	T'      time of the ideal run, s, > 0
//
// Where computations take as long on the ideal network, C'_max = C_max, and Transfer is T'/T. Then no factor
// exceeds 1, except Transfer if a receive from any source meets another message in the ideal run.
//
// Source: [Rosas2014], as BSC's modelfactors computes with Dimemas. Deviations: none.
func ParallelFactors(useful []units.Seconds, t, idealLongest, idealT units.Seconds) (Factors, error) {
	const fn = "ParallelFactors"
	var sum, longest units.Seconds
	for _, c := range useful {
		sum += c
	}
	if len(useful) > 0 {
		longest = slices.Max(useful)
	}
	mean := sum / units.Seconds(max(1, len(useful)))
	f := Factors{
		Parallel:      float64(mean / t),
		LoadBalance:   float64(mean / longest),
		Communication: float64(longest / t),
		Serialisation: float64(idealLongest / idealT),
	}
	f.Transfer = f.Communication / f.Serialisation
	_, err := positiveResult(fn, "transfer efficiency", f.Transfer, positive(fn, "C_max", longest), positive(fn, "T", t),
		positive(fn, "C'_max", idealLongest), positive(fn, "T'", idealT))
	if err != nil {
		return Factors{}, err
	}
	return f, nil
}
