package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/energy"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/model/compute"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// drawnBy returns the states of the nodes of a simulation by type.
func drawnBy(x *system.Simulation) []model.Drawn {
	var all []model.Drawn
	for _, b := range x.System.Placement.Blocks {
		compute, messages := energy.NodeTime(b, x.Result)
		all = append(all, model.Drawn{Node: b.Type.Name, Compute: compute, Messages: messages})
	}
	return all
}

// committed returns what a vendor commits to for a run, nil if nothing.
func (s simulation) committed() *model.Commitment {
	if len(s.plan.Commitments) == 0 {
		return nil
	}
	node, nodes := s.on.Node, s.on.Nodes
	if s.on.Whole() {
		node = -1
		for t, count := range s.parts() {
			switch {
			case count == 0:
			case node >= 0:
				return nil // nodes of two types
			default:
				node, nodes = t, count
			}
		}
	}
	if i := s.plan.Commitment(s.workload, node, s.choice.Network, nodes); i >= 0 {
		return &s.plan.Commitments[i]
	}
	return nil
}

// lookup returns the outcome of a run: committed or, once it has been carried out,
// simulated.
func (s *simulator) lookup(x simulation) (model.Outcome, bool) {
	if k := x.committed(); k != nil {
		return model.Outcome{Run: model.Simulated{N: x.plan.Workloads[x.workload].Run.N, Time: k.Time}, Source: k.SourceText()}, true
	}
	o, ok := s.done[x.key()]
	return o, ok
}

// A simulation is a run of a workload on nodes of a choice, with the figures of a plan,
// which may be the one that is solved or a variant of it.
type simulation struct {
	plan     *model.Plan
	choice   model.Choice
	workload int
	on       model.Way
}

// parts returns the nodes of a run by index into Plan.Nodes.
func (s simulation) parts() []int {
	if s.on.Whole() {
		return s.plan.Parts(s.choice)
	}
	counts := make([]int, len(s.plan.Nodes))
	counts[s.on.Node] = s.on.Nodes
	return counts
}

// machine returns the machine, and the processes on it. The precision that an application
// names holds on all devices for which the plan names none.
func (s simulation) machine() (*topology.Machine, topology.Selection) {
	m, use := s.plan.Machine(s.choice, s.parts())
	for i := range s.plan.Nodes {
		x := &s.plan.Nodes[i]
		if _, part := use.Precision[x.Name]; part {
			use.Precision[x.Name] = x.PrecisionOf(s.plan.Workloads[s.workload].Run)
		}
	}
	return m, use
}

// key identifies a simulation by everything that its outcome depends on. No message of a
// run on one node takes the network.
func (s simulation) key() string {
	m, use := s.machine()
	var b strings.Builder
	fmt.Fprintf(&b, "%d", s.workload)
	workload := s.plan.Workloads[s.workload].Run
	placement, err := m.Place(use)
	if err != nil {
		return s.plan.Name(s.choice) // which its simulation reports
	}
	for _, r := range placement.Blocks {
		memory, sustained := r.Memory(), workload.SustainedOn(r)
		if !s.plan.Model.SharesMemory() && !workload.StatesTraffic {
			// Only a memory that computations wait for counts.
			p := compute.Process{Speed: units.FlopsPerSecond(sustained) * r.Speed(), Memory: compute.Share(memory.Bandwidth, memory.Processes)}
			if p.Rate(workload.BytesPerFlop) == p.Speed {
				memory.Bandwidth = 0
			}
		}
		fmt.Fprintf(&b, " %s %d %d %d %s %x %x %x", r.Type.Name, r.Nodes, r.Processes, r.Threads, r.Precision, float64(r.Speed()), sustained, float64(memory.Bandwidth))
		for _, x := range workload.SlownessOn(r) {
			fmt.Fprintf(&b, " %x", x)
		}
		if c := r.OnNode(); c != nil {
			fmt.Fprintf(&b, " %x %x", float64(c.Latency), float64(c.Bandwidth))
		}
	}
	fmt.Fprintf(&b, " %x %x", float64(m.Network.OnNode.Latency), float64(m.Network.OnNode.Bandwidth))
	if model.Total(s.parts()) == 1 {
		return b.String()
	}
	fmt.Fprintf(&b, " %x %x", float64(m.Network.Latency), float64(m.Network.Bandwidth))
	if s.plan.Model.SharesMemory() {
		fmt.Fprintf(&b, " %+v", m.Network.Topology)
	}
	return b.String()
}

// scenario returns the simulation as a scenario.
func (s simulation) scenario() (*scenario.Scenario, error) {
	m, use := s.machine()
	n, err := s.plan.Model.On(m)
	if err != nil {
		return nil, err
	}
	use.Oversubscribe = n.SharesCores()
	return &scenario.Scenario{
		Machine: m, Selection: use, Network: n,
		Workload: s.plan.Workloads[s.workload].Run, Seed: s.plan.Seed,
	}, nil
}

