package system

import (
	"context"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// TimeUse says where the time of a run goes: fractions of the makespan, means over the
// processes, which add up to 1. A process that never computes only waits to begin.
type TimeUse struct {
	Before  float64 // until the process computes for the first time: its data are distributed
	Compute float64
	Between float64 // from the first computation to the last, not computing: messages and waiting
	After   float64 // from its last computation to the end of the run: results are collected

	Sender int     // the process that sends most bytes, the first of them
	Sent   float64 // its fraction of all bytes sent; 0 without messages
}

// TimeUse simulates the workload at problem size n and says where its time goes.
func (s *System) TimeUse(ctx context.Context, n int) (*TimeUse, *Simulation, error) {
	watched, u := *s, &use{processes: make([]processUse, len(s.Speeds))}
	watched.Observer = u
	x, err := watched.Simulate(ctx, n)
	if err != nil {
		return nil, nil, err
	}
	return u.summary(x.Makespan), x, nil
}

// use records what TimeUse is made of. Memory: 32 bytes for each process.
type use struct{ processes []processUse }

type processUse struct {
	first, last, compute units.Seconds // first and last are of computations
	sent                 units.Bytes
}

var _ sim.Observer = (*use)(nil)

// Span implements sim.Observer.
func (u *use) Span(s sim.Span) {
	if s.Part != sim.PartCompute {
		return
	}
	x := &u.processes[s.Rank]
	if x.compute == 0 {
		x.first = s.From
	}
	x.last = s.To
	x.compute += s.To - s.From
}

// Sent implements sim.Observer.
func (u *use) Sent(s sim.Sent) {
	u.processes[s.Rank].sent += s.Size
}

// Received implements sim.Observer; it does nothing.
func (u *use) Received(sim.Received) {}

func (u *use) summary(makespan units.Seconds) *TimeUse {
	t := &TimeUse{}
	var all units.Bytes
	whole := float64(makespan) * float64(len(u.processes))
	for i, x := range u.processes {
		if x.compute == 0 {
			x.first, x.last = makespan, makespan
		}
		t.Before += float64(x.first) / whole
		t.Compute += float64(x.compute) / whole
		t.Between += float64(x.last-x.first-x.compute) / whole
		t.After += float64(makespan-x.last) / whole
		if all += x.sent; x.sent > u.processes[t.Sender].sent {
			t.Sender = i
		}
	}
	if all > 0 {
		t.Sent = float64(u.processes[t.Sender].sent) / float64(all)
	}
	return t
}
