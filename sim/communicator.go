package sim

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Rank is one process of a [Program]: what its body calls. The methods are those
// of MPI's world communicator, with sizes in the place of data.
//
// A call that cannot be carried out, as a message to a rank that does not exist,
// ends the body with a panic; the run then fails with the rank, the simulated
// time and the reason, see [BodyError]. A Rank used while its body is not
// executed panics too, in the caller's goroutine. A body that recovers from
// panics must pass on those that it does not know.
type Rank struct {
	program *Program
	op      *workloads.Op // where the engine wants the next operation; nil while the body is not executed
	now     units.Seconds
	last    Status // of the receive waited for last
	failure *BodyError

	// The two ends of the coroutine: the engine's, and the body's.
	resume func() (struct{}, bool)
	stop   func()
	yield  func(struct{}) bool

	rank     int32
	requests int32 // the name given to the latest
	stage    stage
	inside   workloads.Collective // operation that the rank is in, 0 for none
}

// stage is how far the body of a rank has got.
type stage uint8

const (
	fresh stage = iota
	started
	over
)

// The wildcards of receives.
const (
	AnySource = int(workloads.AnySource)
	AnyTag    = int(workloads.AnyTag)
)

// Status describes a message that was received.
type Status struct {
	Source int
	Tag    int
	Size   units.Bytes
}

// Request is a send or receive that was started. It belongs to its rank.
type Request struct{ rank, name int32 }

// maxRequest is the largest name of a request: names from workloads.CollectiveTag on are
// those of collective operations.
const maxRequest = workloads.CollectiveTag - 1

// Rank returns the number of the rank, from 0 on.
func (r *Rank) Rank() int { return int(r.rank) }

// Size returns the number of ranks of the program.
func (r *Rank) Size() int { return len(r.program.ranks) }

// Now returns the simulated time.
func (r *Rank) Now() units.Seconds { return r.now }

// Compute performs w on the rank's core.
func (r *Rank) Compute(w units.Flops) {
	r.do(workloads.Op{Kind: workloads.Compute, Work: w})
}

// ComputeInMemory is Compute that moves as many bytes between the core and the
// memory of its node. On a fabric the processes of the node share its memory
// bandwidth; on a network each has what Config.Memory says.
func (r *Rank) ComputeInMemory(w units.Flops, traffic units.Bytes) {
	r.do(workloads.Op{Kind: workloads.Compute, Work: w, Size: traffic})
}

// Delay spends t on something that is not the algorithm's work. It counts as
// overhead.
func (r *Rank) Delay(t units.Seconds) {
	r.do(workloads.Op{Kind: workloads.Delay, Time: t})
}

// Send sends a message and returns when its buffer may be used again: after the
// send overhead if it is eager, when the data have left if it is not.
func (r *Rank) Send(to, tag int, size units.Bytes) {
	r.do(workloads.Op{Kind: workloads.Send, Peer: r.peer("send", to), Tag: r.tag("send", tag), Size: size})
}

// Recv waits for a message from a rank, [FromProcess] or [AnySource], with a tag or
// [AnyTag].
func (r *Rank) Recv(from, tag int) Status {
	r.do(workloads.Op{Kind: workloads.Recv, Peer: r.source("recv", from), Tag: r.anyTag("recv", tag)})
	return r.last
}

// Sendrecv sends a message to one rank and receives one from another or from
// AnySource, both with the same tag, at the same time. It cannot deadlock on
// itself. The arguments are those of [Rank.Send], then the source.
func (r *Rank) Sendrecv(to, tag int, size units.Bytes, from int) Status {
	r.do(workloads.Op{
		Kind: workloads.Sendrecv,
		Peer: r.peer("sendrecv", to), From: r.source("sendrecv", from), Tag: r.tag("sendrecv", tag),
		Size: size,
	})
	return r.last
}

// Isend starts a send.
func (r *Rank) Isend(to, tag int, size units.Bytes) Request {
	q := r.newRequest()
	r.do(workloads.Op{Kind: workloads.Isend, Peer: r.peer("isend", to), Tag: r.tag("isend", tag), Size: size, Request: q.name})
	return q
}

// Irecv starts a receive.
func (r *Rank) Irecv(from, tag int) Request {
	q := r.newRequest()
	r.do(workloads.Op{Kind: workloads.Irecv, Peer: r.source("irecv", from), Tag: r.anyTag("irecv", tag), Request: q.name})
	return q
}

// Wait waits for the end of a request that was not waited for yet. The status is
// that of the message received; it is zero for a send.
func (r *Rank) Wait(q Request) Status {
	if q.rank != r.rank {
		fail("wait", "a request of rank %d; expected one of rank %d", q.rank, r.rank)
	}
	r.last = Status{}
	r.do(workloads.Op{Kind: workloads.Wait, Request: q.name})
	return r.last
}

// Waitall waits for all requests of the rank that were not waited for yet. Who
// wants the status of each calls Wait for each.
func (r *Rank) Waitall() {
	r.do(workloads.Op{Kind: workloads.Waitall})
}

// Trigger makes an event happen now, if it has not happened yet. Ranks and processes
// that wait for it go on at this time. It must be listed in Config.Events.
func (r *Rank) Trigger(e *Event) {
	r.do(workloads.Op{Kind: workloads.Trigger, Request: listed("trigger", e)})
}

// Await waits until an event has happened. It must be listed in Config.Events.
func (r *Rank) Await(e *Event) {
	r.do(workloads.Op{Kind: workloads.Await, Request: listed("await", e)})
}

// listed returns the number of an event.
func listed(call string, e *Event) int32 {
	switch {
	case e == nil:
		fail(call, "no event; expected one of Config.Events")
	case e.number == none:
		fail(call, "event %q is not among those of the simulation; expected one of Config.Events", e.name)
	}
	return e.number
}

// newRequest gives a request a name that no open request has: it is used again
// only after a billion others.
func (r *Rank) newRequest() Request {
	r.requests = r.requests%maxRequest + 1
	return Request{r.rank, r.requests}
}

// do hands op to the engine and returns when it is over.
func (r *Rank) do(op workloads.Op) {
	r.enter()
	*r.op = op
	r.suspend()
}

// enter checks that it is the rank's own body that calls.
func (r *Rank) enter() {
	switch {
	case r.op != nil:
	case r.stage == over:
		panic(errEnded)
	default:
		panic(misuse{fmt.Errorf("rank %d was used outside its body", r.rank)})
	}
}

// suspend lets the engine take *r.op and returns when it asks for the next one.
func (r *Rank) suspend() {
	if !r.yield(struct{}{}) {
		panic(errEnded)
	}
}

// fail ends the body because of what it has called.
func fail(call, format string, args ...any) {
	panic(misuse{fmt.Errorf(call+": "+format, args...)})
}

func (r *Rank) peer(call string, rank int) int32 {
	if rank < 0 || rank >= r.Size() {
		fail(call, "peer %d; expected a rank from 0 to %d", rank, r.Size()-1)
	}
	return int32(rank)
}

func (r *Rank) source(call string, rank int) int32 {
	if rank == AnySource || rank == FromProcess {
		return int32(rank)
	}
	return r.peer(call, rank)
}

func (r *Rank) tag(call string, tag int) int32 {
	if tag < 0 || tag >= int(workloads.CollectiveTag) {
		fail(call, "tag %d; expected one from 0 to %d", tag, workloads.CollectiveTag-1)
	}
	return int32(tag)
}

func (r *Rank) anyTag(call string, tag int) int32 {
	if tag == AnyTag {
		return workloads.AnyTag
	}
	return r.tag(call, tag)
}
