package measured

import (
	"github.com/isoscale/isoscale/experiments/internal/metric/measured/steps"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

var processorSetFamily = Family{
	Title:   "Processor sets",
	Symbols: "A set says how many processors and where they are, such as 2x4: two in each of four nodes.",
	Metrics: []*Metric{
		{
			Name: "reference_factor", Title: "reference factor", Symbol: "rf",
			Meaning: "how many lone processors a set is worth, by a reference program",
			Formula: "rf = n T_ref(1)/T_ref(set)", Symbols: "n times the work on n processors",
			Source: "[He2004] 4", Functions: []string{"ReferenceFactor"}, Commands: []string{"metrics"},
			Advice: &Advice{
				Question: "how many lone processors is this set worth, nodes and shared memory considered",
				Needs:    "T_ref of a reference program, on one and on the set",
				Misleads: "the reference program communicates or uses memory unlike the program",
			},
		},
		{
			Name: "extended_efficiency", Title: "extended efficiency", Symbol: "E_rf",
			Meaning: "useful time over the time of all that the set is worth",
			Formula: "E_rf = T_calc/(rf T_p), or T_p(W, 1)/(rf T_p)",
			Source:  "[He2004] 5", Functions: []string{"ExtendedEfficiency"}, Commands: []string{"metrics"},
			Advice: &Advice{
				Question: "what is lost beyond what sharing nodes and a network costs the reference program",
				Needs:    "rf, T_1, T_p of one problem",
				Misleads: "the reference program communicates or uses memory unlike the program; T_1 is too long, as for the speedup",
			},
			times: &fromTimes{
				needs: needsReference + ", and " + needsSequential,
				point: &pointValue{key: "extended_efficiency", of: extendedEfficiency, format: threeDecimals, phrase: " of what the set is worth"},
			},
		},
		{
			Name: "extended_isospeed", Title: "extended isospeed", Symbol: "psi",
			Meaning: "growth of the reference factor over growth of the work, at equal speed for each unit of it",
			Formula: "V = W/(rf T_p); psi = rf' W/(rf W') = T_p/T_p'", Symbols: "equal V",
			Source: "[He2004] 5", Functions: []string{"ExtendedSpeed", "ExtendedIsospeed"}, Commands: []string{"metrics"},
			Advice: &Advice{
				Question: "what share of growing rf is not eaten by growing W",
				Needs:    "rf, W at equal V",
				Misleads: "the reference program is unlike the program, more so than for rf itself: in the published data 1 % of rf is 10-13 % of T",
			},
			times: &fromTimes{
				needs: "columns work and reference_time, the latter also for one process",
				hold: &held{
					symbol: "V", what: "speed W/(rf T)", speed: true,
					capacity: func(s *System) float64 { return value(s.ReferenceFactor) },
					value:    extendedSpeed,
					psi: func(a, b steps.Operation) (float64, error) {
						return scalability.ExtendedIsospeed(a.Capacity, units.Flops(a.Work), b.Capacity, units.Flops(b.Work))
					},
				},
			},
		},
		{
			Name: "extended_isoefficiency", Title: "extended isoefficiency",
			Meaning: "work that holds the extended efficiency",
			Formula: "W' with E_rf(W', rf') = E_rf(W, rf)",
			Source:  "[He2004] 5", Functions: []string{"ExtendedEfficiency"}, Commands: []string{"metrics"},
			Advice: &Advice{
				Question: "how fast must W grow with rf to hold E_rf",
				Needs:    "rf, T_1, T_p at several sizes",
				Misleads: "the reference program communicates or uses memory unlike the program; T_1 of a large problem is the time of swapping",
			},
			times: &fromTimes{
				needs: needsReference + ", and " + needsSequential,
				hold: &held{
					symbol: "E_rf", what: "extended efficiency S/rf", scales: true,
					capacity: func(s *System) float64 { return value(s.ReferenceFactor) },
					value:    valueOf("extended_efficiency"),
				},
			},
		},
		{
			Name: "latency_scale", Title: "latency scale", Symbol: "L_e/L_e'",
			Meaning: "lost time of a processor before over after, at equal efficiency",
			Formula: "L_e = T_p - T_calc/n; scale = L_e/L_e'", Symbols: "equal E",
			Source: "[Zhang1994], [He2004] 2 and 5", Functions: []string{"AverageLatency", "LatencyScale"}, Commands: []string{"metrics"},
			Advice: &Advice{
				Question: "does a held efficiency cost each processor more lost time",
				Needs:    "L_e, L_e' at equal E",
				Misleads: "the efficiency is not really equal; both latencies are near 0",
			},
		},
		{
			Name: "time_scale", Title: "time scale", Symbol: "T_p/T_p'",
			Meaning: "time before over time after, at equal efficiency",
			Formula: "T_p/T_p'", Symbols: "equal E",
			Source: "[He2004] 2 and 5", Functions: []string{"TimeScale"}, Commands: []string{"metrics"},
			Advice: &Advice{
				Question: "does a held efficiency cost more time",
				Needs:    "T_p, T_p' at equal E",
				Misleads: "the efficiency is not really equal; the base is one processor, where E is 1 for every W, so that the condition does not settle its time",
			},
		},
	},
}

func extendedEfficiency(at place) *float64 {
	if at.point.SequentialTime == nil || at.system.ReferenceFactor == nil {
		return nil
	}
	return defined(scalability.ExtendedEfficiency(units.Seconds(*at.point.SequentialTime), *at.system.ReferenceFactor, units.Seconds(at.point.Time)))
}

func extendedSpeed(s *System, p *Point) *float64 {
	if p.Work == nil || s.ReferenceFactor == nil {
		return nil
	}
	return defined(scalability.ExtendedSpeed(units.Flops(*p.Work), *s.ReferenceFactor, units.Seconds(p.Time)))
}
