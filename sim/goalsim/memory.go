package goalsim

import (
	"unsafe"

	"github.com/isoscale/isoscale/workloads/goal"
)

// Memory estimates, on the safe side, the bytes that Run needs for a schedule of
// this size, besides the schedule itself (goal.Shape.Memory):
//
//	48 for an operation: 16 of its state, 32 in the agenda
//	24 for a rank, for the result and the queues of messages
//	16 for a core and 16 for an interface of each rank
//	16 for each pair of a core and an interface of each rank
//
// The agenda holds what is pending at one time: in a dissemination barrier one
// operation in forty. Only a schedule that releases nearly all its operations
// at one instant can need more than this, by a quarter.
func Memory(x goal.Shape) int64 {
	const (
		perOp   = int64(unsafe.Sizeof(opState{}) + 2*unsafe.Sizeof(event{}))
		perRank = int64(2*unsafe.Sizeof(queue{}) + unsafe.Sizeof(Nanoseconds(0)))
		word    = int64(unsafe.Sizeof(uint64(0)))
		groups  = int64(unsafe.Sizeof(group{}))
	)
	ranks, cpus, nics := int64(x.Ranks), int64(x.CPUs), int64(x.NICs)
	return perOp*int64(x.Ops) + ranks*(perRank+cpus*(word+groups)+nics*2*word+cpus*nics*2*groups)
}
