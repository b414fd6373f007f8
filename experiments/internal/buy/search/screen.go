package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Screening leaves out machines before they are simulated that can neither be recommended nor lie on a front,
// and whose design cannot be among those that the tests of robustness compare: a machine that is simulated
// takes less time, costs less and needs less energy than they at least.

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
	w := s.job()
	if w.Target > 0 || w.Run.GrowsWithProcesses() {
		return 0
	}
	sys, err := s.system()
	if err != nil {
		return 0 // its simulation says so
	}
	least, err := sys.Least(w.Run.N)
	if err != nil {
		return 0
	}
	t := max(float64(least.Busy), s.leastTimeOfAll(sys.Placement))
	if s.plan.Model.SendsInTurn {
		t = max(t, float64(least.Sent)/float64(s.plan.Networks[s.choice.Network].Bandwidth))
	}
	const close = 0.99 // for what rounds to whole rows or elements
	return close * t
}

// leastTimeOfAll returns the time of all work at the speed of all processes, 0 where the
// work that is done may be less than its closed form.
func (s simulation) leastTimeOfAll(placement *topology.Placement) float64 {
	w := s.job()
	if !w.Run.BoundedByWork {
		return 0
	}
	var rate units.FlopsPerSecond
	for _, r := range placement.Blocks {
		rate += units.FlopsPerSecond(float64(r.Nodes*r.Processes) * float64(processOn(r, w).Rate(w.Run.BytesPerFlop)))
	}
	const anySpeed = 1e9
	return float64(w.Run.Build(w.Run.N, []units.FlopsPerSecond{anySpeed}, s.plan.Seed).Work()) / float64(rate)
}

// leastTimes are the least times of runs on some nodes of a type and a network, which many machines have.
type leastTimes map[runKey]float64

func (m leastTimes) of(s simulation) float64 {
	if s.on.Whole() {
		return s.leastTime()
	}
	key := runKey{s.workload, s.choice.Network, s.on}
	t, known := m[key]
	if !known {
		t = s.leastTime()
		m[key] = t
	}
	return t
}

