package parameter

import "github.com/isoscale/isoscale/workloads"

// Parameter is what a file may set of a workload.
type Parameter struct {
	Name    string
	Type    Type
	Default string // as a file would have it
	Meaning string
	// Instead names the parameter in whose place this one may be given. Then it has
	// no default, and one of the two has a value.
	Instead string
}

// Type is what a parameter may be.
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
	// Word is one of some names.
	Word struct{ Of []string }
	// Algorithm is how a collective operation is carried out: by an algorithm, by
	// the rules of an MPI library, or at a measured cost.
	Algorithm struct{ Operation workloads.Collective }
	// AlgorithmOf is Algorithm for the operation that a Word among the parameters
	// names.
	AlgorithmOf struct{ Word string }
	// File is the name of a file that has values of other parameters, the problem size
	// among them. What is said beside it takes their place.
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
