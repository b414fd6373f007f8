package kernel

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/fschuetz04/simgo"

	"github.com/isoscale/isoscale/model/units"
)

// errGoexit is the Value of the ProcessError of a process that did not return
// and did not panic either.
var errGoexit = errors.New("runtime.Goexit was called; return from the function to end a process")

// Process is a function that runs in simulated time, on its own goroutine but
// never at the same time as another process or the model. Start it with
// Kernel.Go.
//
// Sleep, Wait, WaitAny and WaitAll may be called only by the process itself;
// they panic otherwise.
type Process struct {
	kernel *Kernel
	name   string
	f      func(*Process)
	ended  Event
	order  int // number of processes started before; orders equal times
	slot   int // index in kernel.live

	sim simgo.Process

	// waking is the simgo event that the process is paused on, nil while it
	// runs. This field is the strong reference that keeps the finalizer of
	// the event from aborting the process.
	waking *simgo.Event
	waits  []*Event // what it waits for, nil while it sleeps or runs
	since  units.Seconds
}

// Go starts a process at the current time: f begins after everything that is
// already due at this time. The name appears in errors; it need not be unique.
//
// Go may be called before Run, by a process, and by the model in Advance. It
// panics after Run. While Run ends early and a deferred function of a process
// calls Go, f is never called.
func (k *Kernel) Go(name string, f func(p *Process)) *Process {
	p := &Process{kernel: k, name: name, f: f, order: k.started}
	p.ended = Event{kernel: k, name: "end of " + name}
	k.started++
	switch k.phase {
	case idle:
		// No goroutine before Run: a kernel that never runs leaks nothing.
		k.unstarted = append(k.unstarted, p)
	case running:
		k.begin(p)
	case closing:
		// Never begun, so that nothing new has to be ended.
	case over:
		panic(fmt.Sprintf("kernel: Go(%q) after Run: a Kernel runs once", name))
	}
	return p
}

// Name returns the name given to Go.
func (p *Process) Name() string { return p.name }

// Now returns the simulated time.
func (p *Process) Now() units.Seconds { return p.kernel.now }

// Ended returns the event that is triggered when the function of the process
// returns.
func (p *Process) Ended() *Event { return &p.ended }

// Sleep pauses the process for d. Sleep(0) lets everything else that is due at
// the current time go first. Sleep panics if d is negative, NaN or infinite or
// if the sum of d and the current time is infinite; Run returns that as a
// ProcessError.
func (p *Process) Sleep(d units.Seconds) {
	p.check("Sleep")
	k := p.kernel
	at := k.now + d
	// Written so that NaN fails.
	if !(d >= 0 && at <= math.MaxFloat64) {
		panic(fmt.Sprintf("kernel: Sleep(%g s): the delay and the time when it ends must be finite, and the delay must not be negative",
			float64(d)))
	}
	k.due.Push(at, 0)
	p.pause(k.sim.Timeout(float64(d)))
}

// SleepUntil pauses the process until time at, which must be finite and not in the
// past; it panics otherwise, as Sleep does.
func (p *Process) SleepUntil(at units.Seconds) {
	now := p.kernel.now
	d := at - now
	// A delay is at least as precise as the time.
	for now+d < at {
		d = units.Seconds(math.Nextafter(float64(d), math.Inf(1)))
	}
	for now+d > at && d > 0 {
		d = units.Seconds(math.Nextafter(float64(d), 0))
	}
	p.Sleep(d)
}

// Wait pauses the process until e is triggered. If it already is, Wait returns
// at once and nothing else happens meanwhile.
func (p *Process) Wait(e *Event) {
	p.WaitAny(e)
}

