package smpi

// The algorithms called rab are Rabenseifner's, in an older form than that of
// rab_rdb: ranks that pair off share the work of their first step, data are halved
// again and again, the first half being the smaller one, and the even ranks of pairs
// are the deputies.
//
// Source: [Rabenseifner2004].

// planRab plans rab of reduce and allreduce. SMPI's replay crashes without data, where
// it calls itself for ever, and with elements of one byte: with MPI_BYTE for the same
// reason, and with MPI_CHAR because it takes them for MPI_INT.
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
// takes the place of rank 0. In each round of the gather all ranks take part, also
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
// at distance d = 1, 2, 4, ... The lowest bit of v has decided on the largest half.
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
