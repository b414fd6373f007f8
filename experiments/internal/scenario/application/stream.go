package application

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/workloads"
)

// piece is what a rank has given one of its streams to do: the instructions from a place on,
// with the rounds of the loops around them, and the message that the rank had received last.
type piece struct {
	at     int32
	rounds []int32
	heard
}

// resting is the place of a stream that has nothing to do.
const resting int32 = -1

// maxStreams is one more than how many names streams can have.
const maxStreams = 16

const wantStream = "a name for the stream, such as copies"

func (x *placing) addStream(name string) {
	if !slices.Contains(x.streams, name) {
		x.streams = append(x.streams, name)
	}
	if len(x.streams) == maxStreams {
		x.Fail(x.main, "too many streams", fmt.Sprintf("at most %d", maxStreams-1))
	}
}

// notOnStream refuses what a stream cannot do.
func (x *placing) notOnStream(what string) {
	if x.onStream {
		x.Fail(x.main, what+" on a stream", "it outside of the stream")
	}
}

// Streams tells the engine how many streams each rank has: those that the file names, and one for
// each set of axes, which carries out the calls of the groups along them one after another.
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
		return true // because of an impossible size
	}
	what, place := c.members.call(&r.x.values.Grid, f.Row, int(f.get(c.root)))
	r.agree(f, i, what, place)
	r.queue(f, c.stream, r.state[int(f.number)*int(r.stride)+atPlace])
	*op = workloads.Op{Kind: workloads.Begin, Peer: c.stream}
	r.name(f, i, op)
	return true
}

// give gives a stream the instructions from a place on.
func (r *run) give(f *frame, i *instruction, at int32, op *workloads.Op) {
	r.queue(f, i.request, at)
	r.open(f.number)[i.request-1]++
	*op = workloads.Op{Kind: workloads.Begin, Peer: i.request, Request: streamRequest + i.request - 1}
}

// queue adds the instructions from at on to what a stream has to do.
func (r *run) queue(f *frame, stream, at int32) {
	p := piece{at: at, rounds: slices.Clone(f.Counters)}
	if r.heard != nil {
		p.heard = r.heard[f.number]
	}
	queue := &r.pieces[int(stream-1)*len(r.performed)+int(f.Row)]
	*queue = append(*queue, p)
}

// open returns, for each stream of a rank, how many pieces nobody has waited for.
func (r *run) open(number int32) []int32 {
	return r.state[int(number+1)*int(r.stride)-r.streams:][:r.streams]
}

// join gives a wait for each piece of a stream that nobody has waited for.
func (r *run) join(f *frame, i *instruction, op *workloads.Op) bool {
	open := &r.open(f.number)[i.request-1]
	if *open == 0 {
		return false
	}
	*open--
	return set(op, workloads.Op{Kind: workloads.Wait, Request: streamRequest + i.request - 1})
}

// nextPiece lets a resting stream begin the next of its pieces.
func (r *run) nextPiece(number int, s []int32) {
	if s[atPlace] != resting {
		return
	}
	queue := &r.pieces[number-len(r.performed)]
	p := (*queue)[0]
	*queue = slices.Delete(*queue, 0, 1)
	s[atPlace], s[atOperation] = p.at, 0
	copy(s[atLoops:], p.rounds)
	if r.heard != nil {
		r.heard[number] = p.heard
	}
}
