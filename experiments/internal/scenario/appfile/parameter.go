package appfile

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// Reserved are keys of a workload in a scenario that no parameter can have.
var Reserved = []string{"name", "application", "sustained", "kernel", "startup_per_process"}

// Range of numbers where the file gives none.
const (
	defaultMin = 0
	defaultMax = 1e18
)

// parameters reads what a scenario may set.
func (r *reader) parameters(n *yamldoc.Node) {
	r.named(n, "parameters, as in {n: 512}", func(name string, v *yamldoc.Node) {
		if slices.Contains(Reserved, name) {
			r.Fail(v, fmt.Sprintf("every workload has a key %s", name), "another name")
			return
		}
		if p, ok := r.parameter(name, v); ok {
			r.app.AddParameter(p)
		}
	})
}

const wantValue = "a number, or a size, bandwidth, work, speed or time, such as 512, 8 B, 8 GB/s, 1 Gflop or 5 us"

// quantities are the types of parameters by what their unit measures.
var quantities = map[string]parameter.Type{
	"size": parameter.Size{}, "work": parameter.Work{}, "time": parameter.Time{},
	"bandwidth": parameter.Bandwidth{}, "speed": parameter.Speed{},
}

// parameter reads one parameter.
func (r *reader) parameter(name string, n *yamldoc.Node) (application.Parameter, bool) {
	p := application.Parameter{Parameter: parameter.Parameter{Name: name, Meaning: name}}
	value, least, most := n, (*yamldoc.Node)(nil), (*yamldoc.Node)(nil)
	lo, hi := float64(defaultMin), float64(defaultMax)
	if n.IsMapping() {
		m := parameterObject.Open(r.Decoder, n)
		value = m.Require("value", wantValue)
		if t := m.Take("meaning"); t != nil {
			p.Meaning = r.String(t, "the meaning of the parameter")
		}
		if least = m.Take("min"); least != nil {
			lo = r.Float(least, "a number", nil)
		}
		if most = m.Take("max"); most != nil {
			hi = r.Float(most, "a number", nil)
		}
		if lo > hi {
			r.Fail(least, "min is above max", "min at most max")
		}
		operation := m.Take("algorithm")
		m.Done()
		if operation != nil {
			return r.algorithm(p, operation, value)
		}
	}
	text := r.String(value, wantValue)
	if text == "" {
		return p, value == nil
	}
	p.Default = text
	if name == application.ProblemSize {
		p.Whole = r.Int(value, 1, algorithm.MaxOrder, "a problem size, a whole number above 0")
		p.Type = parameter.Number{Min: 1, Max: algorithm.MaxOrder}
		return p, true
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		if !(v >= lo && v <= hi) {
			r.Fail(value, text+" is out of range", fmt.Sprintf("a number from %g to %g; min and max change the range", lo, hi))
		}
		p.Type = parameter.Number{Min: lo, Max: hi}
		return p, true
	}
	for _, bound := range []*yamldoc.Node{least, most} {
		if bound != nil {
			r.Fail(bound, "only numbers without a unit have a range", "no min and max")
		}
	}
	if v, dimension := formula.Quantity(text); quantities[dimension] != nil {
		p.Type = quantities[dimension]
		switch rate := dimension == "bandwidth" || dimension == "speed"; {
		case v < 0:
			r.Fail(value, text+" is negative", "at least 0")
		case v == 0 && rate:
			r.Fail(value, text+" is no "+dimension, "one above 0")
		}
		return p, true
	}
	r.Fail(value, fmt.Sprintf("found %q", yamldoc.Clip(text)), wantValue)
	return p, false
}

// algorithm reads a parameter that says how a collective operation is carried out.
func (r *reader) algorithm(p application.Parameter, operation, value *yamldoc.Node) (application.Parameter, bool) {
	op := application.Operation(r.OneOf(operation, operationNames(), "collective operation"))
	if op == 0 || value == nil {
		return p, false
	}
	if _, err := collective.Lookup(op, value.Text()); err != nil || !value.IsScalar() {
		r.OneOf(value, collective.Names(op), "algorithm of "+op.String())
		return p, false
	}
	p.Type, p.Default = parameter.Algorithm{Operation: op}, value.Text()
	return p, true
}

// operationNames are the names of the collective operations.
func operationNames() []string {
	var names []string
	for _, op := range collective.Operations() {
		names = append(names, op.String())
	}
	return names
}

// choice reads how a collective operation is carried out: as a scenario would say it,
// or by the name of a parameter.
func (r *reader) choice(n *yamldoc.Node, op workloads.Collective) (c collective.Choice, from string) {
	if n == nil {
		return collective.Default(op), ""
	}
	if n.IsScalar() {
		for _, p := range r.app.Parameters {
			if a, ok := p.Type.(parameter.Algorithm); ok && p.Name == n.Text() {
				if a.Operation != op {
					r.Fail(n, fmt.Sprintf("parameter %s is for %v", p.Name, a.Operation), "a parameter for "+op.String())
				}
				return collective.Choice{}, p.Name
			}
		}
	}
	c, _ = application.ReadChoice(r.Decoder, n, op)
	return c, ""
}
