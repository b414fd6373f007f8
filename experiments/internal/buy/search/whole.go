package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Runs on the whole machine take a simulation of their own on each. So that few are simulated, searches have bounds of
// their times, and begin with machines that a climb finds.

// Simulations of a design that are made to be sure that its best machine is the one that a climb has found end after
// so many events and, where it has more than mostSure machines, after mostSimulated of them.
const (
	mostEvents    = 5_000_000
	mostSure      = 1000
	mostSimulated = 300
)

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
	return closeToWork * t
}

// closeToWork leaves room for what rounds to whole rows or elements.
const closeToWork = 0.99

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

// whole returns how a workload runs on the whole of machines between two at best: the run itself on one machine if it
// is simulated or committed, else a bound.
func (s *solver) whole(small, large model.Choice, w int) knownRun {
	run := simulation{plan: s.Plan, choice: large, workload: w}
	if small.Equal(large) {
		if o, ok := s.lookup(run); ok {
			return knownRun{model.TimedWay{Time: s.Measure(w, o), Run: o.Run.Time, Extra: s.Extra(run.parts(), o)}, o.Problem()}
		}
	}
	return orImpossible(&s.Workloads[w], s.wholeAtLeast(run, small.Equal(large)))
}

// orImpossible returns a bound of a run that may be impossible, which then counts as the time that the plan states.
func orImpossible(w *model.Workload, x knownRun) knownRun {
	if w.Impossible > 0 {
		x.Time = min(x.Time, float64(w.Impossible))
	}
	return x
}

// wholeAtLeast returns a bound of a run on the whole of one machine, or of all that are no larger.
func (s *solver) wholeAtLeast(run simulation, one bool) knownRun {
	large, w := run.choice, run.workload
	job := run.job()
	sys, err := run.system()
	if err != nil {
		return knownRun{} // its simulation says so
	}
	if job.Target > 0 { // which no machine exceeds, see model.Plan.Measure
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
		for _, k := range s.Commitments { // which may be shorter than any simulation
			if k.Workload == w && (k.Network < 0 || k.Network == large.Network) {
				t = min(t, float64(k.Time))
			}
		}
		return knownRun{TimedWay: model.TimedWay{Time: t, Run: units.Seconds(t)}}
	}
	if problems := sys.Data(job.Run.N).Problems; len(problems) > 0 {
		return knownRun{problem: run.named(problems)[0]}
	}
	t := run.leastTime()
	return knownRun{TimedWay: model.TimedWay{Time: t, Run: units.Seconds(t)}}
}

// settles returns how the search of a design simulates machines: as many at a time as it asks for, until that is enough.
func (s *solver) settles(ctx context.Context, f *field) func([]model.Choice) bool {
	events, done := int64(0), 0 // beside those of climbs
	return func(list []model.Choice) bool {
		list = slices.DeleteFunc(slices.Clone(list), s.isSimulated)
		before := s.events
		if !f.climbing {
			enough := events > mostEvents || size(f.axes) > mostSure && done >= mostSimulated
			if len(list) > 0 && s.failed == nil && enough {
				return false
			}
			done += len(list)
		}
		if s.simulate(ctx, list); !f.climbing {
			events += s.events - before
		}
		return s.failed == nil
	}
}

// isSimulated reports whether the runs on the whole of a machine are known.
func (s *solver) isSimulated(c model.Choice) bool {
	for w, x := range s.Workloads {
		if x.On.All {
			if _, known := s.lookup(simulation{plan: s.Plan, choice: c, workload: w}); !known {
				return false
			}
		}
	}
	return true
}

// simulate simulates the runs of all workloads on machines of a design, and notes what they do.
func (s *solver) simulate(ctx context.Context, list []model.Choice) {
	if s.failed != nil || len(list) == 0 {
		return
	}
	if s.failed = s.needChoices(ctx, s.Plan, list, s.ranking()); s.failed != nil {
		return
	}
	for _, c := range list {
		design := s.DesignName(c.Design)
		s.assessed[design] = append(s.assessed[design], c)
		m := s.machine(c)
		if _, why := s.outOfQuestion(m); why == "" && s.dearest.LimitWith(c, m.load) == "" {
			s.safe = min(s.safe, m.score)
		}
	}
}

// leading notes the best machine of a design.
func (s *solver) leading(best find) {
	if s.searched++; s.leader == "" || (aim{}).prefers(best, s.leads) {
		s.leader, s.leads = s.Name(best.Choice), best
	}
}