// run carries out a simulation on one core, or as many as it takes to find the
// problem size that holds the target of the workload.
func (s simulation) run(ctx context.Context) (model.Outcome, error) {
	w := &s.plan.Workloads[s.workload]
	o, err := s.simulate(ctx, w)
	var unattainable *fault.UnattainableError
	switch {
	case errors.As(err, &unattainable):
		return model.Outcome{Unattainable: unattainable.Reason()}, nil
	case err != nil:
		return model.Outcome{}, fmt.Errorf("%s, workload %s: %w", s.plan.WayName(s.choice, s.on), w.Name, err)
	}
	return o, nil
}

func (s simulation) simulate(ctx context.Context, w *model.Workload) (model.Outcome, error) {
	c, err := s.scenario()
	if err != nil {
		return model.Outcome{}, err
	}
	sys, err := system.New(c)
	if err != nil {
		return model.Outcome{}, err
	}
	sys.Workers = 1
	curve := system.NewCurve(sys)
	var x *system.Simulation
	if w.Target > 0 {
		x, err = hold(ctx, curve, w)
	} else {
		x, err = curve.At(ctx, w.Run.N)
	}
	if err != nil {
		return model.Outcome{}, err
	}
	r := model.Simulated{
		N: x.N, Work: x.Work, Time: x.Makespan, MarkedSpeed: x.MarkedSpeed, Efficiency: x.SpeedEfficiency, Compute: x.Compute,
		MemoryBound: sys.MemoryBound(), Drawn: drawnBy(x), Memory: x.MemoryWarnings(), Warnings: slices.Concat(x.Warnings, sys.CardWarnings()),
	}
	r.Simulations, r.Events = curve.Effort()
	return model.Outcome{Run: r}, nil
}

// hold finds the problem size that holds the target of a workload. A machine that
// exceeds the target at the smallest size is not worse than one that just holds it, so
// that size is the answer; a study has no answer there. Machines are ranked by what
// they do at the target, see score.go.
func hold(ctx context.Context, curve *system.Curve, w *model.Workload) (*system.Simulation, error) {
	x, err := curve.Hold(ctx, w.Target, w.Sizes)
	if unattainable, ok := errors.AsType[*fault.UnattainableError](err); ok && unattainable.TooEasy {
		return curve.At(ctx, w.Sizes.From)
	}
	return x, err
}

// answer is an outcome in a few words.
func (x simulation) answer(o model.Outcome) string {
	text := x.plan.Workloads[x.workload].Name + " on " + x.plan.WayName(x.choice, x.on) + ": "
	if o.Unattainable != "" {
		return text + "not attainable"
	}
	return text + o.Run.Time.String()
}

// A simulator carries out simulations, each once.
type simulator struct {
	jobs        int // simulations at a time
	progress    input.Progress
	done        map[string]model.Outcome
	kept        *store.Cache // nil: simulations are not kept
	crew        Crew         // that shares the folder
	known       map[workKey][]model.Work
	estimate    estimate
	simulations int
	events      int64
}

// need carries out those simulations that have not been, and reports progress of those
// that succeed. The error is that of the first, in the order of startEarly, that fails.
func (s *simulator) need(ctx context.Context, list []simulation, what string) error {
	var todo []simulation
	var keys []string
	listed := map[string]bool{}
	for _, x := range list {
		key := x.key()
		if _, done := s.done[key]; done || listed[key] {
			continue
		}
		listed[key] = true
		if s.kept != nil {
			if o, found := s.load(x); found {
				s.finish(key, o)
				continue
			}
		}
		todo, keys = append(todo, x), append(keys, key)
	}
	startEarly(todo, keys)
	if s.crew.Members > 0 {
		s.crew.ownLast(todo, keys)
	}
	outcomes, took := make([]model.Outcome, len(todo)), make([]time.Duration, len(todo))
	s.estimate.begin(todo)
	if s.progress != nil && len(todo) > 0 {
		s.progress(input.Step{Total: len(todo), What: what})
	}
	err := system.Each(len(todo), s.jobs, func(i int) (err error) {
		begun := time.Now()
		if err = ctx.Err(); err == nil {
			outcomes[i], err = s.carryOut(ctx, todo[i])
		}
		took[i] = time.Since(begun)
		return err
	}, func(finished, i int) {
		s.estimate.done(todo[i], took[i])
		if s.progress != nil {
			s.progress(input.Step{Done: finished, Total: len(todo), What: what + "; " + todo[i].answer(outcomes[i]), Share: s.estimate.share()})
		}
	})
	if err != nil {
		return err
	}
	for i, key := range keys {
		s.finish(key, outcomes[i])
	}
	return nil
}

// carryOut carries out a simulation and keeps what it gave.
func (s *simulator) carryOut(ctx context.Context, x simulation) (model.Outcome, error) {
	if s.crew.Members > 0 {
		return s.runOnce(ctx, x)
	}
	o, err := x.run(ctx)
	if err == nil && s.kept != nil {
		err = s.save(x, o)
	}
	return o, err
}

