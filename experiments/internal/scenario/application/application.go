package application

import (
	"cmp"
	"embed"
	"io/fs"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// Application is what a file says. Whoever reads one declares its parameters and its
// [expression.Names] before the expressions that use them.
type Application struct {
	Name, Title string
	Source      string // keys of docs/references.md; "" for none
	// Scaling says how the total work depends on the number of processes. Without a
	// dependence it is [algorithm.Strong], which is the default.
	Scaling    algorithm.Scaling
	Parameters []Parameter
	*expression.Names
	Work   *expression.Expression // W of the metrics, all processes together
	WorkAt string                 // file:line:column of Work
	Memory *expression.Expression // of one process; nil: not known
	// Latency and Bytes say how Work must grow with p equal processes to hold an efficiency, if messages
	// share no links and cost only their latency, or only their bytes; nil: not known.
	Latency, Bytes *Growth
	Statements     []Placed
	// OnDevices: its processes run on the devices of nodes that have some.
	OnDevices bool
	// Precision is that of the marked speed, and of computations that name none, unless
	// the placement says otherwise; "" for that of the devices.
	Precision string
	Loops     []Loop // by number from 1, see [Application.AddLoop]
	Unnamed   bool   // some computation names no kernel
	// MayDraw: something is random, for some values of the parameters.
	MayDraw bool
}

// ProblemSize is the name of the parameter whose value studies search: a whole number.
const ProblemSize = "n"

// empty returns an application without contents.
func empty() *Application {
	return &Application{Scaling: algorithm.Strong, Names: expression.NewNames()}
}

// Parameter is what a scenario may set.
type Parameter struct {
	parameter.Parameter
	// Whole is the default of the problem size.
	Whole int
}

// AddParameter declares a parameter. Expressions can use its value, unless it says how a
// collective operation is carried out.
func (a *Application) AddParameter(p Parameter) {
	a.Parameters = append(a.Parameters, p)
	if _, ok := p.Type.(parameter.Algorithm); !ok {
		a.AddNumber(p.Name)
	}
}

// Kind returns the application as a workload. The application must not change afterwards.
func (a *Application) Kind() *algorithm.Kind {
	k := &algorithm.Kind{
		Name: a.Name, Title: a.Title, Source: cmp.Or(a.Source, "none"),
		Size:          "none; the application has no parameter n",
		DefaultN:      1,
		Unsized:       true,
		StatesTraffic: true,
		JudgedWhole:   true,
		Scaling:       func(parameter.Values) algorithm.Scaling { return a.Scaling },
		Build:         func(c algorithm.Case) algorithm.Algorithm { return a.build(c) },
	}
	for _, p := range a.Parameters {
		if p.Name == ProblemSize {
			k.Size, k.DefaultN, k.Unsized = p.Meaning, p.Whole, false
			continue
		}
		k.Parameters = append(k.Parameters, p.Parameter)
	}
	return k
}

// Loop is the inner loop of some computations, and decides how fast they are.
type Loop struct {
	Kernel    string // whose efficiency the node types state; "" for that of the workload
	Precision string // of its numbers; "" for that of the marked speed
	At        string // file:line:column of the first computation that has it
}

// AddLoop returns the number of an inner loop. A loop without kernel and precision is that
// of the whole workload and has number 0.
func (a *Application) AddLoop(l Loop) int32 {
	a.Unnamed = a.Unnamed || l.Kernel == ""
	if l.Kernel == "" && l.Precision == "" {
		return 0
	}
	same := func(o Loop) bool { return o.Kernel == l.Kernel && o.Precision == l.Precision }
	i := slices.IndexFunc(a.Loops, same)
	if i < 0 {
		i = len(a.Loops)
		a.Loops = append(a.Loops, l)
	}
	return int32(i + 1)
}

// Of returns the application that an algorithm was built from, nil for others.
func Of(a algorithm.Algorithm) *Application {
	if x, ok := a.(*instance); ok {
		return x.Application
	}
	return nil
}

// ProgramAt returns a fresh run of an algorithm that was built from an application,
// whose inner loops have speeds of their own. For each of [Application.Loops], slowness
// returns the time of its work as a multiple of the time at the speed of the workload:
// one value for all ranks, or one for each. The work of operations is multiplied by it,
// while [Run.Performed] returns what the file says.
func ProgramAt(a algorithm.Algorithm, slowness func(Loop) []float64) workloads.Program {
	x := a.(*instance)
	var loops []*operand
	for _, l := range x.Loops {
		o := &operand{table: slowness(l)}
		if len(o.table) == 1 {
			o = &operand{value: o.table[0]}
		}
		loops = append(loops, o)
	}
	return x.program(loops)
}

//go:embed catalogue/*.yaml
var catalogue embed.FS

// CatalogueNames returns the names of the applications that are built in, in
// alphabetical order.
func CatalogueNames() []string {
	entries, err := catalogue.ReadDir("catalogue")
	if err != nil {
		panic("application: " + err.Error()) // embedded
	}
	names := each.Of(entries, func(e fs.DirEntry) string { return strings.TrimSuffix(e.Name(), ".yaml") })
	slices.Sort(names)
	return names
}

// CatalogueFile returns the file of an application that is built in, nil if there is
// none of that name.
func CatalogueFile(name string) []byte {
	data, err := catalogue.ReadFile("catalogue/" + name + ".yaml")
	if err != nil {
		return nil
	}
	return data
}
