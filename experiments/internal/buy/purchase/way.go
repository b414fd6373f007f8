package purchase

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/units"
)

// A way is where a run takes place: on some nodes of one type or, as its zero value, on
// all nodes of the machine.
type way struct {
	node  int // index into Plan.Nodes
	nodes int // 0: the whole machine
}

func (w way) whole() bool { return w.nodes == 0 }

// RunNodes are the numbers of nodes that a run may take, all of one type.
type RunNodes struct {
	All  bool  // the whole machine, whatever its node types
	Best bool  // any that suits, of those of the grid
	List []int // else these, increasing
}

// upTo returns the numbers of nodes to try of a type of which a machine has so many.
func (r RunNodes) upTo(count int) []int {
	if !r.Best {
		i, found := slices.BinarySearch(r.List, count)
		if found {
			i++
		}
		return r.List[:i]
	}
	var grid []int // 1, 2, 3, 4, 6, 8, 12, ...: powers of two and the numbers half way
	for n := 1; n <= count; n *= 2 {
		grid = append(grid, n)
		if half := n + n/2; n > 1 && half <= count {
			grid = append(grid, half)
		}
	}
	return grid
}

// A sizeSearch ends the search for the best number of nodes of a run: larger numbers than
// those at which a run hardly gets faster, or takes twice the node time of a smaller one,
// are not worth simulating. It depends on the simulations alone and not on the machine,
// so that all machines with the same nodes and network try the same numbers.
type sizeSearch struct {
	fastest  bool // the time of a run is all that counts
	usable   bool // some number serves
	shortest float64
	least    float64 // node time
	stalls   int     // numbers in a row that are hardly faster
}

const (
	hardlyFaster = 0.98 // of the time before
	mostStalls   = 2
	mostNodeTime = 2 // of the least node time of a run
)

// ends takes the next number of nodes with the time of a run and whether it may be used,
// and reports whether it is the last to try. A run that does not fit into the memory has
// no time to compare.
func (s *sizeSearch) ends(nodes int, time float64, fits, usable bool) bool {
	if !fits {
		return false
	}
	if s.shortest > 0 && time > hardlyFaster*s.shortest {
		s.stalls++
	} else {
		s.stalls = 0
	}
	if s.shortest == 0 || time < s.shortest {
		s.shortest = time
	}
	cost := float64(nodes) * time
	if s.least == 0 || cost < s.least {
		s.least = cost
	}
	s.usable = s.usable || usable
	return s.stalls >= mostStalls || s.usable && !s.fastest && cost > mostNodeTime*s.least
}

// explore visits the ways to run a workload on a choice as far as their simulations are
// done, with few nodes first, and returns the simulations to do next: none if there are
// no more ways.
func (s *simulator) explore(p *Plan, c Choice, w int, visit func(simulation, outcome)) (next []simulation) {
	x := &p.Workloads[w]
	if x.On.All {
		whole := simulation{plan: p, choice: c, workload: w}
		o, ok := s.lookup(whole)
		if !ok {
			return []simulation{whole}
		}
		visit(whole, o)
		return nil
	}
	for t, count := range p.parts(c) {
		if count == 0 || !x.runsOn(&p.Nodes[t]) {
			continue
		}
		search := sizeSearch{fastest: p.Objective.Name == objectiveTime && p.Objective.Workload == w}
		numbers := x.On.upTo(count)
		committed := p.committedNodes(w, t, c.Network, count)
		if x.On.Best && len(committed) > 0 {
			numbers = append(numbers, committed...)
			slices.Sort(numbers)
			numbers = slices.Compact(numbers)
		}
		ended := false
		for _, n := range numbers {
			if ended && !slices.Contains(committed, n) {
				continue
			}
			run := simulation{p, c, w, way{t, n}}
			o, ok := s.lookup(run)
			if !ok {
				next = append(next, run)
				ended = x.On.Best // what comes next depends on it
				continue
			}
			visit(run, o)
			fits := o.problem() == ""
			if x.On.Best && search.ends(n, float64(o.run.Time), fits, fits && x.inTime(o.run.Time)) {
				ended = true
			}
		}
	}
	return next
}

// runsOn reports whether a workload may run on nodes of a type.
func (w *Workload) runsOn(n *Node) bool { return w.Partition == "" || w.Partition == n.Partition }

// inTime reports whether a run that takes so long meets its deadline.
func (w *Workload) inTime(t units.Seconds) bool { return w.Deadline == 0 || t <= w.Deadline }

// needChoices carries out the simulations of every workload on some choices that have not
// been.
func (s *simulator) needChoices(ctx context.Context, p *Plan, choices []Choice, what string) error {
	return s.needWays(ctx, variants(p, choices), what)
}

// A variant is a choice with the figures of a plan.
type variant struct {
	plan   *Plan
	choice Choice
}

