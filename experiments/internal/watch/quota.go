package watch

import (
	"context"
	"fmt"

	"github.com/isoscale/isoscale/sim"
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

// Err returns an error if there was too much.
func (q *Quota) Err() error {
	if q == nil || q.told <= quota {
		return nil
	}
	return fmt.Errorf("timeline: the run has more than %d spans and messages; expected far fewer: simulate fewer ranks or rounds", quota)
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
