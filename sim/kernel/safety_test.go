package kernel

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// One test for each numbered promise of doc.go. Run them with -race too.

// collect runs the garbage collector until all finalizers that can run have
// run: simgo's traps are in finalizers. An object is finalized one collection
// before the objects that only it refers to, so it does that a few times.
func collect() {
	for range 3 {
		done := make(chan struct{})
		// Not a tiny object: those may share memory with others that live.
		runtime.SetFinalizer(new([64]byte), func(*[64]byte) { close(done) })
		runtime.GC()
		<-done // finalizers run one after the other on one goroutine
	}
}

// checkGoroutines runs f and fails if it leaves goroutines behind. The last
// steps of a goroutine that ends may overlap with what comes after Run, so it
// looks again for up to a minute.
func checkGoroutines(t *testing.T, f func()) {
	t.Helper()
	before := runtime.NumGoroutine()
	f()
	after := runtime.NumGoroutine()
	for deadline := time.Now().Add(time.Minute); after > before && time.Now().Before(deadline); after = runtime.NumGoroutine() {
		time.Sleep(time.Millisecond)
	}
	expect.That(t, after <= before, "%d goroutines before, %d after", before, after)
	collect() // what is left behind must not crash the program either
}

// Promise 1. Nothing but the kernel refers to the event that "stuck" waits for,
// and the collector runs in turns of the model and of a process. Were stuck
// aborted, its deferred function would run before the end at time 3, and Run
// would return nil.
func TestPausedProcessSurvivesCollection(t *testing.T) {
	checkGoroutines(t, func() {
		k := New()
		m := &timers{k: k}
		var ended units.Seconds = -1
		k.Go("stuck", func(p *Process) {
			defer func() { ended = p.Now() }()
			p.Wait(k.NewEvent("never"))
		})
		k.Go("sleeper", func(p *Process) {
			p.Sleep(1)
			collect()
			expect.That(t, ended < 0, "aborted by the collector in a turn of a process")
		})
		m.at(2, func() { collect() })
		m.at(3, func() {
			expect.That(t, ended < 0, "aborted by the collector in a turn of the model")
		})
		var be *BlockedError
		err := k.Run(m)
		expect.That(t, errors.As(err, &be) && len(be.Processes) == 1, "error %v, want stuck to be blocked", err)
		expect.Equal(t, ended, 3, "stuck ended at")
	})
}

// Promise 1 again: an event that only the waiting process can reach still wakes it,
// after any number of collections.
func TestWakeAfterCollection(t *testing.T) {
	k := New()
	m := &timers{k: k}
	woken := 0
	for i := range 10 {
		k.Go("p", func(p *Process) {
			e := k.NewEvent("e")
			m.at(units.Seconds(i+1), func() { e.Trigger() })
			p.Wait(e)
			collect()
			p.Sleep(20)
			woken++
		})
	}
	m.at(15, func() { collect() })
	expect.Success(t, k.Run(m))
	expect.That(t, woken == 10 && k.Now() == 30, "%d woken at %v, want 10 at 30", woken, k.Now())
}

// Promise 2.
func TestBadDelays(t *testing.T) {
	for _, d := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, -5e-324, math.MaxFloat64} {
		t.Run(fmt.Sprint(d), func(t *testing.T) {
			checkGoroutines(t, func() {
				k := New()
				// From 1e300, the largest float64 leads to infinity.
				k.Go("bad", func(p *Process) { p.Sleep(1e300); p.Sleep(units.Seconds(d)) })
				k.Go("stuck", func(p *Process) { p.Wait(k.NewEvent("never")) })
				err := k.Run(nil)
				var pe *ProcessError
				expect.Need(t, errors.As(err, &pe) && pe.Process == "bad" && pe.At == 1e300, "error %v", err)
				msg, _ := pe.Value.(string)
				expect.That(t, strings.HasPrefix(msg, "kernel: Sleep("), "panicked with %v", pe.Value)
				expect.Equal(t, k.Now(), 1e300, "the clock is at")
			})
		})
	}
}