// leastScoreOf returns a score that a choice has at least, 0 where no bound is known.
func leastScoreOf(p *model.Plan, c model.Choice, times leastTimes) float64 {
	counted := func(w model.Workload) bool { return w.Impossible > 0 }
	if len(p.Commitments) > 0 || slices.ContainsFunc(p.Workloads, counted) { // which may be shorter than any simulation
		return 0
	}
	works := make([]model.Work, len(p.Workloads))
	wholes, sum := 0, 0.0 // runs on the whole machine, and the time of a year's
	for w, x := range p.Workloads {
		for _, run := range runs(p, c, w) {
			t := times.of(run)
			works[w].Ways = append(works[w].Ways, model.TimedWay{Way: run.on, Time: t, Run: units.Seconds(t)})
		}
		if len(works[w].Ways) == 0 {
			return 0 // it cannot run, which its assessment says
		}
		if x.On.All {
			wholes++
			sum += float64(x.Weight * works[w].Ways[0].Time)
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
	score, _ := p.Score(c, works)
	return score
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
	s.estimate.expect(slices.Concat(ranking, robust))
	defer s.estimate.expect(robust)
	bounds := make([]float64, len(choices))
	times := leastTimes{}
	for i, c := range choices {
		bounds[i] = leastScoreOf(s.Plan, c, times)
	}
	bound := func(i int) float64 { return bounds[i] }
	round, rest := bestOfDesigns(choices, bound), []int(nil)
	slices.Sort(round)
	for i := range choices {
		if !slices.Contains(round, i) {
			rest = append(rest, i)
		}
	}
	slices.SortStableFunc(rest, func(a, b int) int { return cmp.Compare(bounds[a], bounds[b]) })
	part := (len(rest) + screenRounds - 1) / screenRounds
	left := make([]bool, len(choices))
	known := &screen{s, dearest(s.Plan), nil, map[string]float64{}, math.Inf(1), math.Inf(1), "", math.Inf(1)}
	what := fmt.Sprintf("ranking, %s at most in all", input.Plural(len(ranking)+len(robust), "simulation"))
	for ; len(round) > 0; round, rest = rest[:min(part, len(rest))], rest[min(part, len(rest)):] {
		var list []model.Choice
		for _, i := range round {
			if left[i] = known.leavesOut(choices[i], bounds[i]); !left[i] {
				list = append(list, choices[i])
			}
		}
		if err := s.needChoices(ctx, s.Plan, list, what); err != nil {
			return nil, err
		}
		for _, c := range list {
			known.add(c)
		}
		if known.name != "" {
			what = "ranking, the best so far is " + known.name
		}
	}
	var kept []model.Choice
	for i, c := range choices {
		if !left[i] {
			kept = append(kept, c)
			continue
		}
		why := "and a cheaper machine is faster and needs less energy"
		if s.Objective.ByPrice() && tooSlow(s.Plan, bounds[i]) {
			why = fmt.Sprintf("more than the hours available in a year at a utilisation of %g", s.Energy.Utilisation)
		}
		s.exclude(s.Name(c), c.Design, 1, model.CauseScreened,
			fmt.Sprintf("not simulated: its %s is at least %s, %s", s.ScoreMeaning(), s.ScoreText(bounds[i]), why))
	}
	return kept, nil
}

// A screen is what the machines that were simulated say about the others.
type screen struct {
	*solver
	dearest *model.Plan        // with all prices and powers at their upper ends
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

func (s *solver) rival(c model.Choice, score float64) rival {
	bill, _ := s.Price(c)
	return rival{score, bill.Total(), s.Energy.RunEnergy(s.Power(c), units.Seconds(score))}
}

func (x *screen) add(c model.Choice) {
	m := x.machine(c)
	if _, why := x.outOfQuestion(m); why != "" || x.Objective.ByPrice() && x.Use(m.score) > 1 {
		return
	}
	r := x.rival(c, m.score)
	goal := x.Goal(m.score, r.price)
	x.fastest = min(x.fastest, m.score)
	if goal < x.goal {
		x.name, x.goal = x.Name(c), goal
	}
	if x.dearest.LimitWith(c, m.load) == "" {
		x.safe = min(x.safe, m.score)
	}
	design := x.DesignName(c.Design)
	if old, known := x.best[design]; !known || goal < old {
		x.best[design] = goal
	}
	if !slices.ContainsFunc(x.front, func(y rival) bool { return y.beats(r) }) {
		x.front = append(slices.DeleteFunc(x.front, r.beats), r)
	}
}

// leavesOut reports whether a choice with that bound of its score cannot matter.
func (x *screen) leavesOut(c model.Choice, bound float64) bool {
	least := x.rival(c, bound)
	goal := x.Goal(bound, least.price)
	switch {
	case !x.Objective.ByPrice():
		if bound <= comparedUpTo(x.Plan, x.safe) {
			return false // the tests of robustness compare those that are fast enough
		}
	case x.name != "" && tooSlow(x.Plan, bound):
		return true
	case x.Objective.MeanWait > 0 || x.Budget.Life: // which need its load
		return false
	case goal <= comparedUpToGoal(x.Plan, x.goal) || bound <= nearly*x.fastest:
		return false
	}
	if !slices.ContainsFunc(x.front, func(r rival) bool { return r.beats(least) }) {
		return false
	}
	own, better := x.DesignName(c.Design), 0 // the first two designs are always compared
	for design, of := range x.best {
		if design != own && of < goal {
			better++
		}
	}
	return better >= 2
}

// tooSlow reports whether a machine with that bound of its score cannot do a year's work in the hours
// available, nor is near enough to those that do for others with nearly as many nodes to be tried.
func tooSlow(p *model.Plan, bound float64) bool { return p.Use(bound) > nearly }
