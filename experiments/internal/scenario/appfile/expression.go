package appfile

import (
	"errors"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
)

// quantity is what an expression stands for.
type quantity struct {
	dimension string // "": a number without a unit, or of any
	want      string
}

var (
	number = quantity{"", "a number or an expression, such as n-1"}
	size   = quantity{"size", "a size or an expression in bytes, such as 8 B or word*nx"}
	work   = quantity{"work", "an amount of work or an expression in flop, such as 1 Gflop or 2*n^3"}
	time   = quantity{"time", "a time or an expression in seconds, such as 5 us or t*nx"}
)

// expression reads an expression of a quantity; nil if n is nil, and the constant 0
// after a problem.
func (r *reader) expression(n *yamldoc.Node, s *expression.Scope, q quantity) *expression.Expression {
	if n == nil {
		return nil
	}
	nothing := expression.Constant(0, "0")
	text := r.String(n, q.want)
	if text == "" {
		if n.IsScalar() {
			r.Fail(n, "found an empty text", q.want)
		}
		return nothing
	}
	e, err := s.Number(text)
	if err != nil {
		r.failExpression(n, err, q.want)
		return nothing
	}
	switch d := formula.Dimension(e.Unit()); {
	case q.dimension == "", d == q.dimension:
	case d != "":
		r.Fail(n, text+" is a "+d, q.want)
		return nothing
	case e.Bare() && text != "0":
		r.Fail(n, text+" is a number without a unit", q.want)
		return nothing
	}
	return e
}

// condition reads an expression that is true or false.
func (r *reader) condition(n *yamldoc.Node, s *expression.Scope) *expression.Expression {
	const want = "a condition, such as rank == 0"
	e, err := s.Condition(r.String(n, want))
	if err != nil {
		if n.IsScalar() {
			r.failExpression(n, err, want)
		}
		return expression.Constant(0, "0")
	}
	return e
}

// failExpression records what is wrong with an expression.
func (r *reader) failExpression(n *yamldoc.Node, err error, want string) {
	e, _ := errors.AsType[*formula.Error](err)
	if e.Expected != "" {
		want = e.Expected
	}
	if text := n.Text(); strings.Count(text, "(") > strings.Count(text, ")") {
		want = "as many ) as (; in braces, an expression with a comma stands in quotes"
	}
	if near := yamldoc.Nearest(e.Unknown, e.Known); len(near) > 0 && e.Unknown != "" {
		want += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	r.Fail(n, e.Where(), want)
}
