package recorded

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Program is a trace as a [workloads.Program]. The work of a computation is what the cores on
// which the trace was recorded do in the recorded time.
type Program struct {
	trace  Trace
	speed  units.FlopsPerSecond // of the cores of the trace
	groups []group
	ranks  []rank

	mu  sync.Mutex
	err error // why Next gave up
}

// group is a communicator.
type group struct {
	members []int32
	place   map[int32]int // of a rank among them
	calls   collective.Calls
	call    collective.Call
}

// rank is the progress of one rank.
type rank struct {
	open map[uint64]int32 // requests by message
	free []int32          // names of requests that can be used again
	step Step             // the collective call that is being carried out
	done int32            // operations of this call so far
}

var _ workloads.Program = (*Program)(nil)

// choices are how collective calls are carried out.
var choices = func() (all [workloads.Scan + 1]collective.Choice) {
	for op := workloads.Barrier; op <= workloads.Scan; op++ {
		all[op] = collective.Default(op)
	}
	return all
}()

// NewProgram returns the program of a trace that was recorded on cores of a speed. It
// owns the trace from then on.
func NewProgram(t Trace, speed units.FlopsPerSecond) *Program {
	p := &Program{trace: t, speed: speed, groups: make([]group, len(t.Groups())), ranks: make([]rank, t.Ranks())}
	for i, members := range t.Groups() {
		g := &p.groups[i]
		g.members, g.place = members, make(map[int32]int, len(members))
		for k, r := range members {
			g.place[r] = k
		}
		g.call = collective.Call{Size: len(members), Group: collective.List(members), Number: int32(i + 1)}
	}
	for i := range p.ranks {
		p.ranks[i].open = map[uint64]int32{}
	}
	return p
}

func (p *Program) Ranks() int { return len(p.ranks) }

// Close closes the trace and returns the error at which Next gave up, if it did.
func (p *Program) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return errors.Join(p.err, p.trace.Close())
}

// Disagreement returns the first collective call that members of a group make differently.
func (p *Program) Disagreement(finished func(rank int32) bool) error {
	for i := range p.groups {
		g := &p.groups[i]
		if err := g.calls.Disagreement(collective.List(g.members), finished); err != nil {
			return err
		}
	}
	return nil
}

// Next implements [workloads.Program]. After an error in the trace it stores an operation of
// Kind 0 and returns true; Close returns the error.
func (p *Program) Next(number int, op *workloads.Op) bool {
	r := &p.ranks[number]
	for {
		if r.step.Kind == Collective {
			if p.collective(r, int32(number), op) {
				return true
			}
			r.step.Kind = 0
		}
		err := p.trace.Next(number, &r.step)
		if err == io.EOF {
			return false
		}
		if err == nil && r.step.Kind != Collective {
			err = p.perform(r, op)
			r.step.Kind = 0
		} else if err == nil {
			if err = p.enter(r, int32(number)); err == nil {
				continue
			}
		}
		if err != nil {
			p.mu.Lock()
			if p.err == nil {
				p.err = fmt.Errorf("rank %d: %w", number, err)
			}
			p.mu.Unlock()
			*op = workloads.Op{}
		}
		return true
	}
}

// perform turns a step into an operation.
func (p *Program) perform(r *rank, op *workloads.Op) error {
	s := &r.step
	switch s.Kind {
	case Compute:
		op.Kind, op.Work = workloads.Compute, units.Flops(float64(s.Time)*float64(p.speed))
		return nil
	case Delay:
		op.Kind, op.Time = workloads.Delay, s.Time
		return nil
	case Wait:
		name, ok := r.open[s.Message]
		if !ok {
			return fmt.Errorf("a wait for a request that is not open")
		}
		delete(r.open, s.Message)
		r.free = append(r.free, name)
		op.Kind, op.Request = workloads.Wait, name
		return nil
	}
	if s.Peer < 0 || int(s.Peer) >= len(p.ranks) {
		return fmt.Errorf("a message to or from rank %d of %d", s.Peer, len(p.ranks))
	}
	if _, ok := r.open[s.Message]; ok {
		return fmt.Errorf("a second request %d before the first has ended", s.Message)
	}
	name := int32(len(r.open))
	if n := len(r.free); n > 0 {
		name, r.free = r.free[n-1], r.free[:n-1]
	}
	r.open[s.Message] = name
	tag := int32(uint32(s.Tag) % uint32(workloads.CollectiveTag)) // in the range of the engine
	op.Kind, op.Peer, op.Tag, op.Request = workloads.Irecv, s.Peer, tag, name
	if s.Kind == Send {
		op.Kind, op.Size = workloads.Isend, s.Size
	}
	return nil
}

func (p *Program) enter(r *rank, number int32) error {
	s := &r.step
	r.done = 0
	if s.Group < 0 || int(s.Group) >= len(p.groups) {
		return fmt.Errorf("a collective call of communicator %d of %d", s.Group, len(p.groups))
	}
	g := &p.groups[s.Group]
	place, ok := g.place[number]
	if !ok {
		return fmt.Errorf("a collective call of a communicator that the rank does not belong to")
	}
	e := collective.Entry{Name: s.Operation.String(), Root: -1, Size: -1, Rank: number}
	if collective.Rooted(s.Operation) {
		if e.Root = int(s.Root); e.Root < 0 || e.Root >= len(g.members) {
			return fmt.Errorf("%v with root %d of %d ranks", s.Operation, e.Root, len(g.members))
		}
	}
	if !g.calls.Like(len(g.members), place, e) {
		g.calls.Enter(len(g.members), place, e, "")
	}
	return nil
}

// collective stores the next operation of a collective call.
func (p *Program) collective(r *rank, number int32, op *workloads.Op) bool {
	g, s := &p.groups[r.step.Group], &r.step
	c := g.call
	if collective.Rooted(s.Operation) {
		c.Root = int(s.Root)
	}
	blocks := collective.Uniform(collective.BlockCount(s.Operation, c.Size), s.Size)
	return collective.Next(choices[s.Operation], c, blocks, 0, g.place[number], &r.done, op)
}
