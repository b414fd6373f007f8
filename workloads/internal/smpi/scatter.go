package smpi

// scatterLinear is the default, and the only way of SMPI to scatter blocks of
// different sizes: the root starts a message to each other rank, in rank order,
// and waits for all.
func scatterLinear(q *Sequence) { fromRoot(q, q.scattered) }

// fromRoot is the exchange of scatterLinear with a message of some size to each
// rank.
func fromRoot(q *Sequence, size func(to int) int64) {
	if q.rank() != q.root {
		q.irecv(0, q.root, size(q.rank()))
	} else if i, ok := q.in(q.ranks()-1, 1); ok {
		peer := but(q.root, i)
		q.isend(i, peer, size(peer))
	}
	q.waitall()
}

// scattered returns the size of what a rank gets from a scatter: what the root
// sends, or what the rank itself expects.
func (q *Sequence) scattered(to int) int64 {
	switch {
	case q.rank() != q.root:
		return q.recvCount * q.recvElement
	case q.call.Operation == Scatterv:
		return q.bytes(q.call.SendCounts[to])
	}
	return q.bytes(q.count)
}

// scatterBlocking is ompi_basic_linear: the root sends to one rank after the
// other, in rank order, in blocking messages.
func scatterBlocking(q *Sequence) {
	if q.rank() != q.root {
		q.recv(q.root, q.scattered(q.rank()))
	} else if i, ok := q.in(q.ranks()-1, 1); ok {
		peer := but(q.root, i)
		q.send(peer, q.scattered(peer))
	}
}

// scatterBinomial is ompi_binomial: a binomial tree with the blocks of a subtree
// in one blocking message. Unlike most scatters along this tree, it serves the
// smallest subtree first.
func scatterBinomial(q *Sequence) {
	block := q.scattered(q.rank())
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
