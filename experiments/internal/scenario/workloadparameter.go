package scenario

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/experiments/internal/schema"
	"github.com/isoscale/isoscale/experiments/internal/yamldoc"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// parameterType returns the form that a parameter has in a file.
func parameterType(t parameter.Type) schema.Type {
	switch t := t.(type) {
	case parameter.Work:
		return schema.Work
	case parameter.Size:
		return schema.Size
	case parameter.Count:
		return schema.Integer{Min: t.Min, Max: t.Max}
	case parameter.Number:
		return schema.Number{Min: t.Min, Max: t.Max, Above: t.Above}
	case parameter.Flag:
		return schema.Boolean
	case parameter.Word:
		return schema.OneOf(t.Of)
	case parameter.Algorithm:
		return algorithmType(t.Operation)
	case parameter.AlgorithmOf:
		return algorithmType(collective.Operations()...)
	}
	panic(fmt.Sprintf("scenario: no form for a parameter of type %T", t))
}

// algorithmType is how one of some operations is carried out.
func algorithmType(operations ...workloads.Collective) schema.Type {
	var names []string
	for _, op := range operations {
		names = append(names, choiceNames(op)...)
	}
	slices.Sort(names)
	forms := schema.AnyOf{schema.OneOf(slices.Compact(names)), measuredCost}
	if slices.Contains(operations, workloads.Bcast) {
		forms = append(forms, schema.Pattern("^chain:[0-9]+$")) // with its segment in bytes
	}
	return forms
}

// choiceNames are the algorithms of an operation and the rules that choose one.
func choiceNames(op workloads.Collective) []string {
	return slices.Concat(collective.Names(op), collective.RulesNames())
}

// measuredCost is the measured cost of a collective operation.
var measuredCost = &schema.Object{What: "a measured cost", Ref: "measured-cost", Fields: []schema.Field{
	{Key: "base", Type: schema.Time, Default: "0 s", Meaning: "of every call"},
	{Key: "per_process", Type: schema.Time, Default: "0 s", Meaning: "for each process that takes part"},
	{Key: "per_byte", Type: schema.Time, Default: "0 s", Meaning: "for each byte"},
}}

// values reads the values of all parameters. Of two that stand in each other's place
// only the one that is given has a value.
func (p *workloadReader) values(all []parameter.Parameter, into parameter.Values) {
	given := map[string]*yamldoc.Node{}
	instead := map[string]string{} // what is given in the place of a parameter
	for _, q := range all {
		if given[q.Name] = p.Take(q.Name); given[q.Name] != nil && q.Instead != "" {
			instead[q.Instead] = q.Name
		}
	}
	for _, q := range all {
		n := given[q.Name]
		switch other := instead[q.Name]; {
		case other != "" && n != nil:
			p.Fail(given[other], "both "+q.Name+" and "+other+" are given", "one of them")
		case other != "" || q.Instead != "" && n == nil:
		default:
			into[q.Name] = p.value(q, n, into)
		}
	}
}

// value reads the value of a parameter; before are those of the parameters before
// it.
func (p *workloadReader) value(q parameter.Parameter, n *yamldoc.Node, before parameter.Values) any {
	given := n != nil
	switch t := q.Type.(type) {
	case parameter.Work:
		v := schema.Work.Read(&p.Decoder, n)
		if !given {
			v = schema.Work.MustParse(q.Default)
		}
		p.note(q.Name, v.String(), given)
		return v
	case parameter.Size:
		v := schema.Size.ReadOr(&p.Decoder, n, schema.Size.MustParse(q.Default))
		p.note(q.Name, v.String(), given)
		return v
	case parameter.Count:
		v := p.Int(n, t.Min, t.Max, "")
		if !given {
			v, _ = strconv.Atoi(q.Default)
		}
		p.note(q.Name, strconv.Itoa(v), given)
		return v
	case parameter.Number:
		least := "from"
		if t.Above {
			least = "above"
		}
		v := p.Float(n, fmt.Sprintf("a number %s %s and at most %s", least, input.Number(t.Min), input.Number(t.Max)), schema.Number{Min: t.Min, Max: t.Max, Above: t.Above}.In)
		if !given {
			v, _ = strconv.ParseFloat(q.Default, 64)
		}
		p.note(q.Name, input.Number(v), given)
		return v
	case parameter.Flag:
		v := q.Default == "true"
		if given {
			v = p.Bool(n)
		}
		p.note(q.Name, strconv.FormatBool(v), given)
		return v
	case parameter.Word:
		v := q.Default
		if given {
			v = p.OneOf(n, t.Of, q.Name)
		}
		p.note(q.Name, v, given)
		return v
	case parameter.Algorithm:
		return p.choice(q.Name, n, t.Operation, q.Default)
	case parameter.AlgorithmOf:
		op := operationOf(before.Word(t.Word))
		if op == 0 { // unknown: said already
			return collective.Choice{}
		}
		return p.choice(q.Name, n, op, collective.Default(op).Algorithm.Name())
	}
	panic(fmt.Sprintf("scenario: cannot read a parameter of type %T", q.Type))
}

// operationOf returns the collective operation of a name, 0 for none.
func operationOf(name string) workloads.Collective {
	for _, op := range collective.Operations() {
		if op.String() == name {
			return op
		}
	}
	return 0
}

// choice reads how a collective operation is carried out: the name of an
// algorithm, the name of an MPI library whose rules choose one, or a mapping with
// a measured cost.
func (p *workloadReader) choice(key string, n *yamldoc.Node, op workloads.Collective, otherwise string) collective.Choice {
	if n == nil {
		a, err := collective.Lookup(op, otherwise)
		if err != nil {
			panic("scenario: default of a parameter: " + err.Error())
		}
		p.note(key, otherwise, false)
		return collective.Choice{Operation: op, Algorithm: a}
	}
	if n.IsMapping() {
		d := measuredCost.Open(&p.Decoder, n)
		read := func(key string) units.Seconds {
			return schema.Time.Read(&p.Decoder, d.Take(key))
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
	p.OneOf(n, append(choiceNames(op), "{base, per_process, per_byte}"), op.String()+" algorithm")
	return collective.Choice{}
}
