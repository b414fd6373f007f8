package smpi

import "github.com/isoscale/isoscale/workloads/collective"

// The exchanges of this file serve alltoall and, where blocks may differ in size,
// alltoallv. Some also serve allgather and allgatherv, where a rank has the same block
// for all.

// block returns the size of the block that the rank has for another one.
func (q *Sequence) block(to int) int64 {
	if q.call.Operation == Alltoallv {
		return q.bytes(q.call.SendCounts[to])
	}
	return q.bytes(q.count)
}

// blockFrom returns the size of the block that the rank expects from another one.
func (q *Sequence) blockFrom(from int) int64 {
	if q.listsReceived() {
		return q.listed(from)
	}
	return q.recvBlock()
}

// blocksFrom returns the total size of the blocks that the rank expects from n ranks,
// from first on, modulo P.
func (q *Sequence) blocksFrom(first, n int) int64 {
	if !q.listsReceived() {
		return int64(n) * q.recvBlock()
	}
	var size int64
	for i := range n {
		size += q.listed(q.mod(first + i))
	}
	return size
}

// listsReceived tells whether blocks received may differ in size.
func (q *Sequence) listsReceived() bool {
	switch q.call.Operation {
	case Gatherv, Allgatherv, Alltoallv:
		return true
	}
	return false
}

// alltoallLinear is basic_linear, the choice of the default in most cases: every
// rank starts all receives, from r+1, r+2, ..., then all messages, to r-1,
// r-2, ..., and waits for all.
func alltoallLinear(q *Sequence) { exchangeDistances(q, 1, q.ranks()-1) }

// alltoallvLinear is the default of alltoallv and its ompi_basic_linear: all
// receives, then all messages, both in rank order.
func alltoallvLinear(q *Sequence) {
	other := func(i int) int { return but(q.rank(), i) }
	receiveThenSend(q, q.ranks()-1, other, other)
}

// receiveThenSend exchanges n blocks: a rank starts all receives, then all
// messages, and waits for all.
func receiveThenSend(q *Sequence, n int, from, to func(i int) int) {
	if i, ok := q.in(n, 1); ok {
		peer := from(i)
		q.irecv(i, peer, q.blockFrom(peer))
	}
	if i, ok := q.in(n, 1); ok {
		peer := to(i)
		q.isend(n+i, peer, q.block(peer))
	}
	q.waitall()
}

// alltoallBruck is bruck: blocks travel by powers of two, in ceil(log2 P) rounds.
// Blocks are as large as those received.
func alltoallBruck(q *Sequence) {
	p, bit := q.ranks(), 0
	for d := 1; d < p; d *= 2 {
		n := collective.Relay(p, q.rank(), bit).Count
		q.sendrecv(q.mod(q.rank()+d), int64(n)*q.count*q.recvElement, q.mod(q.rank()-d))
		bit++
	}
}

// alltoallvBlocks is bruck of alltoallv, which has nothing to do with that algorithm:
// all receives and messages of four distances at a time.
func alltoallvBlocks(q *Sequence) {
	const size = 4
	p := q.ranks()
	exchangeDistances(q, 1, min(size, p)-1)
	if p <= size {
		return
	}
	if b, ok := q.in((p-size)/size, 2*size+1); ok {
		exchangeDistances(q, (b+1)*size, size)
	}
	if rest := p % size; rest > 0 {
		exchangeDistances(q, p-rest, rest)
	}
}

// alltoallScattered is mvapich2_scatter_dest: as alltoallvBlocks, but from distance
// 0 on, so that a rank also sends its own block to itself. Without anything to
// receive there are no messages.
func alltoallScattered(q *Sequence) {
	const size = 4
	if q.recvCount == 0 {
		return
	}
	p := q.ranks()
	if b, ok := q.in(p/size, 2*size+1); ok {
		exchangeDistances(q, b*size, size)
	}
	if rest := p % size; rest > 0 {
		exchangeDistances(q, p-rest, rest)
	}
}

// exchangeDistances exchanges blocks with the ranks at n distances from first on:
// it receives from above and sends downwards.
func exchangeDistances(q *Sequence, first, n int) {
	receiveThenSend(q, n,
		func(i int) int { return q.mod(q.rank() + first + i) },
		func(i int) int { return q.mod(q.rank() - first - i) })
}

// alltoallDoubling is rdb: recursive doubling, as if it were an allgather of
// what every rank has for all.
func alltoallDoubling(q *Sequence) {
	doubling(q, equalBlocks(int64(q.ranks())*q.bytes(q.count)))
}

// partners says whom a rank sends to and receives from in round i.
type partners func(q *Sequence, i int) (to, from int)

// ringPartners are the partners of ring: r + i and r - i.
func ringPartners(q *Sequence, i int) (to, from int) { return q.mod(q.rank() + i), q.mod(q.rank() - i) }

// pairPartners are the partners of pair: r xor i.
func pairPartners(q *Sequence, i int) (to, from int) { return q.rank() ^ i, q.rank() ^ i }

// ringOrPair are the partners of ring of alltoallv: pairs if P is a power of two.
func ringOrPair(q *Sequence, i int) (to, from int) {
	if powerOfTwo(q.ranks()) == nil {
		return pairPartners(q, i)
	}
	return ringPartners(q, i)
}

// rounds exchanges one block in each of P - 1 rounds.
func rounds(with partners) func(q *Sequence) {
	return func(q *Sequence) {
		if i, ok := q.in(q.ranks()-1, 1); ok {
			to, from := with(q, i+1)
			q.sendrecv(to, q.block(to), from)
		}
	}
}

// lightBarrier is rounds with a message of one byte between rounds, against the
// direction of the next round.
func lightBarrier(with partners) func(q *Sequence) {
	return func(q *Sequence) {
		n := q.ranks() - 1
		if i, ok := q.in(2*n-1, 1); ok {
			to, from := with(q, i/2+1)
			if i%2 == 0 {
				q.sendrecv(to, q.block(to), from)
			} else {
				to, from = with(q, i/2+2)
				q.sendrecv(from, 1, to)
			}
		}
	}
}

// oneBarrier is rounds after the selected barrier.
func oneBarrier(with partners) func(p *plan, d data) {
	exchange := rounds(with)
	return func(p *plan, d data) {
		p.collective(Barrier, d)
		p.part(exchange, d)
	}
}

// mpiBarrier is rounds with the selected barrier before each round, and an extra round
// without messages at the beginning.
func mpiBarrier(with partners) func(p *plan, d data) {
	exchange := func(q *Sequence) {
		round := int(q.part)/2 - 1 // each round has two parts; this is the second one
		if to, from := with(q, round); round > 0 {
			q.sendrecv(to, q.block(to), from)
		}
	}
	return func(p *plan, d data) {
		if _, ok := p.in(p.call.Ranks, 2); ok {
			p.collective(Barrier, d)
			p.part(exchange, d)
		} else if p.want == endOfPlan {
			p.verify(Barrier)
		}
	}
}

// alltoall2D is 2dmesh: ranks form a grid (see onGrid). All data of a rank go to its
// whole row, and from there the blocks for a column go to the ranks of that column.
// Without a grid SMPI returns at once.
func alltoall2D(q *Sequence) { onGrid(q, int64(q.ranks())*q.bytes(q.count)) }

// alltoall3D is 3dmesh: everything goes to all ranks of a square plane, along
// rows and then columns, and from there to the same place of the other planes.
// Without square planes SMPI returns at once.
func alltoall3D(q *Sequence) { inPlanes(q, int64(q.ranks())*q.bytes(q.count)) }