// promising returns the designs in the order in which they are searched: where runs take the whole machine those
// with the least bound first, that they leave out others.
func (s *solver) promising() []model.Design {
	all := designs(s.Plan)
	if s.OnSome() {
		return all
	}
	slices.SortStableFunc(all, func(a, b model.Design) int { return cmp.Compare(s.leastOf(a), s.leastOf(b)) })
	return all
}

// leastOf returns what no machine of a design has less of, of what machines are ranked by, without any simulation.
func (s *solver) leastOf(d model.Design) float64 {
	f := &field{Plan: s.Plan, design: d, axes: axesOf(s.Plan, d), whole: s.whole}
	if len(f.axes) < len(d.Types) || s.SideBySide() {
		return 0
	}
	low, high := f.corners()
	if b, ok := f.bound(low, high); ok {
		return b.goal
	}
	return 0 // its machines say why
}

// outclassed says why a design is not searched, or "": by a bound none of its machines can be recommended, nor compared
// by the tests of robustness, which always look at two designs.
func (s *solver) outclassed(d model.Design) string {
	if s.OnSome() || s.unscreened || s.searched < 2 || s.Scoring != nil { // points are for other criteria, too
		return ""
	}
	least := s.leastOf(d)
	if s.Objective.ByPrice() {
		if least <= comparedUpToGoal(s.Plan, s.leads.goal) {
			return ""
		}
		return fmt.Sprintf("not simulated: it costs at least %s, and %s costs %s", s.Money(least), s.leader, s.Money(s.leads.goal))
	}
	if least <= comparedUpTo(s.Plan, s.safe) {
		return ""
	}
	return fmt.Sprintf("not simulated: its %s is at least %s, that of %s is %s", s.ScoreMeaning(), s.ScoreText(least), s.leader,
		s.ScoreText(s.leads.goal))
}

// The climb to a good machine.

const (
	// climbParts is the number of parts of the largest number of nodes at which a climb begins and that it first goes by.
	climbParts = 8
	// mixParts is the same for each type of a mix but the last, of which as many are bought as the limits allow.
	mixParts = 4
)

// climb returns machines that were simulated on the way to a good one: some of all sizes, then those beside the best so
// far, also as many more nodes of a type as fewer of another pay for, at smaller and smaller distances.
func (f *field) climb(a aim) []box {
	f.climbing = true
	defer func() { f.climbing = false }()
	var all []box
	seen := map[string]bool{}
	// assess returns the best of some machines; false if none can be bought and does what is asked.
	assess := func(list [][]int) (best box, ok bool) {
		var choices []model.Choice
		var boxes []box
		for _, places := range list {
			c := model.Choice{}
			for i, place := range places {
				if place < 0 || place >= f.axes[i].most {
					places = nil
				}
			}
			if places == nil && len(f.axes) > 0 {
				continue
			}
			if c = f.choice(places); seen[c.Key()] {
				continue
			}
			seen[c.Key()] = true
			if b, ok := f.bound(places, places); ok && f.Limit(c) == "" && b.goal <= a.most {
				choices, boxes = append(choices, c), append(boxes, b)
			}
		}
		if !f.settle(choices) {
			return best, false
		}
		for _, b := range boxes {
			if b, possible := f.machine(b); possible && b.goal <= a.most {
				all = append(all, b)
				if !ok || a.prefers(find{goal: b.goal, price: b.price}, find{goal: best.goal, price: best.price}) {
					best, ok = b, true
				}
			}
		}
		return best, ok
	}
	best, ok := assess(append(f.begins(nil), f.meeting()...))
	steps := make([]int, len(f.axes))
	for i, x := range f.axes {
		steps[i] = max(1, x.most/climbParts)
	}
	for ok {
		next, found := assess(f.around(best, steps))
		switch {
		case found && a.prefers(find{goal: next.goal, price: next.price}, find{goal: best.goal, price: best.price}):
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

// begins returns machines of all sizes, each as places on the axes of which some are begun.
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

// around returns machines that have some more or fewer nodes of one type, and those that cost no more for it.
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
						bill, ok := f.Price(f.choice(other))
						return !ok || bill.Total() > b.price || f.Limit(f.choice(other)) != ""
					}) - 1
					all = append(all, other)
				}
			}
		}
	}
	return all
}
