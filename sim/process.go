package sim

import (
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/kernel"
	"github.com/isoscale/isoscale/workloads"
)

// Process is Go code that runs in simulated time beside the ranks, on the same clock:
// a failure injector, a scheduler, a source of background traffic, a power manager.
// See docs/models/processes.md for what it can do and in which order things happen.
type Process struct {
	Name string // appears in errors; it need not be unique
	// Body is executed from time 0 on. The run ends with its last rank, wherever Body
	// is then: only its deferred calls are executed.
	Body func(c *Control)
}

// Control has the methods that the Body of a [Process] calls. Only Sleep, SleepUntil,
// Await and AwaitAny take simulated time.
//
// A call that cannot be carried out, such as one for a node that does not exist, ends
// the run with a [PanicError] that says what was expected. So does a call from outside
// the body.
type Control struct {
	world   *world
	process *kernel.Process

	// The number of turns in a row at time at, or in which no rank could act.
	at    units.Seconds
	turns int
}

// FromProcess is the source of messages that processes send: see [Control.Send].
const FromProcess = int(workloads.FromProcess)

// Name returns the name of the process.
func (c *Control) Name() string { return c.process.Name() }

// Now returns the simulated time.
func (c *Control) Now() units.Seconds { return c.process.Now() }

// Sleep waits for d, which must be finite and at least 0. Sleep(0) lets everything
// else that is due at the present time go first.
func (c *Control) Sleep(d units.Seconds) {
	c.enter("sleep")
	if at := c.Now() + d; !(d >= 0 && at <= maxTime) {
		c.fail("sleep", "%v; expected a finite time of at least 0 that ends before %v", d, maxTime)
	}
	c.pause(func() { c.process.Sleep(d) })
}

// SleepUntil waits until time t, which must be finite and not in the past.
func (c *Control) SleepUntil(t units.Seconds) {
	c.enter("sleep until")
	if !(t >= c.Now() && t <= maxTime) {
		c.fail("sleep until", "%v; expected a time from %v to %v", t, c.Now(), maxTime)
	}
	c.pause(func() { c.process.SleepUntil(t) })
}

// Await waits until the event has happened.
func (c *Control) Await(e *Event) { c.AwaitAny(e) }

// AwaitAny waits until at least one of the events has happened, and returns the first
// argument that has.
func (c *Control) AwaitAny(events ...*Event) *Event {
	c.enter("await")
	if len(events) == 0 {
		c.fail("await", "no events; expected at least one")
	}
	inner := make([]*kernel.Event, len(events))
	for i, e := range events {
		inner[i] = c.known("await", e).inner
	}
	c.pause(func() { c.process.WaitAny(inner...) })
	for _, e := range events {
		if e.done {
			return e
		}
	}
	return nil // not reached: one of the events has let the process go on
}

// Trigger makes an event happen now, if it has not happened yet. Ranks and processes
// that wait for it go on at this time.
func (c *Control) Trigger(e *Event) {
	c.enter("trigger")
	c.world.engine.happen(c.known("trigger", e), c.Now())
}

// NewEvent returns an event that only processes can wait for and trigger. Unlike the
// events of ranks, it does not slow down the simulation.
func (c *Control) NewEvent(name string) *Event {
	e := NewEvent(name)
	e.used.Store(true)
	e.engine, e.inner = c.world.engine, c.world.kernel.NewEvent(name)
	return e
}

// Go starts another process at the present time.
func (c *Control) Go(p Process) {
	c.enter("go")
	if p.Body == nil {
		c.fail("go", "no body; expected a function")
	}
	c.world.start(p)
}

// known checks that an event belongs to the run.
func (c *Control) known(call string, e *Event) *Event {
	if e == nil || e.engine != c.world.engine {
		name := "no event"
		if e != nil {
			name = fmt.Sprintf("event %q", e.name)
		}
		c.fail(call, "%s; expected one of Events or of Control.NewEvent", name)
	}
	return e
}

// enter checks that the caller is the process itself, in its turn.
func (c *Control) enter(call string) {
	if c.world.turn != c {
		c.fail(call, "called outside the body of process %q; expected a call by itself", c.Name())
	}
	// Bring the clock of the ranks up to date; no rank has the turn.
	s := c.world.engine.shards[0]
	s.now, s.current = c.Now(), none
}

// mostTurns is how many turns in a row a process may have while no time passes, or
// while no rank can act: some seconds of real time.
const mostTurns = 1 << 22

// pause lets others go on until wait returns.
func (c *Control) pause(wait func()) {
	w := c.world
	if w.engine.cancelled.Load() {
		w.kernel.Stop()
	}
	w.turn = nil
	wait()
	w.turn = c
	if c.Now() > c.at && !w.stuck() {
		c.at, c.turns = c.Now(), 0
		return
	}
	if c.turns++; c.turns < w.mostTurns {
		return
	}
	if c.Now() == c.at {
		c.fail("sleep", "process %q has had %d turns at this time; expected it to let time go on", c.Name(), c.turns)
	}
	w.kernel.Stop() // a deadlock of the ranks
}

// fail ends the process, which has made a wrong call.
func (c *Control) fail(call, format string, args ...any) {
	panic(misuse{fmt.Errorf(call+": "+format, args...)})
}

func (w *world) start(p Process) {
	w.kernel.Go(p.Name, func(k *kernel.Process) {
		c := &Control{world: w, process: k, at: k.Now()}
		w.turn = c
		defer func() { w.turn = nil }()
		p.Body(c)
	})
}

// runProcesses drives the ranks and the processes on one clock. It returns only errors
// of processes.
func (e *engine) runProcesses(processes []Process) error {
	w := e.world
	for _, p := range processes {
		w.start(p)
	}
	if len(e.events) == 0 && w.fabric == nil {
		w.kernel.RunAhead()
	}
	err := w.kernel.Run(e)
	var failed *kernel.ProcessError
	var blocked *kernel.BlockedError
	switch {
	case errors.As(err, &failed):
		return w.failure(failed)
	case errors.As(err, &blocked):
		w.blocked = blocked.Processes
	case err != nil:
		return err
	}
	return nil
}

// failure returns the failure of a process as a PanicError.
func (w *world) failure(f *kernel.ProcessError) error {
	p := &PanicError{Where: panicking([]byte(f.Stack)), Process: f.Process, Rank: -1, Time: f.At, Value: f.Value,
		Stack: []byte(f.Stack)}
	if m, ok := f.Value.(misuse); ok {
		p.Value = m.error
	}
	return p
}
