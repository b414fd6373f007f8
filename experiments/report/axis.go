package report

import (
	"math"

	"github.com/go-echarts/go-echarts/v2/opts"
)

func (a *Axis) check(at place) {
	at.checkPresent("title", a.Title)
	if a.Unit == "" {
		at.reportf("unit is missing; expected a unit, or %q where there is none", Dimensionless)
	}
	if a.Min != nil {
		at.checkNumber("min", *a.Min, a.Log)
	}
	if a.Max != nil {
		at.checkNumber("max", *a.Max, a.Log)
	}
	if a.Min != nil && a.Max != nil && *a.Min >= *a.Max {
		at.reportf("min %v is not below max %v", *a.Min, *a.Max)
	}
}

func (a *Axis) label() string { return titled(a.Title, a.Unit) }

func (a *Axis) scale() string {
	if a.Log {
		return "log"
	}
	return "value"
}

// bound turns an optional bound into an option; nil leaves it out.
func bound(v *float64) any {
	if v == nil {
		return nil
	}
	return *v
}

// logBase chooses the base of a logarithmic axis from the values on it. Powers
// of two suit the sizes of machines and problems, which are whole, but fractions
// read better in powers of ten, and beyond three decades there are too many powers
// of two. A linear axis has base 0.
func (a *Axis) logBase(values []float64) int {
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
// at zero, so that heights compare.

func (a *Axis) asX() opts.XAxis {
	return opts.XAxis{
		Name: a.label(), NameLocation: "middle", Type: a.scale(),
		Min: bound(a.Min), Max: bound(a.Max), Scale: opts.Bool(true),
	}
}

func (a *Axis) asY() opts.YAxis {
	return opts.YAxis{
		Name: a.label(), NameLocation: "end", Type: a.scale(),
		Min: bound(a.Min), Max: bound(a.Max),
	}
}
