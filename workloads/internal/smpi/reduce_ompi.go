package smpi

// Open MPI's reductions pass pieces up a tree. A rank receives a piece from each of its
// children in turn. It posts each receive before it waits for the previous one; when it
// has received a piece from its last child, and posted the first receive of the next
// piece, it sends the piece on in a blocking message. A leaf sends piece after piece.

// node is a rank in a tree.
type node struct {
	parent   int
	n        int // children
	children [32]int
}

// add appends a child.
func (t *node) add(child int) {
	t.children[t.n] = child
	t.n++
}

// reduceOn carries out a reduction along a tree whose root is q.root, in pieces.
func reduceOn(q *Sequence, t *node, s segments) {
	n := s.n()
	isRoot := q.rank() == q.root
	if t.n == 0 {
		if !isRoot {
			if i, ok := q.in(n, 1); ok {
				q.send(t.parent, q.bytes(s.size(i)))
			}
		}
		return
	}
	if n == 0 { // SMPI divides by zero
		return
	}
	// Receive g is for piece g / n from child g mod n.
	q.irecv(0, t.children[0], q.bytes(s.size(0)))
	for c := 1; c < t.n; c++ {
		q.irecv(c%2, t.children[c], q.bytes(s.size(0)))
		q.wait((c - 1) % 2)
	}
	each := 2 * t.n
	if !isRoot {
		each++
	}
	if i, ok := q.in(n-1, each); ok {
		for c := range t.n {
			g := (i+1)*t.n + c
			q.irecv(g%2, t.children[c], q.bytes(s.size(i+1)))
			q.wait((g - 1) % 2)
			if c == 0 && !isRoot {
				q.send(t.parent, q.bytes(s.size(i)))
			}
		}
	}
	q.wait((n*t.n - 1) % 2)
	if !isRoot {
		q.send(t.parent, q.bytes(s.size(n-1)))
	}
}

// reduceOmpiChain is ompi_chain: P/2 chains, at most 32, in pieces of 64 KiB.
func reduceOmpiChain(q *Sequence) {
	t := chainNode(q, q.ranks()/2)
	reduceOn(q, &t, cutInto(64<<10, q.element, q.count))
}

// reduceOmpiPipeline is ompi_pipeline: one chain. The size of the pieces depends
// on the number of ranks and the size of the message.
func reduceOmpiPipeline(q *Sequence) {
	p := float64(q.ranks())
	m := float64(q.bytes(q.count))
	size := int64(64 << 10)
	switch {
	case p > float64(0.0410/1024*m)+9.7128:
		size = 1 << 10
	case p > float64(0.0033/1024*m)+1.6761:
		size = 32 << 10
	}
	t := chainNode(q, 1)
	reduceOn(q, &t, cutInto(size, q.element, q.count))
}

// reduceOmpiBinary is ompi_binary: a binary tree, in pieces of 32 KiB.
func reduceOmpiBinary(q *Sequence) {
	t := binaryNode(q)
	reduceOn(q, &t, cutInto(32<<10, q.element, q.count))
}

// reduceOmpiBinomial is ompi_binomial: the binomial tree, the smallest subtree
// first, in one piece, or in pieces of 1 KiB where ranks are many and messages
// not short.
func reduceOmpiBinomial(q *Sequence) {
	p := float64(q.ranks())
	m := q.bytes(q.count)
	size := int64(0)
	switch {
	case p < 8 && m < 20480, m < 2048, q.count <= 1:
	case p > float64(0.6016/1024*float64(m))+1.3496:
		size = 1 << 10
	}
	t := binomialNode(q)
	reduceOn(q, &t, cutInto(size, q.element, q.count))
}

// reduceOmpiInOrder is ompi_in_order_binary: a binary tree in which the ranks
// below a rank are neighbours, in one piece. Its root is the last rank, which
// passes the result on to the root.
func reduceOmpiInOrder(q *Sequence) {
	root, last := q.root, q.ranks()-1
	t := inOrderNode(q)
	q.root = last
	reduceOn(q, &t, segments{q.count, q.count})
	q.root = root
	if root != last && q.count > 0 {
		switch q.rank() {
		case root:
			q.recv(last, q.bytes(q.count))
		case last:
			q.send(root, q.bytes(q.count))
		}
	}
}

// chainNode returns the place of the rank in chains that start at the root. They have
// equal lengths, with the first ones longer by one if need be.
func chainNode(q *Sequence, chains int) node {
	others := q.ranks() - 1
	chains = min(max(chains, 1), 32, others)
	length, longer := others/chains, others%chains
	// start returns the relative rank at which chain c starts.
	start := func(c int) int { return 1 + c*length + min(c, longer) }
	var t node
	v := q.relative()
	if v == 0 {
		for c := range chains {
			t.add(q.absolute(start(c)))
		}
		return t
	}
	c := 0
	for c+1 < chains && start(c+1) <= v {
		c++
	}
	if v == start(c) {
		t.parent = q.root
	} else {
		t.parent = q.absolute(v - 1)
	}
	if v+1 < start(c+1) {
		t.add(q.absolute(v + 1))
	}
	return t
}

// binaryNode returns the place of the rank in the binary tree at the root in
// which level l has the relative ranks 2^l-1 ... 2^(l+1)-2 and the children of v
// on that level are v+2^l and v+2^(l+1).
func binaryNode(q *Sequence) node {
	var t node
	v, p := q.relative(), q.ranks()
	width := 1 // 2^l
	for 2*width-1 <= v {
		width *= 2
	}
	for _, child := range [2]int{v + width, v + 2*width} {
		if child < p {
			t.add(q.absolute(child))
		}
	}
	if v > 0 {
		up := v - width/2
		if up >= width-1 { // still on the same level
			up -= width / 2
		}
		t.parent = q.absolute(up)
	}
	return t
}

// binomialNode returns the place of the rank in the binomial tree at the root.
func binomialNode(q *Sequence) node {
	var t node
	v, p := q.relative(), q.ranks()
	below := lowest(v, p)
	for d := 1; d < below; d *= 2 {
		if v+d < p {
			t.add(q.absolute(v + d))
		}
	}
	if v > 0 {
		t.parent = q.absolute(v - below)
	}
	return t
}

// inOrderNode returns the place of the rank in the binary tree of a range of ranks,
// whose root is the last one. Of the ranks before the root, the first half (of the
// range, rounded down) is the right subtree and the others are the left one. The left
// child comes first.
func inOrderNode(q *Sequence) node {
	var t node
	lo, size := 0, q.ranks() // the range
	t.parent = -1
	for {
		top := lo + size - 1
		right := size / 2
		if q.rank() == top {
			if size > 1 {
				t.add(top - 1)
			}
			if size > 2 {
				t.add(lo + right - 1)
			}
			return t
		}
		t.parent = top
		if q.rank() < lo+right && size > 2 {
			size = right
		} else {
			if size > 2 {
				lo += right
				size -= right
			}
			size--
		}
	}
}
