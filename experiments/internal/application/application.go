package application

import (
	"slices"

	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// Application is what a file says. Who reads one declares the parameters first, then
// the grid, the distributions and the names under let, each before the expressions that
// use it.
type Application struct {
	Name, Title string
	Source      string // keys of docs/references.md; "" for none
	// Scaling says how the total work depends on the number of processes. Without a
	// dependence it is [algorithm.Strong], which is the default.
	Scaling       algorithm.Scaling
	Parameters    []Parameter
	Grid          []Axis // the processes are numbered along the first axis first
	Distributions []*Distribution
	Work          *Expression // W of the metrics, all processes together
	Memory        *Expression // of one process; nil: not known
	Statements    []Placed
	// OnDevices: its processes run on the devices of nodes that have some.
	OnDevices bool
	// Precision is that of the marked speed, and of computations that name none, unless
	// the placement says otherwise; "" for that of the devices.
	Precision string
	Loops     []Loop // by number from 1, see [Application.AddLoop]

	names  []name
	values int32 // how many of them are the same for all processes, p included
	tables []*Expression
	lets   []constant
	splits []split
	draws  int
}

// name is a name that expressions may use.
type name struct {
	name string
	at   step
	on   dependence
}

// constant is a name under let with the same value for all processes.
type constant struct {
	global int32
	value  *Expression
}

// ProblemSize is the name of the parameter that studies look for: a whole number.
const ProblemSize = "n"

// New returns an application without contents.
func New(name string) *Application {
	return &Application{Name: name, Scaling: algorithm.Strong, values: 1} // value 0 is p
}

// Parameter is what a scenario may set.
type Parameter struct {
	parameter.Parameter
	// Whole is the default of the problem size.
	Whole int
}

// AddParameter declares a parameter. The value of one that is no way to carry out a
// collective operation can be used in expressions.
func (a *Application) AddParameter(p Parameter) {
	a.Parameters = append(a.Parameters, p)
	if _, ok := p.Type.(parameter.Algorithm); !ok {
		a.define(p.Name, 0)
	}
}

// define gives a name to a value that is the same for all processes.
func (a *Application) define(n string, on dependence) int32 {
	a.names = append(a.names, name{n, step{op: global, a: a.values}, on})
	a.values++
	return a.values - 1
}

// AddAxis declares an axis of the grid. Without a side, the axis is one of those that
// share the processes as equally as their number allows.
func (a *Application) AddAxis(name string, side *Expression) {
	a.Grid = append(a.Grid, Axis{Name: name, Side: side, global: a.define(name, onProcesses)})
}

func (a *Application) axisNames() []string {
	names := make([]string, len(a.Grid))
	for i, x := range a.Grid {
		names[i] = x.Name
	}
	return names
}

// AxisNumber returns the number of an axis by its name, that of all processes for
// "all".
func (a *Application) AxisNumber(name string) (axis int32, ok bool) {
	if name == everybody {
		return allAxes, true
	}
	i := slices.Index(a.axisNames(), name)
	return int32(i), i >= 0
}

// AddLet gives a name to an expression.
func (a *Application) AddLet(n string, e *Expression) {
	if e.on.constant() {
		a.lets = append(a.lets, constant{a.define(n, e.on), e})
		return
	}
	a.names = append(a.names, name{n, step{op: table, a: int32(len(a.tables))}, e.on})
	a.tables = append(a.tables, e)
}

// Kind returns the application as a workload. It must not be changed afterwards.
func (a *Application) Kind() *algorithm.Kind {
	k := &algorithm.Kind{
		Name: a.Name, Title: a.Title, Source: a.Source,
		Size:          "none; the application has no parameter n",
		DefaultN:      1,
		Unsized:       true,
		StatesTraffic: true,
		JudgedWhole:   true,
		Scaling:       func(parameter.Values) algorithm.Scaling { return a.Scaling },
		Build:         func(c algorithm.Case) algorithm.Algorithm { return a.build(c) },
	}
	if a.Source == "" {
		k.Source = "none"
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
