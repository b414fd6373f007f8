package algorithm

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Costs are the times that single operations take on some system, as a user
// would measure them there one at a time: the ingredients of a closed-form
// overhead T_o.
type Costs interface {
	// Message returns the time of one message of the given size.
	Message(size units.Bytes) units.Seconds
	// Collective returns the time of a collective operation that all enter
	// together, from there to the last exit, for the choice that the algorithm
	// makes. size is that of all blocks together, 0 for a barrier; the root, if
	// there is one, is process 0.
	Collective(op workloads.Collective, size units.Bytes) units.Seconds
}
