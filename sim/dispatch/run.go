package dispatch

import (
	"context"
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/model/sharing"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/kernel"
	"github.com/isoscale/isoscale/sim/meter"
)

// Config is a super-program on a machine.
type Config struct {
	Machine Machine
	Work    Work
	// EverySI makes Run simulate each SI of each group even if there is no
	// scatter. Without it and without scatter, Run simulates one group of
	// each level instead, which is exact: the SIs of a level are alike, and a
	// group is idle before and after each. The answers are equal to the last
	// bit if all times are whole multiples of one power of two; otherwise
	// clocks that do not start at 0 round differently, which may also break
	// ties between nodes differently.
	EverySI bool
}

// maxInFlight bounds the SIs in flight, each of which is a goroutine.
const maxInFlight = 1 << 17

// maxSimulated bounds the SIs that are simulated one by one.
const maxSimulated = 1 << 28

// Run simulates the super-program. It returns an error that lists every value
// of the configuration that is out of range, or that there would be more than
// 131072 SIs in flight or 2^28 to simulate, or the error of the context soon
// after it is cancelled.
func Run(ctx context.Context, c Config) (Result, error) {
	if err := c.validate(); err != nil {
		return Result{}, fmt.Errorf("dispatch: %w", err)
	}
	var r Result
	var err error
	if c.wholly() {
		r, err = simulate(ctx, c.Machine, c.Work, 0)
	} else {
		r, err = reduce(ctx, c.Machine, c.Work)
	}
	if err != nil {
		return Result{}, fmt.Errorf("dispatch: %w", err)
	}
	processors := 1.0
	for i, l := range c.Machine {
		processors *= float64(l.Nodes)
		r.Levels[i].Idle = units.Seconds(r.Makespan*units.Seconds(processors*float64(l.Processors))) - r.Levels[i].Busy
	}
	r.Work = r.Levels[len(r.Levels)-1].Busy
	return r, nil
}

// wholly reports whether every SI is simulated.
func (c Config) wholly() bool { return c.EverySI || c.Work.Scatter > 0 }

func (c Config) validate() error {
	err := errors.Join(c.Machine.Validate(), c.Work.Validate())
	if len(c.Work.SIs) != len(c.Machine) {
		err = errors.Join(err, fmt.Errorf("work.SIs has %d levels; expected %d, as the machine has", len(c.Work.SIs), len(c.Machine)))
	}
	if err != nil {
		return err
	}
	groups, flight, simulated := 1.0, 0.0, 0.0
	executions := 1.0 // of super-programs of the level
	for i, l := range c.Machine {
		w := float64(c.Work.SIs[i])
		flight += float64(groups * min(float64(l.Nodes)*float64(l.Outstanding), w))
		simulated += float64(executions * w)
		if c.wholly() {
			groups *= min(float64(l.Nodes), w)
			executions *= w
		}
	}
	if leaves := product(c.Work.SIs); leaves > 1<<62 {
		return fmt.Errorf("%g SIs of the last level; expected at most 2^62", leaves)
	}
	if flight > maxInFlight {
		return fmt.Errorf("up to %g SIs in flight; expected at most %d", flight, maxInFlight)
	}
	if simulated > maxSimulated {
		return fmt.Errorf("%g SIs to simulate; expected at most %d", simulated, maxSimulated)
	}
	return nil
}

// simulate executes one super-program of the first level, with all below it. SIs
// of the last level stand for so many levels more.
func simulate(ctx context.Context, m Machine, w Work, inner int) (Result, error) {
	s := &simulation{
		ctx: ctx, meter: meter.From(ctx), kernel: kernel.New(), work: w, inner: inner,
		trunks: trunks{system: sharing.New()},
		levels: make([]LevelResult, len(m)),
	}
	root := s.newGroup(m, w.SIs, 0)
	s.kernel.Go("super-program", func(p *kernel.Process) { root.execute(p, 0) })
	if err := s.kernel.Run(&s.trunks); err != nil {
		return Result{}, err
	}
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	return Result{Makespan: s.kernel.Now(), Levels: s.levels}, nil
}

// reduce simulates one super-program of each level, innermost first. Its
// makespan is the time of an SI of the level above; its sums are multiplied by
// the number of times that it is executed.
func reduce(ctx context.Context, m Machine, w Work) (Result, error) {
	all := Result{Makespan: w.Time, Levels: make([]LevelResult, len(m))}
	for i := len(m) - 1; i >= 0; i-- {
		one, err := simulate(ctx, m[i:i+1], Work{SIs: w.SIs[i : i+1], Time: all.Makespan}, len(m)-1-i)
		if err != nil {
			return Result{}, err
		}
		times := product(w.SIs[:i])
		l := one.Levels[0]
		all.Makespan = one.Makespan
		all.Levels[i] = LevelResult{
			Executed:     l.Executed * int64(times),
			Busy:         l.Busy * units.Seconds(times),
			Transfer:     l.Transfer * units.Seconds(times),
			DispatchWait: l.DispatchWait * units.Seconds(times),
		}
	}
	return all, nil
}

func product(counts []int) float64 {
	p := 1.0
	for _, n := range counts {
		p *= float64(n)
	}
	return p
}
