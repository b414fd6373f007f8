package application

import (
	"slices"

	"github.com/isoscale/isoscale/workloads"
)

// piece is what a rank has given one of its streams to do: an instruction, in the rounds
// of the loops around it, and what the rank has received last.
type piece struct {
	at     int32
	rounds []int32
	heard
}

// Streams tells the engine how many streams each rank has: one for the groups along each
// axis, whose calls are carried out one after another.
func (r *run) Streams() int { return r.streams }

// begin gives a collective call to the stream of its group.
func (r *run) begin(f *frame, i *instruction, op *workloads.Op) bool {
	c := i.call
	if c.members.side == 1 {
		return false
	}
	var first workloads.Op
	var k int32
	if r.collect(f, i, &k, &first); f.failed {
		return true // of an impossible size
	}
	root := 0
	if c.root != nil {
		root = int(f.get(c.root))
	}
	what, place := c.members.call(&r.x.values.Grid, f.Row, root)
	r.agree(f, i, what, place)
	number := c.stream*int32(len(r.performed)) + f.Row
	p := piece{at: r.state[int(f.number)*int(r.stride)+atPlace], rounds: slices.Clone(f.Counters)}
	if r.heard != nil {
		p.heard = r.heard[f.number]
	}
	queue := &r.pieces[int(number)-len(r.performed)]
	*queue = append(*queue, p)
	*op = workloads.Op{Kind: workloads.Begin, Peer: c.stream}
	r.name(f, i, op)
	return true
}

// onStream gives the next operation of a stream, false at the end of a piece.
func (r *run) onStream(number int, s []int32, op *workloads.Op) bool {
	k := &s[atOperation]
	if *k == 0 {
		queue := &r.pieces[number-len(r.performed)]
		p := (*queue)[0]
		*queue = slices.Delete(*queue, 0, 1)
		s[atPlace] = p.at
		copy(s[atLoops:], p.rounds)
		if r.heard != nil {
			r.heard[number] = p.heard
		}
	}
	f := frame{number: int32(number)}
	r.stand(&f.Frame, f.number)
	f.Counters = s[atLoops:]
	if !r.collect(&f, &r.code[s[atPlace]], k, op) {
		*k = 0
		return false
	}
	op.Place = s[atPlace] + 1
	return !f.failed
}
