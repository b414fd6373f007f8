package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// timers is the smallest useful hot model: actions at given times.
type timers struct {
	k       *Kernel
	cal     Calendar
	actions []func()
	calls   []units.Seconds // the argument of every Advance
}

var _ Model = (*timers)(nil)

func (m *timers) at(t units.Seconds, action func()) {
	m.cal.Push(t, int32(len(m.actions)))
	m.actions = append(m.actions, action)
}

func (m *timers) Next() (units.Seconds, bool) { return m.cal.Min() }

func (m *timers) Advance(to units.Seconds) {
	m.calls = append(m.calls, to)
	for {
		t, ok := m.cal.Min()
		if !ok || t > to {
			return
		}
		_, id, _ := m.cal.Pop()
		m.actions[id]()
	}
}

// journal collects lines "time what".
type journal struct {
	k     *Kernel
	lines []string
}

func (j *journal) note(format string, args ...any) {
	j.lines = append(j.lines, fmt.Sprintf("%g ", float64(j.k.Now()))+fmt.Sprintf(format, args...))
}

func (j *journal) want(t *testing.T, lines ...string) {
	t.Helper()
	expect.That(t, slices.Equal(j.lines, lines),
		"got\n\t%s\nwant\n\t%s", strings.Join(j.lines, "\n\t"), strings.Join(lines, "\n\t"))
}

// TestOrderAtEqualTimes: the contract of doc.go, with everything at times 1 and 2.
func TestOrderAtEqualTimes(t *testing.T) {
	k := New()
	j := &journal{k: k}
	m := &timers{k: k}
	gate := k.NewEvent("gate")
	// Three wait for the gate, and begin to do so in the order b, c, a.
	k.Go("a", func(p *Process) { p.Sleep(0); p.Wait(gate); j.note("a through the gate") })
	k.Go("b", func(p *Process) { p.Wait(gate); j.note("b through the gate") })
	k.Go("c", func(p *Process) { p.Wait(gate); j.note("c through the gate") })
	k.Go("d", func(p *Process) {
		p.Sleep(1)
		j.note("d slept")
		m.at(1, func() { j.note("hot, posted by d") })
		m.at(2, func() { j.note("hot 2, posted by d") })
		p.Sleep(0)
		j.note("d after the others")
		p.Sleep(1)
		j.note("d at 2")
	})
	k.Go("e", func(p *Process) { p.Sleep(1); j.note("e slept") })
	m.at(1, func() { j.note("hot opens the gate"); gate.Trigger() })
	m.at(1, func() { j.note("hot second") })
	expect.Success(t, k.Run(m))
	j.want(t,
		"1 hot opens the gate", // the model first, in the order of Push
		"1 hot second",
		"1 d slept",          // decided at time 0
		"1 hot, posted by d", // before the next turn
		"1 e slept",          // decided at time 0, after d
		"1 b through the gate",
		"1 c through the gate",
		"1 a through the gate",
		"1 d after the others", // Sleep(0) was called after the trigger
		"2 hot 2, posted by d", // the model first
		"2 d at 2",
	)
	// To 1 for the timers, again for what d posted; to 2 for the other.
	expect.List(t, m.calls, []units.Seconds{1, 1, 2}, "Advance to")
}

// TestModelIsAdvancedToProcessTime: before a turn at 1 the model has been advanced to 1
// although its next change is at 5, and only once for two turns at that time.
func TestModelIsAdvancedToProcessTime(t *testing.T) {
	k := New()
	m := &timers{k: k}
	m.at(5, func() {})
	turns := 0
	for range 2 {
		k.Go("p", func(p *Process) {
			p.Sleep(1)
			turns++
			got := m.calls[len(m.calls)-1]
			expect.That(t, got == p.Now(), "model is at %v in the turn at %v", got, p.Now())
		})
	}
	expect.Success(t, k.Run(m))
	want := []units.Seconds{1, 5}
	expect.That(t, turns == 2 && slices.Equal(m.calls, want), "%d turns, Advance to %v; want 2, %v", turns, m.calls, want)
	expect.Equal(t, k.Now(), 5, "ends at")
}

// TestModelAlone: without processes there is one Advance for each Next, and simgo is
// not used.
func TestModelAlone(t *testing.T) {
	k := New()
	m := &timers{k: k}
	for _, at := range []units.Seconds{0, 2, 2, 3} {
		m.at(at, func() {
			expect.That(t, k.Now() == at, "Now = %v in the event at %v", k.Now(), at)
		})
	}
	expect.Success(t, k.Run(m))
	expect.List(t, m.calls, []units.Seconds{0, 2, 3}, "Advance to")
	expect.Equal(t, k.sim.Now(), 0, "simgo's clock was moved to")
}

