package expression

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/internal/each"
)

// Names are what the expressions of an application may refer to: parameters, the grid,
// distributions, and names under let. Each is declared before the expressions that use it.
type Names struct {
	Grid          []Axis // the processes are numbered along the first axis first
	Distributions []*Distribution

	names  []name
	values int32 // how many of them are the same for all processes, p included
	tables []*Expression
	lets   []shared
	splits []split
	draws  int
}

// name is a name that expressions may use.
type name struct {
	name  string
	at    formula.Step
	needs uint8
}

// shared is a name under let with the same value for all processes.
type shared struct {
	global int32
	value  *Expression
}

// NewNames returns the names that every application has.
func NewNames() *Names { return &Names{values: 1} } // value 0 is p

// AddNumber declares a number that [Names.On] is given.
func (n *Names) AddNumber(name string) { n.define(name, 0) }

// define gives a name to a value that is the same for all processes.
func (n *Names) define(text string, needs uint8) int32 {
	n.names = append(n.names, name{text, formula.Step{Op: formula.Global, A: n.values}, needs})
	n.values++
	return n.values - 1
}

// AddAxis declares an axis of the grid. Without a side, the axis is one of those that
// share the processes as equally as their number allows.
func (n *Names) AddAxis(name string, side *Expression) {
	n.Grid = append(n.Grid, Axis{Name: name, Side: side, global: n.define(name, onProcesses)})
}

func (n *Names) axisNames() []string {
	return each.Of(n.Grid, func(x Axis) string { return x.Name })
}

// AxisNumber returns the number of an axis by its name; for "all" it is [AllAxes].
func (n *Names) AxisNumber(name string) (axis int32, ok bool) {
	if name == everybody {
		return AllAxes, true
	}
	i := slices.Index(n.axisNames(), name)
	return int32(i), i >= 0
}

// AddLet gives a name to an expression.
func (n *Names) AddLet(text string, e *Expression) {
	if e.Constant() {
		n.lets = append(n.lets, shared{n.define(text, e.Needs()), e})
		return
	}
	n.names = append(n.names, name{text, formula.Step{Op: formula.Column, A: int32(len(n.tables))}, e.Needs()})
	n.tables = append(n.tables, e)
}
