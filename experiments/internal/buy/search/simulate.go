package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/pool"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/energy"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/compute"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// A simulation is a run of a workload on nodes of a choice, with the figures of a plan: the one to solve or a variant
// of it.
type simulation struct {
	plan     *model.Plan
	choice   model.Choice
	workload int
	on       model.Way
}

// job returns what is run: among alternatives the one for these nodes.
func (s simulation) job() *model.Workload {
	w := &s.plan.Workloads[s.workload]
	if s.on.Whole() {
		return w
	}
	return w.At(&s.plan.Nodes[s.on.Node])
}

// runs returns all ways to run a workload on a choice, with few nodes of a type first. Committed times are ways beside
// the numbers of nodes to search.
func runs(p *model.Plan, c model.Choice, w int) []simulation {
	x := &p.Workloads[w]
	if x.On.All {
		return []simulation{{plan: p, choice: c, workload: w}}
	}
	var all []simulation
	for t, count := range p.Parts(c) {
		if count == 0 || !x.RunsOn(&p.Nodes[t]) {
			continue
		}
		numbers := slices.Clone(x.Numbers(&p.Nodes[t], count))
		if x.At(&p.Nodes[t]).On.Best {
			for _, i := range p.Committed(w, t, c.Design) {
				if k := p.Commitments[i]; k.Nodes <= count {
					numbers = append(numbers, k.Nodes)
				}
			}
			slices.Sort(numbers)
		}
		for _, n := range slices.Compact(numbers) {
			all = append(all, simulation{p, c, w, model.Way{Node: t, Nodes: n}})
		}
	}
	return all
}

// timed returns the way of the run with the times and energy of an outcome.
func (s simulation) timed(o model.Outcome) model.TimedWay {
	return model.TimedWay{Way: s.on, Time: s.plan.Measure(s.workload, o), Run: o.Run.Time, Extra: s.plan.Extra(s.parts(), o)}
}

// parts returns the nodes of the run by index into Plan.Nodes.
func (s simulation) parts() []int {
	if s.on.Whole() {
		return s.plan.Parts(s.choice)
	}
	counts := make([]int, len(s.plan.Nodes))
	counts[s.on.Node] = s.on.Nodes
	return counts
}

func (s simulation) processes() int {
	n := 0
	for t, count := range s.parts() {
		n += count * s.plan.Nodes[t].Processes
	}
	return n
}

// dependsOn reports whether the time of a run may depend on a figure.
func (s simulation) dependsOn(figure model.Parameter) bool {
	switch {
	case !figure.ChangesTimes():
		return false
	case figure.Kind == model.KindNode:
		return s.parts()[figure.Index] > 0
	case figure.Kind == model.KindNetwork:
		return s.on.Nodes != 1 && s.choice.Network == figure.Index
	}
	return true
}

// committed returns a vendor's commitment for the run, nil if there is none.
func (s simulation) committed() *model.Commitment {
	if len(s.plan.Commitments) == 0 {
		return nil
	}
	on := s.on
	if on.Whole() {
		for t, count := range s.parts() {
			if count > 0 && on.Nodes > 0 {
				return nil // the run has nodes of two types
			}
			if count > 0 {
				on = model.Way{Node: t, Nodes: count}
			}
		}
	}
	if i := s.plan.Commitment(s.workload, on.Node, s.choice.Design, on.Nodes); i >= 0 {
		return &s.plan.Commitments[i]
	}
	return nil
}

// machine returns the machine and the processes on it. The precision that an application names holds on all devices for
// which the plan names none. Node types are named by their place among those of the run, so that a simulation does not
// depend on their names in the plan; [simulation.named] restores these in texts.
func (s simulation) machine() (*topology.Machine, topology.Selection) {
	m, use := s.plan.Machine(s.choice, s.parts())
	for i := range s.plan.Nodes {
		x := &s.plan.Nodes[i]
		if _, part := use.Precision[x.Name]; part {
			use.Precision[x.Name] = x.PrecisionOf(s.job().Run)
		}
	}
	_ = s.job().RankOrder.Deal(nil, m, &use) // files fit, and name nodes as here; placing reports what cannot be placed
	m.Name, m.Network.Title = "", ""
	for i := range m.Types {
		name := placeName(i)
		rename(use.Processes, m.Types[i].Name, name)
		rename(use.Threads, m.Types[i].Name, name)
		rename(use.Precision, m.Types[i].Name, name)
		m.Groups[i].Type, m.Groups[i].Name = name, name
		m.Types[i].Name, m.Types[i].Title = name, ""
	}
	return m, use
}

// placeName is the name of a node type by its place.
func placeName(i int) string { return fmt.Sprintf("<type %d>", i) }

func rename[T any](of map[string]T, from, to string) {
	if x, ok := of[from]; ok {
		delete(of, from)
		of[to] = x
	}
}

