package sim

import (
	"sync/atomic"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/kernel"
)

// Event is something that happens once in a run: ranks and processes trigger it and
// wait for it. Events that ranks use must be listed in Config.Events; with
// [Control.NewEvent] a process makes events that only processes use.
type Event struct {
	name   string
	used   atomic.Bool
	engine *engine
	number int32 // in Config.Events, none if only processes know it
	done   bool
	ranks  []int32 // waiting for it, in the order in which they began to wait
	inner  *kernel.Event
}

// NewEvent returns an event for one run. The name appears in errors; it need not be
// unique.
func NewEvent(name string) *Event { return &Event{name: name, number: none} }

// Name returns the name of the event.
func (e *Event) Name() string { return e.name }

// bindEvents ties the events to the run.
func (e *engine) bindEvents(events []*Event) error {
	for i, x := range events {
		if !x.used.CompareAndSwap(false, true) {
			return configError("Events", "event %q has been used by another run, or is listed twice; expected a new one", x.name)
		}
		x.engine, x.number = e, int32(i)
	}
	e.events = events
	return nil
}

// event returns the event that s.op names.
func (s *shard) event(id int32) *Event {
	if n := s.op.Request; n >= 0 && int(n) < len(s.engine.events) {
		return s.engine.events[n]
	}
	s.fail(id, "event %d; expected one of the %d in Events", s.op.Request, len(s.engine.events))
	return nil
}

// await blocks the rank until the event that s.op names has happened.
func (s *shard) await(id int32, r *rank) {
	x := s.event(id)
	if x == nil || x.done {
		return
	}
	r.state = blockedEvent
	a := s.coldState(id)
	a.since, a.inMeeting = r.clock, x.number
	x.ranks = append(x.ranks, id)
}

// happen lets everyone who waits for the event go on.
func (e *engine) happen(x *Event, now units.Seconds) {
	if x.done {
		return
	}
	x.done = true
	for _, id := range x.ranks {
		e.goOnAfterEvent(id, now)
	}
	x.ranks = nil
	if x.inner != nil {
		x.inner.Trigger()
	}
}

// goOnAfterEvent lets a rank that waits for an event go on.
func (e *engine) goOnAfterEvent(id int32, now units.Seconds) {
	if e.world != nil && e.world.defers(id, func(at units.Seconds) { e.goOnAfterEvent(id, at) }) {
		return
	}
	s, r := e.shards[0], e.rank(id)
	r.state = running
	s.idle(id, r, now, PartWaitEvent)
	if id != s.current {
		s.wake(id, r)
	}
}
