package measured

import (
	"github.com/isoscale/isoscale/experiments/internal/metric/measured/steps"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

var (
	speedEfficiencyAdvice = Advice{
		Question: "what share of what the machine can do is used",
		Needs:    "W, T, marked speed C",
		Misleads: "a low value is taken for a loss in parallel, where the program suits the processor less than the benchmark; the algorithm does more work than needed",
	}
	isospeedEfficiencyAdvice = Advice{
		Question: "what share of growing C is not eaten by growing W, for unequal nodes too",
		Needs:    "W, W' at equal E_s, marked speeds",
		Misleads: "the benchmark is unlike the program; it is quoted without the E_s that was held, as another gives another psi; psi = 1 is taken for short times; one node's sequential part sets a limit to C' that psi between small systems does not show (ReachLimit)",
	}
)

var isospeedFamily = Family{
	Title:   "Isospeed and isospeed-efficiency",
	Symbols: "C: marked speed of the system, flop/s. Primes: the scaled system.",
	Metrics: []*Metric{
		{
			Name: "marked_speed", Title: "marked speed", Symbol: "C",
			Meaning: "what the processors of a system do in benchmarks, added up",
			Formula: "C = sum C_i", Symbols: "C_i: of processor i, by benchmarks",
			Source: "[Sun2005] Def. 2, [Chen2008] Def. 1", Functions: []string{"SystemMarkedSpeed"}, Commands: []string{"run", "iso", "describe"},
			Advice: &speedEfficiencyAdvice,
		},
		{
			Name: "achieved_speed", Title: "achieved speed", Symbol: "W/T",
			Meaning: "work over time",
			Formula: "S = W/T",
			Source:  "[Sun2005] 3.2, [Chen2008] 3.2", Functions: []string{"AchievedSpeed"}, Commands: []string{"run", "metrics"},
			Advice: &Advice{
				Question: "how fast is the work done",
				Needs:    "W, T",
				Misleads: "algorithms with different work are compared: more work than needed looks faster while it takes longer",
			},
			times: &fromTimes{
				needs: "column work",
				point: &pointValue{key: "achieved_speed_flops", of: achievedSpeed, format: speedText},
			},
		},
		{
			Steps: true, Name: "isospeed", Title: "isospeed", Symbol: "psi",
			Meaning: "growth of the processors over growth of the work, at equal speed for each processor",
			Formula: "psi = p' W/(p W')", Symbols: "W/(p T) = W'/(p' T')",
			Source: "[SunRover1994]", Functions: []string{"Isospeed"}, Commands: []string{"metrics"},
			Advice: &Advice{
				Question: "what share of growing p is not eaten by growing W",
				Needs:    "W, W' at equal W/(p T)",
				Misleads: "processors differ: then isospeed-efficiency is the one to take; it is quoted without the speed that was held, as another gives another psi",
			},
			times: &fromTimes{
				needs: "column work, and two numbers of processes",
				hold: &held{
					symbol: "S/p", what: "speed of a process W/(p T)", speed: true,
					capacity: func(s *System) float64 { return float64(s.Processes) },
					value: func(s *System, p *Point) *float64 {
						v := p.Value("achieved_speed")
						if v != nil {
							*v /= float64(s.Processes)
						}
						return v
					},
					psi: func(a, b steps.Operation) (float64, error) {
						return scalability.Isospeed(a.Processes, units.Flops(a.Work), b.Processes, units.Flops(b.Work))
					},
				},
			},
		},
		{
			Name: "speed_efficiency", Title: "speed-efficiency", Symbol: "E_s",
			Meaning: "achieved speed over marked speed",
			Formula: "E_s = W/(T C)",
			Source:  "[Sun2005] Def. 3", Functions: []string{"SpeedEfficiency"}, Commands: []string{"run", "iso", "metrics"},
			Advice: &speedEfficiencyAdvice,
			times: &fromTimes{
				needs: "columns work and marked_speed, or marked_speed_per_process",
				point: &pointValue{key: "speed_efficiency", of: speedEfficiency, format: threeDecimals, phrase: " of the marked speed"},
			},
		},
		{
			Name: "required_time", Title: "time at a speed-efficiency", Symbol: "T",
			Meaning: "time in which the work must be done to hold a speed-efficiency",
			Formula: "T = W/(E_s C)",
			Source:  "[Chen2008] Def. 2, solved for T", Functions: []string{"RequiredTime"}, Commands: []string{"paper sun2005"},
			Advice: &speedEfficiencyAdvice,
		},
		{
			Leads: true, Steps: true, Name: "isospeed_efficiency", Title: "isospeed-efficiency", Symbol: "psi",
			Meaning: "growth of the marked speed over growth of the work, at equal speed-efficiency",
			Formula: "psi = C' W/(C W')", Symbols: "W/(T C) = W'/(T' C')",
			Source: "[Sun2005] 3.3, [Chen2008] 3.3", Functions: []string{"IsospeedEfficiency", "Ladder.Psi"}, Commands: []string{"iso", "metrics", "paper sun2005"},
			Advice: &isospeedEfficiencyAdvice,
			times: &fromTimes{
				needs: "columns work and marked_speed, and two systems",
				hold: &held{
					symbol: "E_s", what: "speed-efficiency W/(T C)",
					capacity: func(s *System) float64 { return value(s.MarkedSpeed) },
					value:    valueOf("speed_efficiency"),
					psi: func(a, b steps.Operation) (float64, error) {
						return scalability.IsospeedEfficiency(
							scalability.Point{MarkedSpeed: units.FlopsPerSecond(a.Capacity), Work: units.Flops(a.Work)},
							scalability.Point{MarkedSpeed: units.FlopsPerSecond(b.Capacity), Work: units.Flops(b.Work)})
					},
				},
			},
		},
		{
			Name: "theorem_1", Title: "psi from lost times",
			Meaning: "psi as lost time before over lost time after, sequential part and overhead together",
			Formula: "psi = (t_0 + T_o)/(t_0' + T_o')", Symbols: "balance by marked speed; t_0: time of the sequential part; T_o: overhead on the clock",
			Source: "[Chen2008] Theorem 1", Functions: []string{"Theorem1", "Corollary2"}, Commands: []string{"iso", "paper jpdc2008"},
			Advice: &isospeedEfficiencyAdvice,
		},
		{
			Name: "theorem_2", Title: "psi from a sequential fraction",
			Meaning: "psi where the same node runs the sequential part before and after",
			Formula: "psi = (C beta W - C' beta W + C T_o)/(C T_o')", Symbols: "as Theorem 1; beta = alpha/C_j, alpha: sequential fraction of W, C_j: speed of the node that runs it",
			Source: "[Chen2008] Theorem 2", Functions: []string{"Theorem2"}, Commands: []string{"paper jpdc2008"},
			Advice: &isospeedEfficiencyAdvice,
		},
		{
			Name: "reach_limit", Title: "reach", Symbol: "C'",
			Meaning: "marked speed beyond which no work holds the speed-efficiency",
			Formula: "C' < C (1 + T_o/(beta W))", Symbols: "as Theorem 2: a larger C' holds no E_s at any W",
			Source: "derived from [Chen2008] Theorem 2", Functions: []string{"ReachLimit"}, Commands: []string{"paper jpdc2008"},
			Advice: &isospeedEfficiencyAdvice,
		},
	},
}

func achievedSpeed(at place) *float64 {
	if at.point.Work == nil {
		return nil
	}
	return defined(scalability.AchievedSpeed(units.Flops(*at.point.Work), units.Seconds(at.point.Time)))
}

func speedEfficiency(at place) *float64 {
	if at.point.Work == nil || at.system.MarkedSpeed == nil {
		return nil
	}
	return defined(scalability.SpeedEfficiency(units.Flops(*at.point.Work), units.Seconds(at.point.Time), units.FlopsPerSecond(*at.system.MarkedSpeed)))
}
