package appfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
	"github.com/isoscale/isoscale/workloads/collective"
)

// maxStatements bounds the length of a program, and maxNested how deep statements
// contain each other.
const (
	maxStatements = 10_000
	maxNested     = 32
)

// statement is a kind of statement.
type statement struct {
	key  string
	main schema.Type // of the value of the key
	more []schema.Field
	// read reads the statement: value is that of its key, m has the other keys.
	read func(r *reader, value *yamldoc.Node, m *schema.Mapping, s *expression.Scope) application.Placed
}

// statements are all kinds of statement. It is a function, since statements contain
// statements.
func statements() []statement {
	all := []statement{
		{key: "compute", main: schema.AnyOf{expressionType, computeObject}, read: (*reader).compute},
		{key: "delay", main: schema.AnyOf{expressionType, delayObject}, read: (*reader).delay},
		{key: "imbalance", main: varyObject, read: (*reader).imbalance},
		{key: "noise", main: varyObject, read: (*reader).noise},
		{key: "exchange", main: exchangeObject, read: (*reader).exchange,
			more: []schema.Field{{Key: "meanwhile", Type: schema.AnyOf{block(), schema.Later(statementType)}, Meaning: "what is done while the messages are on their way"}}},
		{key: "wait", main: schema.AnyOf{schema.Text, waitObject}, read: (*reader).wait},
		{key: "repeat", main: expressionType, read: (*reader).repeat, more: []schema.Field{
			{Key: "do", Type: block(), Required: true, Meaning: "the statements of a round"},
			{Key: "index", Type: schema.Text, Meaning: "name of the number of the round, from 0"},
		}},
		{key: "when", main: schema.Text, read: (*reader).when, more: []schema.Field{
			{Key: "do", Type: block(), Required: true, Meaning: "the statements if the condition holds"},
			{Key: "else", Type: block(), Meaning: "the statements otherwise"},
		}},
		{key: "tasks", main: tasksObject, read: (*reader).tasks},
	}
	for _, name := range []string{"send", "recv", "isend", "irecv", "sendrecv"} {
		all = append(all, statement{key: name, main: messageObjects[name], read: messageReader(name)})
	}
	for _, op := range collective.Operations() {
		all = append(all, statement{key: op.String(), main: collectiveType(op), read: collectiveReader(op)})
	}
	return all
}

// object returns the declaration of a statement.
func (s *statement) object() *schema.Object {
	return &schema.Object{What: "a statement " + s.key, Ref: "statement-" + s.key,
		Fields: slices.Concat([]schema.Field{{Key: s.key, Type: s.main, Required: true}}, s.more)}
}

func statementType() schema.Type {
	var all schema.AnyOf
	for _, s := range statements() {
		all = append(all, s.object())
	}
	return all
}

// block reads a list of statements.
func (r *reader) block(n *yamldoc.Node, s *expression.Scope) []application.Placed {
	if r.nested++; r.nested > maxNested {
		r.Fail(n, "statements nested too deeply", fmt.Sprintf("at most %d levels", maxNested))
		return nil
	}
	defer func() { r.nested-- }()
	var all []application.Placed
	for _, item := range r.Sequence(n, "statements, each as in - compute: 2*n^3") {
		if p, ok := r.statement(item, s); ok {
			all = append(all, p)
		}
	}
	if n.IsSequence() && len(all) == 0 && r.Err() == nil {
		r.Fail(n, "no statements", "at least one")
	}
	return all
}

// statement reads one statement.
func (r *reader) statement(n *yamldoc.Node, s *expression.Scope) (p application.Placed, ok bool) {
	if r.parts++; r.parts > maxStatements {
		if r.parts == maxStatements+1 {
			r.Fail(n, "too many statements", fmt.Sprintf("at most %d", maxStatements))
		}
		return p, false
	}
	if n.IsScalar() { // a statement without anything, such as barrier
		for _, k := range r.kinds {
			if k.key == n.Text() {
				r.Fail(n, "the statement "+k.key+" without a value", "a colon after it, as in - barrier: {}")
				return p, false
			}
		}
	}
	m := r.Mapping(n, "a statement, as in {compute: 2*n^3}")
	var found []*statement
	var known []string
	for i := range r.kinds {
		known = append(known, r.kinds[i].key)
		if n.Has(r.kinds[i].key) {
			found = append(found, &r.kinds[i])
		}
	}
	slices.Sort(known)
	switch {
	case len(found) == 1:
	case !n.IsMapping():
		return p, false
	case len(found) > 1:
		r.Fail(n, fmt.Sprintf("two statements in one, %s and %s", found[0].key, found[1].key), "a line starting with - for each statement")
		return p, false
	case len(m.Keys()) == 0:
		r.Fail(n, "an empty statement", "one of "+strings.Join(known, ", "))
		return p, false
	default:
		first := m.Keys()[0]
		want := "one of " + strings.Join(known, ", ")
		if near := yamldoc.Nearest(first, known); len(near) > 0 {
			want += "; did you mean " + strings.Join(near, " or ") + "?"
		}
		r.Fail(n, fmt.Sprintf("unknown statement %q", yamldoc.Clip(first)), want)
		return p, false
	}
	k := found[0]
	d := k.object().Open(r.Decoder, n)
	p = k.read(r, d.Take(k.key), d, s)
	d.Done()
	p.At = n.Pos().String()
	return p, p.Statement != nil
}

