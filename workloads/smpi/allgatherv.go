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

// allgathervRing is mpich_ring: blocks go round the ring in pieces of at most the
// smallest block, or 256 KiB if that is less. A rank passes on what it has as far
// as its right neighbour lacks it, and takes a piece from the left at the same
// time; where one of the two has nothing left, only the other one happens.
func allgathervRing(q *Sequence) {
	counts := q.call.RecvCounts
	left, right := q.mod(q.rank()-1), q.mod(q.rank()+1)
	toSend, toRecv := sum(counts)-counts[right], sum(counts)-counts[q.rank()]
	most := slices.Min(counts)
	if least := int64(256 << 10); most*q.recvElement < least {
		most = max(1, least/q.recvElement)
	}
	send, recv := ringBlock{rank: q.rank()}, ringBlock{rank: left}
	for (toSend > 0 || toRecv > 0) && !q.found() {
		var out, in int64
		if toSend > 0 {
			out = min(most, counts[send.rank]-send.done)
		}
		if toRecv > 0 {
			in = min(most, counts[recv.rank]-recv.done)
		}
		switch {
		case out > 0 && in > 0:
			q.sendrecv(right, out*q.recvElement, left)
		case out > 0:
			q.send(right, out*q.recvElement)
		case in > 0:
			q.recv(left, in*q.recvElement)
		}
		toSend -= out
		toRecv -= in
		send.advance(q, out)
		recv.advance(q, in)
	}
}

// ringBlock is the place of a rank in what goes round the ring: the block and how
// many of its elements have passed.
type ringBlock struct {
	rank int
	done int64
}

// advance passes elements, and goes to the next block at the end of one.
func (b *ringBlock) advance(q *Sequence, elements int64) {
	if b.done += elements; b.done == q.call.RecvCounts[b.rank] {
		b.rank, b.done = q.mod(b.rank-1), 0
	}
}
