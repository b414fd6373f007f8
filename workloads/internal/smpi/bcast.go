package smpi

import "github.com/isoscale/isoscale/workloads"

var binomialBcast = mustLookup(workloads.Bcast, "binomial")

// bcastBinomial is binomial_tree, the default: blocking messages along a
// binomial tree, the largest subtree first.
func bcastBinomial(q *Sequence) { q.follow(binomialBcast, q.bytes(q.count)) }

// bcastFlat is flattree: the root starts a message to every other rank, in rank
// order, and waits for all.
func bcastFlat(q *Sequence) {
	size := q.bytes(q.count)
	if q.rank() != q.root {
		q.recv(q.root, size)
		return
	}
	if i, ok := q.in(q.ranks()-1, 1); ok {
		q.isend(i, but(q.root, i), size)
	}
	q.waitall()
}

// segment is the size of the pieces of most pipelines, in bytes.
const segment = 8192

// segmentCount returns how many elements make up a piece of a pipeline.
func segmentCount(element int64) int64 { return max(1, segment/element) }

// bcastFlatPipeline is flattree_pipeline: the root sends all pieces of 8192 bytes to
// the first rank, then all to the next, in blocking messages. The others have posted
// all their receives. SMPI omits the rest that does not fill a piece, unless there is
// no full piece at all.
func bcastFlatPipeline(q *Sequence) {
	per := segmentCount(q.element)
	n := int(q.count / per)
	if n == 0 {
		bcastFlat(q)
		return
	}
	size := q.bytes(per)
	if q.rank() != q.root {
		if i, ok := q.in(n, 1); ok {
			q.irecv(i, q.root, size)
		}
		q.waitall()
		return
	}
	if i, ok := q.in(q.ranks()-1, n); ok {
		if _, ok := q.in(n, 1); ok {
			q.send(but(q.root, i), size)
		}
	}
}

// planPipeline plans a pipeline, and the selected broadcast for the rest.
func planPipeline(run func(q *Sequence)) func(p *plan, d data) {
	return func(p *plan, d data) {
		p.part(run, d)
		if rest, ok := leftOver(d); ok {
			p.collective(Bcast, rest)
		}
	}
}

// leftOver returns the rest that does not fill a piece of a pipeline. A message that is
// not larger than a piece has no rest.
func leftOver(d data) (rest data, ok bool) {
	per := segmentCount(d.element)
	rest = d
	rest.count = d.count % per
	return rest, d.count > per && rest.count != 0
}

// toRankZero passes the whole message from the root to rank 0, from where the
// pipelines start.
func toRankZero(q *Sequence) {
	switch {
	case q.root == 0:
	case q.rank() == q.root:
		q.send(0, q.bytes(q.count))
	case q.rank() == 0:
		q.recv(q.root, q.bytes(q.count))
	}
}

// bcastChain is NTSL and NTSL_Isend: a pipeline from rank 0 along all ranks, in
// pieces of 8192 bytes.
func bcastChain(q *Sequence) {
	toRankZero(q)
	next := -1
	if q.rank() < q.ranks()-1 {
		next = q.rank() + 1
	}
	pipeline(q, q.rank()-1, next, -1)
}

// bcastBinary is NTSB: a pipeline from rank 0 down a binary tree, in which the
// children of r are 2r+1 and 2r+2.
func bcastBinary(q *Sequence) {
	toRankZero(q)
	parent := -1
	if q.rank() > 0 {
		parent = (q.rank() - 1) / 2
	}
	left, right := 2*q.rank()+1, 2*q.rank()+2
	if left >= q.ranks() {
		left = -1
	}
	if right >= q.ranks() {
		right = -1
	}
	pipeline(q, parent, left, right)
}

// pipeline passes pieces on from one rank to up to two others; -1 stands for none. All
// receives are posted first; when a piece has arrived, it is passed on without waiting.
// A message of one piece is passed on by blocking messages.
func pipeline(q *Sequence, from, left, right int) {
	per := segmentCount(q.element)
	receives := from >= 0
	if q.count <= per {
		size := q.bytes(q.count)
		if receives {
			q.recv(from, size)
		}
		if left >= 0 {
			q.send(left, size)
		}
		if right >= 0 {
			q.send(right, size)
		}
		return
	}
	size := q.bytes(per)
	n := int(q.count / per)
	if receives {
		if i, ok := q.in(n, 1); ok {
			q.irecv(i, from, size)
		}
	}
	if left >= 0 {
		each := 1
		if receives {
			each++
		}
		if right >= 0 {
			each++
		}
		if i, ok := q.in(n, each); ok {
			if receives {
				q.wait(i)
			}
			q.isend(n+i, left, size)
			if right >= 0 {
				q.isend(2*n+i, right, size)
			}
		}
	}
	q.waitall()
}

