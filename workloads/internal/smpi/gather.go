package smpi

// gatherLinear is the default, and SMPI's only way to gather blocks of different sizes:
// every rank starts a message to the root and waits for its end; the root posts all
// receives, in rank order, and waits for all of them.
func gatherLinear(q *Sequence) { toRoot(q, q.gathered) }

// gathered returns the size of a rank's block in a gather: as the rank sends it or, at
// the root, as the root expects it.
func (q *Sequence) gathered(from int) int64 {
	if q.rank() == q.root {
		return q.blockFrom(from)
	}
	return q.bytes(q.count)
}

// gatherBlocking is ompi_basic_linear: the root receives from one rank after the
// other, in rank order, in blocking messages.
func gatherBlocking(q *Sequence) {
	if q.rank() != q.root {
		q.send(q.root, q.bytes(q.count))
	} else if i, ok := q.in(q.ranks()-1, 1); ok {
		peer := but(q.root, i)
		q.recv(peer, q.gathered(peer))
	}
}

// gatherBinomial is ompi_binomial: a binomial tree, the smallest subtree first,
// with the blocks of a subtree in one blocking message.
func gatherBinomial(q *Sequence) {
	upTree(q, func(ranks int) int64 { return int64(ranks) * q.gathered(q.rank()) })
}

// gatherSync is ompi_linear_sync: by an empty message the root permits one rank after
// the other to send. A rank sends its block in two parts, the first one of about 1 KiB,
// or 32 KiB if the block is larger than 92160 bytes. The root waits for the first part
// of one rank before it turns to the next, and for all second parts at the end.
func gatherSync(q *Sequence) {
	count, element := q.count, q.element
	if q.rank() == q.root {
		count, element = q.recvCount, q.recvElement
	}
	head := int64(1 << 10)
	if count*element > 92160 {
		head = 32 << 10
	}
	head = cutInto(head, element, count).per
	first, rest := head*element, (count-head)*element
	if q.rank() != q.root {
		q.recv(q.root, 0)
		q.send(q.root, first)
		q.send(q.root, rest)
		return
	}
	if i, ok := q.in(q.ranks()-1, 4); ok {
		peer := but(q.root, i)
		q.irecv(0, peer, first)
		q.send(peer, 0)
		q.irecv(i+1, peer, rest)
		q.wait(0)
	}
	q.waitall()
}

// scatterLinear is the default, and SMPI's only way to scatter blocks of different
// sizes: the root starts a message to each other rank, in rank order, and waits for
// all.
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

// scattered returns the size of a rank's block in a scatter: as the rank expects it or,
// at the root, as the root sends it.
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
