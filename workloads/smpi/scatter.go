package smpi

// scatterLinear is the default: the root starts a message to each other rank, in
// rank order, and waits for all.
func scatterLinear(q *Sequence) {
	if q.rank() != q.root {
		q.irecv(0, q.root, q.scattered())
	} else if i, ok := q.in(q.ranks()-1, 1); ok {
		q.isend(i, but(q.root, i), q.scattered())
	}
	q.waitall()
}

// scattered returns the size of what a rank gets from a scatter: what the root
// sends, or what the rank itself expects.
func (q *Sequence) scattered() int64 {
	if q.rank() == q.root {
		return q.bytes(q.count)
	}
	return q.recvCount * q.recvElement
}

// scatterBlocking is ompi_basic_linear: the root sends to one rank after the
// other, in rank order, in blocking messages.
func scatterBlocking(q *Sequence) {
	if q.rank() != q.root {
		q.recv(q.root, q.scattered())
	} else if i, ok := q.in(q.ranks()-1, 1); ok {
		q.send(but(q.root, i), q.scattered())
	}
}

// scatterBinomial is ompi_binomial: a binomial tree with the blocks of a subtree
// in one blocking message. Unlike most scatters along this tree, it serves the
// smallest subtree first.
func scatterBinomial(q *Sequence) {
	block := q.scattered()
	v, p := q.relative(), q.ranks()
	below := lowest(v, p)
	if v > 0 {
		q.recv(q.absolute(v-below), int64(min(below, p-v))*block)
	}
	for d := 1; d < below; d *= 2 {
		if child := v + d; child < p {
			q.send(q.absolute(child), int64(min(d, p-child))*block)
		}
	}
}

// scatterv is the only way of SMPI to scatter blocks of different sizes. It is
// linear as scatterLinear.
func scatterv(q *Sequence) {
	if q.rank() != q.root {
		q.irecv(0, q.root, q.recvCount*q.recvElement)
	} else if i, ok := q.in(q.ranks()-1, 1); ok {
		peer := but(q.root, i)
		q.isend(i, peer, q.call.SendCounts[peer]*q.element)
	}
	q.waitall()
}
