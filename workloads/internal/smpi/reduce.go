package smpi

import "fmt"

// All reductions here only move data; for the work, see the package comment.

// reduceLinear is the default: every rank starts a message to the root and waits for
// its end; the root posts all receives, in rank order, and waits for all of them.
func reduceLinear(q *Sequence) { toRoot(q, func(int) int64 { return q.bytes(q.count) }) }

// toRoot is the exchange of reduceLinear and gatherLinear; size returns the size of a
// rank's message.
func toRoot(q *Sequence, size func(from int) int64) {
	if q.rank() != q.root {
		q.isend(0, q.root, size(q.rank()))
	} else if i, ok := q.in(q.ranks()-1, 1); ok {
		peer := but(q.root, i)
		q.irecv(i, peer, size(peer))
	}
	q.waitall()
}

// reduceFlat is flat_tree and ompi_basic_linear: the root receives blocking messages
// from the last rank, then the previous one, down to rank 0.
func reduceFlat(q *Sequence) {
	size := q.bytes(q.count)
	if q.rank() != q.root {
		q.send(q.root, size)
		return
	}
	n := q.ranks() - 1
	if i, ok := q.in(n, 1); ok {
		q.recv(but(q.root, n-1-i), size)
	}
}

// reduceBinomial is binomial: blocking messages along a binomial tree, the
// smallest subtree first. Without data there are no messages.
func reduceBinomial(q *Sequence) {
	if q.count > 0 {
		upTree(q, func(int) int64 { return q.bytes(q.count) })
	}
}

// upTree receives from the children in the binomial tree at the root, the
// smallest subtree first, and then sends to the parent. The size of a message
// depends on the number of ranks in the subtree that it comes from.
func upTree(q *Sequence, size func(ranks int) int64) {
	v, p := q.relative(), q.ranks()
	below := lowest(v, p)
	for d := 1; d < below; d *= 2 {
		if child := v + d; child < p {
			q.recv(q.absolute(child), size(min(d, p-child)))
		}
	}
	if v > 0 {
		q.send(q.absolute(v-below), size(min(below, p-v)))
	}
}

// planReduceChain is NTSL: reduceChain for full pieces, and the default for the rest.
func planReduceChain(p *plan, d data) {
	p.part(reduceChain, d)
	if rest, ok := leftOver(d); ok {
		p.named(Reduce, "default", rest)
	}
}

// reduceChain is a pipeline in pieces of 8192 bytes along all ranks in descending
// order, from the rank before the root round to the root. The root waits for the pieces
// one by one.
func reduceChain(q *Sequence) {
	from, to := q.mod(q.rank()+1), q.mod(q.rank()-1)
	per := segmentCount(q.element)
	switch v := q.relative(); {
	case v == 0 && q.count > per:
		n := int(q.count / per)
		if i, ok := q.in(n, 1); ok {
			q.irecv(i, from, q.bytes(per))
		}
		if i, ok := q.in(n, 1); ok {
			q.wait(i)
		}
		return
	case v == 0:
		to = -1
	case v == q.ranks()-1:
		from = -1
	}
	pipeline(q, from, to, -1)
}

// planScatterGather is scatter_gather: reduceScatterGather, and without data no
// messages. With fewer elements than ranks, SMPI's replay crashes.
func planScatterGather(p *plan, d data) {
	switch {
	case d.count == 0:
	case d.count < int64(p.call.Ranks):
		p.fail(fmt.Sprintf("algorithm scatter_gather: %d elements among %d ranks; expected at least one for each, as SMPI does", d.count, p.call.Ranks))
	default:
		p.part(reduceScatterGather, d)
	}
}

// reduceScatterGather is recursive halving, after which every rank that takes
// part has the result of one piece, and a gather of the pieces along a binomial
// tree that ends at the root. If P is no power of two, the odd ranks of the first
// pairs hand over to the even ones. If the root is such an odd rank, it takes the
// place of rank 0 for the gather.
func reduceScatterGather(q *Sequence) {
	count := q.count
	f := foldToEven(q.ranks())
	c := pieces{count, f.size}
	r := q.rank()
	v := -1
	if f.idle(r) {
		q.send(r-1, q.bytes(count))
	} else {
		if f.paired(r) {
			q.recv(r+1, q.bytes(count))
		}
		v = f.number(r)
		halving(q, f, c, v)
	}

	root := 0 // the number of the root
	substituted := f.idle(q.root)
	switch {
	case !substituted:
		root = f.number(q.root)
	case r == q.root:
		q.recv(0, q.bytes(c.sum(0, 1)))
		v = 0
	case r == 0:
		q.send(q.root, q.bytes(c.sum(0, 1)))
		v = -1
	}
	if v < 0 {
		return
	}
	for d := f.size / 2; d > 0; d /= 2 {
		w := v ^ d
		peer := f.rank(w)
		if w == 0 && substituted {
			peer = q.root
		}
		mine, theirs, n := halves(v, d, f.size)
		if w/d == root/d {
			q.send(peer, q.bytes(c.sum(mine, mine+n)))
			return
		}
		q.recv(peer, q.bytes(c.sum(theirs, theirs+n)))
	}
}

