package rankorder

import (
	"context"
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
)

// MostPairs bounds the memory of an order, which takes some 200 bytes for a pair of ranks.
const MostPairs = 1 << 21

// pairsWithin is a matrix of messages that stops the run when it has too many pairs.
type pairsWithin struct {
	observe.Matrix
	most int
	stop func()
}

func (m *pairsWithin) Sent(x sim.Sent) {
	if m.Matrix.Sent(x); m.Pairs() > m.most {
		m.stop()
	}
}

// Traffic returns who sends how much to whom in a run that takes an observer.
func Traffic(ctx context.Context, run func(ctx context.Context, o sim.Observer) error) ([]observe.Traffic, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	m := &pairsWithin{most: MostPairs, stop: stop}
	err := run(ctx, m)
	if m.Pairs() > MostPairs {
		return nil, fault.Errorf("rank order greedy: more than %d pairs of processes communicate; expected fewer processes, or another order", MostPairs)
	}
	if _, stuck := errors.AsType[*sim.DeadlockError](err); stuck {
		err = fmt.Errorf("rank order greedy, on a network without costs: %w", err)
	}
	return m.Traffic(), err
}
