package collective

import (
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/workloads"
)

// Call is one collective operation: Size ranks, numbered from 0, and the root.
// Root is 0 where the operation has none.
type Call struct {
	Size int
	Root int
	// Pieces is the number of pieces that the data are cut into if the
	// algorithm is a [Divider]. [Next] sets it.
	Pieces int
	// Group tells which ranks of the program take part; nil stands for all. Ranks in
	// the call, including the root, are numbered within the group.
	Group Group
	// Number identifies the group: every group of a program must have its own number,
	// which all members use (see [workloads.Measured]). It is 0 without a Group and at
	// least 1 with one.
	Number int32
}

// Rooted tells whether calls of an operation have a root.
func Rooted(op workloads.Collective) bool {
	switch op {
	case workloads.Bcast, workloads.Reduce, workloads.Gather, workloads.Scatter:
		return true
	}
	return false
}

// In returns the call among the members of a group. root is a member's number within
// the group. A [World] is the same as no group, and number is ignored.
//
// A Group in a Call lives on the heap, so a program should make each of its
// groups once, not for every step.
func In(g Group, number int32, root int) Call {
	if w, ok := g.(World); ok {
		return Call{Size: w.Size(), Root: root}
	}
	return Call{Size: g.Size(), Root: root, Group: g, Number: number}
}

// Validate reports everything that is wrong with the call.
func (c Call) Validate() error {
	var problems []error
	bad := func(format string, args ...any) { problems = append(problems, fmt.Errorf("call: "+format, args...)) }
	if c.Size < 1 {
		bad("%d ranks; expected at least 1", c.Size)
	}
	if c.Root < 0 || c.Root >= max(1, c.Size) {
		bad("root is %d; expected one of %d ranks", c.Root, c.Size)
	}
	switch {
	case c.Group == nil && c.Number != 0:
		bad("number %d without a group; expected 0", c.Number)
	case c.Group != nil && c.Number < 1:
		bad("number of the group is %d; expected at least 1", c.Number)
	}
	if c.Group != nil && c.Group.Size() != c.Size {
		bad("%d ranks in a group of %d", c.Size, c.Group.Size())
	}
	return errors.Join(problems...)
}

// world returns the number that a rank of the call has among all ranks.
func (c Call) world(rank int) int32 {
	if c.Group == nil {
		return int32(rank)
	}
	return c.Group.World(rank)
}

// mod brings the number of a rank into 0 ... Size-1. REQUIRES: -Size <= rank < 2 Size.
func (c Call) mod(rank int) int {
	switch {
	case rank < 0:
		return rank + c.Size
	case rank >= c.Size:
		return rank - c.Size
	}
	return rank
}

// Group is an ordered set of ranks, the communicator of MPI: member i of a
// group is rank World(i) of the program. It must not change.
type Group interface {
	// Size returns the number of members.
	Size() int
	// World returns the rank of member i, 0 <= i < Size, among all ranks.
	World(i int) int32
}

// World is the group of all ranks 0 ... World-1.
type World int

// Strided is the group of the N ranks First, First+Stride, First+2 Stride, ..., such as
// a row or column of a grid of ranks.
type Strided struct {
	First, Stride int32
	N             int
}

// List is the group of the ranks listed, in that order.
type List []int32

var (
	_ Group = World(0)
	_ Group = Strided{}
	_ Group = List(nil)
)

func (w World) Size() int { return int(w) }

func (w World) World(i int) int32 { return int32(i) }

func (s Strided) Size() int { return s.N }

func (s Strided) World(i int) int32 { return s.First + int32(i)*s.Stride }

func (l List) Size() int { return len(l) }

func (l List) World(i int) int32 { return l[i] }
