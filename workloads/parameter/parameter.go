package parameter

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Parameter is a value of a workload that a file may set.
type Parameter struct {
	Name    string
	Type    Type
	Default string // as a file would have it
	Meaning string
	// Instead names a parameter that this one may replace. Then this one has no
	// default, and one of the two has a value.
	Instead string
}

// Type is the type of a parameter.
type Type interface{ isType() }

type (
	// Work is an amount of work of at least 0, in flop.
	Work struct{}
	// Size is an amount of data of at least 0, in bytes.
	Size struct{}
	// Time is a time of at least 0, in seconds.
	Time struct{}
	// Bandwidth is a bandwidth above 0, in bytes per second.
	Bandwidth struct{}
	// Speed is a speed above 0, in flop per second.
	Speed struct{}
	// Count is a whole number from Min to Max.
	Count struct{ Min, Max int }
	// Number is a number without a unit from Min to Max, or above Min.
	Number struct {
		Min, Max float64
		Above    bool // Min itself is no such number
	}
	// Flag is true or false.
	Flag struct{}
	// Word is one of the given names.
	Word struct{ Of []string }
	// Algorithm is how a collective operation is carried out: by an algorithm, by
	// the rules of an MPI library, or at a measured cost.
	Algorithm struct{ Operation workloads.Collective }
	// AlgorithmOf is Algorithm for the operation that another parameter, a Word, names.
	AlgorithmOf struct{ Word string }
	// File is the name of a file with values of other parameters, including the problem
	// size. Values that are given beside it override those of the file.
	File struct{ Format string }
)

func (Work) isType()        {}
func (Size) isType()        {}
func (Time) isType()        {}
func (Bandwidth) isType()   {}
func (Speed) isType()       {}
func (Count) isType()       {}
func (Number) isType()      {}
func (Flag) isType()        {}
func (Word) isType()        {}
func (Algorithm) isType()   {}
func (AlgorithmOf) isType() {}
func (File) isType()        {}

// Values are the values of the parameters of a workload by name. Asking for one that is
// not declared, or has another type, panics.
type Values map[string]any

// Has reports whether a parameter has a value. One that replaces another, or is
// replaced, may have none.
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
