package words

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// LowText and HighText print the lead at both ends: "+3.1 %", or why there is none.
func LowText(x *model.Sensitivity, design string) string { return leadText(x.Low, x.FirstLow, design) }

// HighText is described at LowText.
func HighText(x *model.Sensitivity, design string) string {
	return leadText(x.High, x.FirstHigh, design)
}

func leadText(lead *float64, first, design string) string {
	switch {
	case lead != nil:
		return fmt.Sprintf("%+.1f %%", 100**lead)
	case first == design:
		return "no other design"
	}
	return "not affordable"
}

// worthKnowing is the least value of a figure that a summary names.
const worthKnowing = 1e-4

// of returns how good a design is. REQUIRES: it was compared.
func of(u *model.UncertainResult, design string) model.DesignChance {
	return u.Designs[slices.IndexFunc(u.Designs, func(x model.DesignChance) bool { return x.Design == design })]
}

// inWords says how sure the choice is.
func inWords(u *model.UncertainResult, design string) []string {
	x := of(u, design)
	text := fmt.Sprintf("With the ranges of the figures, and simulated times within %g %%, %s is the best choice in %.0f %% of %d cases; to choose it loses %.2g %% on average against the best choice of each case.",
		100*u.Model, design, 100*x.Probability, u.Samples, 100*x.Regret)
	if u.LeastRegret != design {
		text += fmt.Sprintf(" %s loses less on average.", u.LeastRegret)
	}
	next := "No single figure is worth asking for: none would change the choice enough."
	if f := u.Figures; len(f) > 0 && f[0].Value >= worthKnowing {
		next = fmt.Sprintf("To ask for or to measure next: %s. To know it would save %.2g %% on average.", f[0].Figure, 100*f[0].Value)
		if len(f) > 1 && f[1].Value >= worthKnowing {
			next += fmt.Sprintf(" Then %s, %.2g %%.", f[1].Figure, 100*f[1].Value)
		}
	}
	return []string{text, next}
}
