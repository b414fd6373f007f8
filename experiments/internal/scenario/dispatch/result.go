package dispatch

import "github.com/isoscale/isoscale/model/units"

// Result is what Run found.
type Result struct {
	Makespan units.Seconds // when the last result of level 1 was back
	// Work is the sum of the times of all SIs of the last level at speed 1: what one
	// processor needs without IDU and network.
	Work   units.Seconds
	Levels []LevelResult // by level, outermost first

	speedup float64
}

// Speedup returns Work/Makespan, the speedup over one processor without IDU and
// network; NaN if there is nothing to do. It is the same to the last bit in every
// unit of time, where the quotient of the rounded times may not be.
func (r Result) Speedup() float64 { return r.speedup }

// LevelResult sums up all groups of a level.
type LevelResult struct {
	Executed int64 // SIs
	// Busy is the time that SIs were executed, summed over all processors of
	// the level; Idle is the rest: Makespan times processors - Busy. Above the
	// last level a processor is a node, busy also while its own nodes wait.
	Busy, Idle units.Seconds
	// Transfer is the time that SIs spent between the IDU and their nodes, both
	// ways, with the wait for interfaces, summed over SIs.
	Transfer units.Seconds
	// DispatchWait is the time that free places waited for an SI that they got:
	// for their turn and for Dispatch. Summed over SIs.
	DispatchWait units.Seconds
	// Utilization is Busy/(Busy + Idle), 0 if the program takes no time.
	Utilization float64
	Lost        Lost
}

// Lost is what a level loses, by cause: the time that its processors execute nothing
// although their group has a super-program, as a share of the makespan times all
// processors of the level. If all groups of a level have as many nodes, the losses of
// all levels and the utilization of the last add up to 1.
type Lost struct {
	Transfer float64 // the SI that the processor waits for, or the place for one, is between IDU and node
	Dispatch float64 // a free place of the node waits for its turn or for Dispatch
	End      float64 // there is no SI left for the processor
}
