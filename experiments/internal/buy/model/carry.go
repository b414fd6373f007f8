package model

import (
	"fmt"
	"math"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/buy/throughput"
	"github.com/isoscale/isoscale/model/units"
)

// A Load is what a year's work takes of a machine that does nothing else, jobs side by
// side.
type Load struct {
	// seconds is the time of a year's work: that of runs on the whole machine, one after
	// the other, and of all others in the best packing.
	Seconds float64
	runs    []wayRuns
}

// wayRuns is how many runs of a year take place in a way.
type wayRuns struct {
	Way
	workload int
	time     float64 // of a run, s
	extra    float64 // energy of a run above that of idle nodes, J
	Runs     float64
}

// nodeSeconds returns the node time of a year's work by index into the nodes of the plan.
func (l *Load) nodeSeconds(parts []int) []float64 {
	sum := make([]float64, len(parts))
	for _, r := range l.runs {
		if r.Whole() {
			for t, count := range parts {
				sum[t] += float64(float64(count) * r.Runs * r.time)
			}
			continue
		}
		sum[r.Node] += float64(float64(r.Nodes) * r.Runs * r.time)
	}
	return sum
}

// Carry returns what a year's work takes of a machine. Its time is that of runs on the
// whole machine and 1/m of all others, with the largest multiple m of these that the
// machine carries in a second (package throughput). REQUIRES: workloads have runs in a
// year, and none has a problem.
func (p *Plan) Carry(c Choice, works []Work) *Load {
	l := &Load{}
	var jobs []throughput.Job
	var of []int // the workload of each
	var ways [][]TimedWay
	pools, nodes := p.pools(c)
	for w, x := range works {
		runs := p.Workloads[w].Weight
		if x.Ways[0].Whole() {
			t := x.Ways[0].Time
			l.Seconds += float64(runs * t)
			l.runs = append(l.runs, wayRuns{Way{}, w, t, x.Ways[0].Extra, runs})
			continue
		}
		kept := undominated(x.Ways)
		jobs, of, ways = append(jobs, job(runs, kept, pools)), append(of, w), append(ways, kept)
	}
	if len(jobs) == 0 {
		return l
	}
	plan := mustSolve(nodes, jobs)
	seconds := 1 / plan.Multiple
	l.Seconds += Rounded(seconds)
	for k := range jobs {
		done := make([]float64, len(ways[k])) // runs a second, by way
		sum := 0.0
		for _, packing := range plan.Packings {
			for _, r := range packing.Running {
				if r.Job == k {
					rate := float64(packing.Share*float64(r.Count)) / ways[k][r.Way].Time
					done[r.Way] += rate
					sum += rate
				}
			}
		}
		for i, rate := range done {
			if rate > 0 {
				l.runs = append(l.runs, wayRuns{ways[k][i].Way, of[k], ways[k][i].Time, ways[k][i].Extra, Rounded(p.Workloads[of[k]].Weight * rate / sum)})
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
	pools, nodes := p.pools(c)
	return Rounded(1 / mustSolve(nodes, []throughput.Job{job(1, undominated(x.Ways), pools)}).Multiple)
}

// pools returns the place of each node type of a machine among its partitions, and their
// nodes.
func (p *Plan) pools(c Choice) (index map[int]int, nodes []int) {
	index = map[int]int{}
	for t, count := range p.Parts(c) {
		if count > 0 {
			index[t] = len(nodes)
			nodes = append(nodes, count)
		}
	}
	return index, nodes
}

func job(rate float64, ways []TimedWay, pools map[int]int) throughput.Job {
	j := throughput.Job{Rate: rate}
	for _, x := range ways {
		j.Ways = append(j.Ways, throughput.Way{Partition: pools[x.Node], Nodes: x.Nodes, Time: units.Seconds(x.Time)})
	}
	return j
}

// undominated leaves out each way whose nodes get as many runs done in another way, several
// of them side by side: no packing needs it. Ways of a node type are in the order of their
// nodes.
func undominated(ways []TimedWay) []TimedWay {
	var kept []TimedWay
	for _, x := range ways {
		needed := true
		for _, y := range kept {
			if y.Node == x.Node && float64(x.Nodes/y.Nodes)/y.Time >= 1/x.Time {
				needed = false
				break
			}
		}
		if needed {
			kept = append(kept, x)
		}
	}
	return kept
}

// mustSolve returns how much of a mix a machine carries. Its arguments follow from
// simulations, so that an error is one of this package.
func mustSolve(nodes []int, jobs []throughput.Job) *throughput.Plan {
	plan, err := throughput.Solve(nodes, jobs)
	if err != nil {
		panic(fmt.Sprintf("buy: %v, of %v and %+v", err, nodes, jobs))
	}
	return plan
}

// Rounded returns a result of the linear programme without the digits that differ between
// types of processor.
func Rounded(x float64) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 11, 64), 64)
	return y
}
