package smpi

// allgathervLinear is the default: as that of allgather, with blocks of different
// sizes.
func allgathervLinear(q *Sequence) {
	if i, ok := q.in(q.ranks()-1, 2); ok {
		peer := but(q.rank(), i)
		q.isend(2*i, peer, q.bytes(q.count))
		q.irecv(2*i+1, peer, q.listed(peer))
	}
	q.waitall()
}

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

// allgathervBruck is ompi_bruck: as that of allgather, with the blocks that the
// list says.
func allgathervBruck(q *Sequence) {
	p := q.ranks()
	for d := 1; d < p; d *= 2 {
		if _, ok := q.in(1, 1); ok {
			var size int64
			for i := range min(d, p-d) {
				size += q.listed(q.mod(q.rank() + i))
			}
			q.sendrecv(q.mod(q.rank()-d), size, q.mod(q.rank()+d))
		}
	}
}

// allgathervDoubling is mpich_rdb: recursive doubling. Without data there are no
// messages.
func allgathervDoubling(q *Sequence) {
	if sum(q.call.RecvCounts) > 0 {
		doubling(q, listedBlocks{q.call.RecvCounts, q.recvElement})
	}
}

// planNeighboursV is ompi_neighborexchange: allgathervNeighbours for an even
// number of ranks, otherwise what is called ring.
func planNeighboursV(p *plan, d data) {
	if p.call.Ranks%2 != 0 {
		p.named(Allgatherv, "ring", d)
		return
	}
	p.part(allgathervNeighbours, d)
}

// allgathervNeighbours is as allgatherNeighbours. Blocks travel in the pairs
// (0, 1), (2, 3), ..., each to the next pair on one side in one round and by way
// of the other rank of the pair in the next.
func allgathervNeighbours(q *Sequence) {
	p := q.ranks()
	if i, ok := q.in(p/2, 1); ok {
		peer := q.neighbour(i)
		size := q.listed(q.rank())
		if i > 0 {
			first := q.arrived(i - 1)
			size = q.listed(first) + q.listed(first+1)
		}
		q.sendrecv(peer, size, peer)
	}
}

// arrived returns the first rank of the pair whose blocks have come in round i:
// the own pair in round 0, then in turn those on the two sides, ever farther.
func (q *Sequence) arrived(i int) int {
	pair := q.rank() / 2
	distance := (i + 1) / 2
	if (q.rank()+i)%2 != 0 {
		distance = -distance
	}
	n := q.ranks() / 2
	return ((pair+distance)%n + n) % n * 2
}
