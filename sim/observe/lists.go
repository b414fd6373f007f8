package observe

// lists hold records of many ranks, those of each rank in their order. A list is in pieces of about a line
// of the cache, one behind the other in the order in which they are begun: of many ranks that go on by turns
// neighbouring lines are written, and a rank with few records needs little.
type lists[T any] struct {
	slabs  [][]T
	before []int32 // by piece, the one before it of the same list
}

// list is that of a rank.
type list struct{ n, next int32 } // records; the place of the next one, if the piece has one

// The lengths of pieces and of slabs, as powers of two.
const (
	pieceBits = 2
	slabBits  = 12
)

// add adds a record to a list and returns it.
func (l *lists[T]) add(of *list) *T {
	if of.n&(1<<pieceBits-1) == 0 {
		l.open(of)
	}
	i := of.next
	of.n++
	of.next++
	return l.at(i)
}

// open adds a piece to a list.
func (l *lists[T]) open(of *list) {
	first := int32(len(l.before)) << pieceBits
	if first&(1<<slabBits-1) == 0 {
		l.slabs = append(l.slabs, make([]T, 1<<slabBits))
	}
	l.before = append(l.before, (of.next-1)>>pieceBits)
	of.next = first
}

func (l *lists[T]) at(i int32) *T { return &l.slabs[i>>slabBits][i&(1<<slabBits-1)] }

// pieces returns the pieces of a list.
func (l *lists[T]) pieces(of list) []int32 {
	list := make([]int32, (of.n+1<<pieceBits-1)>>pieceBits)
	piece := (of.next - 1) >> pieceBits
	for i := len(list) - 1; i >= 0; i-- {
		list[i], piece = piece, l.before[piece]
	}
	return list
}

// of returns record i of a list that has these pieces.
func (l *lists[T]) of(pieces []int32, i int32) *T {
	return l.at(pieces[i>>pieceBits]<<pieceBits | i&(1<<pieceBits-1))
}
