package appfile

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
	"github.com/isoscale/isoscale/model/units"
)

// quantity is what an expression stands for.
type quantity struct {
	parse func(text string) (float64, error) // nil: a number without a unit
	want  string
}

var (
	number = quantity{nil, "a number or an expression, such as n-1"}
	size   = quantity{parser(units.Size), "a size or an expression in bytes, such as 8 B or word*nx"}
	work   = quantity{parser(units.Work), "an amount of work or an expression in flop, such as 1 Gflop or 2*n^3"}
	time   = quantity{parser(units.Time), "a time or an expression in seconds, such as 5 us or t*nx"}
)

func parser[T ~float64](d units.Dimension[T]) func(text string) (float64, error) {
	return func(text string) (float64, error) {
		v, err := d.Parse(text)
		return float64(v), err
	}
}

// looksLikeQuantity is a number with what may be a unit.
var looksLikeQuantity = regexp.MustCompile(`^[+-]?[0-9.]+([eE][+-]?[0-9]+)? ?[A-Za-z/]+$`)

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
	if v, err := strconv.ParseFloat(text, 64); err == nil && q.parse != nil && v != 0 {
		r.Fail(n, text+" is a number without a unit", q.want)
		return nothing
	}
	if q.parse != nil {
		v, err := q.parse(text)
		switch {
		case err == nil:
			return expression.Constant(v, text)
		case looksLikeQuantity.MatchString(text):
			if e, ok := errors.AsType[*units.ParseError](err); ok {
				r.Fail(n, fmt.Sprintf("%q: %s", text, e.Reason), q.want)
			}
			return nothing
		}
	}
	e, err := s.Number(text)
	if err != nil {
		r.failExpression(n, text, err, q.want)
		return nothing
	}
	return e
}

// condition reads an expression that is true or false.
func (r *reader) condition(n *yamldoc.Node, s *expression.Scope) *expression.Expression {
	const want = "a condition, such as rank == 0"
	text := r.String(n, want)
	e, err := s.Condition(text)
	if err != nil {
		if n.IsScalar() {
			r.failExpression(n, text, err, want)
		}
		return expression.Constant(0, "0")
	}
	return e
}

// failExpression records what is wrong with an expression.
func (r *reader) failExpression(n *yamldoc.Node, text string, err error, want string) {
	e, ok := errors.AsType[*expression.Error](err)
	if !ok { // of the language itself
		if strings.Count(text, "(") > strings.Count(text, ")") {
			want = "as many ) as (; in braces, an expression with a comma stands in quotes"
		}
		r.Fail(n, err.Error(), want)
		return
	}
	want = e.What.Expected
	if near := yamldoc.Nearest(e.What.Unknown, e.Known); len(near) > 0 && e.What.Unknown != "" {
		want += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	r.Fail(n, e.What.Where(), want)
}
