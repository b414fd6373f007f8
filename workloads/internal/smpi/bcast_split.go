package smpi

// splitting is a message cut into two halves, the first one being longer by an element
// if need be, and each half into pieces of whole elements.
type splitting struct {
	halves [2]segments
	piece  int64 // bytes that a piece may have
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
// second half down the right one. Then each rank exchanges its half with a neighbour
// of the other subtree. In the tree, odd ranks, counted from the root, are on the left
// and even ones on the right, so that the neighbours are 1 and 2, 3 and 4, ... If P is
// even, the last one is left over and gets the second half from the root.
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

// splitAtRoot sends a piece of each half in turn to the children of the root, of which
// there may be one only. The first half may have one piece more.
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
