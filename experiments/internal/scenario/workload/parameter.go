package workload

import (
	"fmt"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
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
	case parameter.Time:
		return schema.Time
	case parameter.Bandwidth:
		return schema.Bandwidth
	case parameter.Speed:
		return schema.Speed
	case parameter.Count:
		return schema.Integer{Min: t.Min, Max: t.Max}
	case parameter.Number:
		return schema.Number{Min: t.Min, Max: t.Max, Above: t.Above}
	case parameter.Flag:
		return schema.Boolean
	case parameter.Word:
		return schema.OneOf(t.Of)
	case parameter.Algorithm:
		return application.ChoiceType(t.Operation)
	case parameter.AlgorithmOf:
		return application.ChoiceType(collective.Operations()...)
	case parameter.File:
		return schema.Text
	}
	panic(fmt.Sprintf("workload: no form for a parameter of type %T", t))
}

// values reads the values of all parameters. Of two that stand in each other's place
// only the one that is given has a value.
func (p *reader) values(all []parameter.Parameter, into parameter.Values) {
	given := map[string]*yamldoc.Node{}
	instead := map[string]string{} // what is given in the place of a parameter
	for _, q := range all {
		if given[q.Name] = p.take(q.Name); given[q.Name] != nil && q.Instead != "" {
			instead[q.Instead] = q.Name
		}
	}
	for _, q := range all {
		n := given[q.Name]
		switch other := instead[q.Name]; {
		case other != "" && n != nil:
			p.Fail(given[other], "both "+q.Name+" and "+other+" are given", "one of them")
		case other != "" || q.Instead != "" && n == nil:
		case isFile(q): // read already
		default:
			into[q.Name] = p.value(q, n, into)
		}
	}
}

// value reads the value of a parameter; before are those of the parameters before
// it.
func (p *reader) value(q parameter.Parameter, n *yamldoc.Node, before parameter.Values) any {
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
		return quantity(p, schema.Size, q, n)
	case parameter.Time:
		return quantity(p, schema.Time, q, n)
	case parameter.Bandwidth:
		return quantity(p, schema.Bandwidth, q, n)
	case parameter.Speed:
		return quantity(p, schema.Speed, q, n)
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
		op := application.Operation(before.Word(t.Word))
		if op == 0 { // unknown: said already
			return collective.Choice{}
		}
		return p.choice(q.Name, n, op, collective.Default(op).Algorithm.Name())
	}
	panic(fmt.Sprintf("workload: cannot read a parameter of type %T", q.Type))
}

// quantity reads the value of a parameter with a unit.
func quantity[T interface {
	~float64
	fmt.Stringer
}](p *reader, form schema.Quantity[T], q parameter.Parameter, n *yamldoc.Node) T {
	v := form.ReadOr(&p.Decoder, n, form.MustParse(q.Default))
	p.note(q.Name, v.String(), n != nil)
	return v
}

// choice reads how a collective operation is carried out, by default by an algorithm.
func (p *reader) choice(key string, n *yamldoc.Node, op workloads.Collective, otherwise string) collective.Choice {
	if n == nil {
		p.note(key, otherwise, false)
		return application.DefaultChoice(op, otherwise)
	}
	c, words := application.ReadChoice(&p.Decoder, n, op)
	if words != "" {
		p.note(key, words, true)
	}
	return c
}
