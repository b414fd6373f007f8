package sim

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/internal/matching"
	"github.com/isoscale/isoscale/workloads"
)

// Rank is one process of a [Program] as a member of a group: what its body calls.
// The body gets the member of the group of all; [Rank.Split] gives others, in which
// ranks have other numbers. The methods are those of MPI's communicators, with sizes
// in the place of data.
//
// A call that cannot be carried out, such as a message to a rank that does not exist, ends
// the run with an error that has the rank, the simulated time and the reason: a [BodyError]
// after a panic in the body or, where the engine finds the mistake, a [ProgramError]. A Rank
// used while its body is not executed panics too, in the caller's goroutine. A body that
// recovers from panics must panic again with values that it does not know.
type Rank struct {
	*process
	group  *group // nil for all
	rank   int32  // in the group
	splits int32  // how often Split was called
}

// process is what the front end knows of one rank of the program.
type process struct {
	program *Program
	op      *workloads.Op // where the engine wants the next operation; nil while the body is not executed
	now     units.Seconds
	last    Status // of the receive or probe that ended last, as the engine tells it
	failure *BodyError
	rare    *rare // nil if none of it is used

	// The two ends of the coroutine: the engine's, and the body's.
	resume func() (struct{}, bool)
	stop   func()
	yield  func(struct{}) bool

	inside   string // the collective call that the body is in, or ""
	all      Rank   // the member of the group of all
	number   int32  // of the rank among all
	stream   int32  // which stream of the rank this is; 0: the rank itself
	requests int32  // the name of the latest request
	stage    stage
}

// rare has the state that most programs do not use.
type rare struct {
	groups     []*group // that the rank is a member of
	calling    *group   // whose collective call it is in; nil for all
	contexts   int32    // its largest context, see group
	persistent []*persistent
	awaited    []awaited // what a Waitall waits for, by name
	statuses   []Status  // its results
	open       int       // how many of them are open in the engine
	pieces     []piece   // of a stream: what it has to do
	piece      piece     // what it does
}

// seldom returns the rare state, which it makes at the first call.
func (p *process) seldom() *rare {
	if p.rare == nil {
		p.rare = &rare{}
	}
	return p.rare
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

// Status describes a message that was received, or found by a probe. Source is the
// sender's number in the group of the call.
type Status struct {
	Source int
	Tag    int
	Size   units.Bytes
}

// Rank returns the number of the rank in its group, from 0 on.
func (r *Rank) Rank() int { return int(r.rank) }

// Size returns the number of ranks of the group.
func (r *Rank) Size() int {
	if r.group != nil {
		return len(r.group.members)
	}
	return r.program.Ranks()
}

// Now returns the simulated time.
func (r *Rank) Now() units.Seconds { return r.now }

// Compute performs w on the rank's core.
func (r *Rank) Compute(w units.Flops) {
	r.do(workloads.Op{Kind: workloads.Compute, Work: w})
}

// ComputeInMemory is Compute that also moves traffic bytes between the core and the
// memory of its node. On a fabric the processes of the node share its memory bandwidth;
// on a network each has what Config.Memory says.
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
	return r.group.status(r.last)
}

// Sendrecv sends a message to one rank and at the same time receives one from another
// or from AnySource, both with the same tag. Neither blocks the other. The arguments
// are those of [Rank.Send], then the source.
func (r *Rank) Sendrecv(to, tag int, size units.Bytes, from int) Status {
	r.do(workloads.Op{
		Kind: workloads.Sendrecv,
		Peer: r.peer("sendrecv", to), From: r.source("sendrecv", from), Tag: r.tag("sendrecv", tag),
		Size: size,
	})
	return r.group.status(r.last)
}

// Probe waits until there is a message that [Rank.Recv] with the same arguments would take, and
// leaves it to a receive. Of several messages it finds the one that Recv would take. A message
// is there when its envelope has arrived: for a rendezvous, which waits for its receive, that
// is the request to send; on a fabric the envelope arrives at the moment of the send.
func (r *Rank) Probe(from, tag int) Status {
	r.do(workloads.Op{Kind: workloads.Probe, Peer: r.source("probe", from), Tag: r.anyTag("probe", tag)})
	return r.group.status(r.last)
}

// Iprobe is a Probe that does not wait: it tells whether there is such a message. It
// takes as long as a test of a request. On most networks that is no time at all, so a
// loop around it must do something that takes time.
func (r *Rank) Iprobe(from, tag int) (Status, bool) {
	r.last = Status{Size: -1}
	r.do(workloads.Op{Kind: workloads.Iprobe, Peer: r.source("iprobe", from), Tag: r.anyTag("iprobe", tag)})
	if r.last.Size < 0 {
		return Status{}, false
	}
	return r.group.status(r.last), true
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
		fail(call, "no event; expected one of Events")
	case e.number == none:
		fail(call, "event %q is not among those of the simulation; expected one of Events", e.name)
	}
	return e.number
}

// do hands op to the engine and returns when op is over.
func (p *process) do(op workloads.Op) {
	p.enter()
	*p.op = op
	p.suspend()
}

// enter checks that the caller is the rank's own body.
func (p *process) enter() {
	switch {
	case p.op != nil:
	case p.stage == over:
		panic(errEnded)
	default:
		panic(misuse{fmt.Errorf("rank %d was used outside its body", p.number)})
	}
}

// suspend lets the engine take *p.op and returns when the engine asks for the next operation.
func (p *process) suspend() {
	if !p.yield(struct{}{}) {
		panic(errEnded)
	}
}

// fail ends the body, which has made a wrong call.
func fail(call, format string, args ...any) {
	panic(misuse{fmt.Errorf(call+": "+format, args...)})
}

// member checks the number of a rank in the group.
func (r *Rank) member(call string, rank int) int {
	if rank < 0 || rank >= r.Size() {
		fail(call, "peer %d; expected a rank from 0 to %d", rank, r.Size()-1)
	}
	return rank
}

// peer returns the number among all ranks of a rank in the group.
func (r *Rank) peer(call string, rank int) int32 {
	rank = r.member(call, rank)
	if r.group != nil {
		return r.group.members[rank]
	}
	return int32(rank)
}

func (r *Rank) source(call string, rank int) int32 {
	switch {
	case rank == AnySource:
		return workloads.AnySource
	case rank == FromProcess && r.group == nil:
		return workloads.FromProcess
	case rank == FromProcess:
		fail(call, "from a process in a group; expected the rank that the body got, as processes send to no group")
	}
	return r.peer(call, rank)
}

// tag returns the tag that messages of the group have.
func (r *Rank) tag(call string, tag int) int32 {
	most := int(workloads.CollectiveTag) - 1
	if r.group != nil {
		most = mostGroupTag
	}
	if tag < 0 || tag > most {
		fail(call, "tag %d; expected one from 0 to %d", tag, most)
	}
	if r.group != nil {
		return r.group.tag(int32(tag))
	}
	return int32(tag)
}

func (r *Rank) anyTag(call string, tag int) int32 {
	switch {
	case tag != AnyTag:
		return r.tag(call, tag)
	case r.group != nil:
		return matching.AnyOf(r.group.context)
	}
	return workloads.AnyTag
}
