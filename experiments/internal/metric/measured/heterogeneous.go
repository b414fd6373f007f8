package measured

import (
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

var hIsoefficiencyAdvice = Advice{
	Question: "which W holds eps on the grown system",
	Needs:    "T_o, P_T",
	Misleads: "power was measured at another size; work is not shared by power (whole rows); overhead has terms of different powers of n and one exponent is used for all",
}

var heterogeneousFamily = Family{
	Title:   "Heterogeneous systems",
	Symbols: "P_i: power of processor i on this program, W/T_i alone. P_T = sum P_i. T_R: time of the slowest, s.",
	Metrics: []*Metric{
		{
			Name: "heterogeneous_efficiency", Title: "heterogeneous efficiency", Symbol: "eps",
			Meaning: "work over what unequal processors could do alone in the time",
			Formula: "eps = W/(T_R P_T)", Symbols: "W in the operations that P_T counts",
			Source: "[Bosque] Eq. 1-4", Functions: []string{"HeterogeneousEfficiency"}, Commands: []string{"metrics", "paper bosque"},
			Advice: &Advice{
				Question: "what is lost in parallel, beside what the processors can do on this program",
				Needs:    "T_R, power of every processor on this program",
				Misleads: "power depends on the size (cache, memory) and was measured at another one",
			},
			times: &fromTimes{
				needs: "columns work and power, the sum of the speeds that the processors reach alone on this problem",
				point: &pointValue{key: "heterogeneous_efficiency", of: heterogeneousEfficiency, format: threeDecimals, phrase: " of what the processes do alone"},
			},
		},
		{
			Name: "classic_efficiency", Title: "classic efficiency", Symbol: "E(q)",
			Meaning: "speedup against one of several unequal processors, over their number",
			Formula: "E(q) = eps P_T/(P P_q)", Symbols: "P processors, q the reference",
			Source: "derived from [Bosque] Eq. 4", Functions: []string{"ClassicEfficiency"}, Commands: []string{"paper bosque"},
			Advice: &Advice{
				Question: "what would S/p have said of unequal processors",
				Needs:    "eps, P_T, P_q",
				Misleads: "always: it changes with the reference and passes 1",
			},
		},
		{
			Name: "h_isoefficiency", Title: "H-isoefficiency",
			Meaning: "work that holds the heterogeneous efficiency",
			Formula: "W = K T_o P_T, K = eps/(1 - eps)", Symbols: "T_R = W/P_T + T_o",
			Source: "[Bosque] Eq. 5", Functions: []string{"HIsoefficiencyWork"}, Commands: []string{"metrics"},
			Advice: &hIsoefficiencyAdvice,
			times: &fromTimes{
				needs: "columns work and power, and two systems",
				hold: &held{
					symbol: "eps", what: "heterogeneous efficiency W/(T P_T)",
					capacity: firstPower,
					value:    valueOf("heterogeneous_efficiency"),
				},
			},
		},
		{
			Name: "h_isoefficiency_size", Title: "size for a heterogeneous efficiency", Symbol: "n",
			Meaning: "problem size that holds it, where work and overhead are powers of the size",
			Formula: "n = n_0 (P_T g/(P_T0 g_0))^(1/(a - b))", Symbols: "W = k n^a, T_o = h n^b g; Floyd: a = 3, b = 1, g = log2 p",
			Source: "[Bosque] Eq. 9, 10, generalized", Functions: []string{"HIsoefficiencySize"}, Commands: []string{"paper bosque"},
			Advice: &hIsoefficiencyAdvice,
		},
	},
}

func heterogeneousEfficiency(at place) *float64 {
	if at.point.Work == nil || at.point.Power == nil {
		return nil
	}
	return defined(scalability.HeterogeneousEfficiency(units.Flops(*at.point.Work), units.Seconds(at.point.Time), units.FlopsPerSecond(*at.point.Power)))
}

// firstPower is the power at the smallest size that has one: it orders systems.
func firstPower(s *System) float64 {
	for _, p := range s.Points {
		if p.Power != nil {
			return *p.Power
		}
	}
	return 0
}
