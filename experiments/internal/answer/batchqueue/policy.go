package batchqueue

import (
	"slices"

	"github.com/isoscale/isoscale/model/units"
)

// Policy decides which waiting jobs start.
type Policy uint8

// The policies; the package comment says what they do.
const (
	FCFS Policy = iota
	EASY
	Conservative
)

var policyNames = []string{"fcfs", "easy", "conservative"}

// Policies returns the names of all policies.
func Policies() []string { return slices.Clone(policyNames) }

// ParsePolicy returns the policy of a name.
func ParsePolicy(name string) (Policy, bool) {
	i := slices.Index(policyNames, name)
	return Policy(max(i, 0)), i >= 0
}

func (p Policy) String() string { return policyNames[p] }

// scheduler is a policy at work. Jobs are numbered in the order of the queue.
type scheduler interface {
	submitted(job int32)
	ended(job int32)
	// schedule starts what may start now.
	schedule()
	// alarm returns the earliest time at which schedule is to be called even if
	// nothing happens; false if there is none.
	alarm() (units.Seconds, bool)
	// ring reports whether schedule is to be called now, at the time of the alarm.
	ring() bool
}
