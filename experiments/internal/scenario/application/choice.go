package application

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// ChoiceType is how one of some operations is carried out.
func ChoiceType(operations ...workloads.Collective) schema.Type {
	var all []string
	for _, op := range operations {
		all = append(all, algorithms(op)...)
	}
	slices.Sort(all)
	forms := schema.AnyOf{schema.OneOf(slices.Compact(all)), measuredCost.Object}
	if slices.Contains(operations, workloads.Bcast) {
		forms = append(forms, schema.Pattern("^chain:[0-9]+$")) // with its segment in bytes
	}
	return forms
}

// Operation returns the collective operation of a name, 0 for none.
func Operation(name string) workloads.Collective {
	for _, op := range collective.Operations() {
		if op.String() == name {
			return op
		}
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
