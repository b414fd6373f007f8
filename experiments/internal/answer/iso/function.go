package iso

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/laws"
	"github.com/isoscale/isoscale/model/regression"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// Function is the isoefficiency function W = K x^a [Grama1993], fitted to the work that holds the target
// on each system. x is the marked speed over that of a process on the smallest system: the number of
// processes p, if all are equal.
type Function struct {
	Variable string `json:"variable"` // "p" or "x"
	Formula  string `json:"formula"`  // of W in flop
	*laws.Power
	Theory []Theory `json:"theory,omitempty"`
}

// Theory is the growth x^Exponent log2(x)^Log that theory gives for an algorithm on equal processes whose
// messages share no link, beside what the work on the systems says about it.
type Theory struct {
	Counts   string  `json:"counts"` // the part of a message's cost: "latency" or "bytes"
	Exponent float64 `json:"exponent"`
	Log      float64 `json:"log"`
	// Fitted is the fitted exponent with the same power of the logarithm; nil: not known, as with a system of p = 1.
	Fitted *laws.Power `json:"fitted,omitempty"`
}

// findFunction fits the isoefficiency function to three or more systems of different marked speeds.
func (r *Result) findFunction() {
	first := r.Systems[r.byMarkedSpeed()[0]]
	one := first.MarkedSpeed / float64(first.Processes)
	var samples []regression.Sample
	equal := true
	for _, s := range r.Systems {
		x := s.MarkedSpeed / one
		if p := float64(s.Processes); math.Abs(x-p) <= 1e-9*p {
			x = p
		} else {
			equal = false
		}
		samples = append(samples, regression.Sample{P: x, Y: s.Work})
	}
	f, err := laws.FitPower(samples, 0)
	if err != nil {
		return // too few systems, or one slower than its first process
	}
	r.Function = &Function{Variable: "x", Power: f}
	if equal {
		r.Function.Variable = "p"
		r.Function.theory(r.details[0].solution.System.Algorithm(first.N), samples)
	}
	r.Function.Formula = f.Formula(r.Function.Variable)
}

// theory adds the growth that is known for an algorithm.
func (f *Function) theory(a algorithm.Algorithm, samples []regression.Sample) {
	known, ok := a.(interface {
		Isoefficiency() (latency, bytes *[2]float64)
	})
	if !ok {
		return
	}
	latency, bytes := known.Isoefficiency()
	add := func(counts string, g *[2]float64) {
		if g == nil {
			return
		}
		fitted, _ := laws.FitPower(samples, g[1]) // nil if there is an error
		f.Theory = append(f.Theory, Theory{counts, g[0], g[1], fitted})
	}
	add("latency", latency)
	add("bytes", bytes)
}

// Says describes the function, and what theory says about it, in sentences; none if f is nil.
func (f *Function) Says() []string {
	if f == nil {
		return nil
	}
	says := []string{fmt.Sprintf("Isoefficiency function: W = %v * %s, from %s = %.4g to %.4g: exponent %s.",
		units.Flops(input.Digits(f.Power.Factor, 3)), laws.PowerOf(f.Variable, f.Power.Exponent, f.Power.Logs), f.Variable, f.From, f.To, f.Power.Says())}
	if f.Variable != "p" {
		says = append(says, "x is the marked speed in units of that of a process of the smallest system.")
	}
	theories := slices.Clone(f.Theory)
	if len(theories) == 2 && theories[0].Exponent == theories[1].Exponent && theories[0].Log == theories[1].Log {
		theories[0].Counts += " or only their " + theories[1].Counts
		theories = theories[:1]
	}
	for _, t := range theories {
		grows := "does not grow"
		if t.Exponent != 0 || t.Log != 0 {
			grows = "grows as " + laws.PowerOf("p", t.Exponent, t.Log)
		}
		text := fmt.Sprintf("In theory W %s, if messages cost only their %s and share no links", grows, t.Counts)
		if t.Log != 0 && t.Fitted != nil {
			text += "; with this logarithm, the exponent fitted here is " + t.Fitted.Says()
		}
		says = append(says, text+".")
	}
	return says
}
