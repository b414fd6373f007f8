package appfile

import (
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// collectiveObject is the declaration of a collective operation.
func collectiveObject(op workloads.Collective) *schema.Object {
	o := &schema.Object{What: "a call of " + op.String() + ", as in {among: all}", Ref: op.String()}
	if op != workloads.Barrier {
		o.What = "a call of " + op.String() + ", as in {size: 8 B}"
		meaning := "size of the data"
		switch op {
		case workloads.Gather, workloads.Allgather:
			meaning = "size of the block of a process; may depend on from, the process"
		case workloads.Scatter, workloads.ReduceScatter:
			meaning = "size of the block of a process; may depend on to, the process"
		case workloads.Alltoall:
			meaning = "size of what a process has for another; may depend on from and to"
		}
		o.Fields = append(o.Fields, schema.Field{Key: "size", Type: expressionType, Required: true, Meaning: meaning})
	}
	o.Fields = append(o.Fields,
		schema.Field{Key: "among", Type: schema.Text, Default: "all", Meaning: "all processes, or an axis: those with the same place on the other axes"},
		schema.Field{Key: "algorithm", Type: schema.AnyOf{application.ChoiceType(op), schema.Text}, Default: collective.Default(op).Algorithm.Name(), Meaning: "how it is carried out, or a parameter that says so"})
	if collective.Rooted(op) {
		o.Fields = append(o.Fields, schema.Field{Key: "root", Type: expressionType, Default: "0", Meaning: "place of the root among the processes that take part"})
	}
	if reduces(op) {
		o.Fields = append(o.Fields, schema.Field{Key: "flop_per_byte", Type: expressionType, Default: "0", Meaning: "work of combining a byte; not part of W"})
	}
	o.Fields = append(o.Fields, every)
	return o
}

// reduces reports whether an operation combines data.
func reduces(op workloads.Collective) bool {
	switch op {
	case workloads.Reduce, workloads.Allreduce, workloads.ReduceScatter, workloads.Scan:
		return true
	}
	return false
}

// collectiveType is how a collective operation is given: a barrier may have nothing,
// others a size alone.
func collectiveType(op workloads.Collective) schema.Type {
	if op == workloads.Barrier {
		return collectiveObject(op)
	}
	return schema.AnyOf{expressionType, collectiveObject(op)}
}

// collectiveReader reads a collective operation.
func collectiveReader(op workloads.Collective) statementReader {
	return func(r *reader, n *yamldoc.Node, _ *schema.Mapping, s *expression.Scope) application.Placed {
		o := collectiveObject(op)
		c := application.Collective{Operation: op}
		var m *schema.Mapping
		if op == workloads.Barrier {
			m = o.Open(r.Decoder, n)
		} else {
			var v *yamldoc.Node
			m, v = r.short(o, "size", n, size.want)
			inside := s
			if collective.BlockCount(op, 2) > 1 {
				inside = s.Peers()
			}
			c.Size = r.expression(v, inside, size)
		}
		c.Among = r.axis(m.Take("among"))
		how := m.Take("algorithm")
		c.Choice, c.Parameter = r.choice(how, op)
		if collective.Rooted(op) {
			c.Root = r.expression(m.Take("root"), s, number)
		}
		if reduces(op) {
			c.Work = r.expression(m.Take("flop_per_byte"), s, number)
		}
		if c.Size != nil && c.Size.Varies() && op == workloads.Alltoall && c.Choice.Algorithm == nil && c.Parameter == "" {
			r.Fail(how, "an alltoall whose blocks differ needs an algorithm", "the name of an algorithm")
		}
		return r.placed(m, s, c)
	}
}
