package smpi

import "slices"

// listed returns the size of the block of a rank by the list of what is received.
func (q *Sequence) listed(rank int) int64 { return q.call.RecvCounts[rank] * q.recvElement }

// planGathervBcast is GB: a gather to rank 0 and the selected broadcast from it,
// of as much as the receive buffer reaches. Without displacements that is the
// largest block only.
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

// allgathervRing lets blocks go round the ring in pieces of at most the
// smallest block, or 256 KiB if that is less. A rank passes on what it has as far
// as its right neighbour lacks it, and takes a piece from the left at the same
// time; where one of the two has nothing left, only the other one happens.
//
// Where a rank is in its blocks does not follow from the number of the operation in
// constant time: it is kept in q.ring.
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

// ringPlace is where a rank is in allgathervRing. Counts fit: see maxCount.
type ringPlace struct {
	send, recv ringBlock
}

// ringBlock is a place in what goes round the ring: the block and how many of its
// elements have passed.
type ringBlock struct {
	rank, done int32
}

// next passes a piece and returns its elements. At the end of a block it goes on to the
// one of the rank before. The block of rank end is not passed. An empty block takes a
// round too.
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
