package choice

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Type is how one of some operations is carried out.
func Type(operations ...workloads.Collective) schema.Type {
	var all []string
	for _, op := range operations {
		all = append(all, names(op)...)
	}
	slices.Sort(all)
	forms := schema.AnyOf{schema.OneOf(slices.Compact(all)), measuredCost}
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

// names are the algorithms of an operation and the rules that choose one.
func names(op workloads.Collective) []string {
	return slices.Concat(collective.Names(op), collective.RulesNames())
}

// measuredCost is the measured cost of a collective operation.
var measuredCost = &schema.Object{What: "a measured cost", Ref: "measured-cost", Fields: []schema.Field{
	{Key: "base", Type: schema.Time, Default: "0 s", Meaning: "of every call"},
	{Key: "per_process", Type: schema.Time, Default: "0 s", Meaning: "for each process that takes part"},
	{Key: "per_byte", Type: schema.Time, Default: "0 s", Meaning: "for each byte"},
}}

// Default returns the choice of an algorithm by its name, which must be known.
func Default(op workloads.Collective, name string) collective.Choice {
	a, err := collective.Lookup(op, name)
	if err != nil {
		panic("choice: default of a parameter: " + err.Error())
	}
	return collective.Choice{Operation: op, Algorithm: a}
}

// Read reads the choice in n, which is not nil, and returns it with the words that
// describe it: "" after a problem, which d records.
func Read(d *yamldoc.Decoder, n *yamldoc.Node, op workloads.Collective) (c collective.Choice, words string) {
	if n.IsMapping() {
		m := measuredCost.Open(d, n)
		read := func(key string) units.Seconds { return schema.Time.Read(d, m.Take(key)) }
		c := collective.Cost{Base: read("base"), PerProcess: read("per_process"), PerByte: read("per_byte")}
		m.Done()
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
	d.OneOf(n, append(names(op), "{base, per_process, per_byte}"), op.String()+" algorithm")
	return collective.Choice{}, ""
}
