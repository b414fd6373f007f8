package overlay

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
)

// common returns the axis of both charts, and by how much the numbers of b are multiplied
// to be in the unit of a.
func common(which string, a, b report.Axis, names [2]string) (report.Axis, float64, error) {
	factor, ok := convert(b.Unit, a.Unit)
	if !ok || a.Title != b.Title {
		return a, 0, fmt.Errorf("the %s is %q in %s and %q in %s; expected the same quantity",
			which, chart.Titled(a.Title, a.Unit), names[0], chart.Titled(b.Title, b.Unit), names[1])
	}
	a.Log = a.Log && b.Log
	a.Min, a.Max = outer(a.Min, b.Min, factor, math.Min), outer(a.Max, b.Max, factor, math.Max)
	return a, factor, nil
}

// outer is the outer one of two bounds. Where one chart leaves it to the data, both do.
func outer(a, b *float64, factor float64, of func(x, y float64) float64) *float64 {
	if a == nil || b == nil {
		return nil
	}
	v := of(*a, *b*factor)
	return &v
}

// convert returns how many of the unit to are one of the unit from, and whether both are
// of one quantity.
func convert(from, to string) (float64, bool) {
	if from == to {
		return 1, true
	}
	for _, parse := range []func(string) (float64, error){
		parser(units.Time), parser(units.Size), parser(units.Bandwidth), parser(units.Work), parser(units.Speed), parser(units.Power),
	} {
		a, errFrom := parse("1 " + from)
		b, errTo := parse("1 " + to)
		if errFrom == nil && errTo == nil {
			return a / b, true
		}
	}
	return 0, false
}

func parser[T ~float64](d units.Dimension[T]) func(string) (float64, error) {
	return func(text string) (float64, error) {
		v, err := d.Parse(text)
		return float64(v), err
	}
}

// times returns the numbers multiplied by a factor; nil of nil.
func times(values []float64, factor float64) []float64 {
	if values == nil || factor == 1 {
		return values
	}
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = v * factor
	}
	return out
}
