package sim

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"runtime/debug"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Program is a program written as a Go function that every rank executes, in
// the style of MPI: see [Rank] for what the function may call. It is the front
// end for people; a program for very many ranks is better written as a state
// machine that implements [workloads.Program] itself.
//
// Each rank is a coroutine (see [iter.Pull]), started when the engine asks the
// rank for its first operation. A call that takes simulated time hands one
// operation to the engine and returns when the engine asks for the next one,
// which is when this one is over in simulated time.
//
// A Program is good for one run. [Run] closes it, however the run ends. Code that calls
// Next without Run must call Close afterwards: until then, unfinished coroutines hold
// their stacks, which the garbage collector cannot free.
type Program struct {
	body    func(r *Rank)
	ranks   []process // and streams, by their numbers
	streams int       // of each rank
	choices choices
	calls   []collective.Calls // of all ranks, and of each stream
	places  places             // of calls
	groups  groups
}

var (
	_ workloads.Program = (*Program)(nil)
	_ Listener          = (*Program)(nil)
	_ Caller            = (*Program)(nil)
	_ comparer          = (*Program)(nil)
	_ chooser           = (*Program)(nil)
	_ io.Closer         = (*Program)(nil)
)

// NewProgram returns a program in which every rank executes body.
//
// The bodies of different ranks may be executed on several cores at once, so they must
// not share variables that one of them writes. They influence each other only through
// time: messages have a size and no content. A body must not wait for anything but the
// calls of its own rank, make these calls from another goroutine, or call
// runtime.Goexit.
func NewProgram(ranks int, body func(r *Rank)) *Program {
	p := &Program{body: body, choices: defaultChoices()}
	if ranks < 1 || ranks > math.MaxInt32 {
		return p // Ranks is 0, which Config.Validate reports
	}
	p.makeRanks(ranks)
	return p
}

// makeRanks makes ranks and their streams.
func (p *Program) makeRanks(ranks int) {
	p.ranks, p.calls = make([]process, ranks*(1+p.streams)), make([]collective.Calls, 1+p.streams)
	for i := range p.ranks {
		x := &p.ranks[i]
		x.program, x.number, x.stream = p, int32(i%ranks), int32(i/ranks)
		x.all = Rank{process: x, rank: x.number}
	}
}

func (p *Program) Ranks() int { return len(p.ranks) / (1 + p.streams) }

// Call implements [Caller]. It knows collective operations and their groups, but no
// places.
func (p *Program) Call(rank int) (name, place string) {
	r := &p.ranks[rank]
	if r.inside != "" && r.rare != nil && r.rare.calling != nil {
		return r.inside + " among " + r.rare.calling.String(), ""
	}
	return r.inside, ""
}

// Next implements [workloads.Program]. When the body of a rank has failed, Next
// gives an operation of Kind 0, which makes the engine stop there; Err tells
// why.
func (p *Program) Next(rank int, op *workloads.Op) bool {
	r := &p.ranks[rank]
	switch r.stage {
	case fresh:
		if r.stream > 0 {
			r.nextPiece()
		}
		r.stage = started
		r.resume, r.stop = iter.Pull(r.execute)
	case over:
		r.failure = &BodyError{Rank: int(r.number), Cause: errors.New("the program has been run already; expected a new one for every run")}
		*op = workloads.Op{}
		return true
	}
	r.op = op
	_, more := r.resume()
	r.op = nil
	if more {
		return true
	}
	r.end()
	if r.failure != nil {
		*op = workloads.Op{}
		return true
	}
	if r.stream > 0 {
		r.stage = fresh // for its next piece
	}
	return false
}

// Now implements [Listener]: it is how [Rank.Now] knows the time.
func (p *Program) Now(rank int, t units.Seconds) { p.ranks[rank].now = t }

// Received implements [Listener]: it is how receives and probes know what they return.
func (p *Program) Received(rank int, from, tag int32, size units.Bytes) {
	p.ranks[rank].last = Status{Source: p.rankOf(from), Tag: int(tag), Size: size}
}

// Close ends the bodies that have not come to an end, by a panic that unwinds
// them and executes their deferred calls, and returns Err. It may be called
// again, and must not be called during a run.
func (p *Program) Close() error {
	for i := range p.ranks {
		r := &p.ranks[i]
		if stop := r.stop; stop != nil {
			r.stage = over
			stop()
		}
		r.end()
	}
	return p.Err()
}

// Err returns why a body failed, as a *[BodyError], or nil. If several failed, it is
// the failure of the earliest time, and at equal times of the lowest rank. It must not
// be called during a run.
//
// A rank may have run ahead of the error that ended the run, and have failed later in
// simulated time. So Err is the reason why the run ended only if the run's error is a
// *[ProgramError] whose operation has Kind 0.
func (p *Program) Err() error {
	var first *BodyError
	for i := range p.ranks {
		if f := p.ranks[i].failure; f != nil && (first == nil || f.Time < first.Time) {
			first = f
		}
	}
	if first == nil {
		return nil
	}
	return first
}

// BodyError reports that the body of a rank panicked or called a method of
// [Rank] with an impossible argument.
type BodyError struct {
	Rank  int
	Time  units.Seconds // the rank's clock
	Cause error         // what was wrong with a call, or what the body panicked with
	Stack []byte        // of the panic, as debug.Stack prints it
}

func (e *BodyError) Error() string {
	return fmt.Sprintf("rank %d at %v: %v", e.Rank, e.Time, e.Cause)
}

// Unwrap returns the cause.
func (e *BodyError) Unwrap() error { return e.Cause }

// misuse is what a method of Rank panics with.
type misuse struct{ error }

// errEnded is what the methods of a rank panic with in order to end its body, and after
// the body has ended.
var errEnded = misuse{errors.New("used after the end of its body")}

// execute is the coroutine of a rank.
func (r *process) execute(yield func(struct{}) bool) {
	r.yield = yield
	defer func() {
		p := recover()
		if p == nil || p == errEnded && r.stage == over {
			return
		}
		r.failure = &BodyError{Rank: int(r.number), Time: r.now, Stack: debug.Stack()}
		switch p := p.(type) {
		case misuse:
			r.failure.Cause = p.error
		case error:
			r.failure.Cause = fmt.Errorf("panic: %w", p)
		default:
			r.failure.Cause = fmt.Errorf("panic: %v", p)
		}
	}()
	body, as := r.program.body, &r.all
	if r.stream > 0 {
		body, as = r.rare.piece.body, &r.rare.piece.as
	}
	if body == nil {
		panic(misuse{errors.New("no body; expected a function")})
	}
	body(as)
}

// end releases the coroutine, which has ended.
func (r *process) end() {
	r.stage = over
	r.resume, r.stop, r.yield = nil, nil, nil
}