func TestNothingToDo(t *testing.T) {
	expect.Success(t, New().Run(nil))
	expect.Success(t, New().Run(&timers{}))
}

// TestModelStartsProcess: Go inside Advance begins at the current time, which
// simgo has not seen yet.
func TestModelStartsProcess(t *testing.T) {
	k := New()
	j := &journal{k: k}
	m := &timers{k: k}
	m.at(3, func() {
		k.Go("late", func(p *Process) {
			j.note("begins")
			p.Sleep(2)
			j.note("ends")
		})
	})
	m.at(4, func() { j.note("hot") })
	expect.Success(t, k.Run(m))
	j.want(t, "3 begins", "4 hot", "5 ends")
}

func TestEvents(t *testing.T) {
	k := New()
	j := &journal{k: k}
	a, b, c := k.NewEvent("a"), k.NewEvent("b"), k.NewEvent("c")
	before := k.NewEvent("before")
	before.Trigger()
	source := k.Go("source", func(p *Process) {
		p.Sleep(1)
		b.Trigger()
		b.Trigger() // no effect
		p.Sleep(1)
		a.Trigger()
		c.Trigger()
	})
	k.Go("any", func(p *Process) {
		j.note("any: %s", p.WaitAny(a, b, a).Name())
		j.note("any: %s", p.WaitAny(c, a).Name()) // both at 2: the first argument that is done
		j.note("any: %s", p.WaitAny(c, a).Name()) // at once
	})
	k.Go("all", func(p *Process) {
		p.WaitAll(a, before, b)
		j.note("all")
	})
	k.Go("end", func(p *Process) {
		p.Wait(source.Ended())
		j.note("%s", source.Ended().Name())
	})
	k.Go("early", func(p *Process) {
		p.Wait(before)
		j.note("early")
		expect.That(t, before.Done() && !a.Done(), "Done is wrong")
	})
	expect.Success(t, k.Run(nil))
	// At 2, a wakes any (which waited since 1) after all (since 0); c wakes
	// nobody a second time.
	j.want(t, "0 early", "1 any: b", "2 all", "2 any: c", "2 any: c", "2 end of source")
	for _, e := range []*Event{a, b, c} {
		expect.Equal(t, len(e.waiters), 0, "event %s: waiters", e.name)
	}
}

// TestWaitAnyForgets: a process that waits for one event again and again next
// to one that never comes leaves no registrations behind.
func TestWaitAnyForgets(t *testing.T) {
	k := New()
	stop := k.NewEvent("stop")
	rounds := 0
	k.Go("p", func(p *Process) {
		for range 10 {
			tick := k.NewEvent("tick")
			k.Go("q", func(q *Process) { q.Sleep(1); tick.Trigger() })
			if p.WaitAny(stop, tick) == tick {
				rounds++
			}
			expect.Equal(t, len(stop.waiters), 0, "waiters are left")
		}
	})
	expect.Success(t, k.Run(nil))
	expect.That(t, rounds == 10 && k.Now() == 10, "%d rounds until %v, want 10 until 10", rounds, k.Now())
}

// TestRandomInterleaving runs random sleepers, triggers and posts, and checks
// what must hold for any of them: the clock never falls on either side, every
// sleep takes what was asked for, and a second run gives the same journal.
func TestRandomInterleaving(t *testing.T) {
	run := func(seed uint64) []string {
		rng := rand.New(rand.NewPCG(seed, 0))
		k := New()
		j := &journal{k: k}
		m := &timers{k: k}
		last := units.Seconds(0)
		see := func(format string, args ...any) {
			expect.That(t, k.Now() >= last, "seed %d: the clock went from %v to %v", seed, last, k.Now())
			last = k.Now()
			j.note(format, args...)
		}
		for i := range 8 {
			k.Go(fmt.Sprint("p", i), func(p *Process) {
				for range 50 {
					d := units.Seconds(rng.IntN(4)) / 4
					at := p.Now() + d
					if rng.IntN(2) == 0 {
						p.Sleep(d)
						see("p%d slept", i)
					} else {
						done := k.NewEvent("posted")
						m.at(at, func() { see("hot"); done.Trigger() })
						p.Wait(done)
						see("p%d served", i)
					}
					expect.Equal(t, p.Now(), at, "seed %d: p%d goes on at", seed, i)
				}
			})
		}
		err := k.Run(m)
		expect.That(t, err == nil, "seed %d: %v", seed, err)
		return j.lines
	}
	for seed := range uint64(20) {
		first, second := run(seed), run(seed)
		expect.That(t, len(first) >= 8*50, "seed %d: only %d lines", seed, len(first))
		expect.That(t, slices.Equal(first, second), "seed %d: two runs differ", seed)
	}
}

// fixed is a model that breaks the contract: its Next never changes.
type fixed units.Seconds

