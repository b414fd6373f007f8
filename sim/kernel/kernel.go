package kernel

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fschuetz04/simgo"

	"github.com/isoscale/isoscale/model/units"
)

// Model is the hot side: passive, told by Run how far it may go.
//
// Both methods are called by Run only, never while a process has its turn.
// Advance may call Event.Trigger and Kernel.Go. A process may post work to the
// model in its turn, at the current time or later.
type Model interface {
	// Next returns the time of the model's next change, false if nothing is
	// pending. It must be idempotent, finite and not before the current
	// time.
	Next() (units.Seconds, bool)

	// Advance handles everything up to and including the given time, so
	// that Next must be later afterwards. The time is not later than Next,
	// unless RunAhead allows that; it is earlier if a process has its turn
	// before the model has anything to do.
	Advance(to units.Seconds)
}

// phase is the life of a Kernel, in this order.
type phase int

const (
	idle    phase = iota // before Run
	running              // Run alternates between the sides
	closing              // Run ends the processes that are left
	over                 // after Run
)

// Kernel drives processes and one hot model on one simulated clock, which
// begins at zero. Create it with New; it runs once.
type Kernel struct {
	now   units.Seconds
	phase phase
	sim   *simgo.Simulation

	// due has one entry for each event in simgo's queue, which simgo does
	// not show. Every call that makes simgo schedule something is paired
	// with a Push here, and every Step with a Pop.
	due Calendar

	ahead   bool // see RunAhead
	stopped bool // see Stop

	unstarted []*Process // started before Run
	live      []*Process // begun and not yet ended, in no particular order
	started   int
	current   *Process // whose turn it is; nil in the turn of the model
	err       error
}

// New returns a kernel at time zero without processes.
func New() *Kernel {
	return &Kernel{sim: simgo.NewSimulation()}
}

// Now returns the simulated time.
func (k *Kernel) Now() units.Seconds { return k.now }

// Run alternates between the model and the processes, smallest time first and
// the model first at equal times, until both have nothing left to do. The
// model may be nil.
//
// It returns a *BlockedError if processes still wait then, and a *ProcessError as soon as one
// fails; Stop ends it earlier. A panic of the model passes through. In every case all process
// goroutines end before Run returns: a paused process does not continue, but its deferred
// functions are called. If these panic too, the errors are joined.
func (k *Kernel) Run(m Model) (err error) {
	if k.phase != idle {
		return errors.New("kernel: Run was called before: a Kernel runs once")
	}
	if m == nil {
		m = noModel{}
	}
	k.phase = running
	// Deferred, so that a panic of the model leaks no goroutine.
	defer func() {
		k.close()
		err = k.err
	}()
	for _, p := range k.unstarted {
		k.begin(p)
	}
	k.unstarted = nil

	k.alternate(m)
	if k.err == nil && !k.stopped && len(k.live) > 0 {
		k.err = k.blocked()
	}
	return nil // the deferred function sets the result
}

// RunAhead promises that the model triggers no event and starts no process. Run then
// advances it to the next turn of a process in one call, or to +Inf if there is none,
// instead of from one Next to the next. During such a call, Now is the time to which
// the model is advanced, or the time of the call if that is +Inf.
func (k *Kernel) RunAhead() { k.ahead = true }

// Stop ends Run after the present turn, without an error for the processes that have
// not ended.
func (k *Kernel) Stop() { k.stopped = true }

// noModel is a hot side without anything to do.
type noModel struct{}

func (noModel) Next() (units.Seconds, bool) { return 0, false }
func (noModel) Advance(units.Seconds)       {}

// alternate is the main loop. At the top of it, everything before k.now has
// been handled on both sides.
//
// Without processes it costs two comparisons and the test of an empty calendar
// for each Advance.
func (k *Kernel) alternate(m Model) {
	// The model has been advanced to this time, and no process had a turn
	// since.
	advanced, fresh := units.Seconds(0), false
	for k.err == nil && !k.stopped {
		hot, hotOK := m.Next()
		if hotOK && !(hot >= k.now && hot <= math.MaxFloat64 && !(fresh && hot == advanced)) {
			k.err = fmt.Errorf("kernel: the model's Next is %g s at %g s: it must be finite, not before the current time, and later than the last Advance",
				float64(hot), float64(k.now))
			return
		}
		due, dueOK := k.due.Min()
		switch {
		case hotOK && (!dueOK || hot <= due):
			to := hot
			k.now = hot
			switch {
			case k.ahead && dueOK:
				to, k.now = due, due
			case k.ahead:
				to = units.Seconds(math.Inf(1))
			}
			advanced, fresh = to, true
			m.Advance(to)
		case !dueOK:
			return
		case due > advanced:
			k.now, advanced, fresh = due, due, true
			m.Advance(due)
		default:
			fresh = false
			k.step(due)
		}
	}
}