// bcastOmpiPipeline is ompi_pipeline: along the ranks from the root, in pieces. A rank
// posts the receive of the next piece before it passes a piece on, and passes that on
// before it posts the receive after the next. The size of the pieces depends on the
// number of ranks and the size of the message (the fixed decision of Open MPI, of which
// SMPI keeps three lines).
func bcastOmpiPipeline(q *Sequence) {
	p := float64(q.ranks())
	m := float64(q.bytes(q.count))
	size := int64(128 << 10)
	switch {
	case p < float64(1.6134e-6*m)+2.1102:
	case p < float64(2.3679e-6*m)+1.1787:
		size = 64 << 10
	case p < float64(3.2118e-6*m)+8.7936:
		size = 16 << 10
	}
	s := cutInto(size, q.element, q.count)
	v := q.relative()
	n := s.n()
	next := v+1 < q.ranks()
	to, from := q.absolute(v+1), q.absolute(v-1)
	switch {
	case v == 0:
		if i, ok := q.in(n, 2); ok {
			q.isend(0, to, q.bytes(s.size(i)))
			q.waitall()
		}
		return
	case n == 0: // SMPI divides by zero
		return
	}
	q.irecv(0, from, q.bytes(s.size(0)))
	each := 2
	if next {
		each += 2
	}
	if i, ok := q.in(n-1, each); ok {
		q.irecv((i+1)%2, from, q.bytes(s.size(i+1)))
		q.wait(i % 2)
		if next {
			q.isend(2, to, q.bytes(s.size(i)))
			q.wait(2)
		}
	}
	q.wait((n - 1) % 2)
	if next {
		q.isend(2, to, q.bytes(s.size(n-1)))
		q.wait(2)
	}
}

// segments are count elements cut into pieces of per elements; the last piece has the
// rest.
type segments struct {
	count, per int64
}

// cutInto returns pieces of about size bytes as Open MPI cuts them: whole elements,
// rounded to the nearest number. There is only one piece if all data are not larger
// than size, or if a single element is.
func cutInto(size, element, count int64) segments {
	if size < element || size >= element*count {
		return segments{count, count}
	}
	per := size / element
	if size-per*element > element/2 {
		per++
	}
	return segments{count, per}
}

// n returns the number of pieces.
func (s segments) n() int {
	if s.per == 0 {
		return 0
	}
	return int((s.count + s.per - 1) / s.per)
}

// size returns the number of elements in piece i.
func (s segments) size(i int) int64 { return min(s.per, s.count-int64(i)*s.per) }

// The broadcasts for long messages cut the message into one piece of ceil(m/P) bytes
// for each rank, counted from the root; the last ones may be shorter or empty. Pieces
// consist of bytes, not elements.

// byteSlices are total bytes cut into pieces of size each.
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

// splitting is a message cut into two halves, the first longer by an element if need
// be, and each half into pieces of whole elements.
type splitting struct {
	halves [2]segments
	piece  int64 // largest size of a piece in bytes
}

// split returns the splitting of ompi_split_bintree: pieces of up to 1 KiB, or 8 KiB
// for messages from 370728 bytes on, and at least one element.
func split(d *data) splitting {
	piece := int64(1 << 10)
	if d.bytes(d.count) >= 370728 {
		piece = 8 << 10
	}
	piece = max(piece, d.element)
	second := d.count / 2
	per := piece / d.element
	return splitting{[2]segments{{d.count - second, per}, {second, per}}, piece}
}

// planSplitBinary is ompi_split_bintree. If the second half does not fill a piece, SMPI
// takes SMP_linear instead.
func planSplitBinary(p *plan, d data) {
	s := split(&d)
	if second := s.halves[1].count; second == 0 || d.bytes(second) < s.piece {
		p.named(Bcast, "SMP_linear", d)
		return
	}
	p.part(bcastSplitBinary, d)
}

// bcastSplitBinary sends the first half down the left subtree of a binary tree and the
// second half down the right one. Then each rank exchanges its half with a neighbour of
// the other subtree. In the tree, odd ranks, counted from the root, are on the left and
// even ones on the right, so that the neighbours are 1 and 2, 3 and 4, ... If P is
// even, the last rank has no neighbour and gets the second half from the root.
//
// All messages down the tree are blocking. A rank has posted the receive of the next
// piece before it waits for one; a leaf receives in blocking mode.
func bcastSplitBinary(q *Sequence) {
	v, p := q.relative(), q.ranks()
	halves := split(&q.data).halves
	t := binaryNode(q)
	if v == 0 {
		splitAtRoot(q, &t, halves)
		if p%2 == 0 {
			q.send(q.absolute(p-1), q.bytes(halves[1].count))
		}
		return
	}
	half, partner := 0, v+1
	if v%2 == 0 {
		half, partner = 1, v-1
	}
	passDown(q, &t, halves[half])
	if partner == p {
		q.recv(q.root, q.bytes(halves[1].count))
		return
	}
	q.sendrecv(q.absolute(partner), q.bytes(halves[half].count), q.absolute(partner))
}

// splitAtRoot sends a piece of each half in turn to the children of the root; there may
// be only one child. The first half may have one more piece.
func splitAtRoot(q *Sequence, t *node, halves [2]segments) {
	first, second := halves[0], halves[1]
	both := second.n()
	if t.n == 1 {
		both = 0
	}
	if i, ok := q.in(both, 2); ok {
		q.send(t.children[0], q.bytes(first.size(i)))
		q.send(t.children[1], q.bytes(second.size(i)))
	}
	if i, ok := q.in(first.n()-both, 1); ok {
		q.send(t.children[0], q.bytes(first.size(both+i)))
	}
}

// passDown receives pieces from the parent and sends them to the children.
func passDown(q *Sequence, t *node, s segments) {
	n := s.n()
	if t.n == 0 {
		if i, ok := q.in(n, 1); ok {
			q.recv(t.parent, q.bytes(s.size(i)))
		}
		return
	}
	forward := func(i int) {
		for _, child := range t.children[:t.n] {
			q.send(child, q.bytes(s.size(i)))
		}
	}
	q.irecv(0, t.parent, q.bytes(s.size(0)))
	if i, ok := q.in(n-1, 2+t.n); ok {
		q.irecv((i+1)%2, t.parent, q.bytes(s.size(i+1)))
		q.wait(i % 2)
		forward(i)
	}
	q.wait((n - 1) % 2)
	forward(n - 1)
}
