package otf2

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/recorded"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// operations are the collective operations by number. Higher numbers, which create and free
// objects and move no data, are barriers.
var operations = [...]workloads.Collective{
	workloads.Barrier, workloads.Bcast, workloads.Gather, workloads.Gather, workloads.Scatter, workloads.Scatter,
	workloads.Allgather, workloads.Allgather, workloads.Alltoall, workloads.Alltoall, workloads.Alltoall,
	workloads.Allreduce, workloads.Reduce, workloads.ReduceScatter, workloads.Scan, workloads.Scan, workloads.ReduceScatter,
}

// Trace is what the ranks of MPI did. Time outside of regions of MPI is computation, except for input and output,
// which take as long on any core. A non-blocking receive begins where it was requested.
type Trace struct {
	archive *Archive
	groups  [][]int32
	place   map[uint32]int32 // index in groups, by communicator
	oneself map[uint32]bool  // communicators in which each rank is alone
	ranks   []rank
}

var _ recorded.Trace = (*Trace)(nil)

// rank is the progress of one rank.
type rank struct {
	events  *Events
	number  int32
	now     uint64 // the time up to which steps account for
	depth   int    // of regions of MPI
	inputs  int    // depth of regions of input and output
	steps   []recorded.Step
	given   int
	pending map[uint64]int // indices in steps of unresolved receives, by request
	sends   []uint64       // messages of blocking sends in the region
	used    uint64         // number of names given to messages without a request
	useful  uint64         // ticks
	sent    recorded.Measured
	ended   bool
}

// unresolved marks the step of a receive whose sender is not known yet.
const unresolved recorded.Kind = 0

// ahead is how many steps are read to find the sender of a receive. A receive that ends later begins where it ends.
const ahead = 1 << 16

