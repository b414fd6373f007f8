package smpi

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/workloads"
)

var ringAllgather = mustLookup(workloads.Allgather, "ring")

// allgatherLinear is the default of allgather and allgatherv: every rank starts a
// message to and a receive from each other rank in turn, in rank order, and waits
// for all.
func allgatherLinear(q *Sequence) {
	if i, ok := q.in(q.ranks()-1, 2); ok {
		peer := but(q.rank(), i)
		q.isend(2*i, peer, q.bytes(q.count))
		q.irecv(2*i+1, peer, q.blockFrom(peer))
	}
	q.waitall()
}

// recvBlock returns the size of the block received from each other rank.
func (q *Sequence) recvBlock() int64 { return q.recvCount * q.recvElement }

// regular tells whether blocks sent and received have the same size. Otherwise some
// algorithms fall back on the default.
func (d *data) regular() bool { return d.count*d.element == d.recvCount*d.recvElement }

// ifRegular plans an algorithm for blocks of one size only.
func ifRegular(run func(q *Sequence)) func(p *plan, d data) {
	return func(p *plan, d data) {
		if !d.regular() {
			p.named(Allgather, "default", d)
			return
		}
		p.part(run, d)
	}
}

// allgatherRing is NTSLR: blocks go round the ring.
func allgatherRing(q *Sequence) { q.follow(ringAllgather, q.bytes(q.count)) }

// allgatherRingNB is NTSLR_NB: blocks go round the ring, with all receives
// posted at first.
func allgatherRingNB(q *Sequence) {
	n := q.ranks() - 1
	if i, ok := q.in(n, 1); ok {
		q.irecv(i, q.mod(q.rank()-1), q.recvBlock())
	}
	if i, ok := q.in(n, 3); ok {
		q.isend(n+i, q.mod(q.rank()+1), q.bytes(q.count))
		q.wait(i)
		q.wait(n + i)
	}
}

// allgatherBruck is bruck, and ompi_bruck of allgatherv: in the round of distance d =
// 1, 2, 4, ... r sends d blocks to r - d; in the last round, only the missing blocks.
func allgatherBruck(q *Sequence) {
	p := q.ranks()
	for d := 1; d < p; d *= 2 {
		// Computed only for the wanted operation: the size may be a sum over many ranks.
		if _, ok := q.in(1, 1); ok {
			q.sendrecv(q.mod(q.rank()-d), q.blocksFrom(q.rank(), min(d, p-d)), q.mod(q.rank()+d))
		}
	}
}

// allgatherDoubling is rdb: recursive doubling.
func allgatherDoubling(q *Sequence) { doubling(q, equalBlocks(q.recvCount*q.element)) }

// allgatherReversed is rhv: a rank first exchanges blocks with the one whose number has
// the same bits in reverse order. Then recursive doubling from the largest distance to
// the smallest leaves everything in place.
func allgatherReversed(q *Sequence) {
	p := q.ranks()
	if peer := reverse(q.rank(), p); peer != q.rank() {
		q.sendrecv(peer, q.bytes(q.count), peer)
	}
	n := int64(1)
	for d := p / 2; d > 0; d /= 2 {
		q.sendrecv(q.rank()^d, n*q.recvBlock(), q.rank()^d)
		n *= 2
	}
}

// planGatherBcast is GB: the selected gather to rank 0 and the selected
// broadcast from it.
func planGatherBcast(p *plan, d data) {
	p.collective(Gather, d)
	d.count, d.element = d.recvCount*int64(p.call.Ranks), d.recvElement
	p.collective(Bcast, d)
}

// allgatherSpreading is spreading_simple: every rank starts all receives, from
// r+1, r+2, ..., then all messages in the same order, and waits for all.
func allgatherSpreading(q *Sequence) {
	next := func(i int) int { return q.mod(q.rank() + 1 + i) }
	receiveThenSend(q, q.ranks()-1, next, next)
}

// planNeighbours is ompi_neighborexchange of allgather and allgatherv:
// allgatherNeighbours for an even number of ranks, otherwise the algorithm "ring".
func planNeighbours(p *plan, d data) {
	if p.call.Ranks%2 != 0 {
		p.named(p.call.Operation, "ring", d)
		return
	}
	p.part(allgatherNeighbours, d)
}

