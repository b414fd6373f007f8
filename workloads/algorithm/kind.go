package algorithm

import (
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// Algorithm is one algorithm at one problem size on one set of processes.
type Algorithm interface {
	Validate() error
	Work() units.Flops          // W of the metrics
	Footprints() []units.Bytes  // memory that each process needs for its data
	Program() workloads.Program // a fresh run
}

// Predictable is an algorithm whose overhead is known in closed form.
type Predictable interface {
	Algorithm
	SequentialWork() units.Flops    // performed by process 0 alone
	Overhead(c Costs) units.Seconds // T_o
	Choices() []collective.Choice   // how its collective operations are carried out
}

// Kind is everything that other code needs to know about an algorithm: its name, its
// source, what a file may set, and how to make it.
type Kind struct {
	Name, Title string
	Source      string // keys of docs/references.md; "none"
	Size        string // what the problem size n is
	// DefaultN is the problem size where none is given; 0: one must be given. A
	// workload that is Unsized has no problem size.
	DefaultN int
	Unsized  bool
	Element  units.Bytes // size of a number; 0: the workload has no such parameter
	// StatesTraffic: its computations state their memory traffic. JudgedWhole: it can be
	// judged only on all of the given processes, not on a subset.
	StatesTraffic, JudgedWhole bool
	// BoundedByWork: its processes together perform exactly its Work, so no run is faster
	// than Work at the sum of the speeds. SendsTogether: in some step all processes send
	// at the same time, or one process to all.
	BoundedByWork, SendsTogether bool
	// Error is the mean relative error of its times against measurements of cases other than those that its figures are
	// from, see docs/validation; 0: not compared. ErrorWith is the largest error where cases differ in a parameter.
	Error     float64
	ErrorWith map[string]float64
	// Scaling says how the total work at a given n depends on the number of processes;
	// parameters may decide that. Nil stands for [Strong].
	Scaling    func(parameter.Values) Scaling
	Parameters []parameter.Parameter
	Build      func(c Case) Algorithm
}

// ScalingOf returns how the work depends on the number of processes with these
// parameters.
func (k *Kind) ScalingOf(v parameter.Values) Scaling {
	if k.Scaling == nil {
		return Strong
	}
	return k.Scaling(v)
}

// Case is what an algorithm is made for.
type Case struct {
	N       int                    // problem size
	Speeds  []units.FlopsPerSecond // marked speed of each process
	Seed    int64
	Startup units.Seconds // of the program, for each process
	Element units.Bytes   // size of a number
	parameter.Values
	// Choose, if not nil, may replace the choices that the parameters make for collective
	// operations.
	Choose func(collective.Choice) collective.Choice
}

// Choice returns how the operation of a parameter is carried out.
func (c Case) Choice(name string) collective.Choice { return c.Chosen(c.Values.Choice(name)) }

// Chosen returns what Choose makes of a choice.
func (c Case) Chosen(of collective.Choice) collective.Choice {
	if c.Choose != nil {
		return c.Choose(of)
	}
	return of
}

// problem is what algorithms that split one problem have in common.
func (c Case) problem() Problem {
	return Problem{N: c.N, Speeds: c.Speeds, Startup: c.Startup, Element: c.Element}
}

// series is what algorithms that consist of rounds have in common.
func (c Case) series() Series {
	return Series{Rounds: c.N, Processes: len(c.Speeds), Startup: c.Startup}
}

// workOfRound returns the work of a round, for each process or in total.
func (c Case) workOfRound() (each, total units.Flops) {
	if c.Has(totalComputeName) {
		return 0, c.Work(totalComputeName)
	}
	return c.Work(computeName), 0
}

// Kinds are all algorithms, in the order of lists.
var Kinds = []*Kind{
	&gaussKind,
	&matMulKind,
	&floydKind,
	&convolutionKind,
	&lcsKind,
	&hplKind,
	&referenceKind,
	&patternKind,
	&collectiveKind,
	&transformerKind,
}

// double is the size of a number in double precision.
const double units.Bytes = 8

// measured is the end of the Meaning of parameters that say how a collective operation
// is carried out.
const measured = ": an algorithm; openmpi or mpich, for the choice of that library; tuned, for the fastest here; or a measured cost {base, per_process, per_byte} or {measured, otherwise}"

// cellWork is the parameter of algorithms that fill the cells of a table.
func cellWork(meaning string) parameter.Parameter {
	return parameter.Parameter{Name: "flop_per_cell", Type: parameter.Number{Max: 1e6, Above: true}, Default: "2", Meaning: meaning}
}

// checkChoices reports everything that is wrong with the choices of an
// algorithm, which must be for those operations.
func checkChoices(name string, choices []collective.Choice, operations ...workloads.Collective) error {
	var problems []error
	for i, ch := range choices {
		if err := ch.Validate(); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", name, err))
		}
		if ch.Operation != operations[i] {
			problems = append(problems, fmt.Errorf("%s: choice for %v where one for %v is needed", name, ch.Operation, operations[i]))
		}
	}
	return errors.Join(problems...)
}

// Costs are the times that single operations take on some system, as a user would
// measure them one at a time: the ingredients of a closed-form overhead T_o.
type Costs interface {
	// Message returns the time of one message of the given size.
	Message(size units.Bytes) units.Seconds
	// Collective returns the time of a collective operation, from the entry of all at
	// once to the last exit, for the choice that the algorithm makes. size is that of
	// all blocks together, 0 for a barrier; the root, if there is one, is process 0.
	Collective(op workloads.Collective, size units.Bytes) units.Seconds
}

// Scaling says how the work of a workload at a given problem size depends on the
// number of its processes. The names are those of strong and weak scaling studies.
type Scaling string

const (
	// Strong: it does not. One problem is divided among the processes, so that
	// times on different systems are times of equal work.
	Strong Scaling = "strong"
	// Weak: the work of each process is given, so the total grows with their number.
	// Times on different systems are comparable only per unit of work.
	Weak Scaling = "weak"
	// Replicated: every process does all the work of the problem, which counts once.
	Replicated Scaling = "replicated"
)

// The names of the two ways to give the work of a round.
const (
	computeName      = "compute"       // of each process
	totalComputeName = "total_compute" // of all processes
)

// totalCompute is the parameter that gives the work of a round in total.
var totalCompute = parameter.Parameter{
	Name: totalComputeName, Type: parameter.Work{}, Instead: computeName,
	Meaning: "work of all processes in a round, divided by marked speed",
}

// roundScaling is the scaling of workloads whose work of a round is given in total or
// for each process.
func roundScaling(v parameter.Values) Scaling {
	if v.Has(totalComputeName) && v.Work(totalComputeName) > 0 {
		return Strong
	}
	return Weak
}
