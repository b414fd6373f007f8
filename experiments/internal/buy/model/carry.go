package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/buy/throughput"
	"github.com/isoscale/isoscale/model/units"
)

// A Load is what a year's work takes of a machine that does nothing else and runs jobs side by side.
type Load struct {
	// Seconds is the time of a year's work: runs on the whole machine one after the other, all others in the best
	// packing.
	Seconds float64
	// Done is the multiple of a year's runs that the machine does in a year; its energy, waits and cost per run refer
	// to these runs.
	Done float64
	// Impossible is how many runs of a year the machine cannot do; each takes the time that the plan says it counts as.
	Impossible float64
	runs       []wayRuns
	// Prices are the shadow prices of the nodes of each type: the relative gain in work done per relative increase of
	// their number.
	Prices []float64
}

// wayRuns is how many runs of a year take place in one way.
type wayRuns struct {
	TimedWay
	workload int
	Runs     float64
}

// nodeSeconds returns the node time of a year's work by index into the nodes of the plan.
func (l *Load) nodeSeconds(parts []int) []float64 {
	sum := make([]float64, len(parts))
	for _, r := range l.runs {
		if r.Whole() {
			for t, count := range parts {
				sum[t] += float64(float64(count) * r.Runs * r.Time)
			}
			continue
		}
		sum[r.Node] += float64(float64(r.Nodes) * r.Runs * r.Time)
	}
	return sum
}

// Carry returns what a year's work takes of a machine: the time of the runs on the whole machine, plus 1/m for all
// others, where m is the largest multiple of them that the machine carries in a second (package
// throughput). REQUIRES: workloads have runs in a year, and none has a problem.
func (p *Plan) Carry(c Choice, works []Work) *Load {
	l := &Load{}
	defer func() {
		l.Done = 1 / p.Use(l.Seconds) // all that it can do
		if p.Load == LoadRuns {
			l.Done = min(1, l.Done)
		}
	}()
	var kinds []kind
	for w, x := range works {
		runs := p.Workloads[w].Weight
		if x.Ways[0].Whole() {
			l.Seconds += float64(runs * x.Ways[0].Time)
			if x.Impossible != "" {
				l.Impossible += runs
				continue
			}
			l.runs = append(l.runs, wayRuns{x.Ways[0], w, runs})
			continue
		}
		kinds = append(kinds, kind{w, runs, undominated(x.Ways)})
	}
	if len(kinds) == 0 {
		l.Prices = make([]float64, len(p.Nodes))
		return l
	}
	plan := p.pack(c, kinds)
	packed := Rounded(1 / plan.Multiple)
	l.Seconds += packed
	for t, prices := 0, plan.Prices; t < len(p.Nodes); t++ {
		price := 0.0
		if p.Parts(c)[t] > 0 {
			price, prices = prices[0]/plan.Multiple*packed/l.Seconds, prices[1:]
		}
		l.Prices = append(l.Prices, price)
	}
	for k, x := range kinds {
		done, sum := make([]float64, len(x.ways)), 0.0 // runs a second, by way
		for _, packing := range plan.Packings {
			for _, r := range packing.Running {
				if r.Job == k {
					rate := float64(packing.Share*float64(r.Count)) / x.ways[r.Way].Time
					done[r.Way] += rate
					sum += rate
				}
			}
		}
		for i, rate := range done {
			if rate > 0 {
				l.runs = append(l.runs, wayRuns{x.ways[i], x.workload, Rounded(x.rate * rate / sum)})
			}
		}
	}
	return l
}

// Alone returns the time for each run of a workload if the machine runs nothing else.
func (p *Plan) Alone(c Choice, x Work) float64 {
	if x.Problem != "" || len(x.Ways) == 0 {
		return math.Inf(1)
	}
	if x.Ways[0].Whole() {
		return x.Ways[0].Time
	}
	return Rounded(1 / p.pack(c, []kind{{0, 1, undominated(x.Ways)}}).Multiple)
}

// A kind of jobs, each of which takes some of the nodes.
type kind struct {
	workload int
	rate     float64
	ways     []TimedWay
}

// pack returns how much of a mix a machine carries. Its arguments follow from simulations, so an error of the solver is
// a fault of this package.
func (p *Plan) pack(c Choice, kinds []kind) *throughput.Plan {
	partition, nodes := map[int]int{}, []int(nil) // by node type
	for t, count := range p.Parts(c) {
		if count > 0 {
			partition[t] = len(nodes)
			nodes = append(nodes, count)
		}
	}
	jobs := make([]throughput.Job, len(kinds))
	for k, x := range kinds {
		jobs[k].Rate = x.rate
		for _, y := range x.ways {
			jobs[k].Ways = append(jobs[k].Ways, throughput.Way{Partition: partition[y.Node], Nodes: y.Nodes,
				Time: units.Seconds(y.Time)})
		}
	}
	plan, err := throughput.Solve(nodes, jobs)
	if err != nil {
		panic(fmt.Sprintf("buy: %v, of %v and %+v", err, nodes, jobs))
	}
	return plan
}

