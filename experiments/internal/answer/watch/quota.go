package watch

import (
	"context"
	"fmt"

	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
)

// Quota stops a run that tells its observer far more than a timeline may have: so much
// more that to count the rest would take longer than a reader waits for a refusal. It
// is a [sim.Observer].
type Quota struct {
	told int
	stop context.CancelFunc
}

// quota is ten times what a timeline may have: a second or two of simulation.
const quota = 10_000_000

var _ sim.Observer = (*Quota)(nil)

// NewQuota returns an observer that calls stop when there was too much.
func NewQuota(stop context.CancelFunc) *Quota { return &Quota{stop: stop} }

// Refusal returns why a run has no timeline although it was to be recorded, nil if it has
// one, or none was asked for: then both are nil.
func (q *Quota) Refusal(t *observe.Timeline) error {
	if t == nil {
		return nil
	}
	if q.told > quota {
		return fmt.Errorf("timeline: the run has more than %d spans and messages; expected far fewer: simulate fewer ranks or rounds", quota)
	}
	return t.Err()
}

func (q *Quota) tell() {
	if q.told++; q.told == quota+1 {
		q.stop()
	}
}

func (q *Quota) Span(sim.Span) { q.tell() }
func (q *Quota) Sent(sim.Sent) { q.tell() }

// Received implements sim.Observer; it does nothing.
func (q *Quota) Received(sim.Received) {}
