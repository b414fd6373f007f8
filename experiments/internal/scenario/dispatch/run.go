package dispatch

import (
	"context"
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// Config is a super-program on a machine.
type Config struct {
	Machine Machine
	Work    Work
}

// maxInFlight bounds the SIs in flight, for their memory.
const maxInFlight = 1 << 20

// maxSimulated bounds the SIs that are simulated one by one.
const maxSimulated = 1 << 28

// Run simulates the super-program. It returns an error that lists every time, size and bandwidth that is out of range,
// or says that there would be more than 1048576 SIs in flight or 2^28 to simulate, or the error of the context
// soon after it is cancelled.
func Run(ctx context.Context, c Config) (Result, error) {
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	p := prepare(c.Machine, c.Work)
	var r outcome
	var err error
	if c.wholly() {
		r, err = p.simulate(ctx)
	} else {
		r, err = p.reduce(ctx)
	}
	if err != nil {
		return Result{}, fmt.Errorf("dispatch: %w", err)
	}
	return p.result(r), nil
}

// wholly reports whether every SI is simulated. Without scatter and with nodes that are alike, one group of each level
// is enough.
func (c Config) wholly() bool { return c.Work.Scatter > 0 || c.Machine.unequal() }

// Validate returns the error that [Run] returns for the configuration.
func (c Config) Validate() error {
	if err := c.validate(); err != nil {
		return fmt.Errorf("dispatch: %w", err)
	}
	return nil
}

func (c Config) validate() error {
	err := c.Machine.validate()
	if !amount(float64(c.Work.Time)) {
		err = errors.Join(err, fmt.Errorf("work.Time is %v; expected a time from 0 to 1e100 s", c.Work.Time))
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

func product(counts []int) float64 {
	p := 1.0
	for _, n := range counts {
		p *= float64(n)
	}
	return p
}

// Result is what Run found.
type Result struct {
	Makespan units.Seconds // when the last result of level 1 was back
	// Work is the sum of the times of all SIs of the last level at speed 1: what one
	// processor needs without IDU and network.
	Work   units.Seconds
	Levels []LevelResult // by level, outermost first

	speedup float64
}

// Speedup returns Work/Makespan, the speedup over one processor without IDU and network; NaN if there is nothing to do.
// It is the same to the last bit in every unit of time, unlike the quotient of the rounded times.
func (r Result) Speedup() float64 { return r.speedup }

// LevelResult sums up all groups of a level.
type LevelResult struct {
	Executed int64 // SIs
	// Busy is the time in which SIs were executed, summed over all nodes of the level; Idle is the rest: Makespan times
	// nodes - Busy. A node that is a group is busy even while its own nodes wait.
	Busy, Idle units.Seconds
	// Transfer is the time that SIs spent between the IDU and their nodes, both ways, including waits for interfaces,
	// summed over SIs.
	Transfer units.Seconds
	// DispatchWait is the time that free places waited for an SI that they got:
	// for their turn and for Dispatch. Summed over SIs.
	DispatchWait units.Seconds
	// Utilization is the share of the time of all processors, the nodes of the last level, in which the node of this
	// level that they are in executes SIs; 0 if the program takes no time.
	Utilization float64
	Lost        Lost
}

// Lost is what a level loses, by cause: the time in which its nodes execute nothing although their group has a
// super-program, as a share of the time of all processors. The losses of all levels and the utilization of the last
// add up to 1.
type Lost struct {
	Transfer float64 // the SI that the node waits for, or the place for it, is between IDU and node
	Dispatch float64 // a free place of the node waits for its turn or for Dispatch
	End      float64 // no SI is left for the node
}
