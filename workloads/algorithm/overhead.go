package algorithm

import "github.com/isoscale/isoscale/model/units"

// Costs are the times that single operations take on some system, as a user
// would measure them there one at a time: the ingredients of a closed-form
// overhead T_o.
type Costs interface {
	// Message returns the time of one message of the given size.
	Message(size units.Bytes) units.Seconds
	// Bcast, Scatter, Gather and Alltoall return the time from the first entry
	// to the last exit, for the choices that the algorithm makes. For all but
	// Bcast, size is that of all blocks together.
	Bcast(size units.Bytes) units.Seconds
	Scatter(size units.Bytes) units.Seconds
	Gather(size units.Bytes) units.Seconds
	Alltoall(size units.Bytes) units.Seconds
	// Barrier returns the time of a barrier that all enter together.
	Barrier() units.Seconds
}
