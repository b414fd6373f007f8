package purchase

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// measure returns what the score of a workload is made of: the time of a run or, where
// runs on different machines are not the same work, of a Tflop. REQUIRES: it can run.
func (p *Plan) measure(w int, o outcome) float64 {
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

// score returns the score of a machine, of which less is better. With runs a year it
// is the time of a year's work,
//
//	T = sum_w r_w T_w + 1/m
//
// with shares the weighted geometric mean
//
//	T = exp(sum_w g_w ln t_w / sum_w g_w)
//
// and with the objective time the shortest time of a run of one workload. It is +Inf
// where a workload cannot run.
//
//	r_w  runs in a year of a workload w whose runs take the whole machine
//	T_w  simulated time of a run, s
//	m    largest multiple of the runs of all other workloads that is done in a second
//	g_w  share of workload w
//	t_w  T_w, or T_w/k with k runs side by side on average if the machine runs nothing
//	     else, or 1/(E_w C) in s/Tflop where the efficiency E_w is held on a
//	     machine of marked speed C, even if its efficiency is above E_w, or
//	     T_w/W_w in s/Tflop where the work W_w depends on the processes
//
// Source: a total time keeps its meaning as a time [Smith1988]; the geometric
// mean is the mean whose ranking does not depend on a machine that times are
// related to [Fleming1986]. Deviations: none.
//
// With runs in a year, the load is what they take of the machine.
func (p *Plan) score(c Choice, works []work) (score float64, l *load) {
	for _, x := range works {
		if x.problem != "" {
			return math.Inf(1), nil
		}
	}
	if p.byRuns {
		l = p.carry(c, works)
		score = l.seconds
	}
	switch {
	case p.Objective.Name == objectiveTime:
		return works[p.Objective.Workload].shortest(), l
	case p.byRuns:
		return score, l
	}
	sum, weights := 0.0, 0.0
	for w, x := range p.Workloads {
		weights += x.Weight
		sum += float64(x.Weight * math.Log(p.alone(c, works[w])))
	}
	return math.Exp(sum / weights), nil
}

// improvement returns the scalable system improvement of a machine over another: the
// weighted arithmetic mean of how much more of each workload it gets done if it runs
// nothing else,
//
//	SSI = sum_w g_w (t_w of the other)/t_w / sum_w g_w
//
// with the shares g_w; with runs in a year all workloads count alike. It is nil where it is
// not known. Source: [Crossroads].
func (s *solver) improvement(c, other Choice) *float64 {
	sum, weights := 0.0, 0.0
	mine, theirs := s.usable(s.Plan, c), s.usable(s.Plan, other)
	for w, x := range s.Workloads {
		weight := x.Weight
		if s.byRuns {
			weight = 1
		}
		ratio := s.alone(other, theirs[w]) / s.alone(c, mine[w])
		if math.IsInf(ratio, 0) || math.IsNaN(ratio) {
			return nil
		}
		sum += float64(weight * ratio)
		weights += weight
	}
	ssi := sum / weights
	return &ssi
}

// shortest returns the shortest time of a run.
func (x work) shortest() float64 {
	least := math.Inf(1)
	for _, y := range x.ways {
		least = min(least, y.time)
	}
	return least
}

// scoreResult says what the score is.
func (p *Plan) scoreResult() ScoreResult {
	r := ScoreResult{p.scoreMeaning(), "exp(sum over workloads of (share * ln(time)) / sum of shares)", "s"}
	switch {
	case p.Objective.Name == objectiveTime:
		r.Formula = "least over allowed numbers of nodes of time"
	case p.byRuns && p.sideBySide():
		r.Formula = "1/(largest multiple of a year's runs that is done in a second)"
	case p.byRuns:
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
	case p.Objective.Name == objectiveTime:
		return "time of a run of " + p.Workloads[p.Objective.Workload].Name
	case p.byRuns:
		return "time of a year's work"
	case p.sideBySide():
		return "weighted geometric mean time for each run, runs side by side"
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
	case !p.byRuns || p.Objective.Name == objectiveTime:
		return fmt.Sprintf("%.4g s", score)
	case score >= 3600e4:
		return thousands(score/3600) + " h"
	case score >= 3600:
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
