package smpi

// planReduceScatter is the default. If all counts are equal it is the default
// reduction to rank 0 and a scatterv from it, otherwise what MPICH does.
func planReduceScatter(p *plan, d data) {
	counts := p.call.RecvCounts
	for _, n := range counts {
		if n != counts[0] {
			p.named(ReduceScatter, "mpich", d)
			return
		}
	}
	d.count = sum(counts)
	p.named(Reduce, "default", d)
	p.part(scatterResults, d)
}

// scatterResults starts the message with each rank's block at rank 0, in rank
// order, and waits for all.
func scatterResults(q *Sequence) { fromRoot(q, q.result) }

// result returns the size of the block of a rank.
func (q *Sequence) result(rank int) int64 { return q.bytes(q.call.RecvCounts[rank]) }

// reduceScatterPairwise is mpich_pair: in round i, r sends its contribution to
// r + i and receives from r - i. Without data there are no messages.
func reduceScatterPairwise(q *Sequence) {
	if sum(q.call.RecvCounts) == 0 {
		return
	}
	if i, ok := q.in(q.ranks()-1, 1); ok {
		to, from := ringPartners(q, i+1)
		q.sendrecv(to, q.result(to), from)
	}
}

// reduceScatterDoubling is mpich_rdb: ranks combine as in recursive doubling; each
// leaves out the blocks of its own group.
func reduceScatterDoubling(q *Sequence) {
	doubling(q, otherBlocks{listedBlocks{q.call.RecvCounts, q.element}})
}

// reduceScatterMirrored is mpich_noncomm: recursive halving at distance 1, 2,
// 4, ... on blocks in bit-reversed order, for blocks of one size.
func reduceScatterMirrored(q *Sequence) {
	n := q.ranks()
	for d := 1; d < q.ranks(); d *= 2 {
		n /= 2
		q.sendrecv(q.rank()^d, int64(n)*q.result(0), q.rank()^d)
	}
}

// planMirrored is mpich_noncomm. It refuses the calls that SMPI's assertions refuse.
func planMirrored(p *plan, d data) {
	for _, n := range p.call.RecvCounts {
		if n != p.call.RecvCounts[0] {
			p.fail("algorithm mpich_noncomm: counts differ; expected equal ones, as SMPI does")
			return
		}
	}
	p.part(reduceScatterMirrored, d)
}

// reduceScatterHalving is ompi_basic_recursivehalving: recursive halving at
// distance P/2, P/4, ... 1. If P is no power of two, the even ranks of the first
// pairs hand over to the odd ones. A rank posts its receive, sends in blocking
// mode and waits. Neither message is sent if one of them would be empty.
func reduceScatterHalving(q *Sequence) {
	total := sum(q.call.RecvCounts)
	if total == 0 {
		return
	}
	f := fold(q.ranks())
	r := q.rank()
	if f.idle(r) {
		q.send(r+1, q.bytes(total))
		if size := q.result(r); size > 0 {
			q.recv(r+1, size)
		}
		return
	}
	if f.paired(r) {
		q.recv(r-1, q.bytes(total))
	}
	v := f.number(r)
	for d := f.size / 2; d > 0; d /= 2 {
		peer := f.rank(v ^ d)
		keep := v &^ (d - 1)
		send, recv := q.results(f, keep^d, d), q.results(f, keep, d)
		if send > 0 && recv > 0 {
			q.irecv(0, peer, recv)
			q.send(peer, send)
			q.wait(0)
		}
	}
	if f.paired(r) {
		if size := q.result(r - 1); size > 0 {
			q.send(r-1, size)
		}
	}
}

// results returns the size of the blocks of the ranks with numbers first ... first+n-1
// and of those for which they are deputies.
func (q *Sequence) results(f folding, first, n int) int64 {
	return q.bytes(sum(q.call.RecvCounts[f.before(first):f.before(first+n)]))
}

// reduceScatterRing is ompi_ring: blocks go round and collect contributions; a rank
// starts with the block of the previous rank.
func reduceScatterRing(q *Sequence) { collectRound(q, q.mod(q.rank()-1), q.result) }

// collectRound lets blocks go round the ring and collect contributions. A rank starts
// with the given block, and passes on each block that it has received except the last.
// It posts the next receive before it waits for one, and sends on in blocking mode.
func collectRound(q *Sequence, block int, size func(block int) int64) {
	to, from := q.mod(q.rank()+1), q.mod(q.rank()-1)
	n := q.ranks() - 1
	q.irecv(0, from, size(q.mod(block-1)))
	q.send(to, size(block))
	if i, ok := q.in(n-1, 3); ok {
		block := q.mod(block - 1 - i)
		q.irecv((i+1)%2, from, size(q.mod(block-1)))
		q.wait(i % 2)
		q.send(to, size(block))
	}
	q.wait((n - 1) % 2)
}

// reduceScatterButterfly is ompi_butterfly: recursive halving at distance 1, 2,
// 4, ..., after which a rank has the result for the one with the same bits in
// reverse order, and sends it there. Ranks are paired off as in
// reduceScatterHalving.
func reduceScatterButterfly(q *Sequence) {
	f := fold(q.ranks())
	r := q.rank()
	total := func() int64 { return q.bytes(sum(q.call.RecvCounts)) }
	if f.idle(r) {
		q.send(r+1, total())
		q.recv(f.rank(reverse(r/2, f.size)), q.result(r))
		return
	}
	if f.paired(r) {
		q.recv(r-1, total())
	}
	v := f.number(r)
	for d := 1; d < f.size; d *= 2 {
		peer := f.rank(v ^ d)
		_, give, n := halves(v, d, f.size)
		if _, ok := q.in(1, 1); ok {
			q.sendrecv(peer, q.results(f, give, n), peer)
		}
	}
	w := reverse(v, f.size)
	peer := f.rank(w)
	if f.paired(peer) {
		q.send(peer-1, q.result(peer-1))
	}
	if w != v {
		q.sendrecv(peer, q.result(peer), peer)
	}
}
