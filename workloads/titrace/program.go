package titrace

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/internal/lines"
	"github.com/isoscale/isoscale/workloads/internal/smpi"
)

// Wildcards and nobody in a trace: SMPI's values of MPI_ANY_SOURCE, MPI_ANY_TAG and
// MPI_PROC_NULL.
const (
	anySource = -555
	anyTag    = -444
	nobody    = -666
)

// lonelySend is the name of the only request of a sendRecv that receives from nobody.
// It is larger than any other name.
const lonelySend = workloads.CollectiveTag - 1

// Program is a trace as a program: a [workloads.Program] and an [io.Closer].
//
// As in SMPI, the last init executed by any rank determines the element size where a
// data type is left out. If all ranks begin with the same kind of init, as in recorded
// traces, the program meets the contract of workloads.Program. If not, the order in
// which Next is called for different ranks matters: it must be that of simulated time,
// on one goroutine.
type Program struct {
	ranks       []rank
	files       []string // that hold the actions
	recorded    int
	selector    smpi.Selector
	spool       *spool
	defaultSize atomic.Int32 // element size without a data type, in bytes; 0 before an init
	calls       collective.Calls

	mu  sync.Mutex
	err error // why Next gave up
}

// rank is where one rank is in its trace.
type rank struct {
	chain    chainReader  // if spooled
	lines    lines.Reader // otherwise
	line     int          // number of the line read last
	requests requests
	spooled  bool
	step     uint8 // the rest of the action read last
	file     *string

	sequence smpi.Sequence // stepCollective
	flops    float64       // stepCompute
	counts   []int64       // of the collective operation, if it has a count for each rank
}

// The rest of an action that is still to be done.
const (
	stepNone uint8 = iota
	stepWait
	stepCollective
	stepCompute
)

// Memory returns the bytes that the program of a merged trace takes for its ranks,
// without the actions themselves.
func Memory(ranks int) units.Bytes {
	return units.Bytes(ranks) * units.Bytes(unsafe.Sizeof(rank{}))
}

func (p *Program) Ranks() int { return len(p.ranks) }

// Recorded returns one more than the largest rank with an action for a merged trace,
// otherwise [Program.Ranks].
func (p *Program) Recorded() int { return p.recorded }

// Files returns the names of the files that hold the actions: one, or one for each
// rank, in their order. The slice must not be changed.
func (p *Program) Files() []string { return p.files }

// Call returns the collective operation that a rank is in, or "", and the place of the
// line that it read last, as "ring.ti:12". It must not be called during a call of Next.
func (p *Program) Call(rank int) (name, place string) {
	r := &p.ranks[rank]
	if r.line == 0 {
		return "", ""
	}
	if r.step == stepCollective {
		name = r.sequence.Operation().String()
	}
	return name, p.Place(rank, int32(r.line))
}

// Place returns the place of a line in the file of a rank.
func (p *Program) Place(rank int, line int32) string {
	return fmt.Sprintf("%s:%d", *p.ranks[rank].file, line)
}

// Next implements [workloads.Program]. At an error in the trace it stores an
// operation of Kind 0 and returns true; Close tells the error.
func (p *Program) Next(rank int, op *workloads.Op) bool {
	r := &p.ranks[rank]
	for {
		if r.step != stepNone {
			if r.resume(op) {
				return true
			}
			continue
		}
		var a action
		line, err := r.next(int32(rank), &a)
		switch {
		case err == io.EOF:
			return false
		case err != nil:
			p.giveUp(readError(*r.file, r.line+1, err))
			*op = workloads.Op{}
			return true
		}
		var done, possible bool
		if a.kind != 0 {
			if done, possible = p.perform(r, int32(rank), &a, op); !possible {
				line = a.appendLine(nil, int32(rank)) // a spool does not keep it
			}
		}
		if !possible {
			if done, err = p.action(r, rank, line, op); err != nil {
				p.giveUp(err)
				*op = workloads.Op{}
				return true
			}
		}
		if done {
			op.Place = int32(r.line)
			return true
		}
	}
}

