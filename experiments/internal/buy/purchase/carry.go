package purchase

import (
	"fmt"
	"math"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/buy/throughput"
	"github.com/isoscale/isoscale/model/units"
)

// A load is what a year's work takes of a machine that does nothing else, jobs side by
// side.
type load struct {
	// seconds is the time of a year's work: that of runs on the whole machine, one after
	// the other, and of all others in the best packing.
	seconds float64
	runs    []wayRuns
}

// wayRuns is how many runs of a year take place in a way.
type wayRuns struct {
	way
	workload int
	time     float64 // of a run, s
	extra    float64 // energy of a run above that of idle nodes, J
	runs     float64
}

// nodeSeconds returns the node time of a year's work by index into the nodes of the plan.
func (l *load) nodeSeconds(parts []int) []float64 {
	sum := make([]float64, len(parts))
	for _, r := range l.runs {
		if r.whole() {
			for t, count := range parts {
				sum[t] += float64(float64(count) * r.runs * r.time)
			}
			continue
		}
		sum[r.node] += float64(float64(r.nodes) * r.runs * r.time)
	}
	return sum
}

// carry returns what a year's work takes of a machine. Its time is that of runs on the
// whole machine and 1/m of all others, with the largest multiple m of these that the
// machine carries in a second (package throughput). REQUIRES: workloads have runs in a
// year, and none has a problem.
func (p *Plan) carry(c Choice, works []work) *load {
	l := &load{}
	var jobs []throughput.Job
	var of []int // the workload of each
	var ways [][]timedWay
	pools, nodes := p.pools(c)
	for w, x := range works {
		runs := p.Workloads[w].Weight
		if x.ways[0].whole() {
			t := x.ways[0].time
			l.seconds += float64(runs * t)
			l.runs = append(l.runs, wayRuns{way{}, w, t, x.ways[0].extra, runs})
			continue
		}
		kept := undominated(x.ways)
		jobs, of, ways = append(jobs, job(runs, kept, pools)), append(of, w), append(ways, kept)
	}
	if len(jobs) == 0 {
		return l
	}
	plan := mustSolve(nodes, jobs)
	seconds := 1 / plan.Multiple
	l.seconds += rounded(seconds)
	for k := range jobs {
		done := make([]float64, len(ways[k])) // runs a second, by way
		sum := 0.0
		for _, packing := range plan.Packings {
			for _, r := range packing.Running {
				if r.Job == k {
					rate := float64(packing.Share*float64(r.Count)) / ways[k][r.Way].time
					done[r.Way] += rate
					sum += rate
				}
			}
		}
		for i, rate := range done {
			if rate > 0 {
				l.runs = append(l.runs, wayRuns{ways[k][i].way, of[k], ways[k][i].time, ways[k][i].extra, rounded(p.Workloads[of[k]].Weight * rate / sum)})
			}
		}
	}
	return l
}

// alone returns the time for each run of a workload if the machine runs nothing else.
func (p *Plan) alone(c Choice, x work) float64 {
	if x.problem != "" || len(x.ways) == 0 {
		return math.Inf(1)
	}
	if x.ways[0].whole() {
		return x.ways[0].time
	}
	pools, nodes := p.pools(c)
	return rounded(1 / mustSolve(nodes, []throughput.Job{job(1, undominated(x.ways), pools)}).Multiple)
}

// pools returns the place of each node type of a machine among its partitions, and their
// nodes.
func (p *Plan) pools(c Choice) (index map[int]int, nodes []int) {
	index = map[int]int{}
	for t, count := range p.parts(c) {
		if count > 0 {
			index[t] = len(nodes)
			nodes = append(nodes, count)
		}
	}
	return index, nodes
}

func job(rate float64, ways []timedWay, pools map[int]int) throughput.Job {
	j := throughput.Job{Rate: rate}
	for _, x := range ways {
		j.Ways = append(j.Ways, throughput.Way{Partition: pools[x.node], Nodes: x.nodes, Time: units.Seconds(x.time)})
	}
	return j
}

// undominated leaves out each way whose nodes get as many runs done in another way, several
// of them side by side: no packing needs it. Ways of a node type are in the order of their
// nodes.
func undominated(ways []timedWay) []timedWay {
	var kept []timedWay
	for _, x := range ways {
		needed := true
		for _, y := range kept {
			if y.node == x.node && float64(x.nodes/y.nodes)/y.time >= 1/x.time {
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
		panic(fmt.Sprintf("purchase: %v, of %v and %+v", err, nodes, jobs))
	}
	return plan
}

// rounded returns a result of the linear programme without the digits that differ between
// types of processor.
func rounded(x float64) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 11, 64), 64)
	return y
}