func variants(p *Plan, choices []Choice) []variant {
	var all []variant
	for _, c := range choices {
		all = append(all, variant{p, c})
	}
	return all
}

// needWays is needChoices for choices of several plans. Numbers of nodes that are sought
// are simulated in rounds, because a round depends on the one before.
func (s *simulator) needWays(ctx context.Context, list []variant, what string) error {
	for {
		var next []simulation
		var open []variant
		for _, v := range list {
			before := len(next)
			for w := range v.plan.Workloads {
				next = append(next, s.explore(v.plan, v.choice, w, func(simulation, outcome) {})...)
			}
			if len(next) > before {
				open = append(open, v)
			}
		}
		if len(next) == 0 {
			return nil
		}
		if err := s.need(ctx, next, what); err != nil {
			return err
		}
		list = open
	}
}

// A work is how a workload may run on a machine.
type work struct {
	ways []timedWay // at least one, unless there is a problem
	// problem says why it cannot run, "" if it can.
	problem string
}

// A timedWay is a way with the time of a run, and with what the score is made of: that time
// or, where runs are not the same work, the time of a Tflop; s.
type timedWay struct {
	way
	time  float64
	run   units.Seconds
	extra float64 // energy of a run above that of idle nodes, J
}

// works returns how each workload may run on a choice, whatever its deadlines. REQUIRES:
// needWays was asked for it.
func (s *simulator) works(p *Plan, c Choice) []work {
	key := workKey{p, c.key()}
	if all, known := s.known[key]; known {
		return all
	}
	all := make([]work, len(p.Workloads))
	for w := range p.Workloads {
		all[w] = s.work(p, c, w)
	}
	if s.known == nil {
		s.known = map[workKey][]work{}
	}
	s.known[key] = all
	return all
}

type workKey struct {
	plan   *Plan
	choice string
}

// key identifies a choice within a plan.
func (c Choice) key() string { return fmt.Sprint(c.Types, c.Counts, c.Network, c.Retired) }

func (s *simulator) work(p *Plan, c Choice, w int) work {
	x := &p.Workloads[w]
	var all work
	problem := ""
	next := s.explore(p, c, w, func(run simulation, o outcome) {
		if why := o.problem(); why != "" {
			problem = why
			return
		}
		all.ways = append(all.ways, timedWay{run.on, p.measure(w, o), o.run.Time, p.extra(c, run, o)})
	})
	switch {
	case len(next) > 0:
		panic("purchase: a simulation that nobody asked for: " + next[0].key())
	case len(all.ways) > 0:
	case problem != "":
		all.problem = problem
	case !slices.ContainsFunc(p.nodesOf(c), x.runsOn):
		all.problem = fmt.Sprintf("no nodes of partition %s", x.Partition)
	default:
		all.problem = fmt.Sprintf("too few nodes: a run takes at least %d", x.On.List[0])
	}
	return all
}

// inTime returns the works with the ways that meet the deadlines, and a problem where none
// does.
func (p *Plan) inTime(c Choice, works []work) []work {
	all := slices.Clone(works)
	for w := range all {
		x, y := &p.Workloads[w], &all[w]
		if x.Deadline > 0 && y.problem == "" {
			fastest := slices.MinFunc(y.ways, func(a, b timedWay) int { return cmp.Compare(a.run, b.run) })
			y.ways = slices.DeleteFunc(slices.Clone(y.ways), func(t timedWay) bool { return !x.inTime(t.run) })
			if len(y.ways) == 0 {
				y.problem = fmt.Sprintf("a run takes %v on %s; its deadline is %v", fastest.run, p.wayName(c, fastest.way), x.Deadline)
			}
		}
		if x.Batch > 0 && y.problem == "" {
			if t := units.Seconds(float64(x.Batch) * p.alone(c, *y)); t > x.Within {
				y.problem = fmt.Sprintf("a batch of %s takes %v on the whole machine; its deadline is %v", input.Plural(x.Batch, "run"), t, x.Within)
			}
		}
	}
	return all
}

// nodesOf returns the node types of a machine.
func (p *Plan) nodesOf(c Choice) []*Node {
	var all []*Node
	for t, count := range p.parts(c) {
		if count > 0 {
			all = append(all, &p.Nodes[t])
		}
	}
	return all
}

// wayName says where a run takes place: "4 fat", or the name of the machine.
func (p *Plan) wayName(c Choice, w way) string {
	if w.whole() {
		return p.Name(c)
	}
	return fmt.Sprintf("%d %s", w.nodes, p.Nodes[w.node].Name)
}

// text is what the file says: "4", "2, 4 or 8", "best", "all".
func (r RunNodes) text() string {
	switch {
	case r.All:
		return allNodes
	case r.Best:
		return bestNodes
	}
	list := make([]string, len(r.List))
	for i, n := range r.List {
		list[i] = fmt.Sprint(n)
	}
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " or " + list[last]
}