// Promises 3 and 4.
func TestBlockedProcessesAreListed(t *testing.T) {
	checkGoroutines(t, func() {
		k := New()
		m := &timers{k: k}
		x, y := k.NewEvent("x"), k.NewEvent("y")
		var ends []string
		wait := func(name string, d units.Seconds, events ...*Event) {
			k.Go(name, func(p *Process) {
				defer func() { ends = append(ends, fmt.Sprintf("%s %g", name, float64(p.Now()))) }()
				p.Sleep(d)
				p.WaitAny(events...)
				t.Errorf("%s went on", name)
			})
		}
		wait("worker", 3, x)
		wait("worker", 2, y)
		wait("master", 1, y, x)
		k.Go("fine", func(p *Process) { p.Sleep(4) })
		m.at(7, func() {})
		err := k.Run(m)
		want := &BlockedError{At: 7, Processes: []Blocked{
			{Process: "master", Waits: []string{"y", "x"}, Since: 1},
			{Process: "worker", Waits: []string{"y"}, Since: 2},
			{Process: "worker", Waits: []string{"x"}, Since: 3},
		}}
		expect.Same(t, expect.Kind[*BlockedError](t, err), want, "got")
		expect.Equal(t, err.Error(), `kernel: nothing is left to happen at 7 s, but processes are blocked (3): `+
			`"master" waits for "y" or "x" since 1 s; "worker" waits for "y" since 2 s; "worker" waits for "x" since 3 s`, "error")
		// Ended in the order of their start, on a clock that stands still.
		expect.Same(t, ends, []string{"worker 7", "worker 7", "master 7"}, "ends")
	})
}

// Promises 4 and 5: every state that a process can be in when another one
// fails. None of them may go on.
func TestPanicEndsEverything(t *testing.T) {
	boom := errors.New("boom")
	checkGoroutines(t, func() {
		k := New()
		m := &timers{k: k}
		gate := k.NewEvent("gate")
		deferred := 0
		k.Go("waits", func(p *Process) {
			defer func() { deferred++ }()
			p.Wait(k.NewEvent("never"))
			t.Error("waits went on")
		})
		k.Go("sleeps", func(p *Process) {
			defer func() { deferred++ }()
			p.Sleep(1e9)
			t.Error("sleeps went on")
		})
		k.Go("triggered", func(p *Process) {
			defer func() { deferred++ }()
			p.Wait(gate)
			t.Error("triggered went on")
		})
		k.Go("fails", func(p *Process) {
			p.Sleep(2)
			gate.Trigger()
			k.Go("not begun", func(*Process) { t.Error("not begun began") })
			panic(boom)
		})
		k.Go("due at the same time", func(p *Process) {
			defer func() { deferred++ }()
			p.Sleep(2)
			t.Error("due at the same time went on")
		})
		m.at(3, func() { t.Error("the model went on") })
		err := k.Run(m)
		var pe *ProcessError
		expect.Need(t, errors.As(err, &pe) && pe.Process == "fails" && pe.At == 2 && strings.Contains(pe.Stack, "TestPanicEndsEverything"),
			"error %v", err)
		expect.Equal(t, err.Error(), `kernel: process "fails" failed at 2 s: boom`, "error")
		expect.That(t, errors.Is(err, boom), "the error does not wrap what the process panicked with")
		expect.That(t, deferred == 4 && k.Now() == 2,
			"%d deferred functions until %v, want 4 until 2", deferred, k.Now())
	})
}

// Promise 5: deferred functions of an ended process may do anything.
func TestDeferredFunctionsWhileEnding(t *testing.T) {
	checkGoroutines(t, func() {
		k := New()
		e := k.NewEvent("e")
		reached := 0
		k.Go("a", func(p *Process) {
			defer func() { reached++ }()
			defer func() {
				reached++
				e.Trigger() // must not wake b
				k.Go("new", func(*Process) { t.Error("new began") })
				p.Sleep(1)
				t.Error("a slept")
			}()
			p.Wait(k.NewEvent("never"))
		})
		k.Go("b", func(p *Process) {
			defer func() {
				reached++
				panic("late")
			}()
			p.Wait(e)
			t.Error("b went on")
		})
		k.Go("c", func(p *Process) {
			// Sleeps while a panic is on its way, and is ended there.
			defer func() { p.Wait(k.NewEvent("never")); t.Error("c went on") }()
			panic("first")
		})
		err := k.Run(nil)
		var be *BlockedError
		var pe *ProcessError
		expect.That(t, errors.As(err, &be) && len(be.Processes) == 3, "error %v, want three blocked", err)
		expect.That(t, errors.As(err, &pe) && pe.Process == "b" && pe.Value == "late",
			"error %v, want the panic of b too", err)
		expect.Equal(t, reached, 3, "deferred functions")
	})
}

