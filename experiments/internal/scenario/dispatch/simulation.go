package dispatch

import (
	"context"
	"math"

	"github.com/isoscale/isoscale/internal/heap"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/meter"
)

// program is a super-program on a machine with times in ticks, ready to be
// simulated.
type program struct {
	machine Machine
	ticks   ticks
	shared  []levelInTicks // by depth
	work    Work
	leaf    exact // time of an SI of the last level, before scatter
}

// outcome is what a simulation found, in ticks.
type outcome struct {
	makespan exact
	totals   []totals // by depth
}

// totals sums up all groups of a level.
type totals struct {
	executed                     int64
	busy, transfer, dispatchWait exact
	work                         exact // of its SIs, at speed 1; only for the last level

	// Times of nodes, each times its processors: executing SIs, and idle.
	used, lostToTransfer, lostToDispatch exact
}

func (t totals) times(n int) totals {
	k := exactInt(n)
	return totals{
		t.executed * int64(n), t.busy.times(k), t.transfer.times(k), t.dispatchWait.times(k),
		t.work.times(k),
		t.used.times(k), t.lostToTransfer.times(k), t.lostToDispatch.times(k),
	}
}

func prepare(m Machine, w Work) *program {
	p := &program{machine: m, work: w}
	all := []float64{float64(w.Time)}
	for _, l := range m {
		all = append(all, float64(l.Dispatch), float64(l.Latency), l.alone(l.Operands), l.alone(l.Results))
	}
	p.ticks = newTicks(all...)
	p.leaf = p.ticks.of(float64(w.Time))
	for i, l := range m {
		p.shared = append(p.shared, levelInTicks{
			Level: l, count: w.SIs[i],
			dispatch: p.ticks.of(float64(l.Dispatch)), latency: p.ticks.of(float64(l.Latency)),
			operands: p.transferTimes(l, l.Operands), results: p.transferTimes(l, l.Results),
		})
	}
	return p
}

// alone is the time of a transfer without contention, in seconds.
func (l Level) alone(size units.Bytes) float64 {
	return float64(size) / float64(min(l.Bandwidth, l.Trunk))
}

// transferTimes returns the times of a transfer of some bytes.
func (p *program) transferTimes(l Level, size units.Bytes) transferTimes {
	return transferTimes{
		alone:       p.ticks.of(l.alone(size)),
		byInterface: p.ticks.of(float64(size) / float64(l.Bandwidth)),
		byTrunk:     p.ticks.of(float64(size) / float64(l.Trunk)),
	}
}

// result converts an outcome to seconds.
func (p *program) result(o outcome) Result {
	r := Result{Makespan: p.ticks.seconds(o.makespan)}
	all := o.makespan.times(exactInt(p.machine.nodesOf(0)))
	present := all // processor time in which the groups of a level have super-programs
	for i, t := range o.totals {
		available := o.makespan.times(exactInt(p.machine[:i+1].nodesOf(0)))
		r.Levels = append(r.Levels, LevelResult{
			Executed:     t.executed,
			Busy:         p.ticks.seconds(t.busy),
			Idle:         p.ticks.seconds(available.minus(t.busy)),
			Transfer:     p.ticks.seconds(t.transfer),
			DispatchWait: p.ticks.seconds(t.dispatchWait),
			Utilization:  share(t.used, all),
			Lost:         t.lost(present, all),
		})
		present = t.used
	}
	work := o.totals[len(o.totals)-1].work
	r.Work = p.ticks.seconds(work)
	r.speedup = math.NaN()
	if !o.makespan.zero() {
		r.speedup = work.times(o.makespan.inverse()).hi
	}
	return r
}

// simulation is one run of a program.
type simulation struct {
	*program
	ctx         context.Context
	meter       *meter.Meter
	now         exact
	agenda      heap.Heap[turn] // the next one first
	totals      []totals
	reciprocals []exact // 1/n by n, as far as computed
}

// simulate executes the whole program.
func (p *program) simulate(ctx context.Context) (outcome, error) {
	s := &simulation{program: p, ctx: ctx, meter: meter.From(ctx), agenda: heap.By((*turn).before), totals: make([]totals, len(p.shared))}
	s.newGroup(0, 0, exactInt(1)).start(0, nil)
	for s.agenda.Len() > 0 {
		next := s.agenda.Pop()
		if next.obsolete() {
			continue
		}
		s.now = next.at
		next.place.proceed()
	}
	return outcome{s.now, s.totals}, ctx.Err()
}

// reduce simulates one super-program of each level, innermost first. Its makespan is the time of an SI of the level
// above; its sums are multiplied by the number of its executions.
func (p *program) reduce(ctx context.Context) (outcome, error) {
	all := outcome{makespan: p.leaf, totals: make([]totals, len(p.shared))}
	for i := len(p.shared) - 1; i >= 0; i-- {
		one := &program{machine: p.machine[i:], ticks: p.ticks, shared: p.shared[i : i+1], work: p.work, leaf: all.makespan}
		o, err := one.simulate(ctx)
		if err != nil {
			return outcome{}, err
		}
		all.makespan, all.totals[i] = o.makespan, o.totals[0]
		for _, above := range p.shared[:i] {
			all.totals[i] = all.totals[i].times(above.count)
		}
	}
	return all, nil
}

// time returns the time of an SI of the last level.
func (s *simulation) time(si uint64) exact {
	if s.work.Scatter == 0 {
		return s.leaf
	}
	return s.leaf.times(exactFloat(s.work.factor(si)))
}

// turn is the next event of a place.
type turn struct {
	at    exact
	depth int    // of the place's level, from 0
	si    uint64 // the SI that the place holds, numbered among all of its level
	place *place
	// For the end of a transfer on a trunk: the trunk, and the number of its forecast. The turn counts only if the
	// trunk has made no later forecast.
	trunk    *trunk
	forecast int
}

// obsolete reports whether transfers that began or ended after the forecast have changed when the transfer ends.
func (t *turn) obsolete() bool { return t.trunk != nil && t.forecast != t.trunk.forecast }

// before orders turns: by time; at one instant the innermost level first, so that
// a super-program is over before the level above goes on; within a level by the
// numbers of the SIs.
func (a *turn) before(b *turn) bool {
	switch c := a.at.compare(b.at); {
	case c != 0:
		return c < 0
	case a.depth != b.depth:
		return a.depth > b.depth
	}
	return a.si < b.si
}
