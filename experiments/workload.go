package experiments

import (
	"slices"
	"strconv"

	"github.com/isoscale/isoscale/experiments/yamldoc"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Algorithm is what an experiment needs to know of an algorithm at one problem
// size on one set of processes.
type Algorithm interface {
	Validate() error
	Work() units.Flops                        // W of the metrics
	SequentialWork() units.Flops              // performed by process 0 alone
	Footprints() []units.Bytes                // memory that each process needs for its data
	Overhead(c algorithm.Costs) units.Seconds // T_o in closed form
	Choices() []collective.Choice             // how its collective operations are carried out
	Program() workloads.Program               // a fresh run
}

var (
	_ Algorithm = algorithm.Gauss{}
	_ Algorithm = algorithm.MatMul{}
	_ Algorithm = algorithm.Floyd{}
	_ Algorithm = algorithm.Convolution{}
	_ Algorithm = algorithm.LCS{}
	_ Algorithm = algorithm.Reference{}
	_ Algorithm = algorithm.Pattern{}
)

// Workload is an algorithm with all its parameters but, in a study, the problem
// size.
type Workload struct {
	Name string
	N    int // problem size; 0 in a study, which looks for it
	// Sustained is the speed that the algorithm's inner loops reach, as a
	// fraction of the marked speed.
	Sustained float64
	// BytesPerFlop is the memory traffic of its computations.
	BytesPerFlop float64
	Parameters   []Parameter
	build        builder
}

// builder makes the algorithm for a problem size on processes of given marked
// speeds. The seed is the scenario's.
type builder func(n int, speeds []units.FlopsPerSecond, seed int64) Algorithm

// program returns a fresh run of the algorithm with its memory traffic.
func (w Workload) program(a Algorithm) workloads.Program {
	if w.BytesPerFlop == 0 {
		return a.Program()
	}
	return memoryTraffic{a.Program(), w.BytesPerFlop}
}

// memoryTraffic adds the bytes to the computations of a program.
type memoryTraffic struct {
	workloads.Program
	perFlop float64
}

// Next implements workloads.Program.
func (m memoryTraffic) Next(rank int, op *workloads.Op) bool {
	ok := m.Program.Next(rank, op)
	if ok && op.Kind == workloads.Compute {
		op.Size = units.Bytes(float64(op.Work) * m.perFlop)
	}
	return ok
}

// workloadKind is an entry of the catalogue of workloads.
type workloadKind struct {
	name, title, source string
	element             units.Bytes // default size of a number; 0 for double precision
	parameters          []parameterDoc
	// read reads the parameters that only this workload has.
	read func(p *workloadReader) builder
}

// parameterDoc describes a parameter of a workload for list and describe.
type parameterDoc struct{ Name, Default, Meaning string }

// commonParameters are those of every workload.
var commonParameters = []parameterDoc{
	{"n", "required", "problem size: order of the matrices, side of the images, length of the strings of lcs, rounds of pattern and reference; a study looks for it and does not take it"},
	{"sustained", "1", "speed of the inner loops as a fraction of the marked speed"},
	{"bytes_per_flop", "0", "memory traffic of the computations, in byte/flop: with network flow, processes of a node share its memory"},
	{"startup_per_process", "0 s", "cost of starting the program, for each process: p processes begin after p times this"},
	{"element_size", "8 B", "size of a number"},
}

var workloadKinds = []workloadKind{
	{
		name: "gauss", title: "Gaussian elimination, rows dealt out in proportion to marked speed",
		source: "[Chen2008] 4.1.1",
		parameters: []parameterDoc{
			{"bcast", "binomial", "broadcast of the pivot row: an algorithm, openmpi or mpich (their choice), or a measured cost {base, per_process, per_byte}"},
			{"barrier", "dissemination", "end of each step: likewise"},
		},
		read: func(p *workloadReader) builder {
			bcast := p.choice("bcast", workloads.Bcast, "binomial")
			barrier := p.choice("barrier", workloads.Barrier, "dissemination")
			return func(n int, speeds []units.FlopsPerSecond, _ int64) Algorithm {
				return algorithm.Gauss{Problem: p.problem(n, speeds), Bcast: bcast, Barrier: barrier}
			}
		},
	},
	{
		name: "matmul", title: "matrix multiplication, blocks of rows in proportion to marked speed",
		source: "[Chen2008] 4.1.2",
		parameters: []parameterDoc{
			{"scatter", "flat", "distribution of A: an algorithm, openmpi or mpich (their choice), or a measured cost {base, per_process, per_byte}"},
			{"bcast", "binomial", "distribution of B: likewise"},
			{"gather", "flat", "collection of C: likewise"},
		},
		read: func(p *workloadReader) builder {
			scatter := p.choice("scatter", workloads.Scatter, "flat")
			bcast := p.choice("bcast", workloads.Bcast, "binomial")
			gather := p.choice("gather", workloads.Gather, "flat")
			return func(n int, speeds []units.FlopsPerSecond, _ int64) Algorithm {
				return algorithm.MatMul{Problem: p.problem(n, speeds), Scatter: scatter, Bcast: bcast, Gather: gather}
			}
		},
	},
	{
		name: "floyd", title: "shortest paths between all pairs by Floyd's algorithm, blocks of rows in proportion to marked speed",
		source: "[Bosque] 4.1", element: 4,
		parameters: []parameterDoc{
			{"flop_per_cell", "2", "work of updating one element: an addition and a comparison"},
			{"overlap", "false", "true: the owner of the next row updates and sends it before its other rows"},
			{"bcast", "binomial", "broadcast of a row: an algorithm, openmpi or mpich (their choice), or a measured cost {base, per_process, per_byte}"},
		},
		read: func(p *workloadReader) builder {
			flop := p.flopPerCell()
			overlap := p.flag("overlap", false)
			bcast := p.choice("bcast", workloads.Bcast, "binomial")
			return func(n int, speeds []units.FlopsPerSecond, _ int64) Algorithm {
				return algorithm.Floyd{Problem: p.problem(n, speeds),
					CellWork: flop, Overlap: overlap, Bcast: bcast}
			}
		},
	},
	{
		name: "convolution", title: "convolution of two images by Fourier transforms, blocks of rows in proportion to marked speed",
		source: "[Chen2008] 4.1.3", element: 16,
		parameters: []parameterDoc{
			{"transposes", "true", "exchange each image between the halves of its transform; the source does not mention it"},
			{"scatter", "flat", "distribution of an image: an algorithm, openmpi or mpich (their choice), or a measured cost {base, per_process, per_byte}"},
			{"alltoall", "pairwise", "exchange of an image: likewise"},
			{"gather", "flat", "collection of the result: likewise"},
		},
		read: func(p *workloadReader) builder {
			transposes := p.flag("transposes", true)
			scatter := p.choice("scatter", workloads.Scatter, "flat")
			alltoall := p.choice("alltoall", workloads.Alltoall, "pairwise")
			gather := p.choice("gather", workloads.Gather, "flat")
			return func(n int, speeds []units.FlopsPerSecond, _ int64) Algorithm {
				return algorithm.Convolution{Problem: p.problem(n, speeds),
					Transposes: transposes, Scatter: scatter, Alltoall: alltoall, Gather: gather}
			}
		},
	},
	{
		name: "lcs", title: "longest common subsequence of two strings, a wavefront over columns in proportion to marked speed",
		source: "[He2004] 3", element: 4,
		parameters: []parameterDoc{
			{"flop_per_cell", "2", "work of a cell of the table: a comparison of characters and a maximum or an addition"},
			{"piece_rows", "100", "rows of a column that are passed on together"},
		},
		read: func(p *workloadReader) builder {
			flop := p.flopPerCell()
			rows := 100
			n := p.Take("piece_rows")
			if n != nil {
				rows = p.Int(n, 1, algorithm.MaxOrder, "a number of rows, above 0")
			}
			p.note("piece_rows", strconv.Itoa(rows), n != nil)
			return func(n int, speeds []units.FlopsPerSecond, _ int64) Algorithm {
				return algorithm.LCS{Problem: p.problem(n, speeds), PieceRows: rows, CellWork: flop}
			}
		},
	},
	{
		name: "reference", title: "rounds of a fixed computation and a fixed exchange, for performance reference factors",
		source: "[He2004] 4",
		parameters: []parameterDoc{
			{"compute", "1 Mflop", "work of each process in a round"},
			{"exchange", "10 kB", "what each process sends in a round, to all partners together"},
			{"partners", "ring", "who exchanges with whom: " + list(referenceShapes())},
		},
		read: func(p *workloadReader) builder {
			work := p.work("compute", 1e6)
			exchange := p.size("exchange", 10e3, "the size of what a process sends in a round, at least 0, such as 10 kB")
			partners := algorithm.Ring
			n := p.Take("partners")
			if n != nil {
				partners, _ = algorithm.ParseShape(p.OneOf(n, referenceShapes(), "shape"))
			}
			p.note("partners", partners.String(), n != nil)
			return func(n int, speeds []units.FlopsPerSecond, _ int64) Algorithm {
				return algorithm.Reference{Series: p.series(n, len(speeds)), Compute: work, Exchange: exchange, Partners: partners}
			}
		},
	},
	{
		name: "pattern", title: "rounds of computation and messages in a chosen shape, for benchmarks and teaching",
		source: "none",
		parameters: []parameterDoc{
			{"shape", "dissemination", list(algorithm.ShapeNames())},
			{"size", "8 B", "size of each message"},
			{"compute", "0 flop", "work of each process before the messages of a round"},
			{"imbalance", "0", "how much that work varies, 0 to 1: uniformly between (1 - imbalance) and (1 + imbalance) times it"},
		},
		read: func(p *workloadReader) builder {
			shape := algorithm.Dissemination
			n := p.Take("shape")
			if n != nil {
				shape, _ = algorithm.ParseShape(p.OneOf(n, algorithm.ShapeNames(), "shape"))
			}
			p.note("shape", shape.String(), n != nil)
			size := p.size("size", 8, "the size of a message, at least 0, such as 8 B")
			work := p.work("compute", 0)
			n = p.Take("imbalance")
			imbalance := p.Float(n, "a fraction from 0 to 1", func(x float64) bool { return x >= 0 && x <= 1 })
			p.note("imbalance", formatFloat(imbalance), n != nil)
			return func(n int, speeds []units.FlopsPerSecond, seed int64) Algorithm {
				return algorithm.Pattern{Series: p.series(n, len(speeds)), Shape: shape, Size: size, Compute: work,
					Imbalance: imbalance, Seed: uint64(seed)}
			}
		},
	},
}

// referenceShapes names the shapes in which all processes send equally many
// messages.
func referenceShapes() []string {
	return slices.DeleteFunc(algorithm.ShapeNames(), func(name string) bool {
		return name == algorithm.RandomPairs.String() || name == algorithm.Incast.String()
	})
}

// kindOfWorkload returns the entry of that name; without a name if there is none.
func kindOfWorkload(name string) workloadKind {
	for _, k := range workloadKinds {
		if k.name == name {
			return k
		}
	}
	return workloadKind{}
}

// numberSize is the size of a number: double precision if nothing else is said.
func (k workloadKind) numberSize() units.Bytes {
	if k.element > 0 {
		return k.element
	}
	return 8
}

// documentation returns the parameters of the workload, those of all first.
func (k workloadKind) documentation() []parameterDoc {
	all := slices.Concat(commonParameters, k.parameters)
	for i := range all {
		if all[i].Name == "element_size" {
			all[i].Default = k.numberSize().String()
		}
	}
	return all
}

func workloadNames() []string {
	names := make([]string, len(workloadKinds))
	for i, k := range workloadKinds {
		names[i] = k.name
	}
	return names
}

// workloadReader reads the parameters of one workload and notes each with its
// value.
type workloadReader struct {
	*reader
	*yamldoc.Mapping
	startup units.Seconds
	element units.Bytes
	notes   []Parameter
}

// note records the value of a parameter; given says whether the file has it.
func (p *workloadReader) note(name, value string, given bool) {
	source := "default"
	if given {
		source = "scenario"
	}
	p.notes = append(p.notes, Parameter{name, value, source})
}

// workload reads a workload. In a study (sized false) the problem size is not
// part of it.
func (r *reader) workload(n *yamldoc.Node, sized bool) Workload {
	if n == nil {
		return Workload{}
	}
	d := r.Mapping(n, "a workload, as in {name: gauss, n: 500}")
	name := r.OneOf(d.Require("name", "the name of a workload"), workloadNames(), "workload")
	w := Workload{Name: name, Sustained: 1}
	kind := kindOfWorkload(name)
	p := &workloadReader{reader: r, Mapping: d, element: kind.numberSize()}

	const wantN = "a problem size, a whole number above 0"
	if sized {
		if v := d.Require("n", wantN); v != nil {
			w.N = r.Int(v, 1, algorithm.MaxOrder, wantN)
		}
	} else if v := d.Take("n"); v != nil {
		r.Fail(v, "a study looks for the problem size itself", "no n here; put the range of sizes under sizes")
	}
	v := d.Take("sustained")
	if v != nil {
		w.Sustained = r.Float(v, "a fraction of the marked speed, above 0 and at most 100", func(x float64) bool { return x > 0 && x <= 100 })
	}
	p.note("sustained", formatFloat(w.Sustained), v != nil)
	v = d.Take("bytes_per_flop")
	w.BytesPerFlop = r.Float(v, "bytes moved for each flop, from 0 to 1e6", func(x float64) bool { return x >= 0 && x <= 1e6 })
	p.note("bytes_per_flop", formatFloat(w.BytesPerFlop), v != nil)
	if v = d.Take("startup_per_process"); v != nil {
		p.startup = yamldoc.Quantity(&r.Decoder, v, units.ParseSeconds, yamldoc.NonNegative, wantTime)
	}
	p.note("startup_per_process", p.startup.String(), v != nil)
	if v = d.Take("element_size"); v != nil {
		const want = "the size of a number, above 0 and at most 1 MiB, such as 8 B"
		p.element = yamldoc.Quantity(&r.Decoder, v, units.ParseBytes, yamldoc.Positive, want)
		if p.element > 1<<20 {
			r.Fail(v, "too large", want)
		}
	}
	p.note("element_size", p.element.String(), v != nil)
	if name == "" { // unknown: its parameters cannot be judged
		w.Parameters = p.notes
		return w
	}
	w.build = kind.read(p)
	w.Parameters = p.notes
	d.Done()
	return w
}

// problem is what the workload has in common with the others that split one
// problem.
func (p *workloadReader) problem(n int, speeds []units.FlopsPerSecond) algorithm.Problem {
	return algorithm.Problem{N: n, Speeds: speeds, Startup: p.startup, Element: p.element}
}

// series is what the workload has in common with the others that consist of
// rounds.
func (p *workloadReader) series(rounds, processes int) algorithm.Series {
	return algorithm.Series{Rounds: rounds, Processes: processes, Startup: p.startup}
}

// flopPerCell reads the work of a cell of a matrix or table, by default 2 flop.
func (p *workloadReader) flopPerCell() units.Flops {
	n := p.Take("flop_per_cell")
	flop := 2.0
	if n != nil {
		flop = p.Float(n, "a number of flop above 0 and at most 1e6", func(x float64) bool { return x > 0 && x <= 1e6 })
	}
	p.note("flop_per_cell", formatFloat(flop), n != nil)
	return units.Flops(flop)
}

// size reads an amount of data.
func (p *workloadReader) size(key string, def units.Bytes, want string) units.Bytes {
	n := p.Take(key)
	value := def
	if n != nil {
		value = yamldoc.Quantity(&p.Decoder, n, units.ParseBytes, yamldoc.NonNegative, want)
	}
	p.note(key, value.String(), n != nil)
	return value
}

// work reads an amount of work.
func (p *workloadReader) work(key string, def units.Flops) units.Flops {
	n := p.Take(key)
	value := def
	if n != nil {
		value = yamldoc.Quantity(&p.Decoder, n, units.ParseFlops, yamldoc.NonNegative, "an amount of work of at least 0, such as 2 Mflop")
	}
	p.note(key, value.String(), n != nil)
	return value
}

// flag reads true or false.
func (p *workloadReader) flag(key string, def bool) bool {
	n := p.Take(key)
	value := def
	if n != nil {
		value = p.Bool(n)
	}
	p.note(key, strconv.FormatBool(value), n != nil)
	return value
}

// choice reads how a collective operation is carried out: the name of an
// algorithm, the name of an MPI library whose rules choose one, or a mapping with
// a measured cost.
func (p *workloadReader) choice(key string, op workloads.Collective, def string) collective.Choice {
	n := p.Take(key)
	if n == nil {
		a, err := collective.Lookup(op, def)
		if err != nil {
			panic("experiments: " + err.Error())
		}
		p.note(key, def, false)
		return collective.Choice{Operation: op, Algorithm: a}
	}
	if n.IsMapping() {
		d := p.reader.Mapping(n, "a measured cost")
		read := func(key string) units.Seconds {
			return yamldoc.Quantity(&p.Decoder, d.Take(key), units.ParseSeconds, yamldoc.NonNegative, wantTime)
		}
		c := collective.Cost{Base: read("base"), PerProcess: read("per_process"), PerByte: read("per_byte")}
		d.Done()
		p.note(key, "measured: "+c.Base.String()+" + "+c.PerProcess.String()+" per process + "+c.PerByte.String()+" per byte", true)
		return collective.Choice{Operation: op, Cost: &c}
	}
	name := n.Text()
	if a, err := collective.Lookup(op, name); err == nil && n.IsScalar() {
		p.note(key, name, true)
		return collective.Choice{Operation: op, Algorithm: a}
	}
	if rules, err := collective.LookupRules(name); err == nil && n.IsScalar() && rules.Covers(op) {
		p.note(key, "as "+name+" chooses", true)
		return collective.Choice{Operation: op, Rules: rules}
	}
	p.OneOf(n, slices.Concat(collective.Names(op), collective.RulesNames(), []string{"{base, per_process, per_byte}"}), op.String()+" algorithm")
	return collective.Choice{}
}
