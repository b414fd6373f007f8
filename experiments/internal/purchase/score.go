package purchase

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/input"
)

// measure returns what the score of a workload is made of.
func (p *Plan) measure(w int, o outcome) float64 {
	if o.unattainable != "" || len(o.run.Memory) > 0 {
		return math.Inf(1)
	}
	if target := p.Workloads[w].Target; target > 0 {
		return 1e12 / (target * float64(o.run.MarkedSpeed))
	}
	if p.perWork(w) {
		return 1e12 * float64(o.run.Time) / float64(o.run.Work)
	}
	return float64(o.run.Time)
}

// perWork reports whether a workload is measured by the time of a Tflop, because runs
// on different machines are not the same work.
func (p *Plan) perWork(w int) bool {
	x := &p.Workloads[w]
	return x.Target > 0 || x.Run.GrowsWithProcesses()
}

// Score returns the score of a machine, of which less is better, from the
// measures of the workloads. With runs a year it is the time of a year's work,
//
//	T = sum_w r_w T_w
//
// and with shares the weighted geometric mean
//
//	T = exp(sum_w g_w ln t_w / sum_w g_w)
//
//	r_w  runs of workload w in a year
//	T_w  simulated time of a run, s
//	g_w  share of workload w
//	t_w  T_w, or 1/(E_w C) in s/Tflop where the efficiency E_w is held on a
//	     machine of marked speed C, even if its efficiency is above E_w, or
//	     T_w/W_w in s/Tflop where the work W_w depends on the processes
//
// Source: a total time keeps its meaning as a time [Smith1988]; the geometric
// mean is the mean whose ranking does not depend on a machine that times are
// related to [Fleming1986]. Deviations: none.
func (p *Plan) Score(measures []float64) float64 {
	sum, weights := 0.0, 0.0
	for w, x := range p.Workloads {
		weights += x.Weight
		if p.byRuns {
			sum += float64(x.Weight * measures[w])
		} else {
			sum += float64(x.Weight * math.Log(measures[w]))
		}
	}
	if p.byRuns {
		return sum
	}
	return math.Exp(sum / weights)
}

// scoreResult says what the score is.
func (p *Plan) scoreResult() ScoreResult {
	r := ScoreResult{p.scoreMeaning(), "exp(sum over workloads of (share * ln(time)) / sum of shares)", "s"}
	if p.byRuns {
		r.Formula = "sum over workloads of (runs_per_year * time)"
	}
	return r
}

func (p *Plan) scoreMeaning() string {
	perWork := 0
	for w := range p.Workloads {
		if p.perWork(w) {
			perWork++
		}
	}
	switch {
	case p.byRuns:
		return "time of a year's work"
	case perWork == len(p.Workloads):
		return "weighted geometric mean time of a Tflop"
	case perWork == 0:
		return "weighted geometric mean time"
	}
	return "weighted geometric mean time of a run or a Tflop"
}

// scoreText prints a score: "512 h", "3.21 s".
func (p *Plan) scoreText(score float64) string {
	switch {
	case p.byRuns && score >= 3600e4:
		return thousands(score/3600) + " h"
	case p.byRuns && score >= 3600:
		return fmt.Sprintf("%.4g h", score/3600)
	}
	return fmt.Sprintf("%.4g s", score)
}

// weightText prints a number of runs, or a share.
func weightText(x float64) string {
	if x >= 1000 {
		return thousands(x)
	}
	return input.Number(x)
}
