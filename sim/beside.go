package sim

import "github.com/isoscale/isoscale/workloads"

// piece is a piece of work that a rank has given to one of its streams.
type piece struct {
	body func(r *Rank)
	as   Rank
}

// SetStreams gives each rank streams for [Rank.Beside]: n of them, at least 0. It must be
// called before the run, which then follows strict time order on one core.
func (p *Program) SetStreams(n int) {
	ranks := p.Ranks()
	p.streams, p.groups.streams = max(n, 0), max(n, 0)
	p.makeRanks(ranks)
}

// Streams returns how many streams each rank has.
func (p *Program) Streams() int { return p.streams }

// Beside starts body on a stream of the rank (counted from 1) and returns at once; the
// request is done when body ends. Bodies on one stream are executed one after another, those
// on others at the same time, and all of them while the rank computes. Collective calls
// inside body match those of the same group on the same stream of other ranks. So
//
//	q := r.Beside(1, func(r *sim.Rank) { r.Allreduce(size, 0) })
//	r.Compute(work)
//	r.Wait(q)
//
// is an MPI_Iallreduce, which no Allreduce of the ranks themselves matches. Messages and the
// combining of a reduction take no time of the rank, as on a network card or in a progress
// thread; other computations of a rank and its streams take turns on its core. They share the
// network interface of the rank, and the links of a fabric.
func (r *Rank) Beside(stream int, body func(r *Rank)) Request {
	const call = "beside"
	r.enter()
	switch {
	case r.stream > 0:
		fail(call, "called on a stream; expected a call by the rank itself")
	case stream < 1 || stream > r.program.streams:
		fail(call, "stream %d; expected one of the %d that each rank has, from 1", stream, r.program.streams)
	}
	x := &r.program.ranks[stream*r.program.Ranks()+int(r.number)]
	x.seldom().pieces = append(x.rare.pieces, piece{body, Rank{process: x, group: r.group, rank: r.rank}})
	return r.begin(workloads.Op{Kind: workloads.Begin, Peer: int32(stream)})
}

// nextPiece makes the next piece of a stream its current one.
func (p *process) nextPiece() {
	p.rare.piece = p.rare.pieces[0]
	p.rare.pieces[0] = piece{}
	p.rare.pieces = p.rare.pieces[1:]
}

// rankOf returns the rank that sent a message, itself or by one of its streams.
func (p *Program) rankOf(from int32) int {
	if from < 0 {
		return int(from)
	}
	return int(from) % p.Ranks()
}