// allgatherNeighbours lets every rank exchange blocks with its two neighbours in turn:
// first one block, then the two that arrived last. Blocks travel in the pairs (0, 1),
// (2, 3), ...: each goes to the next pair on one side in one round, and through the
// other rank of that pair in the next.
func allgatherNeighbours(q *Sequence) {
	if i, ok := q.in(q.ranks()/2, 1); ok {
		peer := q.neighbour(i)
		size := q.blockFrom(q.rank())
		if i > 0 {
			first := q.arrived(i - 1)
			size = q.blockFrom(first) + q.blockFrom(first+1)
		}
		q.sendrecv(peer, size, peer)
	}
}

// neighbour returns the rank to exchange with in round i: the other one of the
// pair (0, 1), (2, 3), ... in even rounds, otherwise the one on the other side.
func (q *Sequence) neighbour(i int) int {
	if (q.rank()+i)%2 == 0 {
		return q.mod(q.rank() + 1)
	}
	return q.mod(q.rank() - 1)
}

// arrived returns the first rank of the pair whose blocks have arrived in round i: the rank's
// own pair in round 0, then pairs on the two sides in turn, farther and farther away.
func (q *Sequence) arrived(i int) int {
	pair := q.rank() / 2
	distance := (i + 1) / 2
	if (q.rank()+i)%2 != 0 {
		distance = -distance
	}
	n := q.ranks() / 2
	return ((pair+distance)%n + n) % n * 2
}

// exchangeGroup lets the n ranks first, first+stride, ... exchange with each other: a
// rank posts all receives in that order, then sends blocking messages in the same
// order, then waits for its receives. If around is set, the order starts after the rank
// itself.
func exchangeGroup(q *Sequence, first, stride, n int, size int64, around bool) {
	own := (q.rank() - first) / stride
	member := func(i int) int {
		if around {
			return first + (own+1+i)%n*stride
		}
		return first + but(own, i)*stride
	}
	if i, ok := q.in(n-1, 1); ok {
		q.irecv(i, member(i), size)
	}
	if i, ok := q.in(n-1, 1); ok {
		q.send(member(i), size)
	}
	q.waitall()
}

// allgather2D is 2dmesh: each rank of a grid exchanges its block within its row, then
// the blocks of the row within its column.
func allgather2D(q *Sequence) { onGrid(q, q.bytes(q.count)) }

// onGrid exchanges withinRow bytes within rows, then a block for each column within
// columns. Ranks form a grid, as square as possible, with at least as many columns as
// rows.
func onGrid(q *Sequence, withinRow int64) {
	rows, columns, ok := grid(q.ranks())
	if !ok {
		return
	}
	row, column := q.rank()/columns, q.rank()%columns
	exchangeGroup(q, row*columns, 1, columns, withinRow, false)
	exchangeGroup(q, column, columns, rows, int64(columns)*q.bytes(q.count), false)
}

// allgather3D is 3dmesh: as 2dmesh with square planes.
func allgather3D(q *Sequence) { inPlanes(q, q.bytes(q.count)) }

// inPlanes exchanges withinRow bytes within rows, then the data of the row within columns,
// then a block for each place of a plane with the same place of the other planes.
func inPlanes(q *Sequence, withinRow int64) {
	side, planes, ok := cube(q.ranks())
	if !ok {
		return
	}
	square := side * side
	plane, within := q.rank()/square*square, q.rank()%square
	exchangeGroup(q, plane+within/side*side, 1, side, withinRow, false)
	exchangeGroup(q, plane+within%side, side, side, int64(side)*withinRow, false)
	exchangeGroup(q, within, square, planes, int64(square)*q.bytes(q.count), true)
}

// grid returns the rows and columns of the grid that SMPI makes of p ranks: the
// first divisor of p from the root of p upwards, and no grid if it is larger
// than p/2.
func grid(p int) (rows, columns int, ok bool) {
	for x := root(p, 2); x <= p/2; x++ {
		if p%x == 0 {
			return min(x, p/x), max(x, p/x), true
		}
	}
	return 0, 0, false
}