// every reads how often a statement counts.
func (r *reader) every(m *schema.Mapping, s *expression.Scope) application.Place {
	n := m.Take("every")
	if n == nil {
		return application.Place{}
	}
	if !s.InLoop() {
		r.Fail(n, "every outside of a loop", "a repeat around the statement")
	}
	e := r.expression(n, s, number)
	if !e.Constant() {
		r.Fail(n, "every depends on the process or the round", "parameters and numbers")
	}
	return application.Place{Every: e}
}

// short opens a statement that may be given by its main value alone: then m is empty
// and main is the value.
func (r *reader) short(o *schema.Object, key string, n *yamldoc.Node, want string) (m *schema.Mapping, main *yamldoc.Node) {
	if n.IsMapping() {
		m = o.Open(r.Decoder, n)
		return m, m.Require(key, want)
	}
	return o.Open(r.Decoder, nil), n
}

func (r *reader) compute(n *yamldoc.Node, _ *schema.Mapping, s *expression.Scope) application.Placed {
	m, flop := r.short(computeObject, "flop", n, work.want)
	c := application.Compute{Flop: r.expression(flop, s, work), Bytes: r.expression(m.Take("bytes"), s, size)}
	if counts := m.Take("counts"); counts != nil {
		c.Uncounted = !r.Bool(counts)
	}
	c.Loop = r.loop(n, m)
	return r.placed(m, s, c)
}

// loop reads the inner loop of a computation, whose statement is at n.
func (r *reader) loop(n *yamldoc.Node, m *schema.Mapping) int32 {
	return r.app.AddLoop(application.Loop{
		Kernel:    r.label(m.Take("kernel"), "the name of a kernel, such as dgemm"),
		Precision: r.label(m.Take("precision"), "the name of a precision, such as bf16"),
		At:        n.Pos().String(),
	})
}

// placed reads the rest of a statement.
func (r *reader) placed(m *schema.Mapping, s *expression.Scope, what application.Statement) application.Placed {
	p := application.Placed{Place: r.every(m, s), Statement: what}
	m.Done()
	return p
}

func (r *reader) delay(n *yamldoc.Node, _ *schema.Mapping, s *expression.Scope) application.Placed {
	m, t := r.short(delayObject, "time", n, time.want)
	return r.placed(m, s, application.Delay{Time: r.expression(t, s, time)})
}

func (r *reader) imbalance(n *yamldoc.Node, _ *schema.Mapping, s *expression.Scope) application.Placed {
	return application.Placed{Statement: r.vary(n, s, true)}
}

func (r *reader) noise(n *yamldoc.Node, _ *schema.Mapping, s *expression.Scope) application.Placed {
	return application.Placed{Statement: r.vary(n, s, false)}
}

// vary reads a distribution.
func (r *reader) vary(n *yamldoc.Node, s *expression.Scope, once bool) application.Vary {
	v := application.Vary{Once: once}
	by := n
	if n.IsMapping() {
		m := r.Mapping(n, "a distribution, as in {normal: 0.1}")
		names := []string{"uniform", "normal", "exponential"}
		by = nil
		for i, name := range names {
			width := m.Take(name)
			switch {
			case width == nil:
			case by != nil:
				r.Fail(width, "two distributions", "one of "+strings.Join(names, ", "))
			default:
				by, v.By = width, application.Distributed(i)
			}
		}
		m.Done()
		if by == nil && len(m.Keys()) == 0 {
			r.Fail(n, "no distribution", "one of "+strings.Join(names, ", ")+", as in {normal: 0.1}")
		}
	}
	if v.Width = r.expression(by, s, number); v.Width == nil {
		v.Width = expression.Constant(0, "0")
	}
	return v
}

func (r *reader) repeat(n *yamldoc.Node, m *schema.Mapping, s *expression.Scope) application.Placed {
	count := r.expression(n, s, number)
	name := ""
	if i := m.Take("index"); i != nil {
		name = r.String(i, "a name for the number of the round")
		if problem, expected := s.CheckName(name); problem != "" {
			r.Fail(i, problem, expected)
			name = ""
		}
	}
	do := m.Require("do", "the statements of a round")
	return application.Placed{Statement: application.Repeat{Count: count, Do: r.block(do, s.Loop(name))}}
}

func (r *reader) when(n *yamldoc.Node, m *schema.Mapping, s *expression.Scope) application.Placed {
	w := application.When{Holds: r.condition(n, s)}
	w.Do = r.block(m.Require("do", "the statements if the condition holds"), s)
	w.Else = r.block(m.Take("else"), s)
	return application.Placed{Statement: w}
}

func (r *reader) tasks(n *yamldoc.Node, _ *schema.Mapping, s *expression.Scope) application.Placed {
	m := tasksObject.Open(r.Decoder, n)
	inside := s.Tasks()
	t := application.Tasks{
		Count: r.expression(m.Require("count", number.want), s, number),
		Flop:  r.expression(m.Require("flop", work.want), inside, work),
		Bytes: r.expression(m.Take("bytes"), inside, size),
	}
	if o := m.Take("order"); o != nil {
		t.Dynamic = r.OneOf(o, []string{"static", "dynamic"}, "order of tasks") == "dynamic"
	}
	if c := m.Take("counts"); c != nil {
		t.Uncounted = !r.Bool(c)
	}
	t.Loop = r.loop(n, m)
	input, output := m.Take("input"), m.Take("output")
	for _, x := range []*yamldoc.Node{input, output} {
		if x != nil && !t.Dynamic {
			r.Fail(x, "tasks in static order have no messages", "order: dynamic, or no input and output")
		}
	}
	t.Input, t.Output = r.expression(input, s, size), r.expression(output, s, size)
	return r.placed(m, s, t)
}
