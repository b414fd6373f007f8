package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Each run on the whole machine takes a simulation of its own. To keep them few, searches use bounds of the times, and
// begin with machines that a climb finds.

// Simulations that make sure of the best machine of a design end after mostEvents events and, if the design has more
// than mostSure machines, after mostSimulated runs of each workload. Then a climb finds a good one.
const (
	mostEvents    = 5_000_000
	mostSure      = 1000
	mostSimulated = 300
)

const (
	// mostTriedWhole is the number of boxes after which the search of a design ends.
	mostTriedWhole = 3000
	// mostEventsListed is the number of events, estimated from other simulations, up to which all of the few machines
	// of a design are simulated.
	mostEventsListed = 2_000_000
)

// wholePicks returns the machines of a design to rank: all if they and their events are few, else those that the search
// has simulated, and smaller ones. If none can matter it says why.
func (s *solver) wholePicks(ctx context.Context, f *field, few []model.Choice) (all []model.Choice, screened string) {
	best, least, ok := f.best(aim{most: s.mostCompared()}, mostTriedWhole)
	s.least = min(s.least, least)
	if ok {
		s.leading(best)
	}
	switch {
	case len(few) > 0 && float64(len(few))*s.meanEvents() <= mostEventsListed:
		s.simulate(ctx, few)
		return few, ""
	case !ok && math.IsInf(least, 1):
		if screened = s.outclassed(f.dropped); screened == "" {
			all = f.ends()
		}
		return all, screened
	case !ok:
		return f.ends(), ""
	}
	if most := s.leads.goal * (1 + s.GoalTolerance()); best.goal <= most { // else none of its machines is recommended
		f.best(aim{cheapest: true, most: most}, mostTriedWhole)
	}
	var smaller []model.Choice
	for c, last := f.half(best.Choice), best.Choice; !c.Equal(last); c, last = f.half(c), c {
		if s.Limit(c) == "" && s.Unmet(c, c) == "" {
			smaller = append(smaller, c)
		}
	}
	s.simulate(ctx, smaller)
	return s.assessed[s.DesignName(f.design)], ""
}

// half returns a machine with half the nodes of each type, or the nearest number that may be bought.
func (f *field) half(c model.Choice) model.Choice {
	places := make([]int, len(f.axes))
	for i, x := range f.axes {
		places[i] = max(0, x.place(c.Counts[i]/2))
	}
	return f.choice(places)
}

// leastTime returns a lower bound on the time of a run, 0 where none is known: the largest of what process 0 does
// without any wait (system.Least), of its messages to other nodes at the bandwidth of the network, and of
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
		return 0 // its simulation reports the error
	}
	least, err := sys.Least(w.Run.N)
	if err != nil {
		return 0
	}
	t := max(float64(least.Busy), s.leastTimeOfAll(sys.Placement))
	if s.plan.Model.SendsInTurn {
		t = max(t, float64(least.Sent)/float64(s.plan.Networks[s.choice.Network].Bandwidth))
	}
	return closeToWork * t
}

// closeToWork allows for rounding to whole rows or elements.
const closeToWork = 0.99

// leastTimeOfAll returns the time of all work at the speed of all processes, or 0 where less may be done than the
// closed form of the work.
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

// whole returns how a workload runs at best on the whole of machines between two: the run itself on a single machine if
// it is simulated or committed, else a bound.
func (s *solver) whole(small, large model.Choice, w int) knownRun {
	run := simulation{plan: s.Plan, choice: large, workload: w}
	if small.Equal(large) {
		if o, ok := s.lookup(run); ok {
			return knownRun{run.timed(o), o.Problem()}
		}
	}
	return orImpossible(&s.Workloads[w], s.wholeAtLeast(run, small.Equal(large)))
}

// orImpossible extends a bound to runs that may be impossible, which then count as the time that the plan states.
func orImpossible(w *model.Workload, x knownRun) knownRun {
	if w.Impossible > 0 {
		x.Time = min(x.Time, float64(w.Impossible))
	}
	return x
}

// wholeAtLeast returns a bound on a run on the whole of one machine, or of all machines that are no larger.
func (s *solver) wholeAtLeast(run simulation, one bool) knownRun {
	large, w := run.choice, run.workload
	job := run.job()
	sys, err := run.system()
	if err != nil {
		return knownRun{} // its simulation reports the error
	}
	if job.Target > 0 { // no machine exceeds it, see model.Plan.Measure
		var speed units.FlopsPerSecond
		for _, r := range sys.Placement.Blocks {
			speed += units.FlopsPerSecond(r.Nodes*r.Processes) * r.Speed()
		}
		return knownRun{TimedWay: model.TimedWay{Time: 1e12 / (job.Target * float64(speed))}}
	}
	if job.Run.GrowsWithProcesses() {
		return knownRun{}
	}
	if !one {
		t := closeToWork * run.leastTimeOfAll(sys.Placement)
		for _, k := range s.Commitments { // a commitment may be shorter than any simulation
			if k.Workload == w && (k.Network < 0 || k.Network == large.Network) {
				t = min(t, float64(k.Time))
			}
		}
		return knownRun{TimedWay: model.TimedWay{Time: t, Run: units.Seconds(t)}}
	}
	if problems := run.problems(sys); len(problems) > 0 {
		return knownRun{problem: problems[0]}
	}
	t := run.leastTime()
	return knownRun{TimedWay: model.TimedWay{Time: t, Run: units.Seconds(t)}}
}