// undominated drops each way whose nodes would get as many runs done in another way, several runs side by side: no
// packing needs it. Ways of a node type are sorted by their number of nodes.
func undominated(ways []TimedWay) []TimedWay {
	var kept []TimedWay
	for _, x := range ways {
		asGood := func(y TimedWay) bool { return y.Node == x.Node && float64(x.Nodes/y.Nodes)/y.Time >= 1/x.Time }
		if !slices.ContainsFunc(kept, asGood) {
			kept = append(kept, x)
		}
	}
	return kept
}

// Rounded rounds a result of the linear program to the digits that all types of processor agree on.
func Rounded(x float64) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 11, 64), 64)
	return y
}

// LeastScore returns a lower bound on the time of a year's work without solving a linear program: the time of its node
// time if no node is ever idle. Nodes of different types count by weights; any weights give a bound, and the largest is
// returned. attained says that some packing reaches it: the nodes of each type hold a whole number of runs of each
// workload, each in the way that takes the least node time.
//
//	T >= sum_w min(r_w min_t (v_t a_wt) / sum_t v_t N_t, r_w i_w)
//
//	v_t   weight of type t
//	a_wt  least node time of a run of workload w on type t, n T_w
//	n     nodes of a way, N_t those of the machine
//	i_w   what a run counts as if a machine, maybe a smaller one, cannot do it and the plan says so
//
// It is 0 where runs take the whole machine, or where the score is not the time of a year's work.
//
// Source: dual of the linear program of package throughput for nodes that can be divided at will. With two types, the
// bound is a ratio of linear functions of v_1/v_2 between the values at which a workload costs the same on both types,
// so it is largest at one of these values or where one type counts for nothing.
func (p *Plan) LeastScore(c Choice, works []Work) (least float64, attained bool) {
	if !p.ByRuns || p.Objective.Name == ObjectiveTime {
		return 0, false
	}
	var types, counts []int
	for t, count := range p.Parts(c) {
		if count > 0 {
			types, counts = append(types, t), append(counts, count)
		}
	}
	attained = len(types) <= 2             // with more, other weights may give a larger bound
	times := make([][]float64, len(works)) // a_wt, by place in types
	for w, x := range works {
		switch {
		case x.Problem != "":
			return math.Inf(1), false
		case x.Ways[0].Whole() && x.Impossible == "":
			return 0, false
		}
		attained = attained && p.Workloads[w].Impossible == 0
		for k, t := range types {
			time, nodes := leastNodeTime(x, t)
			times[w] = append(times[w], time)
			attained = attained && (nodes == 0 || counts[k]%nodes == 0)
		}
	}
	bound := func(weights ...float64) {
		need, capacity, impossible := 0.0, 0.0, 0.0
		for k, v := range weights {
			capacity += float64(v * float64(counts[k]))
		}
		for w, of := range times {
			cheapest := math.Inf(1)
			for k, v := range weights {
				if !math.IsInf(of[k], 1) {
					cheapest = min(cheapest, float64(v*of[k]))
				}
			}
			if t := float64(p.Workloads[w].Impossible); t > 0 {
				impossible += float64(p.Workloads[w].Weight * min(t, cheapest/capacity))
				continue
			}
			need += float64(p.Workloads[w].Weight * cheapest)
		}
		if capacity > 0 {
			impossible += need / capacity
		}
		least = max(least, impossible)
	}
	if len(types) != 2 {
		bound(balanced(p.Workloads, times)...)
		return least, attained
	}
	bound(1, 0)
	bound(0, 1)
	for _, of := range times {
		if !math.IsInf(of[0], 1) && !math.IsInf(of[1], 1) {
			bound(of[1], of[0])
		}
	}
	return least, attained
}

// balanced returns weights with which the year's work that runs on each type costs the same. A type on which nothing
// runs has weight 0.
func balanced(workloads []Workload, times [][]float64) []float64 {
	weights := make([]float64, len(times[0]))
	for k := range weights {
		sum := 0.0
		for w, of := range times {
			if !math.IsInf(of[k], 1) {
				sum += float64(workloads[w].Weight * of[k])
			}
		}
		if sum > 0 {
			weights[k] = 1 / sum
		}
	}
	return weights
}

// leastNodeTime returns the least node time of a run on some nodes of a type, and their number; infinite and 0 if no run
// takes place there.
func leastNodeTime(x Work, node int) (least float64, nodes int) {
	least = math.Inf(1)
	for _, y := range x.Ways {
		if time := float64(y.Nodes) * y.Time; y.Node == node && !y.Whole() && time < least {
			least, nodes = time, y.Nodes
		}
	}
	return least, nodes
}