// WaitAny pauses the process until at least one of the events is triggered,
// and returns the first argument that is. If one already is, WaitAny returns
// at once. It keeps the slice until it returns.
func (p *Process) WaitAny(events ...*Event) *Event {
	p.check("Wait")
	if len(events) == 0 {
		panic("kernel: WaitAny without events would wait for ever")
	}
	for _, e := range events {
		if e.kernel != p.kernel {
			panic(fmt.Sprintf("kernel: process %q waits for event %q of another Kernel", p.name, e.name))
		}
	}
	if e := firstDone(events); e != nil {
		return e
	}
	for _, e := range events {
		e.waiters = append(e.waiters, p)
	}
	p.waits, p.since = events, p.kernel.now
	p.pause(p.kernel.sim.Event())
	p.waits = nil
	for _, e := range events {
		e.forget(p)
	}
	return firstDone(events)
}

// WaitAll pauses the process until all of the events are triggered.
func (p *Process) WaitAll(events ...*Event) {
	for _, e := range events {
		p.Wait(e)
	}
}

// firstDone returns the first event that is triggered, or nil.
func firstDone(events []*Event) *Event {
	for _, e := range events {
		if e.done {
			return e
		}
	}
	return nil
}

// check panics at a call that would pause a process from outside, which would hang the
// program. It ends the goroutine if a deferred function tries to pause its process
// while Run is ending.
func (p *Process) check(call string) {
	if p.kernel.phase == closing {
		runtime.Goexit()
	}
	if p.kernel.current != p {
		panic(fmt.Sprintf("kernel: %s of process %q called by something else than its own function", call, p.name))
	}
}

// pause hands the turn back to Run until the simgo event is handled. It does
// not return if Run ends early.
func (p *Process) pause(ev *simgo.Event) {
	k := p.kernel
	p.waking = ev
	k.current = nil
	p.sim.Wait(ev) // leaves by runtime.Goexit if the event is aborted
	if k.phase == closing {
		// The event was triggered just before something else failed.
		runtime.Goexit()
	}
	k.current = p
	p.waking = nil
}

// run is what simgo calls, on the goroutine of the process.
func (p *Process) run(proc simgo.Process) {
	k := p.kernel
	if k.phase == closing {
		return
	}
	p.sim = proc
	k.current = p
	returned := false
	defer func() {
		k.current = nil
		k.remove(p)
		v := recover()
		switch {
		case returned:
			// simgo schedules an event of its own when we return.
			k.due.Push(k.now, 0)
			p.ended.Trigger()
		case v != nil:
			k.fail(&ProcessError{Process: p.name, At: k.now, Value: v, Stack: string(debug.Stack())})
		case k.phase == running:
			k.fail(&ProcessError{Process: p.name, At: k.now, Value: errGoexit, Stack: string(debug.Stack())})
		}
	}()
	p.f(p)
	returned = true
}

// Event is something that happens once, such as "the data arrived". Processes
// wait for it; a process or the hot model triggers it. Create it with
// Kernel.NewEvent.
type Event struct {
	kernel  *Kernel
	name    string
	done    bool
	waiters []*Process // in the order in which they began to wait
}

// NewEvent returns an event that has not happened yet. The name appears in
// BlockedError; it need not be unique.
func (k *Kernel) NewEvent(name string) *Event {
	return &Event{kernel: k, name: name}
}

// Name returns the name given to NewEvent.
func (e *Event) Name() string { return e.name }

// Done tells whether the event has been triggered.
func (e *Event) Done() bool { return e.done }

// Trigger makes the event happen now. The processes that wait for it continue
// at the current time, in the order in which they began to wait, after
// everything that was due at this time before. Triggering again has no effect.
func (e *Event) Trigger() {
	if e.done {
		return
	}
	e.done = true
	for _, p := range e.waiters {
		e.kernel.wake(p)
	}
	e.waiters = nil // otherwise each of them would search the list in forget
}

// forget removes one registration of p.
func (e *Event) forget(p *Process) {
	if i := slices.Index(e.waiters, p); i >= 0 {
		e.waiters = slices.Delete(e.waiters, i, i+1)
	}
}