// settles returns how the search of a design simulates the next workload of each of some machines: the one with fewest
// events, because its time may rule out the machine. With sure, it ends when enough has been spent.
func (s *solver) settles(ctx context.Context, f *field) func(list []model.Choice, sure bool) bool {
	events, done := int64(0), 0 // spent to be sure
	return func(list []model.Choice, sure bool) bool {
		var next []simulation
		for _, c := range list {
			if x, some := s.cheapestRun(c); some {
				next = append(next, x)
			}
		}
		if sure {
			enough := events > mostEvents || size(f.axes) > mostSure && done >= mostSimulated*len(s.Workloads)
			if len(next) > 0 && s.failed == nil && enough {
				return false
			}
			done += len(next)
		}
		before := s.events
		if s.failed == nil {
			s.failed = s.need(ctx, next, s.ranking())
		}
		for _, x := range next {
			e := s.taken[x.workload]
			s.taken[x.workload] = effort{e.events + s.done[x.key()].Run.Events, e.runs + 1}
		}
		s.simulate(ctx, slices.DeleteFunc(slices.Clone(list), func(c model.Choice) bool { return !s.isSimulated(c) }))
		if sure {
			events += s.events - before
		}
		return s.failed == nil
	}
}

// cheapestRun returns, among the unknown runs on the whole of a machine, the one that has taken the fewest events on
// others; false if all are known.
func (s *solver) cheapestRun(c model.Choice) (next simulation, some bool) {
	least := math.Inf(1)
	for w, x := range s.Workloads {
		run := simulation{plan: s.Plan, choice: c, workload: w}
		if _, known := s.lookup(run); !x.On.All || known {
			continue
		}
		if mean := s.taken[w].mean(); mean < least {
			next, some, least = run, true, mean
		}
	}
	return next, some
}

// An effort is the number of events that runs of a workload on whole machines have taken.
type effort struct{ events, runs int64 }

func (e effort) mean() float64 { return float64(e.events) / float64(max(1, e.runs)) }

// meanEvents estimates the events of all runs on a whole machine from earlier ones.
func (s *solver) meanEvents() (sum float64) {
	for w := range s.Workloads {
		sum += s.taken[w].mean()
	}
	return sum
}

// isSimulated reports whether the runs on the whole of a machine are known.
func (s *solver) isSimulated(c model.Choice) bool {
	_, open := s.cheapestRun(c)
	return !open
}

// simulate simulates the runs of all workloads on machines of a design, and records the results.
func (s *solver) simulate(ctx context.Context, list []model.Choice) {
	if s.failed != nil || len(list) == 0 {
		return
	}
	if s.failed = s.needChoices(ctx, s.Plan, list, s.ranking()); s.failed != nil {
		return
	}
	for _, c := range list {
		design := s.DesignName(c.Design)
		if slices.ContainsFunc(s.assessed[design], c.Equal) {
			continue
		}
		s.assessed[design] = append(s.assessed[design], c)
		m := s.machine(c)
		if _, why := s.outOfQuestion(m); why == "" && s.dearest.LimitWith(c, m.load) == "" {
			s.safe = min(s.safe, m.score)
		}
	}
}

// leading records the best machine of a design.
func (s *solver) leading(best find) {
	if s.searched++; s.leader == "" || (aim{}).prefers(best.worth, s.leads.worth) {
		s.leader, s.leads = s.Name(best.Choice), best
	}
}

// promising returns the designs in the order of the search: where runs take the whole machine, those with the least
// bound come first, so that they exclude others.
func (s *solver) promising() []model.Design {
	all := designs(s.Plan)
	if s.OnSome() {
		return all
	}
	slices.SortStableFunc(all, func(a, b model.Design) int { return cmp.Compare(s.leastOf(a), s.leastOf(b)) })
	return all
}

// leastOf returns a bound, without any simulation, on what the machines of a design are ranked by.
func (s *solver) leastOf(d model.Design) float64 {
	f := &field{Plan: s.Plan, design: d, axes: axesOf(s.Plan, d), whole: s.whole}
	if len(f.axes) < len(d.Types) || s.SideBySide() {
		return 0
	}
	low, high := f.corners()
	if b, ok := f.bound(low, high); ok {
		return b.goal
	}
	return 0 // its machines tell why
}

