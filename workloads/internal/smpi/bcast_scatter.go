package smpi

// The broadcasts for long messages cut the message into one piece for each rank,
// counted from the root, of ceil(m/P) bytes; the last ones may be shorter or
// empty. Pieces are bytes, not elements.

// byteSlices are total bytes cut into pieces of each bytes.
type byteSlices struct {
	total, each int64
}

func (q *Sequence) slices() byteSlices {
	total := q.bytes(q.count)
	p := int64(q.ranks())
	return byteSlices{total, (total + p - 1) / p}
}

// size returns the size of the pieces first ... first+n-1.
func (s byteSlices) size(first, n int) int64 {
	return min(s.total, int64(first+n)*s.each) - min(s.total, int64(first)*s.each)
}

// scatterPieces spreads the pieces along the binomial tree, the largest subtree
// first, in blocking messages. Messages without data are left out.
func scatterPieces(q *Sequence, s byteSlices) {
	v := q.relative()
	below := lowest(v, q.ranks()) // ranks in the subtree, if it is complete
	if v > 0 {
		if size := s.size(v, below); size > 0 {
			q.recv(q.absolute(v-below), size)
		}
	}
	for d := below / 2; d > 0; d /= 2 {
		if child := v + d; child < q.ranks() {
			if size := s.size(child, d); size > 0 {
				q.send(q.absolute(child), size)
			}
		}
	}
}

// lowest returns the lowest set bit of v; for 0, the smallest power of two that
// is at least p.
func lowest(v, p int) int {
	if v > 0 {
		return v & -v
	}
	d := 1
	for d < p {
		d *= 2
	}
	return d
}

// bcastScatterRing is scatter_LR_allgather: the pieces are scattered along a
// binomial tree and then go round the ring of ranks, empty ones too.
func bcastScatterRing(q *Sequence) {
	s := q.slices()
	scatterPieces(q, s)
	if i, ok := q.in(q.ranks()-1, 1); ok {
		piece := q.mod(q.relative() - i)
		q.sendrecv(q.mod(q.rank()+1), s.size(piece, 1), q.mod(q.rank()-1))
	}
}

// bcastScatterDoubling is scatter_rdb_allgather: the pieces are scattered along a
// binomial tree and then collected by recursive doubling.
func bcastScatterDoubling(q *Sequence) {
	if q.count == 0 {
		return
	}
	s := q.slices()
	scatterPieces(q, s)
	doubling(q, s)
}