// OpenTrace reads the definitions of an archive and prepares to read its events.
func OpenTrace(path string) (*Trace, error) {
	a, err := Open(path)
	if err != nil {
		return nil, err
	}
	t := &Trace{archive: a, place: map[uint32]int32{}, oneself: map[uint32]bool{}}
	locations := a.ranks()
	number := make(map[uint64]int32, len(locations))
	t.ranks = make([]rank, len(locations))
	for i, id := range locations {
		number[id] = int32(i)
		r := &t.ranks[i]
		r.number, r.now, r.pending = int32(i), a.Start, map[uint64]int{}
		if r.events, err = a.Events(id); err != nil {
			return nil, err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(a.Comms)) {
		g := a.Groups[a.Comms[id].Group]
		switch {
		case g.Type == ofOneself:
			t.oneself[id] = true
		case g.Type == ofRanks && g.Paradigm == mpi, g.Type == communicating && g.Paradigm == mpi:
			var members []int32
			for _, m := range g.Members {
				rank, ok := int32(m), m < uint64(len(locations))
				if g.Type == communicating || g.Flags&globalMembers != 0 {
					rank, ok = number[m]
				}
				if !ok {
					return nil, fmt.Errorf("%s.def: member %d of communicator %d is not a rank", a.folder, m, id)
				}
				members = append(members, rank)
			}
			t.place[id] = int32(len(t.groups))
			t.groups = append(t.groups, members)
		}
	}
	return t, nil
}

func (t *Trace) Ranks() int        { return len(t.ranks) }
func (t *Trace) Groups() [][]int32 { return t.groups }
func (t *Trace) Close() error      { return nil }

func (t *Trace) Measured() *recorded.Measured {
	m := &recorded.Measured{Length: t.seconds(t.archive.Length)}
	for i := range t.ranks {
		r := &t.ranks[i]
		m.Useful = append(m.Useful, t.seconds(r.useful))
		m.Messages += r.sent.Messages
		m.Bytes += r.sent.Bytes
	}
	return m
}

func (t *Trace) seconds(ticks uint64) units.Seconds {
	return units.Seconds(float64(ticks) / float64(t.archive.Resolution))
}

func (t *Trace) Next(number int, s *recorded.Step) error {
	r := &t.ranks[number]
	for {
		if r.given < len(r.steps) {
			if *s = r.steps[r.given]; s.Kind != unresolved {
				r.given++
				return nil
			}
			if r.ended || len(r.steps)-r.given > ahead {
				delete(r.pending, s.Message)
				r.given++
				continue
			}
		} else if r.ended {
			r.steps, r.given = nil, 0
			return io.EOF
		} else if len(r.pending) == 0 {
			r.steps, r.given = r.steps[:0], 0
		}
		var e Event
		err := r.events.Next(&e)
		if err == io.EOF {
			r.ended = true
			continue
		}
		if err == nil {
			err = t.take(r, &e)
		}
		if err != nil {
			return err
		}
	}
}

// take turns an event into steps.
func (t *Trace) take(r *rank, e *Event) error {
	step := func(s recorded.Step) { r.steps = append(r.steps, s) }
	if r.depth == 0 && e.Kind >= MPISend && e.Kind <= MPIRequestCancel { // the program computes meanwhile
		t.spend(r, e.Time, true)
	}
	switch e.Kind {
	case ProgramBegin, ProgramEnd:
		t.spend(r, e.Time, e.Kind == ProgramEnd)
	case Enter, Leave:
		in := t.archive.Regions[e.Region]
		if r.depth == 0 && (in.Paradigm != mpi || e.Kind == Enter) {
			t.spend(r, e.Time, true)
		}
		if in.Paradigm != mpi {
			if in.Role == fileIO {
				r.inputs = max(0, r.inputs+1-2*int(e.Kind-Enter))
			}
			break
		}
		if e.Kind == Enter {
			r.depth++
			break
		}
		for _, m := range r.sends {
			step(recorded.Step{Kind: recorded.Wait, Message: m})
		}
		r.sends = r.sends[:0]
		if r.depth = max(0, r.depth-1); r.depth == 0 {
			r.now = max(r.now, e.Time)
		}
	case MPISend, MPIIsend, MPIRecv, MPIIrecv:
		return t.message(r, e)
	case MPIIsendComplete:
		step(recorded.Step{Kind: recorded.Wait, Message: named(e.Request)})
	case MPIIrecvRequest:
		r.pending[named(e.Request)] = len(r.steps)
		step(recorded.Step{Kind: unresolved, Message: named(e.Request)})
	case MPIRequestCancel:
		delete(r.pending, named(e.Request)) // its step stays unresolved, and Next drops it
	case MPICollectiveEnd, CollectiveComplete:
		return t.collective(r, e)
	}
	return nil
}

// spend accounts for the time up to an event, outside of MPI. begun reports whether the program has begun: before that,
// no speed of cores makes the time shorter.
func (t *Trace) spend(r *rank, to uint64, begun bool) {
	if to <= r.now {
		return
	}
	ticks := to - r.now
	r.now = to
	kind := recorded.Compute
	if r.inputs > 0 || !begun {
		kind = recorded.Delay
	} else {
		r.useful += ticks
	}
	time := t.seconds(ticks)
	if n := len(r.steps); n > r.given && r.steps[n-1].Kind == kind {
		r.steps[n-1].Time += time
		return
	}
	r.steps = append(r.steps, recorded.Step{Kind: kind, Time: time})
}

// named and unnamed name messages with a request and without one.
func named(request uint64) uint64 { return 2 * request }

func (r *rank) unnamed() uint64 {
	r.used++
	return 2*r.used + 1
}

func (t *Trace) message(r *rank, e *Event) error {
	peer, err := t.peer(r, e)
	if err != nil {
		return err
	}
	s := recorded.Step{Kind: recorded.Send, Peer: peer, Tag: int32(e.Tag), Size: units.Bytes(e.Sent), Message: named(e.Request)}
	switch e.Kind {
	case MPIIsend:
	case MPISend:
		s.Message = r.unnamed()
		r.sends = append(r.sends, s.Message)
	default:
		s.Kind, s.Size = recorded.Receive, 0
		if e.Kind == MPIRecv {
			s.Message = r.unnamed()
		}
		if place, ok := r.pending[s.Message]; ok && e.Kind == MPIIrecv {
			delete(r.pending, s.Message)
			r.steps[place] = s
		} else {
			r.steps = append(r.steps, s)
		}
		s = recorded.Step{Kind: recorded.Wait, Message: s.Message}
	}
	if s.Kind == recorded.Send {
		r.sent.Messages++
		r.sent.Bytes += s.Size
	}
	r.steps = append(r.steps, s)
	return nil
}

// group returns the index in groups of the communicator of an event.
func (t *Trace) group(r *rank, e *Event) (int32, error) {
	place, ok := t.place[e.Comm]
	if !ok {
		return 0, r.wrong("communicator %d does not consist of MPI ranks", e.Comm)
	}
	return place, nil
}

// wrong is an error about the event that was read last.
func (r *rank) wrong(format string, args ...any) error {
	s := r.events.s
	s.fail(s.start, format, args...)
	return s.err
}

// peer returns the rank at the other end of a message.
func (t *Trace) peer(r *rank, e *Event) (int32, error) {
	if t.oneself[e.Comm] {
		return r.number, nil
	}
	place, err := t.group(r, e)
	if err != nil {
		return 0, err
	}
	if members := t.groups[place]; int64(e.Peer) < int64(len(members)) {
		return members[e.Peer], nil
	}
	return 0, r.wrong("rank %d of communicator %d, which has %d", e.Peer, e.Comm, len(t.groups[place]))
}

func (t *Trace) collective(r *rank, e *Event) error {
	if t.oneself[e.Comm] {
		return nil
	}
	place, err := t.group(r, e)
	if err != nil {
		return err
	}
	op := workloads.Barrier
	if int(e.Operation) < len(operations) {
		op = operations[e.Operation]
	}
	r.steps = append(r.steps, recorded.Step{Kind: recorded.Collective, Operation: op, Group: place, Root: int32(e.Peer),
		Size: recorded.Block(op, len(t.groups[place]), units.Bytes(e.Sent), units.Bytes(e.Received))})
	return nil
}
