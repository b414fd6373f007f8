package observe

import "math/bits"

// lists hold records of many ranks, those of each rank in their order. The records of a rank are in
// pieces, of which each is as long as all before it up to a limit, so that a rank with few records needs
// little, and finding one takes no search.
type lists[T any] struct {
	slabs  [][]T
	used   int32   // of the last slab
	before []int32 // by piece, of the same rank
	starts []int32 // by piece: its first record, counted over all slabs
}

// list is that of a rank.
type list struct {
	n, next int32 // records; the place of the next one
	piece   int32 // the last
}

// The lengths of pieces and of slabs, as powers of two.
const (
	leastBits = 3
	mostBits  = 6
	slabBits  = 12
)

// add adds a record to a list and returns it.
func (l *lists[T]) add(of *list) *T {
	if n := of.n; n&(1<<leastBits-1) == 0 && (n&(n-1) == 0 || n&(1<<mostBits-1) == 0) {
		l.open(of)
	}
	i := of.next
	of.n++
	of.next++
	return l.at(i)
}

// open adds a piece to a list.
func (l *lists[T]) open(of *list) {
	length := min(max(of.n, 1<<leastBits), 1<<mostBits)
	if len(l.slabs) == 0 || l.used+length > 1<<slabBits {
		l.slabs, l.used = append(l.slabs, make([]T, 1<<slabBits)), 0
	}
	of.next = int32(len(l.slabs)-1)<<slabBits + l.used
	l.used += length
	l.before, l.starts = append(l.before, of.piece), append(l.starts, of.next)
	of.piece = int32(len(l.starts) - 1)
}

func (l *lists[T]) at(i int32) *T { return &l.slabs[i>>slabBits][i&(1<<slabBits-1)] }

// pieceOf returns which piece of a list has record i, and the place of the record in it.
func pieceOf(i int32) (piece, place int32) {
	if i >= 1<<mostBits {
		return mostBits - leastBits + i>>mostBits, i & (1<<mostBits - 1)
	}
	if i < 1<<leastBits {
		return 0, i
	}
	last := int32(bits.Len32(uint32(i))) - 1
	return last - leastBits + 1, i - 1<<last
}

// pieces returns where the pieces of a list start.
func (l *lists[T]) pieces(of list) []int32 {
	if of.n == 0 {
		return nil
	}
	last, _ := pieceOf(of.n - 1)
	starts := make([]int32, last+1)
	for piece := of.piece; last >= 0; last-- {
		starts[last], piece = l.starts[piece], l.before[piece]
	}
	return starts
}
