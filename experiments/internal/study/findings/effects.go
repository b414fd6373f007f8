package findings

import (
	"fmt"
	"math"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/effects"
)

// Effects say which factors matter, by package effects.
type Effects struct {
	Method       string        `json:"method"`
	Mean         float64       `json:"mean"`
	Factors      []Effect      `json:"factors"`                // that vary, the strongest first
	Interactions []Interaction `json:"interactions,omitempty"` // none if factors depend on each other
	NoiseShare   float64       `json:"noise_share"`            // of the differences among repetitions
}

// Effect is what a factor does. What does not exist is null.
type Effect struct {
	Factor     string        `json:"factor"`
	Share      float64       `json:"share"`     // of the variance: Shapley share
	ShareLow   *float64      `json:"share_low"` // its 95 % interval; null where it is exact
	ShareHigh  *float64      `json:"share_high"`
	Alone      float64       `json:"alone"`     // part of the variance that it explains if nothing else is known
	LogShare   *float64      `json:"log_share"` // of the variance of the logarithm, where the objective spans more than a decade
	Lowest     float64       `json:"lowest"`    // mean at a level
	LowestAt   string        `json:"lowest_at"`
	Highest    float64       `json:"highest"`
	HighestAt  string        `json:"highest_at"`
	Elasticity *float64      `json:"elasticity"` // per cent of the objective for a per cent of the factor
	NoEffect   bool          `json:"no_effect"`
	Levels     []LevelEffect `json:"levels"`

	number int
}

// LevelEffect is the mean at a level minus the mean of all.
type LevelEffect struct {
	Level  string  `json:"level"`
	Effect float64 `json:"effect"`
}

// Interaction is what two factors do together beyond what each does alone.
type Interaction struct {
	Factors [2]string `json:"factors"`
	Share   float64   `json:"share"`
}

// findEffects finds what matters, or why that is unknown.
func (r *Result) findEffects() {
	d := r.Study.Design
	for k, levels := range r.levelsThatOccur() {
		if levels == 1 {
			r.warn("only one level of %s occurs: its effect is unknown", r.Table.Factors[k].Name)
		}
	}
	sample := d.Kind == design.LatinHypercube
	if sample && len(d.Conditions) > 0 {
		r.Unknown = "the plan excludes a part of the hypercube, so its factors depend on each other, and the samples are too few to separate them"
		return
	}
	e, err := effects.Of(r.Table, r.Response.Name, sample, uint64(d.Seed))
	if err != nil {
		r.Unknown = err.Error()
		return
	}
	r.Warnings = append(r.Warnings, e.Warnings...)
	x := &Effects{Method: e.Method, Mean: e.Mean, Factors: []Effect{}, NoiseShare: e.Noise}
	for i := range e.Factors {
		f := &e.Factors[i]
		low, high := f.Extremes()
		one := Effect{
			Factor: r.Table.Factors[f.Factor].Name, number: f.Factor,
			Share: f.Share, ShareLow: known(f.Low), ShareHigh: known(f.High), Alone: f.Alone, LogShare: known(f.LogShare),
			Lowest: e.Mean + low.Effect, LowestAt: r.LevelText(f.Factor, low.Level),
			Highest: e.Mean + high.Effect, HighestAt: r.LevelText(f.Factor, high.Level),
			Elasticity: known(f.Elasticity), NoEffect: f.NoEffect,
		}
		for _, l := range f.Levels {
			one.Levels = append(one.Levels, LevelEffect{r.LevelText(f.Factor, l.Level), l.Effect})
		}
		x.Factors = append(x.Factors, one)
	}
	for _, p := range e.Pairs {
		x.Interactions = append(x.Interactions, Interaction{
			[2]string{r.Table.Factors[p.Factors[0]].Name, r.Table.Factors[p.Factors[1]].Name}, p.Share})
	}
	r.Effects = x
}

// levelsThatOccur counts them for each factor, among the rows that are analysed.
func (r *Result) levelsThatOccur() []int {
	counts := make([]int, len(r.Table.Factors))
	for k, f := range r.Table.Factors {
		seen := make([]bool, len(f.Levels))
		for i := range r.Ranking {
			if l := r.Ranking[i].Levels[k]; !seen[l] {
				seen[l] = true
				counts[k]++
			}
		}
	}
	return counts
}

// known returns nil for a number that does not exist.
func known(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// worthNaming is the share of the variance from which on a sentence names its cause.
const worthNaming = 0.01

// EffectsInWords names the factors with the largest shares, or says why they are unknown.
func (r *Result) EffectsInWords() []string {
	if r.Unknown != "" {
		text := "What matters is unknown: " + r.Unknown + "."
		if r.Relation != nil {
			text += fmt.Sprintf(" At all points %s.", r.Relation.Describe(r.Table))
		}
		return []string{text}
	}
	if r.Effects == nil || len(r.Effects.Factors) < 2 || r.Effects.Factors[0].Share < worthNaming {
		return nil
	}
	var strong []string
	together := 1 - r.Effects.NoiseShare
	for _, f := range r.Effects.Factors {
		together -= f.Alone
		interval := ""
		if f.ShareLow != nil && f.ShareHigh != nil {
			interval = fmt.Sprintf(" (%.0f to %.0f %%)", 100**f.ShareLow, 100**f.ShareHigh)
		}
		switch {
		case f.Share < worthNaming || len(strong) == 4:
		case strong == nil:
			strong = append(strong, fmt.Sprintf("%s has a share of %.0f %%%s", f.Factor, 100*f.Share, interval))
		default:
			strong = append(strong, fmt.Sprintf("%s %.0f %%%s", f.Factor, 100*f.Share, interval))
		}
	}
	text := fmt.Sprintf("Of the variance of %s, %s", r.Response.Name, strings.Join(strong, ", "))
	if r.Effects.Interactions != nil && together >= worthNaming {
		text += fmt.Sprintf(". Interactions are %.0f %% of it, divided equally among their factors", 100*together)
	}
	if r.Effects.NoiseShare >= worthNaming {
		text += fmt.Sprintf("; differences between repetitions are %.0f %%", 100*r.Effects.NoiseShare)
	}
	return []string{text + "."}
}
