package search

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/compute"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Screening leaves out machines before they are simulated that can neither be recommended
// nor lie on a front, and whose design cannot be among those that the tests of robustness
// compare: a machine that is simulated takes less time, costs less and needs less energy
// than they at least.

// leastTime returns a time that a run takes at least, 0 where no bound is known: the larger
// of what process 0 does without any wait (system.Least), of its messages to other nodes at
// the bandwidth of the network, and of
//
//	W/sum_i min(s c_i, B_i/b)
//
//	W    work of the run, flop
//	s    sustained fraction of the marked speed c_i of process i, flop/s
//	B_i  its share of the memory bandwidth of its node, byte/s
//	b    memory traffic, byte/flop
//
// Source: all processes compute all the time, each at the roofline of [Williams2009].
func (s simulation) leastTime() float64 {
	w := &s.plan.Workloads[s.workload]
	if w.Target > 0 || w.Run.GrowsWithProcesses() {
		return 0
	}
	c, err := s.scenario()
	if err != nil {
		return 0 // its simulation says so
	}
	sys, err := system.New(c)
	if err != nil {
		return 0
	}
	least, err := sys.Least(w.Run.N)
	if err != nil {
		return 0
	}
	t := max(float64(least.Busy), s.leastTimeOfAll(sys.Placement))
	if s.plan.Model.SendsInTurn() {
		t = max(t, float64(least.Sent)/float64(s.plan.Networks[s.choice.Network].Bandwidth))
	}
	return closeBound * t
}

// leastTimeOfAll returns the time of all work at the speed of all processes, 0 where the
// work that is done may be less than its closed form.
func (s simulation) leastTimeOfAll(placement *topology.Placement) float64 {
	w := &s.plan.Workloads[s.workload]
	if !w.Run.BoundedByWork {
		return 0
	}
	var rate units.FlopsPerSecond
	for _, r := range placement.Blocks {
		memory := r.Memory()
		p := compute.Process{Speed: units.FlopsPerSecond(w.Run.SustainedOn(r)) * r.Speed(), Memory: compute.Share(memory.Bandwidth, memory.Processes)}
		rate += units.FlopsPerSecond(float64(r.Nodes*r.Processes) * float64(p.Rate(w.Run.BytesPerFlop)))
	}
	const anySpeed = 1e9
	return float64(w.Run.Build(w.Run.N, []units.FlopsPerSecond{anySpeed}, s.plan.Seed).Work()) / float64(rate)
}

// closeBound is below 1 for what rounds to whole rows or elements.
const closeBound = 0.99

// leastTimes are the least times of runs on some nodes of a type and a network, which many
// machines have.
type leastTimes map[leastTimeKey]float64

type leastTimeKey struct {
	workload, network int
	on                model.Way
}

func (m leastTimes) of(s simulation) float64 {
	key := leastTimeKey{s.workload, s.choice.Network, s.on}
	t, known := m[key]
	if !known {
		t = s.leastTime()
		m[key] = t
	}
	return t
}