// named replaces the place names of node types in texts about a simulation by the names of the plan.
func (s simulation) named(texts []string) []string {
	if len(texts) == 0 {
		return texts
	}
	var names []string
	for t, count := range s.parts() {
		if count > 0 {
			names = append(names, placeName(len(names)/2), s.plan.Nodes[t].Name)
		}
	}
	return each.Of(texts, func(text string) string { return strings.NewReplacer(names...).Replace(text) })
}

// key identifies a simulation by everything that its outcome depends on. In a run on one node no message uses the
// network.
func (s simulation) key() string {
	m, use := s.machine()
	var b strings.Builder
	fmt.Fprintf(&b, "%d", s.workload)
	workload := s.job().Run
	placement, err := m.Place(use)
	if err != nil {
		return s.plan.Name(s.choice) // its simulation reports the error
	}
	shared := s.plan.Model.SharesMemory
	for _, r := range placement.Blocks {
		memory, p := r.Memory(), processOn(r, s.job())
		if !shared && !workload.StatesTraffic && p.Rate(workload.BytesPerFlop) == p.Speed {
			memory.Bandwidth = 0 // memory counts only where computations wait for it
		}
		fmt.Fprintf(&b, " %d %d %d %s %x %x %x %x", r.Nodes, r.Processes, r.Threads, r.Precision,
			float64(r.Speed()), workload.SustainedOn(r), float64(memory.Size), float64(memory.Bandwidth))
		for _, x := range workload.SlownessOn(r) {
			fmt.Fprintf(&b, " %x", x)
		}
		if shared {
			fmt.Fprintf(&b, " %x %d", float64(r.Type.NIC), r.Type.NICs)
		}
		if c := r.OnNode(); c != nil {
			fmt.Fprintf(&b, " %x %x", float64(c.Latency), float64(c.Bandwidth))
		}
		if r.OnDevices() { // their links and cards count in every model
			d := r.Type.Devices
			fmt.Fprintf(&b, " %d %d %v %+v %x %x %x %x", d.Count, r.Type.NICs, d.Cards, d.Across(),
				float64(d.SwitchReduction), float64(d.SwitchLatency), float64(d.Relay.Latency), float64(d.Relay.Bandwidth))
			if d.Across() != nil {
				fmt.Fprintf(&b, " %d", d.DomainNodes)
			}
		}
	}
	fmt.Fprintf(&b, " %x %x", float64(m.Network.OnNode.Latency), float64(m.Network.OnNode.Bandwidth))
	if each.Total(s.parts()) == 1 {
		return b.String()
	}
	fmt.Fprintf(&b, " %x %x", float64(m.Network.Latency), float64(m.Network.Bandwidth))
	if shared {
		fmt.Fprintf(&b, " %+v", m.Network.Topology)
	}
	if order := s.job().RankOrder.Name; order != "" {
		b.WriteString(" " + order)
	}
	return b.String()
}

func processOn(r topology.Block, w *model.Workload) compute.Process {
	memory := r.Memory()
	return compute.Process{
		Speed:  units.FlopsPerSecond(w.Run.SustainedOn(r)) * r.Speed(),
		Memory: compute.Share(memory.Bandwidth, memory.Processes),
	}
}

func (s simulation) system() (*system.System, error) {
	m, use := s.machine()
	n, err := s.plan.Model.On(m)
	if err != nil {
		return nil, err
	}
	use.Oversubscribe = n.SharesCores()
	made := scenario.Scenario{Machine: m, Selection: use, Network: n, Workload: s.job().Run, Seed: s.plan.Seed, RankOrder: s.job().RankOrder}
	return system.New(&made)
}

// run carries out a simulation on one core, or as many as the search for the problem size that holds the workload's
// target takes.
func (s simulation) run(ctx context.Context) (o model.Outcome, err error) {
	sys, err := s.system()
	if err == nil {
		if o.Unattainable = s.indivisible(sys); o.Unattainable != "" {
			return o, nil
		}
		o.Run, err = s.simulate(ctx, sys)
	}
	if unattainable, ok := errors.AsType[*fault.UnattainableError](err); ok {
		return model.Outcome{Unattainable: unattainable.Reason()}, nil
	}
	if err != nil {
		return model.Outcome{}, fmt.Errorf("%s, workload %s: %w", s.plan.WayName(s.choice, s.on), s.job().Name, err)
	}
	return o, nil
}

// indivisible says why a workload of known size cannot be dealt out to the processes of a machine, for example because
// their number is no multiple of the parts of a model's layout; "" if it can. Other machines may run it.
func (s simulation) indivisible(sys *system.System) string {
	if w := s.job(); w.Target == 0 {
		if err := sys.Algorithm(w.Run.N).Validate(); err != nil {
			return strings.ReplaceAll(err.Error(), "\n", "; ")
		}
	}
	return ""
}