// finish notes what a simulation gave, in this process or one before.
func (s *simulator) finish(key string, o model.Outcome) {
	s.done[key] = o
	s.simulations += o.Run.Simulations
	s.events += o.Run.Events
}

// startEarly puts the simulation of each workload on the fewest processes at the end of
// a list and of its keys: [system.Each] begins there, so that there is a first result of
// every workload early.
func startEarly(list []simulation, keys []string) {
	least := map[int]int{} // by workload
	for i, x := range list {
		if k, known := least[x.workload]; !known || x.processes() < list[k].processes() {
			least[x.workload] = i
		}
	}
	var order, early []int
	for i, x := range list {
		if least[x.workload] == i {
			early = append(early, i)
		} else {
			order = append(order, i)
		}
	}
	order = append(order, early...)
	oldList, oldKeys := slices.Clone(list), slices.Clone(keys)
	for to, from := range order {
		list[to], keys[to] = oldList[from], oldKeys[from]
	}
}

// scoreOf returns the score of a choice and its load, with the figures of a plan. REQUIRES:
// needWays was asked for it.
func (s *simulator) scoreOf(p *model.Plan, c model.Choice) (float64, *model.Load) {
	return p.Score(c, s.usable(p, c))
}

// usable returns how each workload may run on a choice and meet its deadlines.
func (s *simulator) usable(p *model.Plan, c model.Choice) []model.Work {
	return p.InTime(c, s.works(p, c))
}

// committedNodes returns the numbers of nodes of a type, up to count, on which a vendor
// commits to the time of a run of a workload.
func committedNodes(p *model.Plan, w, node, network, count int) []int {
	var all []int
	for _, k := range p.Commitments {
		if k.Workload == w && k.Node == node && k.Nodes <= count && (k.Network < 0 || k.Network == network) {
			all = append(all, k.Nodes)
		}
	}
	return all
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
func (s *simulator) explore(p *model.Plan, c model.Choice, w int, visit func(simulation, model.Outcome)) (next []simulation) {
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
	for t, count := range p.Parts(c) {
		if count == 0 || !x.RunsOn(&p.Nodes[t]) {
			continue
		}
		search := sizeSearch{fastest: p.Objective.Name == model.ObjectiveTime && p.Objective.Workload == w}
		numbers := x.On.UpTo(count)
		committed := committedNodes(p, w, t, c.Network, count)
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
			run := simulation{p, c, w, model.Way{Node: t, Nodes: n}}
			o, ok := s.lookup(run)
			if !ok {
				next = append(next, run)
				ended = x.On.Best // what comes next depends on it
				continue
			}
			visit(run, o)
			fits := o.Problem() == ""
			if x.On.Best && search.ends(n, float64(o.Run.Time), fits, fits && x.InTime(o.Run.Time)) {
				ended = true
			}
		}
	}
	return next
}

// needChoices carries out the simulations of every workload on some choices that have not
// been.
func (s *simulator) needChoices(ctx context.Context, p *model.Plan, choices []model.Choice, what string) error {
	return s.needWays(ctx, variants(p, choices), what)
}

// A variant is a choice with the figures of a plan.
type variant struct {
	plan   *model.Plan
	choice model.Choice
}

func variants(p *model.Plan, choices []model.Choice) []variant {
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
				next = append(next, s.explore(v.plan, v.choice, w, func(simulation, model.Outcome) {})...)
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

// works returns how each workload may run on a choice, whatever its deadlines. REQUIRES:
// needWays was asked for it.
func (s *simulator) works(p *model.Plan, c model.Choice) []model.Work {
	key := workKey{p, c.Key()}
	if all, known := s.known[key]; known {
		return all
	}
	all := make([]model.Work, len(p.Workloads))
	for w := range p.Workloads {
		all[w] = s.work(p, c, w)
	}
	if s.known == nil {
		s.known = map[workKey][]model.Work{}
	}
	s.known[key] = all
	return all
}

type workKey struct {
	plan   *model.Plan
	choice string
}

func (s *simulator) work(p *model.Plan, c model.Choice, w int) model.Work {
	x := &p.Workloads[w]
	var all model.Work
	problem := ""
	next := s.explore(p, c, w, func(run simulation, o model.Outcome) {
		if why := o.Problem(); why != "" {
			problem = why
			return
		}
		all.Ways = append(all.Ways, model.TimedWay{Way: run.on, Time: p.Measure(w, o), Run: o.Run.Time, Extra: p.Extra(run.parts(), o)})
	})
	switch {
	case len(next) > 0:
		panic("buy: a simulation that nobody asked for: " + next[0].key())
	case len(all.Ways) > 0:
	case problem != "":
		all.Problem = problem
	case !slices.ContainsFunc(p.NodesOf(c), x.RunsOn):
		all.Problem = fmt.Sprintf("no nodes of partition %s", x.Partition)
	default:
		all.Problem = fmt.Sprintf("too few nodes: a run takes at least %d", x.On.List[0])
	}
	return all
}
