package application

import "github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"

// variation returns the draw of a Vary for the process or for the computation.
func (f *frame) variation(values *expression.Values, v *variation) float64 {
	switch v.By {
	case Normal:
		return values.Draw(expression.Normal, f.Place, v.place, v.loops)
	case Exponential:
		return values.Draw(expression.Exponential, f.Place, v.place, v.loops)
	}
	return 2*values.Draw(expression.Uniform, f.Place, v.place, v.loops) - 1
}