func (f fixed) Next() (units.Seconds, bool) { return units.Seconds(f), true }
func (fixed) Advance(units.Seconds)         {}

func TestBadModel(t *testing.T) {
	for _, tc := range []struct {
		name string
		next float64
	}{
		{"NaN", math.NaN()},
		{"infinite", math.Inf(1)},
		{"negative", -1},
		{"does not move on", 3},
		{"does not move on at zero", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ran := false
			k := New()
			k.Go("p", func(p *Process) { p.Sleep(5); ran = true })
			expect.Failure(t, k.Run(fixed(tc.next)), fmt.Sprintf("the model's Next is %g s", tc.next))
			expect.That(t, !ran, "the process went on")
		})
	}
}

func TestRunsOnce(t *testing.T) {
	k := New()
	var nested error
	k.Go("p", func(*Process) { nested = k.Run(nil) })
	expect.Success(t, k.Run(nil))
	for _, err := range []error{nested, k.Run(nil)} {
		expect.Failure(t, err, "runs once")
	}
	defer func() {
		msg, _ := recover().(string)
		expect.That(t, strings.HasPrefix(msg, "kernel: Go"), "Go after Run: panic %q", msg)
	}()
	k.Go("late", func(*Process) {})
}

func TestMisuse(t *testing.T) {
	for _, tc := range []struct {
		name string
		f    func(k *Kernel, p, other *Process)
		want string
	}{
		{"no events", func(_ *Kernel, p, _ *Process) { p.WaitAny() }, "without events"},
		{"sleep of another", func(_ *Kernel, _, other *Process) { other.Sleep(1) }, `Sleep of process "other"`},
		{"wait of another", func(k *Kernel, _, other *Process) { other.Wait(k.NewEvent("e")) }, `Wait of process "other"`},
		{"another kernel", func(_ *Kernel, p, _ *Process) { p.Wait(New().NewEvent("far")) }, `"far" of another Kernel`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			k := New()
			other := k.Go("other", func(p *Process) { p.Sleep(10) })
			k.Go("p", func(p *Process) { p.Sleep(2); tc.f(k, p, other) })
			pe := expect.Kind[*ProcessError](t, k.Run(nil))
			msg, _ := pe.Value.(string)
			expect.That(t, pe.Process == "p" && pe.At == 2 && strings.HasPrefix(msg, "kernel: ") &&
				strings.Contains(msg, tc.want),
				"error %v", pe)
		})
	}
}

// TestRunAhead: a model that triggers nothing is advanced to the next turn of a process
// in one call, and to the end when there is none.
func TestRunAhead(t *testing.T) {
	k := New()
	m := &timers{k: k}
	var done []float64
	for _, at := range []units.Seconds{1, 2, 3, 7, 8} {
		m.at(at, func() { done = append(done, float64(at)) })
	}
	k.RunAhead()
	seen := 0
	k.Go("p", func(p *Process) {
		p.Sleep(3)
		seen = len(done)
		m.at(3, func() { done = append(done, 3.5) })
	})
	expect.Success(t, k.Run(m))
	want := []units.Seconds{3, 3, units.Seconds(math.Inf(1))}
	expect.That(t, seen == 3 && slices.Equal(m.calls, want), "%d done at the turn, calls %v; want 3 and %v", seen, m.calls, want)
	expect.List(t, done, []float64{1, 2, 3, 3.5, 7, 8}, "done")
}

// TestStop: Run ends without an error for the processes that are left.
func TestStop(t *testing.T) {
	k := New()
	m := &timers{k: k}
	m.at(5, k.Stop)
	ended := 0
	k.Go("endless", func(p *Process) {
		defer func() { ended++ }()
		for {
			p.Sleep(2)
		}
	})
	k.Go("blocked", func(p *Process) {
		defer func() { ended++ }()
		p.Wait(k.NewEvent("never"))
	})
	err := k.Run(m)
	expect.That(t, err == nil && ended == 2 && k.Now() == 5, "%v at %v, %d of 2 processes ended; want 5 s", err, k.Now(), ended)
}

// TestSleepUntil: the clock is exact, although a difference and a sum are rounded
// twice.
func TestSleepUntil(t *testing.T) {
	k := New()
	r := rand.New(rand.NewPCG(1, 2))
	k.Go("p", func(p *Process) {
		for range 10000 {
			at := p.Now() + units.Seconds(math.Ldexp(r.Float64(), -r.IntN(60)))
			p.SleepUntil(at)
			if p.Now() != at {
				t.Errorf("at %v, want %v", p.Now(), at)
				return
			}
		}
		p.SleepUntil(p.Now())
	})
	expect.Success(t, k.Run(nil))
	k = New()
	k.Go("p", func(p *Process) { p.Sleep(2); p.SleepUntil(1) })
	expect.Failure(t, k.Run(nil), "Sleep(-1 s)")
}
