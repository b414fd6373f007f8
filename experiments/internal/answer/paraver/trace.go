package paraver

import (
	"io"
	"os"

	"github.com/isoscale/isoscale/experiments/internal/answer/recorded"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// States of a thread.
const (
	running    = 1
	notCreated = 2
	scheduling = 7
	inputs     = 12 // and outputs
)

// Types of events that Extrae writes, with the meaning of the value, and numbers of calls.
const (
	pointToPoint    = 50000001 // number of a call, 0 at its end
	collectives     = 50000002 // likewise
	sentInCall      = 50100001 // bytes, of a collective call
	receivedInCall  = 50100002
	isRoot          = 50100003 // 1 at the root, where the operation has one
	communicatorOf  = 50100004 // number
	callSend        = 1        // of pointToPoint
	callWait        = 5
	callWaitall     = 6
	callBsend       = 33
	callSsend       = 34
	callRsend       = 35
	callSendrecv    = 41
	callSendrecvNew = 42 // MPI_Sendrecv_replace
)

// operations are the collective operations by the numbers of calls.
var operations = map[int64]workloads.Collective{
	7: workloads.Bcast, 8: workloads.Barrier, 9: workloads.Reduce, 10: workloads.Allreduce,
	11: workloads.Alltoall, 12: workloads.Alltoall, 13: workloads.Gather, 14: workloads.Gather,
	15: workloads.Scatter, 16: workloads.Scatter, 17: workloads.Allgather, 18: workloads.Allgather,
	30: workloads.Scan, 80: workloads.ReduceScatter,
}

// Trace is a trace whose records have been sorted.
type Trace struct {
	measured recorded.Measured
	ticks    float64
	groups   [][]int32
	sorted   *sorted
	ranks    []rank
}

var _ recorded.Trace = (*Trace)(nil)

// rank is the progress of a rank whose steps are asked for.
type rank struct {
	steps    []recorded.Step // the next steps
	given    int
	sends    []uint64 // open sends
	called   int      // number of open sends when the call of MPI began
	received bool     // a receive has ended in the call
}

// Open reads a trace, plain or compressed by gzip, and its file of names (.pcf) if that is beside it.
func Open(path string) (*Trace, error) {
	calls, err := readBeside(path, valueNames, operations, readCalls)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return read(path, f, calls, inMemory)
}

// read reads a whole trace. calls are the collective operations by numbers of calls, most the entries in memory.
func read(name string, r io.Reader, calls map[int64]workloads.Collective, most int) (*Trace, error) {
	s, err := newScanner(name, r)
	if err != nil {
		return nil, err
	}
	h := s.header()
	if s.err != nil {
		return nil, s.err
	}
	n := h.first[len(h.first)-1]
	t := &Trace{ticks: h.ticks, ranks: make([]rank, n)}
	t.measured.Length, t.measured.Useful = units.Seconds(float64(h.end)/h.ticks), make([]units.Seconds, n)
	in := &reader{scanner: s, header: h, trace: t, calls: calls, sorter: newSorter(n, most), groups: map[[2]int64]int32{},
		useful: make([]int64, n)}
	for in.more() {
		in.record()
		if in.err != nil {
			break
		}
	}
	if in.err == nil {
		in.finishCalls()
	}
	if in.err != nil {
		discard(in.sorter.runs)
		return nil, in.err
	}
	for i, x := range in.useful {
		t.measured.Useful[i] = units.Seconds(float64(x) / h.ticks)
	}
	t.sorted, err = in.sorter.finish()
	return t, err
}

func (t *Trace) Ranks() int        { return len(t.ranks) }
func (t *Trace) Groups() [][]int32 { return t.groups }
func (t *Trace) Close() error      { return discard(t.sorted.file) }

// Measured implements [recorded.Trace]; here it is known from the start.
func (t *Trace) Measured() *recorded.Measured { return &t.measured }

func (t *Trace) Next(number int, s *recorded.Step) error {
	r := &t.ranks[number]
	for r.given == len(r.steps) {
		r.steps, r.given = r.steps[:0], 0
		var e entry
		if err := t.sorted.next(number, &e); err != nil {
			return err
		}
		r.take(&e, t.ticks)
	}
	*s = r.steps[r.given]
	r.given++
	return nil
}

// take turns an entry into steps.
func (r *rank) take(e *entry, ticks float64) {
	step := func(s recorded.Step) { r.steps = append(r.steps, s) }
	switch e.what {
	case compute:
		step(recorded.Step{Kind: recorded.Compute, Time: units.Seconds(float64(e.size) / ticks)})
	case delay:
		step(recorded.Step{Kind: recorded.Delay, Time: units.Seconds(float64(e.size) / ticks)})
	case send, receive:
		s := recorded.Step{Kind: recorded.Send, Peer: e.peer, Tag: e.tag, Size: units.Bytes(e.size), Message: e.message}
		if e.what == receive {
			s.Kind = recorded.Receive
		} else {
			r.sends = append(r.sends, e.message)
		}
		step(s)
	case received, receivedNow:
		r.received = true
		step(recorded.Step{Kind: recorded.Wait, Message: e.message})
	case meet:
		step(recorded.Step{Kind: recorded.Collective, Operation: e.operation, Group: e.peer, Root: e.tag, Size: units.Bytes(e.size)})
	case enter:
		r.called, r.received = len(r.sends), false
	case leave:
		first, last := len(r.sends), len(r.sends)
		switch e.size {
		case callSend, callBsend, callSsend, callRsend, callSendrecv, callSendrecvNew:
			first = r.called
		case callWaitall:
			first = 0
		case callWait: // the trace does not say for what: a receive that ended in the call, otherwise the oldest send
			if !r.received && len(r.sends) > 0 {
				first, last = 0, 1
			}
		}
		for _, m := range r.sends[first:last] {
			step(recorded.Step{Kind: recorded.Wait, Message: m})
		}
		r.sends = append(r.sends[:first], r.sends[last:]...)
		r.called = len(r.sends)
	}
}

// reader reads the records of a trace.
type reader struct {
	*scanner
	header
	trace    *Trace
	calls    map[int64]workloads.Collective
	sorter   *sorter
	groups   map[[2]int64]int32 // indices of groups, by application and number
	useful   []int64
	entries  uint64
	messages uint64
	call     map[int32]int64 // the number of the call of MPI that a rank is in
	meetings []meetings      // by group
}

func (r *reader) add(e *entry) {
	if r.err == nil {
		if err := r.sorter.add(e); err != nil {
			r.fail("cannot be sorted: %v", err)
		}
	}
}

// ordered adds an entry with a running number, so that entries of one time keep their order.
func (r *reader) ordered(e *entry) {
	r.entries++
	e.message = r.entries
	r.add(e)
}

func (r *reader) record() {
	if len(r.line) == 0 || r.line[0] == '#' {
		return
	}
	kind := r.line[0]
	r.at = 1
	r.expect(':', "the record")
	if r.err != nil {
		return
	}
	switch kind {
	case '1':
		r.state()
	case '2':
		r.event()
	case '3':
		r.message()
	case 'c', 'C':
		r.communicator()
	default:
		r.at = 0
		r.fail("%q is not a record; expected 1 for a state, 2 for events, 3 for a message or c for a communicator", kind)
	}
}

// who reads a CPU and an object.
func (r *reader) who() (int32, bool) {
	r.number("CPU")
	r.expect(':', "an application")
	if r.err != nil {
		return 0, false
	}
	return r.object(&r.header)
}

// time reads a colon and a time.
func (r *reader) time(what string) int64 {
	r.expect(':', what)
	at := r.at
	t := r.number(what)
	if t < 0 && r.err == nil {
		r.at = at
		r.fail("%s is %d; expected at least 0", what, t)
	}
	return t
}

func (r *reader) state() {
	rank, main := r.who()
	from := r.time("begin")
	to := r.time("end")
	r.expect(':', "a state")
	state := r.number("state")
	r.end()
	if to < from {
		r.fail("the state ends at %d, before it begins at %d", to, from)
	}
	if r.err != nil || !main {
		return
	}
	switch state {
	case running, notCreated, inputs:
		if state == running {
			r.useful[rank] += to - from
		}
		r.ordered(&entry{at: from, rank: rank, what: compute, size: to - from})
	case scheduling:
		r.ordered(&entry{at: from, rank: rank, what: delay, size: to - from})
	}
}

// end fails unless the line ends here.
func (r *reader) end() {
	if r.at < len(r.line) {
		r.fail("%q after the record; expected the end of the line", clip(r.line[r.at:]))
	}
}

func clip(b []byte) []byte { return b[:min(len(b), 20)] }

func (r *reader) event() {
	rank, main := r.who()
	at := r.time("time")
	var operation, sent, got, root, comm int64
	comm = -1
	for r.err == nil && r.at < len(r.line) {
		r.expect(':', "a type")
		kind := r.number("type of an event")
		r.expect(':', "a value")
		value := r.number("value of an event")
		switch kind {
		case pointToPoint:
			if main {
				r.called(rank, at, value)
			}
		case collectives:
			operation = value
		case sentInCall:
			sent = value
		case receivedInCall:
			got = value
		case isRoot:
			root = value
		case communicatorOf:
			comm = value
		}
	}
	if r.err != nil || !main || operation == 0 {
		return
	}
	op, ok := r.calls[operation]
	if !ok {
		r.fail("collective call %d is not known", operation)
		return
	}
	r.meet(op, rank, at, comm, units.Bytes(sent), units.Bytes(got), root != 0)
}

// called notes that a call of MPI begins or ends.
func (r *reader) called(rank int32, at, number int64) {
	if r.call == nil {
		r.call = map[int32]int64{}
	}
	if number != 0 {
		r.call[rank] = number
		r.ordered(&entry{at: at, rank: rank, what: enter})
	} else if n := r.call[rank]; n != 0 {
		delete(r.call, rank)
		r.ordered(&entry{at: at, rank: rank, what: leave, size: n})
	}
}

func (r *reader) message() {
	from, mainFrom := r.who()
	begins := r.time("logical send")
	r.time("physical send")
	r.expect(':', "the receiver")
	to, mainTo := r.who()
	posted := r.time("logical receive")
	ended := r.time("physical receive")
	size := r.time("size")
	r.expect(':', "a tag")
	tag := int32(r.number("tag"))
	r.end()
	if r.err != nil || !mainFrom || !mainTo {
		return
	}
	r.messages++
	r.trace.measured.Messages++
	r.trace.measured.Bytes += units.Bytes(size)
	id := r.messages
	r.add(&entry{at: begins, rank: from, what: send, peer: to, tag: tag, size: size, message: 2 * id})
	r.add(&entry{at: posted, rank: to, what: receive, peer: from, tag: tag, message: 2*id + 1})
	end := entry{at: ended, rank: to, what: received, message: 2*id + 1}
	if ended <= posted {
		end.at, end.what = posted, receivedNow
	}
	r.add(&end)
}

func (r *reader) communicator() {
	a := r.upTo("application", len(r.first)-1)
	r.expect(':', "the number")
	number := r.number("number of the communicator")
	r.expect(':', "the number of tasks")
	if r.err != nil {
		return
	}
	tasks := r.first[a] - r.first[a-1]
	n := r.upTo("number of tasks", tasks)
	var members []int32
	seen := map[int]bool{}
	for i := 0; i < n && r.err == nil; i++ {
		r.expect(':', "a task")
		at := r.at
		task := r.upTo("task", tasks)
		if seen[task] && r.err == nil {
			r.at = at
			r.fail("task %d occurs twice", task)
		}
		seen[task] = true
		members = append(members, int32(r.first[a-1]+task-1))
	}
	r.end()
	if r.err != nil {
		return
	}
	key := [2]int64{int64(a), number}
	if _, ok := r.groups[key]; ok {
		r.fail("communicator %d occurs twice", number)
		return
	}
	r.groups[key] = int32(len(r.trace.groups))
	r.trace.groups = append(r.trace.groups, members)
	r.meetings = append(r.meetings, meetings{made: map[int32]int64{}, open: map[int64]*meeting{}})
}
