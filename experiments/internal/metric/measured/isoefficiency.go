package measured

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

var isoefficiencyAdvice = Advice{
	Question: "how fast must W grow with p to hold E",
	Needs:    "T_o(W, p) as a function, or E at several sizes; equal processors",
	Misleads: "processors differ; T_1 of a large problem is the time of swapping; the efficiency of the base is poor, since a constant poor one passes; read as an order of growth where constants decide",
}

var isoefficiencyFamily = Family{
	Title:   "Isoefficiency",
	Symbols: "C_1: speed of one processor, flop/s. W: work, flop.",
	Metrics: []*Metric{
		{
			Name: "total_overhead", Title: "total overhead", Symbol: "T_o",
			Meaning: "process time that is not useful work: processors times parallel time, less the sequential time",
			Formula: "T_o = p T_p - T_1", Symbols: "s, over all processors",
			Source: "[Grama1993]; [Jin] Eq. 6", Functions: []string{"TotalOverhead"}, Commands: []string{"metrics"},
			Advice: &Advice{
				Question: "how much process time is lost",
				Needs:    "T_1, T_p of one problem, p equal processors",
				Misleads: "read as communication alone: waiting and extra work are in it too; processors differ",
			},
			times: &fromTimes{
				needs: needsBaseline,
				point: &pointValue{key: "total_overhead_s", of: totalOverhead, format: timeText},
				says:  largestOverhead,
			},
		},
		{
			Name: "overhead_efficiency", Title: "efficiency from overhead", Symbol: "E",
			Meaning: "efficiency, from overhead over sequential time",
			Formula: "E = 1/(1 + T_o/T_1)",
			Source:  "[Grama1993]; [He2004] 2", Functions: []string{"OverheadEfficiency"},
			Advice: &isoefficiencyAdvice,
		},
		{
			Name: "isoefficiency", Title: "isoefficiency",
			Meaning: "work that holds an efficiency: a constant times the overhead",
			Formula: "W = K T_o C_1, K = E/(1 - E)",
			Source:  "[Grama1993]", Functions: []string{"IsoefficiencyConstant", "IsoefficiencyWork"}, Commands: []string{"metrics"},
			Advice: &isoefficiencyAdvice,
			times: &fromTimes{
				needs: needsSequential,
				hold: &held{
					symbol: "E", what: "efficiency S/p", scales: true,
					capacity: func(s *System) float64 { return float64(s.Processes) },
					value:    absoluteEfficiency,
				},
			},
		},
		{
			Name: "isoefficiency_size", Title: "size for an efficiency", Symbol: "n",
			Meaning: "problem size that holds an efficiency, where work and overhead are known functions of it",
			Formula: "n with W(n) = K T_o(n) C", Symbols: "C = C_1, or P_T with T_o on the clock",
			Source: "[Grama1993], solved by halving", Functions: []string{"SizeModel.Size", "SizeModel.Efficiency"},
			Advice: &isoefficiencyAdvice,
		},
	},
}

// absoluteEfficiency is that against one process: efficiencies of two sizes that are
// relative to more processes cannot be equal in a meaningful way.
func absoluteEfficiency(_ *System, p *Point) *float64 {
	if p.Relative != nil {
		return nil
	}
	return p.Value("efficiency")
}

func totalOverhead(at place) *float64 {
	b := at.point.baseline
	if b == nil {
		return nil
	}
	useful := units.Seconds(float64(b.processes) * b.time)
	return defined(scalability.TotalOverhead(at.system.Processes, units.Seconds(at.point.Time), useful))
}

func largestOverhead(r *Result) string {
	e, ok := r.extremes(inParallel("total_overhead"))
	if !ok {
		return ""
	}
	return fmt.Sprintf("At most %v of process time is not useful work (%s).", input.Rounded(e.high), e.atHigh)
}