// problems says why the run cannot take place: it does not divide, or its data do not fit into memory.
func (s simulation) problems(sys *system.System) []string {
	if why := s.indivisible(sys); why != "" {
		return []string{why}
	}
	return s.named(sys.Data(s.job().Run.N).Problems)
}

func (s simulation) simulate(ctx context.Context, sys *system.System) (r model.Simulated, err error) {
	sys.Workers = 1
	curve, w := system.NewCurve(sys), s.job()
	var x *system.Simulation
	if w.Target > 0 {
		// A machine that exceeds the target at the smallest size is not worse than one that
		// just holds it, so that size is the answer; a study has no answer there. Machines
		// are ranked by what they do at the target, see [model.Plan.Score].
		x, err = curve.Hold(ctx, w.Target, w.Sizes)
		if unattainable, ok := errors.AsType[*fault.UnattainableError](err); ok && unattainable.TooEasy {
			x, err = curve.At(ctx, w.Sizes.From)
		}
	} else {
		x, err = curve.At(ctx, w.Run.N)
	}
	if err != nil {
		return r, err
	}
	r = model.Simulated{
		N: x.N, Work: x.Work, Time: x.Makespan, MarkedSpeed: x.MarkedSpeed, Efficiency: x.SpeedEfficiency, Compute: x.Useful, Longest: x.Longest,
		MemoryBound: sys.MemoryBound(), Memory: sys.Data(x.N).Problems,
		Warnings: slices.Concat(x.Warnings, system.MachineWarnings(sys.Placement, sys.Transport.Kind)),
	}
	for _, b := range x.System.Placement.Blocks {
		compute, messages := energy.NodeTime(x.System.Placement, b, x.Result)
		r.Drawn = append(r.Drawn, model.Drawn{Compute: compute, Messages: messages})
	}
	r.Simulations, r.Events = curve.Effort()
	return r, nil
}

func (s simulation) answer(o model.Outcome) string {
	text := s.job().Name + " on " + s.plan.WayName(s.choice, s.on) + ": "
	if o.Unattainable != "" {
		return text + "not attainable"
	}
	return text + o.Run.Time.String()
}

type simulator struct {
	Options     // Kept is nil where simulations are not kept
	done        map[string]model.Outcome
	simulations int
	events      int64
}

// lookup returns the outcome of a run if it is committed or has been simulated.
func (s *simulator) lookup(x simulation) (model.Outcome, bool) {
	if k := x.committed(); k != nil {
		return model.Outcome{Run: model.Simulated{N: x.job().Run.N, Time: k.Time}, Source: k.SourceText()}, true
	}
	o, ok := s.done[x.key()]
	o.Run.Memory, o.Run.Warnings = x.named(o.Run.Memory), x.named(o.Run.Warnings)
	return o, ok
}

type pending struct {
	simulation
	key     string
	after   int // how many members of the crew come before this one for it
	outcome model.Outcome
}

// need carries out the simulations that are still missing, and reports progress of those that succeed. The error is
// that of the first that fails, in the order of startEarly.
func (s *simulator) need(ctx context.Context, list []simulation, what string) error {
	var todo []pending
	listed := map[string]bool{}
	for _, x := range list {
		key := x.key()
		if _, done := s.done[key]; done || listed[key] {
			continue
		}
		listed[key] = true
		if o, found := s.load(x); found {
			s.finish(key, o)
			continue
		}
		todo = append(todo, pending{simulation: x, key: key})
	}
	startEarly(todo)
	if s.Crew.Members > 0 {
		s.Crew.ownLast(todo)
	}
	if s.Progress != nil && len(todo) > 0 {
		s.Progress(input.Step{Total: len(todo), What: what})
	}
	err := pool.Each(len(todo), s.Jobs, func(i int) (err error) {
		x := &todo[i]
		if err = ctx.Err(); err == nil {
			x.outcome, err = s.carryOut(ctx, x.simulation)
		}
		return err
	}, func(finished, i int) {
		if s.Progress != nil {
			text := what + "; " + todo[i].answer(todo[i].outcome)
			s.Progress(input.Step{Done: finished, Total: len(todo), What: text})
		}
	})
	if err != nil {
		return err
	}
	for _, x := range todo {
		s.finish(x.key, x.outcome)
	}
	return nil
}

func (s *simulator) finish(key string, o model.Outcome) {
	s.done[key] = o
	s.simulations += o.Run.Simulations
	s.events += o.Run.Events
}

// startEarly puts the simulation of each workload on the fewest processes at the end of a list: [system.Each]
// begins there, so that there is a first result of every workload early.
func startEarly(list []pending) {
	least := map[int]int{} // by workload
	for i, x := range list {
		if k, known := least[x.workload]; !known || x.processes() < list[k].processes() {
			least[x.workload] = i
		}
	}
	var order, early []pending
	for i, x := range list {
		if least[x.workload] == i {
			early = append(early, x)
		} else {
			order = append(order, x)
		}
	}
	copy(list, append(order, early...))
}
