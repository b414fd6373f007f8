package smpi

// planAllreduce is the default: the default reduction to rank 0 and the default
// broadcast from it, whatever is selected for these operations.
func planAllreduce(p *plan, d data) {
	p.named(Reduce, "default", d)
	p.named(Bcast, "default", d)
}

// planRedbcast is redbcast: the selected reduction to rank 0 and the selected
// broadcast from it.
func planRedbcast(p *plan, d data) {
	p.collective(Reduce, d)
	p.collective(Bcast, d)
}

// allreduceDoubling is rdb: recursive doubling with all the data in each
// message. If P is no power of two, the even ranks of the first pairs hand over
// to the odd ones and get the result from them.
func allreduceDoubling(q *Sequence) {
	f := fold(q.ranks())
	size := q.bytes(q.count)
	v, ok := handOver(q, f, size)
	if !ok {
		return
	}
	for d := 1; d < f.size; d *= 2 {
		peer := f.rank(v ^ d)
		q.sendrecv(peer, size, peer)
	}
	handBack(q, f, size)
}

// handOver reduces the ranks to a power of two before an allreduce. It returns the
// number of the rank, or false if the rank is idle and has nothing else to do.
func handOver(q *Sequence, f folding, size int64) (v int, ok bool) {
	r := q.rank()
	if f.idle(r) {
		q.send(r+1, size)
		q.recv(r+1, size)
		return 0, false
	}
	if f.paired(r) {
		q.recv(r-1, size)
	}
	return f.number(r), true
}

// handBack gives an idle rank the result.
func handBack(q *Sequence, f folding, size int64) {
	if f.paired(q.rank()) {
		q.send(q.rank()-1, size)
	}
}

// allreduceRabenseifner is rab_rdb: recursive halving and then recursive
// doubling back, with ranks paired off as in rdb. The data are cut into as many
// pieces as ranks take part, in whole elements, the last one having the rest.
//
// Source: [Rabenseifner2004].
func allreduceRabenseifner(q *Sequence) {
	f := fold(q.ranks())
	size := q.bytes(q.count)
	v, ok := handOver(q, f, size)
	if !ok {
		return
	}
	c := pieces{q.count, f.size}
	halving(q, f, c, v)
	for d := f.size / 2; d > 0; d /= 2 {
		peer := f.rank(v ^ d)
		mine, _, n := halves(v, d, f.size)
		q.sendrecv(peer, q.bytes(c.sum(mine, mine+n)), peer)
	}
	handBack(q, f, size)
}

// allreduceMvapich is mvapich2_rs: rab_rdb, or rdb if there are fewer elements
// than ranks that take part, and nothing at all without data.
func allreduceMvapich(q *Sequence) {
	switch {
	case q.count == 0:
	case q.count < int64(fold(q.ranks()).size):
		allreduceDoubling(q)
	default:
		allreduceRabenseifner(q)
	}
}

// planAllreduceRing is lr: a ring for the largest multiple of the number of ranks, in
// elements. The selected algorithm is applied again to the rest. With fewer elements
// than ranks it is redbcast.
func planAllreduceRing(p *plan, d data) {
	n := int64(p.call.Ranks)
	if d.count < n {
		planRedbcast(p, d)
		return
	}
	p.part(allreduceRing, d)
	if rest := d.count % n; rest != 0 {
		d.count = rest
		p.collective(Allreduce, d)
	}
}

// allreduceRing lets pieces of equal size go round the ring twice, to collect
// the contributions and to spread the results.
func allreduceRing(q *Sequence) {
	size := q.bytes(q.count / int64(q.ranks()))
	if _, ok := q.in(2*(q.ranks()-1), 1); ok {
		q.sendrecv(q.mod(q.rank()+1), size, q.mod(q.rank()-1))
	}
}

// planRingSegmented is ompi_ring_segmented: a ring in which pieces of about
// 1 MiB are combined one after the other before the results go round. With less
// than that for each rank it is lr.
func planRingSegmented(p *plan, d data) {
	s := cutInto(1<<20, d.element, d.count)
	if d.count == 0 || d.count < int64(p.call.Ranks)*s.per {
		planAllreduceRing(p, d)
		return
	}
	p.part(allreduceRingSegmented, d)
}

func allreduceRingSegmented(q *Sequence) {
	p := int64(q.ranks())
	per := cutInto(1<<20, q.element, q.count).per
	phases := q.count / (p * per)
	if rest := q.count % (p * per); rest >= p && rest > p*per/2 {
		phases++
	}
	to, from := q.mod(q.rank()+1), q.mod(q.rank()-1)
	// block returns the number of elements that rank r starts with.
	block := func(r int) int64 { return share(q.count, p, int64(r)) }

	n := q.ranks() - 1 // messages of a phase
	if phase, ok := q.in(int(phases), 3*n); ok {
		collectRound(q, q.rank(), func(r int) int64 { return q.bytes(share(block(r), phases, int64(phase))) })
	}
	if i, ok := q.in(n, 1); ok {
		q.sendrecv(to, q.bytes(block(q.mod(q.rank()+1-i))), from)
	}
}

// share returns the size of part i of n if count elements are divided as equally as
// possible, with the first parts larger by one if need be.
func share(count, n, i int64) int64 {
	s := count / n
	if i < count%n {
		s++
	}
	return s
}
