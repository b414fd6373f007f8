package kernel

import "slices"

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
	e.waiters = nil // or else each of them would search the list in forget
}

// forget removes one registration of p.
func (e *Event) forget(p *Process) {
	if i := slices.Index(e.waiters, p); i >= 0 {
		e.waiters = slices.Delete(e.waiters, i, i+1)
	}
}