// next reads the next line: an action or, if a.kind is 0, its text.
func (r *rank) next(number int32, a *action) (line []byte, err error) {
	if r.spooled {
		line, distance, err := r.chain.next(a)
		r.line += distance
		return line, err
	}
	if line, err = r.lines.Next(); err != nil {
		return nil, err
	}
	r.line++
	if named, plain := a.scan(line); !plain || named != number {
		a.kind = 0
	}
	return line, nil
}

// checkedBetween is the number of operations after which Check looks at its context
// again.
const checkedBetween = 1 << 16

// Check checks every action, rank by rank, as Next would, but without expanding
// collective operations into messages. It returns what Close or Disagreement would
// return. The program cannot be run afterwards.
func (p *Program) Check(ctx context.Context) error {
	n := 0
	for rank := range p.ranks {
		r := &p.ranks[rank]
		var op workloads.Op
		for p.Next(rank, &op) {
			if op.Kind == 0 {
				return p.Close()
			}
			r.step, r.flops = stepNone, 0
			if n++; n%checkedBetween == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			op = workloads.Op{}
		}
	}
	return cmp.Or(p.Close(), p.Disagreement(func(int32) bool { return false }))
}

// giveUp keeps the first error.
func (p *Program) giveUp(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = err
	}
}

// Close removes temporary files. It returns the error at which Next gave up, if any: a
// *[SyntaxError] with file, line and column, or an error of reading. Next must not be
// called afterwards.
func (p *Program) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.spool != nil {
		p.spool.close()
	}
	return p.err
}

// resume continues an action that consists of several operations.
func (r *rank) resume(op *workloads.Op) bool {
	switch r.step {
	case stepWait:
		op.Kind, op.Request = workloads.Wait, lonelySend
		r.step = stepNone
		return true
	case stepCollective:
		if r.sequence.Next(op) {
			return true
		}
		r.step = stepNone
		if r.flops != 0 {
			r.step = stepCompute
		}
		return false
	}
	op.Kind, op.Work = workloads.Compute, units.Flops(r.flops)
	r.flops, r.step = 0, stepNone
	return true
}

// action reads a line and reports whether it stored an operation. If not, the action is
// over, or r.step tells how it continues.
func (p *Program) action(r *rank, number int, b []byte, op *workloads.Op) (bool, error) {
	f := fields{b: b, file: *r.file, line: r.line}
	if !f.more() || b[f.i] == '#' {
		return false, nil
	}
	if n, ok := f.integer(0, maxRank); !ok || int(n) != number {
		f.bad("the rank", fmt.Sprintf("rank %d, whose actions these are, at the beginning of the line", number))
		return false, f.err
	}
	a := reader{p, r, int32(number), &f}
	f.name = f.word()
	done := false
	switch kind := plainKind(f.name); kind {
	case workloads.Send, workloads.Isend, workloads.Recv, workloads.Irecv:
		done = a.message(kind, op)
	case workloads.Wait, workloads.Test:
		done = a.request(kind, op)
	case workloads.Waitall:
		f.skip()
		done, _ = p.perform(r, int32(number), &action{kind: kind}, op)
	case workloads.Compute:
		op.Kind, op.Work = kind, units.Flops(f.number("the work"))
		done = true
	case workloads.Delay:
		op.Kind, op.Time = kind, units.Seconds(f.number("the time"))
		done = true
	default: // never plain
		switch string(f.name) {
		case "sendRecv":
			done = a.sendRecv(op)
		case "init":
			size := int32(byteSize)
			if f.more() {
				size = doubleSize
			}
			p.defaultSize.Store(size)
			f.skip()
		case "finalize", "comm_size", "comm_split", "comm_dup":
			f.skip()
		case "location":
			if len(f.word()) == 0 {
				f.bad("the file", "")
			}
			if _, ok := f.integer(0, math.MaxInt32); !ok {
				f.bad("the line", "a whole number")
			}
		default:
			call, flops, ok := a.collective()
			switch {
			case ok:
				if f.end(); f.err == nil {
					f.err = p.start(r, &f, call, flops)
				}
			case len(f.name) == 0:
				f.fail("the line ends before the action", expectedAction(nil))
			default:
				f.fail(fmt.Sprintf("%q is not an action", lines.Clip(f.name)), expectedAction(f.name))
			}
		}
	}
	f.end()
	return done, f.err
}

