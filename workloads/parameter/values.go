package parameter

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Values are the values of the parameters of a workload by name. To ask for one
// that is not declared, or is of another type, is a fault of the program and
// panics.
type Values map[string]any

// Has reports whether a parameter has a value: one that stands in the place of
// another, or has another in its place, may have none.
func (v Values) Has(name string) bool {
	_, ok := v[name]
	return ok
}

func get[T any](v Values, name string) T {
	x, ok := v[name].(T)
	if !ok {
		panic(fmt.Sprintf("parameter: %s is %T, not %T", name, v[name], x))
	}
	return x
}

// Work returns the value of a [Work].
func (v Values) Work(name string) units.Flops { return get[units.Flops](v, name) }

// Size returns the value of a [Size].
func (v Values) Size(name string) units.Bytes { return get[units.Bytes](v, name) }

// Time returns the value of a [Time].
func (v Values) Time(name string) units.Seconds { return get[units.Seconds](v, name) }

// Bandwidth returns the value of a [Bandwidth].
func (v Values) Bandwidth(name string) units.BytesPerSecond {
	return get[units.BytesPerSecond](v, name)
}

// Speed returns the value of a [Speed].
func (v Values) Speed(name string) units.FlopsPerSecond { return get[units.FlopsPerSecond](v, name) }

// Count returns the value of a [Count].
func (v Values) Count(name string) int { return get[int](v, name) }

// Number returns the value of a [Number].
func (v Values) Number(name string) float64 { return get[float64](v, name) }

// Flag returns the value of a [Flag].
func (v Values) Flag(name string) bool { return get[bool](v, name) }

// Word returns the value of a [Word].
func (v Values) Word(name string) string { return get[string](v, name) }

// Choice returns the value of an [Algorithm] or an [AlgorithmOf].
func (v Values) Choice(name string) collective.Choice { return get[collective.Choice](v, name) }
