package algorithm

import (
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

// Kind is everything that others need to know of an algorithm: how it is called,
// where it comes from, what a file may set, and how it is made.
type Kind struct {
	Name, Title string
	Source      string // keys of docs/references.md; "none"
	Size        string // what the problem size n is
	// DefaultN is the problem size where none is given; 0: one must be given. A
	// workload that is Unsized has no problem size.
	DefaultN int
	Unsized  bool
	Element  units.Bytes // size of a number; 0: the workload has no such parameter
	// StatesTraffic: its computations say how much memory traffic they need, and
	// JudgedWhole: it can be judged only on the processes that there are, and not on some of
	// them.
	StatesTraffic, JudgedWhole bool
	// BoundedByWork: its processes together perform exactly its Work, so that no run takes
	// less time than that at the speeds of all. SendsTogether: in some step all processes
	// send at the same time, or one process to all.
	BoundedByWork, SendsTogether bool
	// Scaling says how the total work at a given n depends on the number of
	// processes, which parameters may decide; nil: it does not, [Strong].
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
}

// double is the size of a number in double precision.
const double units.Bytes = 8

// measured is the end of the meaning of parameters that say how a collective
// operation is carried out.
const measured = ": an algorithm; openmpi or mpich, for the choice of that library; or a measured cost {base, per_process, per_byte}"

// cellWork is the parameter of algorithms that fill the cells of a table.
func cellWork(meaning string) parameter.Parameter {
	return parameter.Parameter{Name: "flop_per_cell", Type: parameter.Number{Max: 1e6, Above: true}, Default: "2", Meaning: meaning}
}
