package model

import (
	"math"
)

// Measure returns what the score of a workload is made of: the time of a run or, where
// runs on different machines are not the same work, of a Tflop. REQUIRES: it can run.
func (p *Plan) Measure(w int, o Outcome) float64 {
	if target := p.Workloads[w].Target; target > 0 {
		return 1e12 / (target * float64(o.Run.MarkedSpeed))
	}
	if p.PerWork(w) {
		return 1e12 * float64(o.Run.Time) / float64(o.Run.Work)
	}
	return float64(o.Run.Time)
}

// PerWork reports whether a workload is measured by the time of a Tflop, because runs
// on different machines are not the same work.
func (p *Plan) PerWork(w int) bool {
	x := &p.Workloads[w]
	return x.Target > 0 || x.Run.GrowsWithProcesses()
}

// Score returns the score of a machine, of which less is better. With runs a year it
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
func (p *Plan) Score(c Choice, works []Work) (score float64, l *Load) {
	for _, x := range works {
		if x.Problem != "" {
			return math.Inf(1), nil
		}
	}
	if p.ByRuns {
		l = p.Carry(c, works)
		score = l.Seconds
	}
	switch {
	case p.Objective.Name == ObjectiveTime:
		return works[p.Objective.Workload].Shortest(), l
	case p.ByRuns:
		return score, l
	}
	sum, weights := 0.0, 0.0
	for w, x := range p.Workloads {
		weights += x.Weight
		sum += float64(x.Weight * math.Log(p.Alone(c, works[w])))
	}
	return math.Exp(sum / weights), nil
}

// Shortest returns the shortest time of a run.
func (x Work) Shortest() float64 {
	least := math.Inf(1)
	for _, y := range x.Ways {
		least = min(least, y.Time)
	}
	return least
}

// ScoreResult says what the score is.
func (p *Plan) ScoreResult() ScoreResult {
	r := ScoreResult{p.ScoreMeaning(), "exp(sum over workloads of (share * ln(time)) / sum of shares)", "s"}
	switch {
	case p.Objective.Name == ObjectiveTime:
		r.Formula = "least over allowed numbers of nodes of time"
	case p.ByRuns && p.SideBySide():
		r.Formula = "1/(largest multiple of a year's runs that is done in a second)"
	case p.ByRuns:
		r.Formula = "sum over workloads of (runs_per_year * time)"
	}
	return r
}

func (p *Plan) ScoreMeaning() string {
	perWork := 0
	for w := range p.Workloads {
		if p.PerWork(w) {
			perWork++
		}
	}
	switch {
	case p.Objective.Name == ObjectiveTime:
		return "time of a run of " + p.Workloads[p.Objective.Workload].Name
	case p.ByRuns:
		return "time of a year's work"
	case p.SideBySide():
		return "weighted geometric mean time for each run, runs side by side"
	case perWork == len(p.Workloads):
		return "weighted geometric mean time of a Tflop"
	case perWork == 0:
		return "weighted geometric mean time"
	}
	return "weighted geometric mean time of a run or a Tflop"
}
