package purchase

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/model/compute"
	"github.com/isoscale/isoscale/model/units"
)

// Screening leaves out machines before they are simulated that can neither be recommended
// nor lie on a front, and whose design cannot be among those that the tests of robustness
// compare: a machine that is simulated takes less time, costs less and needs less energy
// than they at least.

// bounded are the workloads that compute exactly the work of their closed form, so that no
// run takes less than that work at the speed of all its processes.
var bounded = []string{"gauss", "matmul", "floyd", "lcs", "convolution"}

// closeBound is below 1 for what rounds to whole rows or elements.
const closeBound = 0.99

// leastTime returns a time that a run takes at least, 0 where no bound is known,
//
//	T >= W/sum_i min(s c_i, B_i/b)
//
//	W    work of the run, flop
//	s    sustained fraction of the marked speed c_i of process i, flop/s
//	B_i  its share of the memory bandwidth of its node, byte/s
//	b    memory traffic, byte/flop
//
// Source: all processes compute all the time, each at the roofline of [Williams2009].
func (s simulation) leastTime() float64 {
	w := &s.plan.Workloads[s.workload]
	if !slices.Contains(bounded, w.Run.Name) || w.Target > 0 || w.Run.Application != nil || w.Run.StatesTraffic || w.Run.GrowsWithProcesses() {
		return 0
	}
	m, use := s.machine()
	placement, err := m.Place(use)
	if err != nil {
		return 0 // its simulation says so
	}
	var rate units.FlopsPerSecond
	for _, r := range placement.Blocks {
		memory := r.Memory()
		p := compute.Process{Speed: units.FlopsPerSecond(w.Run.SustainedOn(r)) * r.Speed(), Memory: compute.Share(memory.Bandwidth, memory.Processes)}
		rate += units.FlopsPerSecond(float64(r.Nodes*r.Processes) * float64(p.Rate(w.Run.BytesPerFlop)))
	}
	const anySpeed = 1e9
	work := w.Run.Build(w.Run.N, []units.FlopsPerSecond{anySpeed}, s.plan.Seed).Work()
	return closeBound * float64(work) / float64(rate)
}

// leastTimes are the least times of runs on some nodes of a type, which many machines have.
type leastTimes map[leastTimeKey]float64

type leastTimeKey struct {
	workload int
	on       way
}

func (m leastTimes) of(s simulation) float64 {
	key := leastTimeKey{s.workload, s.on}
	t, known := m[key]
	if !known {
		t = s.leastTime()
		m[key] = t
	}
	return t
}

// leastScoreOf returns a score that a choice has at least, 0 where no bound is known.
func (p *Plan) leastScoreOf(c Choice, times leastTimes) float64 {
	if len(p.Commitments) > 0 { // which may be shorter than any simulation
		return 0
	}
	works := make([]work, len(p.Workloads))
	wholes, sum, logs, weights := 0, 0.0, 0.0, 0.0
	for w := range p.Workloads {
		x := &p.Workloads[w]
		if x.On.All {
			t := simulation{plan: p, choice: c, workload: w}.leastTime()
			works[w].ways = []timedWay{{time: t, run: units.Seconds(t)}}
			wholes++
			sum += float64(x.Weight * t)
			logs += float64(x.Weight * math.Log(t))
			weights += x.Weight
			continue
		}
		for t, count := range p.parts(c) {
			if count == 0 || !x.runsOn(&p.Nodes[t]) {
				continue
			}
			for _, n := range x.On.upTo(count) {
				time := times.of(simulation{p, c, w, way{t, n}})
				works[w].ways = append(works[w].ways, timedWay{way: way{t, n}, time: time, run: units.Seconds(time)})
			}
		}
		if len(works[w].ways) == 0 {
			return 0 // it cannot run, which its assessment says
		}
	}
	switch {
	case p.Objective.Name == objectiveTime:
		return works[p.Objective.Workload].shortest()
	case p.byRuns && wholes == 0:
		return p.leastScore(c, works)
	case p.byRuns:
		return sum
	case wholes < len(works):
		return 0
	}
	return math.Exp(logs / weights)
}

// screenRounds is the number of parts in which choices are simulated, so that those of a
// part may leave out others of the next ones.
const screenRounds = 4