// leastScoreOf returns a score that a choice has at least, 0 where no bound is known.
func leastScoreOf(p *model.Plan, c model.Choice, times leastTimes) float64 {
	if len(p.Commitments) > 0 { // which may be shorter than any simulation
		return 0
	}
	works := make([]model.Work, len(p.Workloads))
	wholes, sum, logs, weights := 0, 0.0, 0.0, 0.0
	for w := range p.Workloads {
		x := &p.Workloads[w]
		if x.On.All {
			t := simulation{plan: p, choice: c, workload: w}.leastTime()
			works[w].Ways = []model.TimedWay{{Time: t, Run: units.Seconds(t)}}
			wholes++
			sum += float64(x.Weight * t)
			logs += float64(x.Weight * math.Log(t))
			weights += x.Weight
			continue
		}
		for t, count := range p.Parts(c) {
			if count == 0 || !x.RunsOn(&p.Nodes[t]) {
				continue
			}
			for _, n := range x.On.UpTo(count) {
				time := times.of(simulation{p, c, w, model.Way{Node: t, Nodes: n}})
				works[w].Ways = append(works[w].Ways, model.TimedWay{Way: model.Way{Node: t, Nodes: n}, Time: time, Run: units.Seconds(time)})
			}
		}
		if len(works[w].Ways) == 0 {
			return 0 // it cannot run, which its assessment says
		}
	}
	switch {
	case p.Objective.Name == model.ObjectiveTime:
		return works[p.Objective.Workload].Shortest()
	case p.ByRuns && wholes == 0:
		least, _ := p.LeastScore(c, works)
		return closeToLeast * least
	case p.ByRuns:
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
func (s *solver) simulateChoices(ctx context.Context, choices []model.Choice) ([]model.Choice, error) {
	if s.unscreened {
		return choices, s.needChoices(ctx, s.Plan, choices, "ranking")
	}
	ranking, robust := s.outlook(choices)
	s.estimate.expect(ranking.and(robust))
	defer s.estimate.expect(robust)
	bounds := make([]float64, len(choices))
	first := map[string]int{} // of each design
	times := leastTimes{}
	for i, c := range choices {
		bounds[i] = leastScoreOf(s.Plan, c, times)
		design := s.DesignName(c.Design())
		if k, known := first[design]; !known || bounds[i] < bounds[k] {
			first[design] = i
		}
	}
	var round, rest []int
	for i, c := range choices {
		if first[s.DesignName(c.Design())] == i {
			round = append(round, i)
		} else {
			rest = append(rest, i)
		}
	}
	slices.SortStableFunc(rest, func(a, b int) int { return cmp.Compare(bounds[a], bounds[b]) })
	part := (len(rest) + screenRounds - 1) / screenRounds
	left := make([]bool, len(choices))
	known, dearest := screen{best: map[string]float64{}, fastest: math.Inf(1), safe: math.Inf(1), goal: math.Inf(1)}, dearest(s.Plan)
	what := fmt.Sprintf("ranking, %s at most in all", input.Plural(ranking.simulations+robust.simulations, "simulation"))
	for {
		var list []model.Choice
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
	var kept []model.Choice
	for i, c := range choices {
		if !left[i] {
			kept = append(kept, c)
			continue
		}
		s.exclude(s.Name(c), c.Design(), 1, model.CauseScreened, fmt.Sprintf("not simulated: its %s is at least %s, %s", s.ScoreMeaning(), s.ScoreText(bounds[i]), whyLeftOut(s.Plan, bounds[i])))
	}
	return kept, nil
}

// A screen is what the machines that were simulated say about the others.
type screen struct {
	front   []rival            // no other is faster, cheaper and needs less energy
	best    map[string]float64 // least goal of each design
	fastest float64            // least score
	safe    float64            // least score of those that stay within the limits if prices and powers rise
	name    string             // of the one with the least goal; "" for none
	goal    float64            // of it
}

// A rival is a machine that was simulated and may be recommended.
type rival struct{ score, price, energy float64 }

func (a rival) beats(b rival) bool {
	return a.score < b.score && a.price < b.price && a.energy < b.energy
}

// add takes machines that were simulated.
func (x *screen) add(s *solver, dearest *model.Plan, choices []model.Choice) {
	for _, c := range choices {
		if s.outOfQuestion(c) != "" {
			continue
		}
		score, l := s.scoreOf(s.Plan, c)
		if s.Objective.ByPrice() && s.Use(score) > 1 {
			continue
		}
		r := s.rival(c, score)
		goal := s.Goal(score, r.price)
		x.fastest = min(x.fastest, score)
		if goal < x.goal {
			x.name, x.goal = s.Name(c), goal
		}
		if dearest.LimitWith(c, l) == "" {
			x.safe = min(x.safe, score)
		}
		design := s.DesignName(c.Design())
		if old, known := x.best[design]; !known || goal < old {
			x.best[design] = goal
		}
		if !slices.ContainsFunc(x.front, func(y rival) bool { return y.beats(r) }) {
			x.front = append(slices.DeleteFunc(x.front, r.beats), r)
		}
	}
}

func (s *solver) rival(c model.Choice, score float64) rival {
	bill, _ := s.Price(c)
	return rival{score, bill.Total(), s.Energy.RunEnergy(s.Power(c), units.Seconds(score))}
}

// leavesOut reports whether a choice with that bound of its score cannot matter.
func (x *screen) leavesOut(s *solver, c model.Choice, bound float64) bool {
	least := s.rival(c, bound)
	goal := s.Goal(bound, least.price)
	if s.Objective.ByPrice() {
		switch {
		case x.name != "" && tooSlow(s.Plan, bound):
			return true
		case s.Objective.MeanWait > 0 || s.Budget.Life: // which need its load
			return false
		case goal <= comparedUpToGoal(s.Plan, x.goal) || bound <= nearly*x.fastest:
			return false
		}
	} else if bound <= comparedUpTo(s.Plan, x.safe) {
		return false // the tests of robustness compare those that are fast enough
	}
	if !slices.ContainsFunc(x.front, func(r rival) bool { return r.beats(least) }) {
		return false
	}
	own, better := s.DesignName(c.Design()), 0 // the first two designs are always compared
	for design, of := range x.best {
		if design != own && of < goal {
			better++
		}
	}
	return better >= 2
}

// tooSlow reports whether a machine with that bound of its score cannot do a year's work in
// the hours available, nor is near enough to those that do for others with nearly as many
// nodes to be tried.
func tooSlow(p *model.Plan, bound float64) bool { return p.Use(bound) > nearly }

// whyLeftOut is the reason in words.
func whyLeftOut(p *model.Plan, bound float64) string {
	if p.Objective.ByPrice() && tooSlow(p, bound) {
		return fmt.Sprintf("more than the hours available in a year at a utilisation of %g", p.Energy.Utilisation)
	}
	return "and a cheaper machine is faster and needs less energy"
}

// An estimate says which share of the computing for a plan is done. A simulation is taken
// to cost as much for a process as those of its workload that are done, on average, and as
// all of them if there are none. It is for showing progress: no result depends on it.
type estimate struct {
	workloads []effort // by workload
}

// effort is what is known of the simulations of a workload.
type effort struct {
	took  time.Duration // by those that are done
	done  int           // processes of these
	begun int           // processes of those in hand
	later int           // processes of those that are still expected, at most
}

func (e *estimate) of(workload int) *effort {
	for len(e.workloads) <= workload {
		e.workloads = append(e.workloads, effort{})
	}
	return &e.workloads[workload]
}

// expect says what is still to come, in place of what was expected before.
func (e *estimate) expect(o outlook) {
	for w := range e.workloads {
		e.workloads[w].later = 0
	}
	for w, processes := range o.processes {
		e.of(w).later = processes
	}
}

// begin takes simulations into hand.
func (e *estimate) begin(list []simulation) {
	for _, x := range list {
		w, n := e.of(x.workload), x.processes()
		w.begun += n
		w.later = max(0, w.later-n)
	}
}

// done notes that a simulation took so long.
func (e *estimate) done(x simulation, took time.Duration) {
	w, n := e.of(x.workload), x.processes()
	w.took += took
	w.done += n
	w.begun -= n
}

// share returns the share that is done, 0 if nothing is.
func (e *estimate) share() float64 {
	var all effort
	for _, w := range e.workloads {
		all.took += w.took
		all.done += w.done
	}
	if all.took == 0 {
		return 0
	}
	left := 0.0
	for _, w := range e.workloads {
		like := w
		if w.done == 0 {
			like = all
		}
		left += like.took.Seconds() / float64(like.done) * float64(w.begun+w.later)
	}
	spent := all.took.Seconds()
	return spent / (spent + left)
}

// processes returns the number of processes of a simulation.
func (x simulation) processes() int {
	n := 0
	for t, count := range x.parts() {
		n += count * x.plan.Nodes[t].Processes
	}
	return n
}

// An outlook is what a part of a plan simulates at most: searches for the best number of
// nodes of a run may end early, machines may be left out, and simulations that do not depend
// on a changed figure are not repeated.
type outlook struct {
	simulations int
	processes   map[int]int // by workload
}

func (o *outlook) add(x simulation, times int) {
	o.simulations += times
	o.processes[x.workload] += times * x.processes()
}

// and returns the sum of two parts.
func (o outlook) and(other outlook) outlook {
	sum := outlook{o.simulations + other.simulations, maps.Clone(o.processes)}
	for w, processes := range other.processes {
		sum.processes[w] += processes
	}
	return sum
}

// outlook returns what the ranking of some choices simulates, and what the tests of
// robustness do: each run of the largest machine of each design with each figure that its
// time depends on, lower and higher.
func (s *solver) outlook(choices []model.Choice) (ranking, robust outlook) {
	ranking.processes, robust.processes = map[int]int{}, map[int]int{}
	s.eachRun(choices, func(x simulation) { ranking.add(x, 1) })
	var largest []model.Choice
	for _, c := range choices {
		i := slices.IndexFunc(largest, func(x model.Choice) bool { return x.Design().Equal(c.Design()) })
		switch {
		case i < 0:
			largest = append(largest, c)
		case s.Speed(c) > s.Speed(largest[i]):
			largest[i] = c
		}
	}
	parameters := s.parameters(choices)
	s.eachRun(largest, func(x simulation) {
		for _, figure := range parameters {
			if x.dependsOn(figure) {
				robust.add(x, 2)
			}
		}
	})
	return ranking, robust
}

// missing returns what has not been simulated yet of all ways to run all workloads.
func (s *simulator) missing(list []variant) outlook {
	o := outlook{processes: map[int]int{}}
	seen := map[string]bool{}
	for _, v := range list {
		for w := range v.plan.Workloads {
			for _, x := range runs(v.plan, v.choice, w) {
				key := x.key()
				if _, done := s.done[key]; !done && !seen[key] {
					seen[key] = true
					o.add(x, 1)
				}
			}
		}
	}
	return o
}

// eachRun visits each way to run each workload on some choices, once for those that are
// alike. A run on one node has no network.
func (s *solver) eachRun(choices []model.Choice, visit func(simulation)) {
	type run struct {
		workload, network int
		on                model.Way
	}
	seen := map[run]bool{}
	for _, c := range choices {
		for w := range s.Workloads {
			for _, x := range runs(s.Plan, c, w) {
				key := run{w, c.Network, x.on}
				if x.on.Nodes == 1 {
					key.network = -1
				}
				if x.on.Whole() || !seen[key] {
					seen[key] = true
					visit(x)
				}
			}
		}
	}
}

// runs returns all ways to run a workload on a choice.
func runs(p *model.Plan, c model.Choice, w int) []simulation {
	x := &p.Workloads[w]
	if x.On.All {
		return []simulation{{plan: p, choice: c, workload: w}}
	}
	var all []simulation
	for t, count := range p.Parts(c) {
		if count > 0 && x.RunsOn(&p.Nodes[t]) {
			for _, n := range x.On.UpTo(count) {
				all = append(all, simulation{p, c, w, model.Way{Node: t, Nodes: n}})
			}
		}
	}
	return all
}

// dependsOn reports whether the time of a run may depend on a figure.
func (x simulation) dependsOn(figure model.Parameter) bool {
	switch {
	case !figure.ChangesTimes():
		return false
	case figure.Kind == model.KindNode:
		return x.parts()[figure.Index] > 0
	case figure.Kind == model.KindNetwork:
		return x.on.Nodes != 1 && x.choice.Network == figure.Index
	}
	return true
}
