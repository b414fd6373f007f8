package collective

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

func (w World) Size() int { return int(w) }

func (w World) World(i int) int32 { return int32(i) }

func (s Strided) Size() int { return s.N }

func (s Strided) World(i int) int32 { return s.First + int32(i)*s.Stride }

func (l List) Size() int { return len(l) }

func (l List) World(i int) int32 { return l[i] }
