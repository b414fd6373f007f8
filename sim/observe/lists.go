package observe

// lists hold records of many ranks, those of each rank in their order. A list is in pieces of about a line
// of the cache, one behind the other in the order in which they are begun: of many ranks that go on by turns
// neighbouring lines are written, and a rank with few records needs little.
type lists[T any] struct {
	slabs  [][]T     // pieces of any lists
	chains [][]int32 // of each slab, by piece, the one before it in its list
	begun  int32     // pieces
	block  []T       // of which the next slabs are cut
	links  []int32   // of which their chains are
}

// list is that of a rank.
type list struct{ n, next int32 } // records; the place of the next one, if the piece has one

// The lengths of pieces and slabs, as powers of two, and those of blocks.
const (
	pieceBits  = 2
	slabBits   = 12
	leastBlock = 1 << 17
	mostBlock  = 1 << 22
)

// add adds a record to a list and returns it.
func (l *lists[T]) add(of *list) *T {
	if of.n&(1<<pieceBits-1) == 0 {
		of.next = l.open(of.next)
	}
	i := of.next
	of.n++
	of.next++
	return l.at(i)
}

// open returns the first place of a new piece of the list whose next place would be that.
func (l *lists[T]) open(next int32) int32 {
	first := l.begun << pieceBits
	if first&(1<<slabBits-1) == 0 {
		l.addSlab()
	}
	*l.before(l.begun) = pieceOf(next)
	l.begun++
	return first
}

// pieceOf returns the last piece of the list whose next place is that, if it has any.
func pieceOf(next int32) int32 { return (next - 1) >> pieceBits }

// addSlab adds a slab. From the third on it is cut of a block, which is half as long as all before it together, or as
// leastBlock: of few large pieces of memory the system can give nearly all in huge pages.
func (l *lists[T]) addSlab() {
	const slab, pieces = 1 << slabBits, 1 << (slabBits - pieceBits)
	if len(l.block) == 0 {
		n := slab
		if len(l.slabs) > 1 {
			n = min(max(len(l.slabs)/2*slab, leastBlock), mostBlock)
		}
		l.block, l.links = make([]T, n), make([]int32, n>>pieceBits)
		inHugePages(l.block)
		inHugePages(l.links)
	}
	l.slabs, l.block = append(l.slabs, l.block[:slab:slab]), l.block[slab:]
	l.chains, l.links = append(l.chains, l.links[:pieces:pieces]), l.links[pieces:]
}

func (l *lists[T]) at(i int32) *T { return &l.slabs[i>>slabBits][i&(1<<slabBits-1)] }

// before is the place of the piece before another.
func (l *lists[T]) before(piece int32) *int32 {
	const bits = slabBits - pieceBits
	return &l.chains[piece>>bits][piece&(1<<bits-1)]
}

// pieces returns the pieces of a list.
func (l *lists[T]) pieces(of list) []int32 {
	all := make([]int32, (of.n+1<<pieceBits-1)>>pieceBits)
	for piece, i := pieceOf(of.next), len(all)-1; i >= 0; piece, i = *l.before(piece), i-1 {
		all[i] = piece
	}
	return all
}

// of returns record i of a list that has these pieces.
func (l *lists[T]) of(pieces []int32, i int32) *T {
	return l.at(pieces[i>>pieceBits]<<pieceBits | i&(1<<pieceBits-1))
}