// mostCompared returns the bound up to which a design is searched: designs above can neither be recommended nor be
// compared by the tests of robustness, which always look at two designs.
func (s *solver) mostCompared() float64 {
	switch {
	case s.OnSome() || s.unscreened || s.searched < 2 || s.Scoring != nil: // points depend on other criteria, too
		return math.Inf(1)
	case s.Objective.ByPrice():
		return comparedUpToGoal(s.Plan, s.leads.goal)
	}
	return comparedUpTo(s.Plan, s.safe)
}

// outclassed says why a design whose bound is least is not searched, or "".
func (s *solver) outclassed(least float64) string {
	if least <= s.mostCompared() || math.IsInf(least, 1) {
		return ""
	}
	if s.Objective.ByPrice() {
		return fmt.Sprintf("left out: it costs at least %s, and %s costs %s", s.Money(least), s.leader, s.Money(s.leads.goal))
	}
	return fmt.Sprintf("left out: its %s is at least %s, that of %s is %s", s.ScoreMeaning(), s.ScoreText(least), s.leader,
		s.ScoreText(s.leads.goal))
}

// The climb to a good machine.

const (
	// climbParts divides the largest number of nodes into the starting points and the first steps of a climb.
	climbParts = 8
	// mixParts is the same for each type of a mix but the last, which starts with half and all that the limits allow.
	mixParts = 4
)

// climb returns the machines simulated on the way to a good one: some of all sizes, then the neighbours of the best so
// far, also with as many more nodes of one type as fewer of another pay for, at ever smaller distances.
func (f *field) climb(a aim) []box {
	var all []box
	seen := map[string]bool{}
	// assess returns the best of some machines if it is better than the given one.
	assess := func(list [][]int, best box) (box, bool) {
		var open []box
		for _, places := range list {
			for i, place := range places {
				if place < 0 || place >= f.axes[i].most {
					places = nil
				}
			}
			if places == nil && len(f.axes) > 0 {
				continue
			}
			if c := f.choice(places); !seen[c.Key()] && f.Limit(c) == "" {
				open = append(open, box{low: places, high: places})
				seen[c.Key()] = true
			}
		}
		better := false
		for {
			for i, b := range slices.Backward(open) {
				b, ok := f.bound(b.low, b.low)
				if !ok || b.goal > a.most || a.of(b) > a.of(best) {
					open = slices.Delete(open, i, i+1)
				}
			}
			choices := f.choices(open)
			if len(open) == 0 || !f.settle(choices, false) {
				return best, better
			}
			var rest []box
			for i, b := range open {
				if !f.settled(choices[i]) {
					rest = append(rest, b)
				} else if b, possible := f.machine(b); possible && b.goal <= a.most {
					all = append(all, b)
					if a.prefers(b.worth, best.worth) {
						best, better = b, true
					}
				}
			}
			open = rest
		}
	}
	best, ok := box{worth: worth{math.Inf(1), math.Inf(1)}}, false
	for first := range slices.Chunk(append(f.begins(nil), f.meeting()...), together) {
		if next, better := assess(first, best); better {
			best, ok = next, true
		}
	}
	steps := each.Of(f.axes, func(x axis) int { return max(1, x.most/climbParts) })
	for ok {
		next, better := assess(f.around(best, steps), best)
		switch {
		case better:
			best = next
		case !slices.ContainsFunc(steps, func(step int) bool { return step > 1 }):
			return all
		default:
			for i := range steps {
				steps[i] = max(1, steps[i]/2)
			}
		}
	}
	return all
}

// begins returns machines of all sizes that continue the places begun on the first axes.
func (f *field) begins(begun []int) (all [][]int) {
	i := len(begun)
	if i == len(f.axes) {
		return [][]int{begun}
	}
	parts, most := mixParts, f.axes[i].most
	if i == len(f.axes)-1 {
		parts = climbParts
		if i > 0 {
			parts = 2
			most = sort.Search(most, func(place int) bool { return f.Limit(f.choice(append(slices.Clone(begun), place))) != "" })
		}
	}
	for k := 1; k <= parts; k++ {
		if place := most*k/parts - 1; place >= 0 {
			all = append(all, f.begins(append(slices.Clone(begun), place))...)
		}
	}
	return all
}

// around returns machines with some more or fewer nodes of one type, also with another type adapted to the same cost.
func (f *field) around(b box, steps []int) (all [][]int) {
	for i, step := range steps {
		for _, by := range []int{-step, step} {
			places := slices.Clone(b.low)
			if places[i] += by; places[i] < 0 || places[i] >= f.axes[i].most {
				continue
			}
			all = append(all, places)
			for j := range steps {
				if j != i {
					other := slices.Clone(places)
					other[j] = sort.Search(f.axes[j].most, func(place int) bool {
						other[j] = place
						c := f.choice(other)
						bill, ok := f.Price(c)
						return !ok || f.Cost(c, bill, nil) > b.cost || f.Limit(c) != ""
					}) - 1
					all = append(all, other)
				}
			}
		}
	}
	return all
}
