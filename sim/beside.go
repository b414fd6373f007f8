package sim

import "github.com/isoscale/isoscale/workloads"

// piece is what a rank has given one of its streams to do.
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

// Beside starts body on a stream of the rank, from 1, and returns while it goes on: the
// request ends with body. Bodies on one stream are executed one after another, those on
// others at the same time, and all of them while the rank computes. Calls inside are those of
// the same group on the same stream: so
//
//	q := r.Beside(1, func(r *sim.Rank) { r.Allreduce(size, 0) })
//	r.Compute(work)
//	r.Wait(q)
//
// is an MPI_Iallreduce, which no Allreduce of the ranks themselves matches. Messages and
// what is combined take no time of the rank, as on a card or in a thread that makes progress;
// other computations of a rank and its streams follow each other. They share the network
// interface of the rank, and the links of a fabric.
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

// nextPiece makes the next body that of a stream.
func (p *process) nextPiece() {
	p.rare.piece = p.rare.pieces[0]
	p.rare.pieces[0] = piece{}
	p.rare.pieces = p.rare.pieces[1:]
}

// rankOf returns the rank that has sent a message, or that has a stream which has.
func (p *Program) rankOf(from int32) int {
	if from < 0 {
		return int(from)
	}
	return int(from) % p.Ranks()
}
