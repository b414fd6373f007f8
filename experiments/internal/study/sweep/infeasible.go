package sweep

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
)

const wantInfeasible = "conditions on outcomes, columns and factors under which a point is infeasible, as in [memory > 3 GB, time > 1 h]"

var infeasibleType = schema.List{Of: schema.Text, Min: 1}

// readInfeasible reads the key infeasible of a plan.
func (s *Study) readInfeasible(d *yamldoc.Decoder, n *yamldoc.Node) {
	if n == nil {
		return
	}
	known := append(s.Design.Variables(), variablesOf(s.outcomes)...)
	for _, c := range d.Sequence(n, wantInfeasible) {
		if !c.IsScalar() {
			d.Fail(c, "found no condition", wantInfeasible)
			continue
		}
		e, err := known.Compile(c.Text(), formula.IsTruth)
		if err != nil {
			d.Fail(c, explained(c.Text(), err).Error(), "")
			continue
		}
		s.infeasible = append(s.infeasible, e)
	}
}

// judge returns a [system.InfeasibleError] for a point whose values fulfil a condition of the plan. A condition on an
// outcome that the point lacks does not count.
func (s *Study) judge(p design.Point, values []float64) error {
	if s.infeasible == nil {
		return nil
	}
	named := formula.Values{}
	for name, v := range s.variables(p, values) {
		named[name] = v
	}
	x := &system.InfeasibleError{}
	for _, e := range s.infeasible {
		lacks := func(name string) bool {
			v, ok := named[name].(float64)
			return ok && math.IsNaN(v)
		}
		if slices.ContainsFunc(e.Names(), lacks) {
			continue
		}
		switch holds, err := e.Holds(named); {
		case err != nil:
			return explained(e.String(), err)
		case holds:
			x.Problems = append(x.Problems, e.String())
		}
	}
	if x.Problems == nil {
		return nil
	}
	return x
}

// Conditional reports whether the plan has conditions that make points infeasible.
func (s *Study) Conditional() bool { return s.infeasible != nil }