// simulateChoices simulates choices, the best by its bound of each design first, and
// returns those that were not left out by then, in their order.
func (s *solver) simulateChoices(ctx context.Context, choices []Choice) ([]Choice, error) {
	if s.unscreened || s.Objective.Name == objectiveCheapest { // by price, whatever the times
		return choices, s.needChoices(ctx, s.Plan, choices, "ranking")
	}
	bounds := make([]float64, len(choices))
	first := map[string]int{} // of each design
	times := leastTimes{}
	for i, c := range choices {
		bounds[i] = s.leastScoreOf(c, times)
		design := s.designName(c.design())
		if k, known := first[design]; !known || bounds[i] < bounds[k] {
			first[design] = i
		}
	}
	var round, rest []int
	for i, c := range choices {
		if first[s.designName(c.design())] == i {
			round = append(round, i)
		} else {
			rest = append(rest, i)
		}
	}
	slices.SortStableFunc(rest, func(a, b int) int { return cmp.Compare(bounds[a], bounds[b]) })
	part := (len(rest) + screenRounds - 1) / screenRounds
	left := make([]bool, len(choices))
	known, dearest := screen{best: map[string]float64{}, safe: math.Inf(1), score: math.Inf(1)}, s.dearest()
	what := "ranking"
	for {
		var list []Choice
		for _, i := range round {
			if left[i] = known.leavesOut(s, choices[i], bounds[i]); !left[i] {
				list = append(list, choices[i])
			}
		}
		if err := s.needChoices(ctx, s.Plan, list, what); err != nil {
			return nil, err
		}
		known.add(s, dearest, list)
		if known.name != "" {
			what = "ranking, the best so far is " + known.name
		}
		if len(rest) == 0 {
			break
		}
		n := min(part, len(rest))
		round, rest = rest[:n], rest[n:]
	}
	var kept []Choice
	for i, c := range choices {
		if !left[i] {
			kept = append(kept, c)
			continue
		}
		s.exclude(s.Name(c), c.design(), 1, causeScreened, fmt.Sprintf("not simulated: its %s is at least %s, and a cheaper machine is faster and needs less energy", s.scoreMeaning(), s.scoreText(bounds[i])))
	}
	return kept, nil
}

// A screen is what the machines that were simulated say about the others.
type screen struct {
	front []rival            // no other is faster, cheaper and needs less energy
	best  map[string]float64 // least score of each design
	safe  float64            // least score of those that stay within the limits if prices and powers rise
	name  string             // of the fastest; "" for none
	score float64            // of it
}

// A rival is a machine that was simulated and may be recommended.
type rival struct{ score, price, energy float64 }

func (a rival) beats(b rival) bool {
	return a.score < b.score && a.price < b.price && a.energy < b.energy
}

// add takes machines that were simulated.
func (x *screen) add(s *solver, dearest *Plan, choices []Choice) {
	for _, c := range choices {
		if s.outOfQuestion(c) != "" {
			continue
		}
		score, l := s.scoreOf(s.Plan, c)
		if score < x.score {
			x.name, x.score = s.Name(c), score
		}
		if dearest.limitAt(c, l) == "" {
			x.safe = min(x.safe, score)
		}
		design := s.designName(c.design())
		if old, known := x.best[design]; !known || score < old {
			x.best[design] = score
		}
		r := s.rival(c, score)
		if !slices.ContainsFunc(x.front, func(y rival) bool { return y.beats(r) }) {
			x.front = append(slices.DeleteFunc(x.front, r.beats), r)
		}
	}
}

func (s *solver) rival(c Choice, score float64) rival {
	bill, _ := s.Price(c)
	return rival{score, bill.Total(), s.Energy.runEnergy(s.Power(c), units.Seconds(score))}
}

// leavesOut reports whether a choice with that bound of its score cannot matter.
func (x *screen) leavesOut(s *solver, c Choice, bound float64) bool {
	// The tests of robustness compare the first two designs, and those that are fast enough.
	if bound <= s.comparedUpTo(x.safe) {
		return false
	}
	least := s.rival(c, bound)
	if !slices.ContainsFunc(x.front, func(r rival) bool { return r.beats(least) }) {
		return false
	}
	own, better := s.designName(c.design()), 0
	for design, score := range x.best {
		if design != own && score < bound {
			better++
		}
	}
	return better >= 2
}