// cube returns the side and the number of the square planes that SMPI makes of
// p ranks, if any.
func cube(p int) (side, planes int, ok bool) {
	for x := root(p, 3); x <= p/3; x++ {
		if p%(x*x) == 0 {
			return x, p / (x * x), true
		}
	}
	return 0, 0, false
}

// root returns the largest whole number whose power of that degree is at most p.
func root(p, degree int) int {
	power := func(x int) int {
		y := x
		for range degree - 1 {
			y *= x
		}
		return y
	}
	x := 1
	for power(x+1) <= p {
		x++
	}
	return x
}

func needsGrid(ranks int) error {
	if _, _, ok := grid(ranks); !ok {
		return fmt.Errorf("%d ranks; expected a number that makes a grid, as SMPI does", ranks)
	}
	return nil
}

func needsCube(ranks int) error {
	if _, _, ok := cube(ranks); !ok {
		return fmt.Errorf("%d ranks; expected a number that makes square planes, as SMPI does", ranks)
	}
	return nil
}

// listed returns the size of a rank's block from the list of receive counts.
func (q *Sequence) listed(rank int) int64 { return q.call.RecvCounts[rank] * q.recvElement }

// planGathervBcast is GB: a gather to rank 0 and the selected broadcast from it, of the
// extent of the receive buffer. Without displacements that is only the largest block.
func planGathervBcast(p *plan, d data) {
	p.collective(Gatherv, d)
	d.count, d.element = 0, d.recvElement
	for i, n := range p.call.RecvCounts {
		if p.call.Displacements != nil {
			n += p.call.Displacements[i]
		}
		d.count = max(d.count, n)
	}
	p.collective(Bcast, d)
}

// allgathervDoubling is mpich_rdb: recursive doubling. Without data there are no
// messages.
func allgathervDoubling(q *Sequence) {
	if sum(q.call.RecvCounts) > 0 {
		doubling(q, listedBlocks{q.call.RecvCounts, q.recvElement})
	}
}

// planAllgathervRing is mpich_ring: allgathervRing, with the count of a piece.
func planAllgathervRing(p *plan, d data) {
	d.count = slices.Min(p.call.RecvCounts)
	if least := int64(256 << 10); d.count*d.recvElement < least {
		d.count = max(1, least/d.recvElement)
	}
	p.part(allgathervRing, d)
}

// allgathervRing lets blocks go round the ring in pieces of the size of the smallest
// block, but at least 256 KiB. A rank passes on what its right neighbour lacks, and
// takes a piece from the left at the same time; when one direction is finished, only
// the other one continues.
//
// The place of a rank in its blocks cannot be computed in constant time from the number
// of the operation, so it is kept in q.ring.
func allgathervRing(q *Sequence) {
	left, right := q.mod(q.rank()-1), q.mod(q.rank()+1)
	if q.given == 0 {
		q.ring = ringPlace{send: ringBlock{rank: int32(q.rank())}, recv: ringBlock{rank: int32(left)}}
	}
	for !q.found() {
		out := q.ring.send.next(q, right)
		in := q.ring.recv.next(q, q.rank())
		if out > 0 || in > 0 {
			q.seen = q.want
		}
		switch {
		case out > 0 && in > 0:
			q.sendrecv(right, out*q.recvElement, left)
		case out > 0:
			q.send(right, out*q.recvElement)
		case in > 0:
			q.recv(left, in*q.recvElement)
		case int(q.ring.send.rank) == right && int(q.ring.recv.rank) == q.rank():
			return
		}
	}
}

// ringPlace is where a rank is in allgathervRing. Counts have 31 bits.
type ringPlace struct {
	send, recv ringBlock
}

// ringBlock is a place in the data that go round the ring: a block, and how many of its
// elements have passed.
type ringBlock struct {
	rank, done int32
}

// next passes a piece and returns the number of its elements. At the end of a block it
// goes on to that of the previous rank. The block of rank end is not passed. An empty
// block takes a round too.
func (b *ringBlock) next(q *Sequence, end int) (elements int64) {
	if int(b.rank) == end {
		return 0
	}
	count := q.call.RecvCounts[b.rank]
	elements = min(q.count, count-int64(b.done))
	if b.done += int32(elements); int64(b.done) == count {
		*b = ringBlock{rank: int32(q.mod(int(b.rank) - 1))}
	}
	return elements
}
