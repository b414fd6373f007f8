package model

import (
	"github.com/isoscale/isoscale/model/units"
)

// A Drawn is how long nodes of a type were in a state during a run: the sum over the nodes,
// in s, of the part of each whose processes were in it. Its fields are stored.
type Drawn struct {
	Node              string
	Compute, Messages units.Seconds
}

// Simulated is what a plan keeps of a simulation.
type Simulated struct {
	N           int
	Work        units.Flops
	Time        units.Seconds
	MarkedSpeed units.FlopsPerSecond
	Efficiency  float64
	Compute     units.Seconds // mean over the processes
	MemoryBound bool          // some process computes at the speed of the memory
	Drawn       []Drawn       // by type of node
	Memory      []string      // names each node type whose memory does not suffice
	Warnings    []string
	Simulations int
	Events      int64
}

// An Outcome is what a simulation gave, a committed time in its place, or why the
// efficiency to hold was not reached.
type Outcome struct {
	Run          Simulated
	Unattainable string
	Source       string // of a time that a vendor commits to
}

// Problem says why the workload cannot run, "" if it can.
func (o Outcome) Problem() string {
	if o.Unattainable == "" && len(o.Run.Memory) > 0 {
		return o.Run.Memory[0]
	}
	return o.Unattainable
}