// step lets simgo handle its next event, which is due at the given time.
func (k *Kernel) step(due units.Seconds) {
	k.now = due
	k.due.Pop()
	if !k.sim.Step() || k.sim.Now() != float64(due) {
		panic(fmt.Sprintf("kernel: an event was due at %g s, simgo is at %g s", float64(due), k.sim.Now()))
	}
}

// begin makes simgo start the process at the current time.
func (k *Kernel) begin(p *Process) {
	p.slot = len(k.live)
	k.live = append(k.live, p)
	k.syncClock()
	k.due.Push(k.now, 0)
	k.sim.Process(p.run)
}

// wake lets a process that waits for events continue at the current time. If Run is
// ending early, the process finds out when it continues.
func (k *Kernel) wake(p *Process) {
	k.syncClock()
	// False if another event of WaitAny came first.
	if p.waking.Trigger() {
		k.due.Push(k.now, 0)
	}
}

// syncClock brings simgo's clock to the current time, behind which it lags while the
// model is advanced. RunUntil handles events strictly before its target, and simgo has
// none before now, so it handles none. It must not be asked to go backwards.
func (k *Kernel) syncClock() {
	if k.sim.Now() < float64(k.now) {
		k.sim.RunUntil(float64(k.now))
	}
}

// remove takes a process that ended out of the live ones.
func (k *Kernel) remove(p *Process) {
	last := k.live[len(k.live)-1]
	k.live[p.slot] = last
	last.slot = p.slot
	k.live[len(k.live)-1] = nil
	k.live = k.live[:len(k.live)-1]
}

// fail records the failure of a process, which ends Run.
func (k *Kernel) fail(err error) {
	if k.err == nil {
		k.err = err
		return
	}
	k.err = errors.Join(k.err, err)
}

// blocked describes the processes that are left.
func (k *Kernel) blocked() error {
	left := slices.SortedFunc(slices.Values(k.live), func(a, b *Process) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.since, b.since), cmp.Compare(a.order, b.order))
	})
	e := &BlockedError{At: k.now}
	for _, p := range left {
		b := Blocked{Process: p.name, Since: p.since}
		for _, w := range p.waits {
			b.Waits = append(b.Waits, w.name)
		}
		e.Processes = append(e.Processes, b)
	}
	return e
}

// close ends the goroutines of all processes that are left, in the order of their
// start. simgo's Shutdown would not do: if a process is blocked, it leaves events
// behind whose finalizers can crash the program later.
func (k *Kernel) close() {
	k.phase = closing
	left := slices.SortedFunc(slices.Values(k.live), func(a, b *Process) int {
		return cmp.Compare(a.order, b.order)
	})
	for _, p := range left {
		if p.waking != nil {
			p.waking.Abort()
		}
	}
	// Handles what cannot be aborted any more: processes that were about to
	// continue or to begin. Both see the phase and end.
	k.sim.Run()
	k.phase = over
}

// Blocked says what one process waits for.
type Blocked struct {
	Process string        // name of the process
	Waits   []string      // names of the events, any of which would let it go on
	Since   units.Seconds // when it began to wait
}

// String returns a line such as: "worker 1" waits for "task" since 3 s.
func (b Blocked) String() string {
	names := make([]string, len(b.Waits))
	for i, name := range b.Waits {
		names[i] = fmt.Sprintf("%q", name)
	}
	return fmt.Sprintf("%q waits for %s since %g s", b.Process, strings.Join(names, " or "), float64(b.Since))
}

// BlockedError is returned by Run when nothing is left to happen, on either
// side, and processes still wait: a deadlock, or a process that was not told to
// stop.
type BlockedError struct {
	At        units.Seconds // simulated time when nothing was left to happen
	Processes []Blocked     // by name, then by time, then in the order of their start
}

// Error lists every blocked process.
func (e *BlockedError) Error() string {
	lines := make([]string, len(e.Processes))
	for i, b := range e.Processes {
		lines[i] = b.String()
	}
	return fmt.Sprintf("kernel: nothing is left to happen at %g s, but processes are blocked (%d): %s",
		float64(e.At), len(lines), strings.Join(lines, "; "))
}

// ProcessError is returned by Run when the function of a process panicked or
// called runtime.Goexit.
type ProcessError struct {
	Process string        // name of the process
	At      units.Seconds // simulated time of the panic
	Value   any           // what it panicked with
	Stack   string        // stack of the process at the panic; not part of Error
}

// Error names the process, the simulated time and the value.
func (e *ProcessError) Error() string {
	return fmt.Sprintf("kernel: process %q failed at %g s: %v", e.Process, float64(e.At), e.Value)
}

// Unwrap returns Value if the process panicked with an error, else nil.
func (e *ProcessError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
