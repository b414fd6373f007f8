package smpi

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
