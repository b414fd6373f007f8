package html

import (
	"math"

	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/isoscale/isoscale/experiments/report"
)

// label names the quantity of an axis and its unit.
func label(a report.Axis) string { return titled(a.Title, a.Unit) }

func scale(a report.Axis) string {
	if a.Log {
		return "log"
	}
	return "value"
}

// bound converts an optional bound to an option; nil is no option.
func bound(v *float64) any {
	if v == nil {
		return nil
	}
	return *v
}

// logBase chooses the base of a logarithmic axis from the values on it. Powers
// of two suit the sizes of machines and problems, which are whole numbers. Powers of
// ten are easier to read for fractions, and fewer beyond three decades. A linear axis has base 0.
func logBase(a report.Axis, values []float64) int {
	if !a.Log {
		return 0
	}
	low, high := math.Inf(1), math.Inf(-1)
	whole := true
	for _, v := range values {
		low, high = math.Min(low, v), math.Max(high, v)
		whole = whole && v == math.Trunc(v)
	}
	if whole && low >= 1 && high <= 1000*low {
		return 2
	}
	return 10
}

// The scale of the x axis fits the data; the y axis of a linear scale starts
// at zero, so that heights are comparable.

func xAxis(a report.Axis) opts.XAxis {
	return opts.XAxis{
		Name: label(a), NameLocation: "middle", Type: scale(a),
		Min: bound(a.Min), Max: bound(a.Max), Scale: opts.Bool(true),
	}
}

func yAxis(a report.Axis) opts.YAxis {
	return opts.YAxis{
		Name: label(a), NameLocation: "end", Type: scale(a),
		Min: bound(a.Min), Max: bound(a.Max),
	}
}
