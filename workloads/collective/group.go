package collective

import "fmt"

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

// Strided is the group of the N ranks First, First+Stride, First+2 Stride, ...,
// as the rows and columns of a grid of ranks.
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

// Size implements [Group].
func (w World) Size() int { return int(w) }

// World implements [Group].
func (w World) World(i int) int32 { return int32(i) }

// Size implements [Group].
func (s Strided) Size() int { return s.N }

// World implements [Group].
func (s Strided) World(i int) int32 { return s.First + int32(i)*s.Stride }

// Size implements [Group].
func (l List) Size() int { return len(l) }

// World implements [Group].
func (l List) World(i int) int32 { return l[i] }

// ValidateGroup reports a group that is empty, or the first member that is not
// one of the ranks of a program or is there twice.
func ValidateGroup(g Group, ranks int) error {
	n := g.Size()
	if n < 1 || n > ranks {
		return fmt.Errorf("group of %d ranks; expected 1 to %d", n, ranks)
	}
	seen := make(map[int32]int, n)
	for i := range n {
		rank := g.World(i)
		if rank < 0 || int(rank) >= ranks {
			return fmt.Errorf("group: member %d is rank %d; expected 0 to %d", i, rank, ranks-1)
		}
		if j, ok := seen[rank]; ok {
			return fmt.Errorf("group: members %d and %d are both rank %d", j, i, rank)
		}
		seen[rank] = i
	}
	return nil
}
