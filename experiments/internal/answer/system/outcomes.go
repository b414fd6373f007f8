package system

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/energy"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/compute"
	"github.com/isoscale/isoscale/model/regression"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Outcome is a quantity that a case is measured by.
type Outcome struct {
	Name, Unit string
	Meaning    string
	Traits
}

// Traits are what analyses must know about an outcome beside its values. An outcome
// without any is an ordinary number.
type Traits struct {
	// Law is the form of the laws of scaling that the outcome follows; nil if there are none.
	Law *regression.Kind
	// Longer is the power of the time that the outcome is proportional to: 1 for times, -1 for speeds, 0 for others.
	Longer float64
	// Processors says that the outcome counts processors: it can be the variable of such laws.
	Processors bool
	// Log2Of is the outcome of which this one is the logarithm to base 2.
	Log2Of string
	// PerWork is the outcome or expression to use where points differ in work, so that this one does not
	// compare them; "" if it compares any points.
	PerWork string
	// Aim is the default goal, if cases are compared by this outcome unless a plan says
	// otherwise.
	Aim Aim
	// Level is the level of the super-program that the outcome is about, from 1; 0: all levels.
	Level int
	// Lost is the cause, if the outcome is a lost share of the time.
	Lost string
	// Brief says that the outcome is part of the one-line summary of a run.
	Brief bool
	// Lacking says which cases have no such outcome; "" if all have it.
	Lacking string
	// OfDispatch says that only super-programs with method dispatch have the outcome.
	OfDispatch bool
}

// Aim is a goal.
type Aim int

const (
	NoAim Aim = iota
	Smallest
	Largest
)

// Names of outcomes that other packages ask for.
const (
	Processes   = "processes"
	MarkedSpeed = "marked_speed"
	Time        = "time"
	Work        = "work"
	Compute     = "compute"
	Overhead    = "overhead"
	Wait        = "wait"
	Energy      = "energy"
)

// outcome is an outcome with its value in a result of type T.
type outcome[T any] struct {
	Outcome
	value func(T) float64
}

// outcomes are the outcomes of a scenario.
var outcomes = []outcome[*Simulation]{
	{Outcome{Processes, "", "number of processes", Traits{Processors: true, Brief: true}}, func(x *Simulation) float64 { return float64(len(x.System.Speeds)) }},
	{Outcome{Time, "s", "makespan: from the start to the end of the last process", Traits{Longer: 1, Law: new(regression.Time), Aim: Smallest, PerWork: "achieved_speed", Brief: true}}, func(x *Simulation) float64 { return float64(x.Makespan) }},
	{Outcome{Work, "flop", "W, work of the algorithm", Traits{}}, func(x *Simulation) float64 { return float64(x.Work) }},
	{Outcome{MarkedSpeed, "flop/s", "C, sum of the benchmarked speeds of the cores that take part", Traits{}}, func(x *Simulation) float64 { return float64(x.MarkedSpeed) }},
	{Outcome{"achieved_speed", "flop/s", "W/T", Traits{Longer: -1, Law: new(regression.Throughput)}}, func(x *Simulation) float64 { return float64(x.AchievedSpeed) }},
	{Outcome{"speed_efficiency", "", "W/(T C): achieved speed divided by marked speed", Traits{Longer: -1, Brief: true}}, func(x *Simulation) float64 { return x.SpeedEfficiency }},
	{Outcome{Compute, "s", "time spent computing, mean over the processes", Traits{Longer: 1, Brief: true}}, func(x *Simulation) float64 { return float64(x.Compute) }},
	{Outcome{Overhead, "s", "time spent sending, receiving, in delays and in collective operations of given cost, mean over the processes", Traits{Longer: 1}}, func(x *Simulation) float64 { return float64(x.Overhead) }},
	{Outcome{Wait, "s", "time spent waiting, until the last process ends, mean over the processes", Traits{Longer: 1, Brief: true}}, func(x *Simulation) float64 { return float64(x.Wait) }},
	{Outcome{"messages", "", "number of messages sent", Traits{Brief: true}}, func(x *Simulation) float64 { return float64(x.Messages) }},
	{Outcome{"bytes", "B", "total size of the messages, in whole bytes", Traits{}}, func(x *Simulation) float64 { return math.Round(float64(x.Bytes)) }},
}

// energyOutcome is an outcome of scenarios that state the power of nodes.
var energyOutcome = outcome[*Simulation]{
	Outcome{Energy, "J", "energy of the nodes that take part, if the machine gives their power",
		Traits{Longer: 1, Lacking: "the nodes have no power", PerWork: "energy/work"}},
	func(x *Simulation) float64 {
		return ifKnown(x.Energy, func(e *energy.Account) float64 { return float64(e.Total) })
	},
}

