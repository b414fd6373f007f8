package observe

// lists hold records of many ranks, those of each rank in their order. A list is in pieces of about a line
// of the cache, one behind the other in the order in which they are begun: of many ranks that go on by turns
// neighbouring lines are written, and a rank with few records needs little.
type lists[T any] struct {
	slabs  [][]T     // pieces of any lists
	owners [][]int32 // of each slab, by piece, the number of its list
	begun  int32     // pieces
	block  []T       // of which the next slabs are cut
	owned  []int32   // of which their owners are
}

// list is that of a rank.
type list struct{ n, next int32 } // records; the place of the next one, if the piece has one

// The lengths of pieces, slabs and the largest blocks, as powers of two.
const (
	pieceBits = 2
	slabBits  = 12
	blockBits = 22
)

// add adds a record to the list of a number and returns it.
func (l *lists[T]) add(of *list, number int32) *T {
	if of.n&(1<<pieceBits-1) == 0 {
		of.next = l.open(number)
	}
	i := of.next
	of.n++
	of.next++
	return l.at(i)
}

// open returns the first place of a new piece.
func (l *lists[T]) open(number int32) int32 {
	first := l.begun << pieceBits
	if first&(1<<slabBits-1) == 0 {
		l.addSlab()
	}
	*l.owner(l.begun) = number
	l.begun++
	return first
}

// addSlab adds a slab. A block is half as long as all before it together: of few large pieces of memory the system can give
// nearly all in huge pages.
func (l *lists[T]) addSlab() {
	const slab, owners = 1 << slabBits, 1 << (slabBits - pieceBits)
	if len(l.block) == 0 {
		least := 1
		if len(l.slabs) > 1 {
			least = 128
		}
		n := min(max(len(l.slabs)/2, least)<<slabBits, 1<<blockBits)
		l.block, l.owned = make([]T, n), make([]int32, n>>pieceBits)
		inHugePages(l.block)
		inHugePages(l.owned)
	}
	l.slabs, l.block = append(l.slabs, l.block[:slab:slab]), l.block[slab:]
	l.owners, l.owned = append(l.owners, l.owned[:owners:owners]), l.owned[owners:]
}

func (l *lists[T]) at(i int32) *T { return &l.slabs[i>>slabBits][i&(1<<slabBits-1)] }

func (l *lists[T]) owner(piece int32) *int32 {
	const bits = slabBits - pieceBits
	return &l.owners[piece>>bits][piece&(1<<bits-1)]
}

// pieces returns the pieces of n lists, by number. They are found for all at once, in the order in which they were
// begun: to follow each list alone would wait for memory at every piece.
func (l *lists[T]) pieces(n int, list func(number int) list) [][]int32 {
	all, room := make([][]int32, n), make([]int32, l.begun)
	for i := range all {
		k := (list(i).n + 1<<pieceBits - 1) >> pieceBits
		all[i], room = room[:0:k], room[k:]
	}
	for piece := range l.begun {
		i := *l.owner(piece)
		all[i] = append(all[i], piece)
	}
	return all
}

// of returns record i of a list that has these pieces.
func (l *lists[T]) of(pieces []int32, i int32) *T {
	return l.at(pieces[i>>pieceBits]<<pieceBits | i&(1<<pieceBits-1))
}
