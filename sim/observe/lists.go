package observe

// records are those of many ranks, of each rank in their order. Its list is in pieces of about a line
// of the cache, one behind the other in the order in which they are begun: of many ranks that go on by turns
// neighbouring lines are written, and a rank with few records needs little. From longFrom records on pieces are in rows
// of neighbours, so that a long list is found in few steps.
type records struct {
	slabs  [][]record // pieces of any lists
	chains [][]link   // of each slab, by piece
	begun  int32      // pieces
	block  []record   // of which the next slabs are cut
	links  []link     // of which their chains are
}

// link is what a piece knows of its list: the piece before it, and of the records before it how many there are up to the
// last span, and how many are messages.
type link struct{ before, spans, messages int32 }

// list is that of a rank.
type list struct {
	n, next  int32 // records; the place of the next one, if the piece has one
	spans    int32 // how many of the records there are up to the last span
	messages int32
}

// The lengths of pieces, rows and slabs, as powers of two, and that of the longest block.
const (
	pieceBits = 3
	rowBits   = 6
	longFrom  = 1 << 9
	slabBits  = 12
	mostBlock = 1 << 22
)

// add adds a record to a list, and returns it.
func (l *records) add(of *list) *record {
	if of.n&(1<<pieceBits-1) == 0 {
		l.addPiece(of)
	}
	i := of.next
	of.n++
	of.next++
	return l.at(i)
}

// addPiece adds a piece to a list: the next one of its row, or one that nobody has.
func (l *records) addPiece(of *list) {
	pieces := int32(1)
	if of.n >= longFrom {
		pieces = 1 << (rowBits - pieceBits)
	}
	before := pieceOf(of.next)
	if pieces == 1 || of.n&(1<<rowBits-1) == 0 {
		const slab = 1 << (slabBits - pieceBits)
		if room := -l.begun & (slab - 1); room < pieces {
			l.begun += room
			l.addSlab()
		}
		of.next = l.begun << pieceBits
		l.begun += pieces
	}
	*l.link(of.next >> pieceBits) = link{before, of.spans, of.messages}
}

// pieceOf returns the last piece of the list whose next place is that, if it has any.
func pieceOf(next int32) int32 { return (next - 1) >> pieceBits }

// addSlab adds a slab. From the third on it is cut of a block, which is half as long as all before it together, or as
// leastBlock: of few large pieces of memory the system can give nearly all in huge pages.
func (l *records) addSlab() {
	const slab, pieces = 1 << slabBits, 1 << (slabBits - pieceBits)
	if len(l.block) == 0 {
		n := slab
		if len(l.slabs) > 1 {
			n = min(max(len(l.slabs)/2*slab, leastBlock), mostBlock)
		}
		l.block, l.links = make([]record, n), make([]link, n>>pieceBits)
		inHugePages(l.block)
		inHugePages(l.links)
	}
	l.slabs, l.block = append(l.slabs, l.block[:slab:slab]), l.block[slab:]
	l.chains, l.links = append(l.chains, l.links[:pieces:pieces]), l.links[pieces:]
}

func (l *records) at(i int32) *record { return &l.slabs[i>>slabBits][i&(1<<slabBits-1)] }

func (l *records) link(piece int32) *link {
	const bits = slabBits - pieceBits
	return &l.chains[piece>>bits][piece&(1<<bits-1)]
}

// pieces returns the pieces of a list, and of its rows the first ones.
func (l *records) pieces(of list) []int32 {
	if of.n == 0 {
		return nil
	}
	all := make([]int32, among(of.n-1)+1)
	piece := pieceOf(of.next)
	for i, last := len(all)-1, of.n-1; i >= 0; i-- {
		if last >= longFrom {
			piece -= last & (1<<rowBits - 1) >> pieceBits
			last &^= 1<<rowBits - 1
		} else {
			last &^= 1<<pieceBits - 1
		}
		all[i] = piece
		piece, last = l.link(piece).before, last-1
	}
	return all
}

// among returns which of the pieces and rows of a list has record i, counted from 0.
func among(i int32) int32 {
	if i < longFrom {
		return i >> pieceBits
	}
	return longFrom>>pieceBits + (i-longFrom)>>rowBits
}

// first returns the first record of a piece or row of a list.
func first(piece int) int {
	const short = longFrom >> pieceBits
	if piece < short {
		return piece << pieceBits
	}
	return longFrom + (piece-short)<<rowBits
}

// place returns where record i of a list is that has these pieces and rows.
func place(pieces []int32, i int32) int32 {
	if i < longFrom {
		return pieces[i>>pieceBits]<<pieceBits | i&(1<<pieceBits-1)
	}
	return pieces[among(i)]<<pieceBits + i&(1<<rowBits-1)
}