// ifKnown returns a value of a part of a result, NaN if that part is not known (nil).
func ifKnown[P any](of *P, value func(*P) float64) float64 {
	if of == nil {
		return math.NaN()
	}
	return value(of)
}

// memoryOutcomes are outcomes of scenarios that state the memory of node types.
var memoryOutcomes = []outcome[*Simulation]{
	ofMemory("problem_size", "", "n, problem size", func(x *Simulation) float64 { return float64(x.N) }),
	ofMemory("process_memory", "B", "largest data of a process", func(x *Simulation) float64 { return math.Round(float64(x.data.Process)) }),
	ofMemory("memory", "B", "largest data in the memory of a node, or of a device", func(x *Simulation) float64 { return math.Round(float64(x.data.Node)) }),
	ofMemory("memory_use", "", "share of the fullest memory that is used", func(x *Simulation) float64 { return x.data.Use }),
}

func ofMemory(name, unit, meaning string, value func(*Simulation) float64) outcome[*Simulation] {
	return outcome[*Simulation]{
		Outcome{name, unit, meaning, Traits{Lacking: "the nodes state no memory"}},
		func(x *Simulation) float64 {
			if !x.data.Known {
				return math.NaN()
			}
			return value(x)
		},
	}
}

var superOutcomes = []outcome[*SuperProgramResult]{
	{Outcome{"nodes", "", "total nodes of the last level", Traits{Processors: true, Brief: true}}, func(r *SuperProgramResult) float64 { return r.Nodes }},
	{Outcome{Time, "s", "makespan of the whole program", Traits{Law: new(regression.Time), PerWork: "speedup", Brief: true}}, func(r *SuperProgramResult) float64 { return r.Time }},
	{Outcome{Work, "s", "time of all SIs on one node without dispatch", Traits{}}, func(r *SuperProgramResult) float64 { return r.Work }},
	{Outcome{"speedup", "", "relative to one node of speed 1 that does the same work without dispatch", Traits{Law: new(regression.Speedup), Brief: true}}, func(r *SuperProgramResult) float64 { return r.Speedup }},
	{Outcome{"log2_speedup", "", "log2 of the speedup", Traits{Log2Of: "speedup", Aim: Largest, Brief: true}}, func(r *SuperProgramResult) float64 { return r.Log2Speedup }},
	{Outcome{"efficiency", "", "speedup divided by the sum of the speeds of all nodes", Traits{Brief: true}}, func(r *SuperProgramResult) float64 { return r.Efficiency }},
}

// Known returns the outcome with a name, of scenarios or else of super-programs.
func Known(name string) (o Outcome, ok bool) {
	for _, o := range slices.Concat(OutcomesOfScenarios(More{}), OutcomesOfSuperPrograms(0)) {
		if o.Name == name {
			return o, true
		}
	}
	return Outcome{}, false
}

// OutcomesOfScenarios returns the outcomes of scenarios, followed by those that only some have.
func OutcomesOfScenarios(more More) []Outcome { return descriptions(outcomesOf(more)) }

// OutcomesOfSuperPrograms returns the outcomes of super-programs, followed by those of the given number of levels.
func OutcomesOfSuperPrograms(levels int) []Outcome { return descriptions(superOutcomesOf(levels)) }

// More are outcomes that only some cases have.
type More struct {
	Levels int  // of a super-program: the number of first levels with outcomes
	Energy bool // of a scenario: its energy
	Memory bool // of a scenario: the memory that its data take
	// Unfit: cases whose data do not fit into memory are simulated too.
	Unfit bool
	Explained
}

// Outcomes returns the outcomes of the cases of a template, in the order of the values of
// [RunCaseWithin].
func Outcomes(t *scenario.Template, more More) []Outcome {
	if input.KindOf(t.Root) == input.KindSuper {
		return OutcomesOfSuperPrograms(more.Levels)
	}
	return OutcomesOfScenarios(more)
}

func outcomesOf(more More) []outcome[*Simulation] {
	all := slices.Clip(outcomes)
	if more.Energy {
		all = append(all, energyOutcome)
	}
	if more.Memory {
		all = append(all, memoryOutcomes...)
	}
	for _, x := range Explanations {
		if *x.Of(&more.Explained) {
			all = append(all, x.outcomes...)
		}
	}
	return all
}

// RunCase carries out a case on one core and returns its outcomes, without those that
// [More] adds.
func RunCase(ctx context.Context, c *scenario.Case) ([]float64, error) {
	return RunCaseWithin(ctx, c, More{}, cluster.NoLimit)
}