// halving exchanges halves at distance 1, 2, 4, ...: each time a rank gives away half
// of what it has, the largest half first.
func halving(q *Sequence, f folding, c pieces, v int) {
	for d := 1; d < f.size; d *= 2 {
		peer := f.rank(v ^ d)
		_, give, n := halves(v, d, f.size)
		q.sendrecv(peer, q.bytes(c.sum(give, give+n)), peer)
	}
}

// The algorithms called rab are Rabenseifner's, in an older form than rab_rdb: the two
// ranks of a pair share the work of their first step, data are halved again and again,
// with the first half the smaller one, and the even ranks of pairs are the deputies.
//
// Source: [Rabenseifner2004].

// planRab plans rab of reduce and allreduce. SMPI's replay crashes without data,
// because it calls itself for ever, and with elements of one byte: with MPI_BYTE for
// the same reason, with MPI_CHAR because it treats them as MPI_INT.
func planRab(run func(q *Sequence)) func(p *plan, d data) {
	return func(p *plan, d data) {
		switch {
		case d.count == 0:
			p.fail("algorithm rab: no data; expected at least one element, as SMPI does")
		case d.element == 1:
			p.fail("algorithm rab: elements of one byte; expected larger ones, as SMPI does")
		default:
			p.part(run, d)
		}
	}
}

// allreduceRab is rab of allreduce: halving, then doubling back, then the whole result
// for the idle ranks.
func allreduceRab(q *Sequence) {
	f := foldToEven(q.ranks())
	if v := shareAndHalve(q, f); v >= 0 {
		for d := f.size / 2; d > 0; d /= 2 {
			peer := f.rank(v ^ d)
			mine, _ := halved(q.count, v, d)
			q.sendrecv(peer, q.bytes(mine), peer)
		}
	}
	switch r := q.rank(); {
	case !f.paired(r):
	case f.idle(r):
		q.recv(r-1, q.bytes(q.count))
	default:
		q.send(r+1, q.bytes(q.count))
	}
}

// reduceRab is rab of reduce: halving, then a gather towards the root. An idle root
// takes the place of rank 0. All ranks take part in each round of the gather, also
// those that have already handed over.
func reduceRab(q *Sequence) {
	f := foldToEven(q.ranks())
	v := shareAndHalve(q, f)
	root := 0 // the number of the root
	if f.idle(q.root) {
		first, _ := halved(q.count, 0, f.size/2)
		switch q.rank() {
		case 0:
			q.send(q.root, q.bytes(first))
			v = -1
		case q.root:
			q.recv(0, q.bytes(first))
			v = 0
		}
	} else {
		root = f.number(q.root)
	}
	if v < 0 {
		return
	}
	for d := f.size / 2; d > 0; d /= 2 {
		peer := q.root
		if w := v ^ d; w != root {
			peer = f.rank(w)
		}
		mine, theirs := halved(q.count, v, d)
		if v&d != root&d {
			q.send(peer, q.bytes(mine))
		} else {
			q.recv(peer, q.bytes(theirs))
		}
	}
}

// shareAndHalve pairs off ranks and exchanges halves at distance 1, 2, 4, ... It
// returns the number of the rank, or -1 if it is idle. The two of a pair exchange
// halves too: each works on one, and the deputy gets the other result.
func shareAndHalve(q *Sequence, f folding) (v int) {
	r := q.rank()
	first := q.count / 2
	second := q.count - first
	switch {
	case f.idle(r):
		q.sendrecv(r-1, q.bytes(first), r-1)
		q.send(r-1, q.bytes(second))
		return -1
	case f.paired(r):
		q.sendrecv(r+1, q.bytes(second), r+1)
		q.recv(r+1, q.bytes(second))
	}
	v = f.number(r)
	for d := 1; d < f.size; d *= 2 {
		peer := f.rank(v ^ d)
		_, give := halved(q.count, v, d)
		q.sendrecv(peer, q.bytes(give), peer)
	}
	return v
}

// halved returns how many of count elements number v keeps and gives when it exchanges
// at distance d = 1, 2, 4, ... The lowest bit of v decides on the largest half.
func halved(count int64, v, d int) (keep, give int64) {
	keep = count
	for b := 1; b <= d; b *= 2 {
		first := keep / 2
		keep, give = first, keep-first
		if v&b != 0 {
			keep, give = give, keep
		}
	}
	return keep, give
}

// scanLinear is SMPI's only algorithm for scan and exscan: every rank starts its
// receives from all lower ranks, then its messages to all higher ones, both in rank
// order, and waits for them one by one.
func scanLinear(q *Sequence) {
	size := q.bytes(q.count)
	n := q.ranks() - 1
	if i, ok := q.in(n, 1); ok {
		if i < q.rank() {
			q.irecv(i, i, size)
		} else {
			q.isend(i, i+1, size)
		}
	}
	if i, ok := q.in(n, 1); ok {
		q.wait(i)
	}
}
