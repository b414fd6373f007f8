package application

import (
	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// Application is what a file says. Who reads one declares its parameters and its
// [expression.Names] before the expressions that use them.
type Application struct {
	Name, Title string
	Source      string // keys of docs/references.md; "" for none
	// Scaling says how the total work depends on the number of processes. Without a
	// dependence it is [algorithm.Strong], which is the default.
	Scaling    algorithm.Scaling
	Parameters []Parameter
	*expression.Names
	Work       *expression.Expression // W of the metrics, all processes together
	Memory     *expression.Expression // of one process; nil: not known
	Statements []Placed
	// OnDevices: its processes run on the devices of nodes that have some.
	OnDevices bool
	// Precision is that of the marked speed, and of computations that name none, unless
	// the placement says otherwise; "" for that of the devices.
	Precision string
	Loops     []Loop // by number from 1, see [Application.AddLoop]
}

// ProblemSize is the name of the parameter that studies look for: a whole number.
const ProblemSize = "n"

// New returns an application without contents.
func New(name string) *Application {
	return &Application{Name: name, Scaling: algorithm.Strong, Names: expression.NewNames()}
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
		a.AddNumber(p.Name)
	}
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
