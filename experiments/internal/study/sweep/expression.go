package sweep

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
)

// A quantity of an objective is the name of a column, or an expression of outcomes,
// derived columns and numeric factors, which is evaluated when a study is analysed.

// expressionOf compiles an expression of what points have.
func expressionOf(text string, outcomes []system.Outcome, points *design.Design) (*formula.Expression, error) {
	e, err := slices.Concat(variablesOf(outcomes), points.Variables()).Compile(text, formula.IsNumber)
	return e, explained(text, err)
}

// variablesOf are the names of outcomes in expressions.
func variablesOf(outcomes []system.Outcome) formula.Variables {
	all := make(formula.Variables, len(outcomes))
	for i, o := range outcomes {
		all[i].Name = o.Name
		if formula.Dimension(o.Unit) != "" {
			all[i].Unit = o.Unit
		}
	}
	return all
}

// explained adds the text of an expression to an error.
func explained(text string, err error) error {
	e, ok := errors.AsType[*formula.Error](err)
	switch {
	case !ok:
		return err
	case e.Expected == "":
		return errors.New(formula.Explain(text, err))
	}
	return fmt.Errorf("%s; expected %s%s", formula.Explain(text, err), e.Expected, input.Suggestion(e.Unknown, e.Known))
}

// readQuantity reads a name or an expression.
func readQuantity(d *yamldoc.Decoder, n *yamldoc.Node, names []string, what string, outcomes []system.Outcome, points *design.Design) string {
	text := n.Text()
	if !n.IsScalar() || columnName.MatchString(text) || slices.Contains(names, text) {
		return d.OneOf(n, names, what)
	}
	if _, err := expressionOf(text, outcomes, points); err != nil {
		d.Fail(n, err.Error(), "")
		return ""
	}
	return text
}

// checkQuantity is readQuantity for a name given on the command line; empty is none.
func (s *Study) checkQuantity(text string, names []string) error {
	if text == "" || slices.Contains(names, text) {
		return nil
	}
	if !columnName.MatchString(text) {
		_, err := expressionOf(text, s.outcomes, s.Design)
		return err
	}
	return unknownOutcome(text, names)
}

// evaluator returns the value of a quantity at a point from the values of its
// outcomes, NaN where it has none; nil for the name of a column.
func (s *Study) evaluator(quantity string) func(levels []int, values []float64) float64 {
	if quantity == "" || s.Column(quantity).Kind != "" {
		return nil
	}
	x, err := expressionOf(quantity, s.outcomes, s.Design)
	if err != nil {
		return nil
	}
	factors := s.Design.NumericNames()
	return func(levels []int, values []float64) float64 {
		variables := make(map[string]float64, len(factors)+len(values))
		for name, i := range factors {
			variables[name] = s.Design.Factors[i].Level(levels[i]).Value
		}
		for i, v := range values {
			variables[s.outcomes[i].Name] = v
		}
		for _, name := range x.Names() {
			if math.IsNaN(variables[name]) {
				return math.NaN() // the point failed
			}
		}
		v, err := x.Number(variables)
		if err != nil {
			return math.NaN()
		}
		return v
	}
}

// express adds the expressions of an objective to a table, as responses.
func (s *Study) express(t *analysis.Table, quantities ...string) {
	for _, quantity := range quantities {
		value := s.evaluator(quantity)
		known := slices.ContainsFunc(t.Responses, func(r analysis.Response) bool { return r.Name == quantity })
		if value == nil || known {
			continue
		}
		t.Responses = append(t.Responses, analysis.Response{Name: quantity})
		for i := range t.Rows {
			row := &t.Rows[i]
			row.Values = append(row.Values, value(row.Levels, row.Values[:len(s.outcomes)]))
		}
	}
}

func unknownOutcome(name string, names []string) error {
	return fmt.Errorf("unknown outcome %q; expected one of %s", name, strings.Join(names, ", "))
}