// RunCaseWithin is [RunCase] with more outcomes and a limit on memory. Memory is estimated, so a case above the limit
// has the same error on all computers. Outcomes are finite, or NaN where [Traits.Lacking] says that a case has none.
func RunCaseWithin(ctx context.Context, c *scenario.Case, more More, memory units.Bytes) ([]float64, error) {
	if c.Super != nil {
		r, err := RunSuperProgram(ctx, c.Super, nil)
		if err != nil {
			return nil, err
		}
		return values(superOutcomesOf(more.Levels), r)
	}
	sys, err := newAtWithin(ctx, c.Scenario, memory)
	if err != nil {
		return nil, err
	}
	sys.Workers = 1
	n := c.Scenario.Workload.N
	var data scenario.Data
	if a := sys.Algorithm(n); more.Memory && a.Validate() == nil { // else the simulation returns the error
		if data = sys.Data(n); len(data.Problems) > 0 && !more.Unfit {
			return nil, &InfeasibleError{data.Problems}
		}
	}
	x, err := sys.Explain(ctx, n, more.Explained)
	if err != nil {
		return nil, err
	}
	x.data = data
	return x.Outcomes(more)
}

// Outcomes returns the outcomes of a simulation as [RunCaseWithin] does, as far as it was explained.
func (x *Simulation) Outcomes(more More) ([]float64, error) { return values(outcomesOf(more), x) }

// ByName returns the values of the outcomes that a case has, by name.
func ByName(outcomes []Outcome, values []float64) map[string]float64 {
	named := map[string]float64{}
	for i, o := range outcomes {
		if !math.IsNaN(values[i]) {
			named[o.Name] = values[i]
		}
	}
	return named
}

func descriptions[T any](table []outcome[T]) []Outcome {
	return each.Of(table, func(o outcome[T]) Outcome { return o.Outcome })
}

// values returns finite outcomes, and NaN for those that the case lacks. Any other number is
// an error: files, charts and pages could not hold it.
func values[T any](table []outcome[T], of T) ([]float64, error) {
	all := make([]float64, len(table))
	for i, o := range table {
		x := o.value(of)
		if lacks := math.IsNaN(x) && o.Lacking != ""; !lacks && (math.IsNaN(x) || math.IsInf(x, 0)) {
			return nil, fmt.Errorf("outcome %s is %g; expected a finite number, as smaller sizes, times and speeds give", o.Name, x)
		}
		all[i] = x
	}
	return all, nil
}

// A Least is what process 0 of a run does on any network: its own operations one after
// the other, without waits.
type Least struct {
	Busy units.Seconds // for which it computes or is delayed
	Sent units.Bytes   // to other nodes
}

// Least returns what process 0 does in a run of the workload at problem size n, up to the
// first operation whose outcome depends on the order of events, or up to leastOperations. So
// no run takes less than Busy, and if messages of a process leave one after another at a
// bandwidth B, none takes less than Sent/B.
//
//	Busy = sum over its computations of max(W/v, Q/m)
//
//	W, Q  work, flop, and memory traffic, byte, of a computation
//	v     its speed, flop/s
//	m     its share of the node's memory bandwidth, or all of it if the network model shares
//	      memory, byte/s
//
// Source: the roofline of [Williams2009].
func (s *System) Least(n int) (Least, error) {
	a := s.Algorithm(n)
	if err := a.Validate(); err != nil {
		return Least{}, err
	}
	process := s.Process(0)
	if s.Transport.Kind.SharesMemory {
		process.Memory = compute.Share(s.Placement.BlockOf(0).Memory().Bandwidth, 1)
	}
	nodes, _ := s.Placement.Locations()
	var x Least
	send := func(to int32, size units.Bytes) {
		if nodes[to] != nodes[0] && !s.made.RankOrder.Greedy { // greedy: the node of a rank is not known yet
			x.Sent += size
		}
	}
	program := s.Workload.Program(a, s.Placement)
	for range leastOperations {
		var op workloads.Op
		if !program.Next(0, &op) {
			break
		}
		switch op.Kind {
		case workloads.Compute:
			x.Busy += process.Time(op.Work, op.Size)
		case workloads.Delay:
			x.Busy += op.Time
		case workloads.Send, workloads.Isend:
			send(op.Peer, op.Size)
		case workloads.Sendrecv:
			send(op.Peer, op.Size)
			if op.From == workloads.AnySource {
				return x, nil
			}
		case workloads.Recv, workloads.Irecv:
			if op.Peer == workloads.AnySource {
				return x, nil
			}
		case workloads.Test, workloads.Probe, workloads.Iprobe:
			return x, nil
		}
	}
	return x, nil
}

// leastOperations bounds the time of Least to some milliseconds.
const leastOperations = 200000