// start makes a collective call and the work after it the rest of the action.
func (p *Program) start(r *rank, f *fields, call smpi.Call, flops float64) error {
	sequence, err := p.selector.Start(call)
	if err != nil {
		return &SyntaxError{File: f.file, Line: f.line, Column: skipBlanks(f.b, 0) + 1, What: err.Error()}
	}
	if e := entry(&call); !p.calls.Like(call.Ranks, call.Rank, e) {
		p.calls.Enter(call.Ranks, call.Rank, e, fmt.Sprintf("%s:%d", f.file, f.line))
	}
	r.sequence, r.flops, r.step = sequence, flops, stepCollective
	return nil
}

// Disagreement returns the first collective call that ranks make differently, or that
// finished ranks leave out. It must not be called during a call of Next.
func (p *Program) Disagreement(finished func(rank int32) bool) error {
	return p.calls.Disagreement(collective.World(len(p.ranks)), finished)
}

// perform carries an action out and reports whether it stored an operation. If the
// action is not possible, nothing has happened: a rank does not exist, the element size
// is not known, too many requests are open, or there is none to wait for.
func (p *Program) perform(r *rank, me int32, a *action, op *workloads.Op) (done, possible bool) {
	switch a.kind {
	case workloads.Compute:
		op.Kind, op.Work = workloads.Compute, units.Flops(a.amount)
		return true, true
	case workloads.Delay:
		op.Kind, op.Time = workloads.Delay, units.Seconds(a.amount)
		return true, true
	case workloads.Waitall:
		if r.requests.open == 0 {
			return false, true
		}
		r.requests.reset()
		op.Kind = workloads.Waitall
		return true, true
	case workloads.Wait, workloads.Test:
		return p.request(r, a, op)
	}
	return p.message(r, me, a, op)
}

// message is perform for a Send, Isend, Recv or Irecv. If the peer is nobody, it takes
// no time.
func (p *Program) message(r *rank, me int32, a *action, op *workloads.Op) (done, possible bool) {
	var element float64
	if a.datatype == noDatatype {
		element = float64(p.defaultSize.Load())
		if element == 0 {
			return false, false
		}
	} else {
		element = float64(datatypeSizes[a.datatype])
	}
	switch {
	case a.peer == nobody:
		return false, true
	case int(a.peer) >= len(p.ranks):
		return false, false
	}
	request := int32(0)
	possible = true
	switch a.kind {
	case workloads.Isend:
		request, possible = r.requests.add(key{me, a.peer, a.tag})
	case workloads.Irecv:
		request, possible = r.requests.add(key{a.peer, me, a.tag})
	}
	if !possible {
		return false, false
	}
	op.Kind, op.Peer, op.Tag, op.Request, op.Size = a.kind, a.peer, a.tag, request, units.Bytes(a.amount*element)
	return true, true
}

// request is perform for a Wait or Test. There need not be such a request, as in
// SimGrid, where a test may have found it done; but a wait without any open request is
// a mistake. No request has a key with nobody.
//
// A tested request goes to the end of the queue of its key, whether or not it is done:
// SimGrid takes it out and puts it back.
func (p *Program) request(r *rank, a *action, op *workloads.Op) (done, possible bool) {
	switch {
	case a.peer == nobody || a.dst == nobody:
		return false, true
	case int(a.peer) >= len(p.ranks) || int(a.dst) >= len(p.ranks):
		return false, false
	}
	k := key{a.peer, a.dst, a.tag}
	var name int32
	if a.kind == workloads.Test {
		name, done = r.requests.rotate(k)
	} else {
		if r.requests.open == 0 {
			return false, false
		}
		name, done = r.requests.close(k)
	}
	if done {
		op.Kind, op.Request = a.kind, name
	}
	return done, true
}