// Promise 5: the other ways out.
func TestNoGoroutineIsLeft(t *testing.T) {
	for _, tc := range []struct {
		name string
		run  func(t *testing.T)
	}{
		{"normal end", func(t *testing.T) {
			k := New()
			n := 0
			for range 100 {
				k.Go("p", func(p *Process) { p.Sleep(1); n++ })
			}
			err := k.Run(nil)
			expect.That(t, err == nil && n == 100, "error %v, %d ended", err, n)
		}},
		{"never run", func(*testing.T) {
			k := New()
			k.Go("p", func(p *Process) { p.Sleep(1) })
		}},
		{"panic of the model", func(t *testing.T) {
			k := New()
			m := &timers{k: k}
			m.at(1, func() { panic("model") })
			k.Go("p", func(p *Process) { p.Sleep(2); t.Error("p went on") })
			k.Go("q", func(p *Process) { p.Wait(k.NewEvent("never")) })
			defer func() {
				expect.Equal(t, recover(), "model", "recovered")
			}()
			err := k.Run(m)
			t.Errorf("Run returned %v", err)
		}},
		{"panic before others begin", func(t *testing.T) {
			k := New()
			k.Go("p", func(*Process) { panic("at once") })
			k.Go("q", func(*Process) { t.Error("q began") })
			var pe *ProcessError
			err := k.Run(nil)
			expect.That(t, errors.As(err, &pe) && pe.At == 0, "error %v", err)
		}},
		{"Goexit", func(t *testing.T) {
			k := New()
			k.Go("p", func(p *Process) { p.Sleep(1); runtime.Goexit() })
			k.Go("q", func(p *Process) { p.Sleep(2); t.Error("q went on") })
			err := k.Run(nil)
			expect.That(t, errors.Is(err, errGoexit), "error %v", err)
		}},
		{"nil function", func(t *testing.T) {
			k := New()
			k.Go("p", nil)
			var pe *ProcessError
			err := k.Run(nil)
			expect.That(t, errors.As(err, &pe) && pe.Process == "p", "error %v", err)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkGoroutines(t, func() { tc.run(t) })
		})
	}
}

// Promise 6. At 1 and at 3 simgo's clock lags behind the model's; at 2 a timeout
// of simgo is due at the very time to which its clock is brought, and must not
// be handled by that.
func TestClockOnlyForwards(t *testing.T) {
	k := New()
	j := &journal{k: k}
	m := &timers{k: k}
	e1, e2, e3 := k.NewEvent("e1"), k.NewEvent("e2"), k.NewEvent("e3")
	trigger := func(e *Event) func() {
		return func() {
			before := k.sim.Now()
			e.Trigger()
			j.note("%s, simgo from %g to %g", e.Name(), before, k.sim.Now())
		}
	}
	m.at(1, trigger(e1))
	m.at(2, trigger(e2))
	m.at(2, trigger(e3)) // simgo is there already
	m.at(3, func() { k.Go("late", func(p *Process) { j.note("late begins") }) })
	k.Go("p", func(p *Process) { p.Wait(e1); p.Wait(e2); j.note("p") })
	k.Go("q", func(p *Process) { p.Sleep(2); j.note("q") })
	k.Go("r", func(p *Process) { p.Wait(e3); j.note("r") })
	expect.Success(t, k.Run(m))
	j.want(t,
		"1 e1, simgo from 0 to 1",
		"2 e2, simgo from 1 to 2",
		"2 e3, simgo from 2 to 2",
		"2 q", // since 0, before the triggers of 2
		"2 p",
		"2 r",
		"3 late begins",
	)
}
