package observe

import "github.com/isoscale/isoscale/model/units"

// records are the records of many ranks, in a list of words for each rank. A list is cut into pieces of two cache
// lines. Pieces lie in the order in which they were begun, so ranks that advance in turn write neighbouring lines, and
// a rank with few records takes little memory. From word longFrom on, a list is in rows of adjacent pieces, so that
// few steps lead through a long list.
type records struct {
	slabs  [][]uint32 // pieces of all lists
	chains [][]link   // the links of each slab, by piece
	begun  uint32     // pieces
	block  []uint32   // what is left for the next slabs
	links  []link     // and for their chains
}

// link is what a piece knows of its list: the previous piece (or row) and, of the words before it, the number up to
// and including the last span and the number of messages.
type link struct {
	before          uint32
	spans, messages int32
}

// list is the list of a rank.
type list struct {
	n           int32  // number of words
	next        uint32 // place of the next one, if the last piece has room
	spans       int32  // number of words up to and including the last span
	messages    int32
	sent, heard uint32        // lower halves of the last message, and of the last span about one, in the last piece: see add
	waited      units.Seconds // of the last joined wait after a span in the last piece: how long it took
}

// hasSpan reports whether there is a span in the last piece.
func (of *list) hasSpan() bool { return of.spans > of.n&^(1<<pieceBits-1) }

// The lengths of pieces, rows and slabs (their binary logarithms), and of the longest block.
const (
	pieceBits = 5
	rowBits   = 8
	longFrom  = 1 << 11
	slabBits  = 14
	mostBlock = 1 << 24
)

// addPiece adds a piece to a list: the next one of its row, or a new one. It leaves the room in the last one free.
func (l *records) addPiece(of *list, room int32) {
	if of.spans == of.n {
		of.spans += room
	}
	of.n, of.next, of.sent, of.heard, of.waited = of.n+room, of.next+uint32(room), 0, 0, 0
	pieces := uint32(1)
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

// pieceOf returns the last piece of a list whose next place is next, if the list has pieces.
func pieceOf(next uint32) uint32 { return (next - 1) >> pieceBits }

// addSlab adds a slab. From the third on, slabs are cut from blocks. A block is half as long as all slabs before it,
// within leastBlock and mostBlock: a few large allocations can nearly all lie in huge pages.
func (l *records) addSlab() {
	const slab, pieces = 1 << slabBits, 1 << (slabBits - pieceBits)
	if len(l.block) == 0 {
		n := slab
		if len(l.slabs) > 1 {
			n = min(max(len(l.slabs)/2*slab, leastBlock), mostBlock)
		}
		l.block, l.links = make([]uint32, n), make([]link, n>>pieceBits)
		inHugePages(l.block)
		inHugePages(l.links)
	}
	l.slabs, l.block = append(l.slabs, l.block[:slab:slab]), l.block[slab:]
	l.chains, l.links = append(l.chains, l.links[:pieces:pieces]), l.links[pieces:]
}

// from returns the words of a slab from a place on.
func (l *records) from(place uint32) []uint32 {
	return l.slabs[place>>slabBits][place&(1<<slabBits-1):]
}

func (l *records) link(piece uint32) *link {
	const bits = slabBits - pieceBits
	return &l.chains[piece>>bits][piece&(1<<bits-1)]
}

// pieces returns the single pieces of a list, then the first piece of each row.
func (l *records) pieces(of list) []uint32 {
	if of.n == 0 {
		return nil
	}
	all := make([]uint32, among(of.n-1)+1)
	piece := pieceOf(of.next)
	for i, last := len(all)-1, of.n-1; i >= 0; i-- {
		if last >= longFrom {
			piece -= uint32(last & (1<<rowBits - 1) >> pieceBits)
			last &^= 1<<rowBits - 1
		} else {
			last &^= 1<<pieceBits - 1
		}
		all[i] = piece
		piece, last = l.link(piece).before, last-1
	}
	return all
}

// among returns the index, among the pieces and rows of a list, of the one with word i.
func among(i int32) int32 {
	if i < longFrom {
		return i >> pieceBits
	}
	return longFrom>>pieceBits + (i-longFrom)>>rowBits
}

// first returns the first word of a piece or row of a list.
func first(piece int) int {
	const short = longFrom >> pieceBits
	if piece < short {
		return piece << pieceBits
	}
	return longFrom + (piece-short)<<rowBits
}

// placeOf returns the place of word i of the list with these pieces and rows.
func placeOf(pieces []uint32, i int32) uint32 {
	within := int32(1<<pieceBits - 1)
	if i >= longFrom {
		within = 1<<rowBits - 1
	}
	return pieces[among(i)]<<pieceBits + uint32(i&within)
}
