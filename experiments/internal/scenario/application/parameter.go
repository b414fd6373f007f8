package application

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// Reserved are keys of a workload in a scenario, which no parameter can have as its name.
var Reserved = []string{"name", "application", "sustained", "kernel", "startup_per_process"}

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

// parameterKeys are the values of the keys of a parameter.
type parameterKeys struct {
	p                Parameter
	value, operation *yamldoc.Node
	least, most      float64
}

const usualMost = 1e18

var parameterRecord = schema.Declare("a parameter, as in {value: 512, meaning: points along each side}", func(k *schema.Keys, x *parameterKeys) {
	k.Required("value", schema.Node(schema.Text, &x.value).Wanted(wantValue), "default")
	k.Optional("meaning", schema.Text.To(&x.p.Meaning), "what it is")
	bound := schema.Number{Min: -1e30, Max: 1e30, Want: "a number"}
	k.Optional("min", bound.To(&x.least).Or(0), "smallest number")
	k.Optional("max", bound.To(&x.most).Or(usualMost).Else("1e18"), "largest number")
	if x.least > x.most {
		k.Fail(k.Node("min"), "min is above max", "min at most max")
	}
	k.Optional("algorithm", schema.Node(schema.OneOf(operationNames()), &x.operation),
		"the parameter says how this collective operation is carried out")
})

// quantities are the types of parameters by what their unit measures.
var quantities = map[string]parameter.Type{
	"size": parameter.Size{}, "work": parameter.Work{}, "time": parameter.Time{},
	"bandwidth": parameter.Bandwidth{}, "speed": parameter.Speed{},
}

func (r *reader) parameter(name string, n *yamldoc.Node) (Parameter, bool) {
	x := parameterKeys{p: Parameter{Parameter: parameter.Parameter{Name: name, Meaning: name}}, value: n, most: usualMost}
	if n.IsMapping() {
		x.value = nil
		if parameterRecord.Read(r.Decoder, n, &x); x.operation != nil {
			return r.algorithm(x.p, x.operation, x.value)
		}
	}
	p, value := x.p, x.value
	text := r.String(value, wantValue)
	if text == "" {
		return p, value == nil
	}
	p.Default = text
	if name == ProblemSize {
		p.Whole = r.Int(value, 1, algorithm.MaxOrder, "a problem size, a whole number above 0")
		p.Type = parameter.Number{Min: 1, Max: algorithm.MaxOrder}
		return p, true
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		if !(v >= x.least && v <= x.most) {
			r.Fail(value, text+" is out of range", fmt.Sprintf("a number from %g to %g; min and max change the range", x.least, x.most))
		}
		p.Type = parameter.Number{Min: x.least, Max: x.most}
		return p, true
	}
	for _, key := range []string{"min", "max"} {
		if n.Has(key) {
			r.Fail(n.Value(key), "only numbers without a unit have a range", "no min and max")
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
func (r *reader) algorithm(p Parameter, operation, value *yamldoc.Node) (Parameter, bool) {
	op := Operation(r.OneOf(operation, operationNames(), "collective operation"))
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

func operationNames() []string {
	return each.Append(nil, collective.Operations(), workloads.Collective.String)
}

// choice reads how a collective operation is carried out: as a scenario would say it,
// or by the name of a parameter.
func (r *reader) choice(n *yamldoc.Node, op workloads.Collective) (c collective.Choice, from string) {
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
	c, _ = ReadChoice(r.Decoder, n, op)
	return c, ""
}

// ChoiceType is the type of a value that says how one of some operations is carried out.
func ChoiceType(operations ...workloads.Collective) schema.Type {
	all := slices.Concat(each.Of(operations, algorithms)...)
	slices.Sort(all)
	forms := schema.AnyOf{schema.OneOf(slices.Compact(all)), measuredCost.Object}
	if slices.Contains(operations, workloads.Bcast) {
		forms = append(forms, schema.Pattern("^chain:[0-9]+$")) // with its segment in bytes
	}
	return forms
}

// Operation returns the collective operation of a name, 0 for none.
func Operation(name string) workloads.Collective {
	if i := slices.Index(operationNames(), name); i >= 0 {
		return collective.Operations()[i]
	}
	return 0
}

// algorithms are the algorithms of an operation and the rules that choose one.
func algorithms(op workloads.Collective) []string {
	return slices.Concat(collective.Names(op), collective.RulesNames())
}

// measuredCost is the measured cost of a collective operation.
var measuredCost = schema.Declare("a measured cost", func(k *schema.Keys, c *collective.Cost) {
	k.Optional("base", schema.Time.To(&c.Base).Or(0), "of every call")
	k.Optional("per_process", schema.Time.To(&c.PerProcess).Or(0), "for each process that takes part")
	k.Optional("per_byte", schema.Time.To(&c.PerByte).Or(0), "for each byte")
}).Shared("measured-cost")

// DefaultChoice returns the choice of an algorithm by its name, which must be known.
func DefaultChoice(op workloads.Collective, name string) collective.Choice {
	a, err := collective.Lookup(op, name)
	if err != nil {
		panic("application: default of a parameter: " + err.Error())
	}
	return collective.Choice{Operation: op, Algorithm: a}
}

// ReadChoice reads the choice in n, which is not nil, and returns it with the words that
// describe it: "" after a problem, which d records.
func ReadChoice(d *yamldoc.Decoder, n *yamldoc.Node, op workloads.Collective) (c collective.Choice, words string) {
	if n.IsMapping() {
		var c collective.Cost
		measuredCost.Read(d, n, &c)
		return collective.Choice{Operation: op, Cost: &c},
			"measured: " + c.Base.String() + " + " + c.PerProcess.String() + " per process + " + c.PerByte.String() + " per byte"
	}
	name := n.Text()
	if a, err := collective.Lookup(op, name); err == nil && n.IsScalar() {
		return collective.Choice{Operation: op, Algorithm: a}, name
	}
	if rules, err := collective.LookupRules(name); err == nil && n.IsScalar() && rules.Covers(op) {
		return collective.Choice{Operation: op, Rules: rules}, "as " + name + " chooses"
	}
	d.OneOf(n, append(algorithms(op), "{base, per_process, per_byte}"), op.String()+" algorithm")
	return collective.Choice{}, ""
}
