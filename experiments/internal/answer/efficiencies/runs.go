package efficiencies

import (
	"context"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/pool"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/sim"
)

// Runs are the runs of a case on changed networks, each made only once. Results have their ranks.
type Runs struct {
	jobs int // at the same time; 0: as many as there are cores
	on   func(context.Context, cluster.Change) (*sim.Result, error)
	done map[cluster.Change]*sim.Result
}

// NewRuns returns runs that on makes, jobs of them at the same time, or as many as there are cores if jobs is 0.
func NewRuns(jobs int, on func(context.Context, cluster.Change) (*sim.Result, error)) *Runs {
	return &Runs{jobs: jobs, on: on, done: map[cluster.Change]*sim.Result{}}
}

// Made is the number of runs made so far.
func (r *Runs) Made() int { return len(r.done) }

// On returns the runs on networks with these changes.
func (r *Runs) On(ctx context.Context, changes []cluster.Change) ([]*sim.Result, error) {
	if err := r.make(ctx, changes, nil); err != nil {
		return nil, err
	}
	return each.Append(nil, changes, func(c cluster.Change) *sim.Result { return r.done[c] }), nil
}

// Beside makes the run of the case as it is and, at the same time, those that its efficiencies need. It is for messages
// that share links: then the engine uses only one core.
func (r *Runs) Beside(ctx context.Context, run func() error) error {
	return r.make(ctx, needed(true), run)
}

// make makes the runs that are missing and, if own is not nil, that of the case itself, whose error prevails.
func (r *Runs) make(ctx context.Context, changes []cluster.Change, own func() error) error {
	missing := slices.DeleteFunc(slices.Clone(changes), func(c cluster.Change) bool { return r.done[c] != nil })
	made := make([]*sim.Result, len(missing))
	n := len(missing)
	if own != nil {
		n++ // as the last, because the pool begins with the last
	}
	var ownErr error
	err := pool.Each(n, r.jobs, func(i int) (err error) {
		if i == len(missing) {
			ownErr = own()
			return ownErr
		}
		made[i], err = r.on(ctx, missing[i])
		return err
	}, nil)
	for i, c := range missing {
		if made[i] != nil {
			r.done[c] = made[i]
		}
	}
	if ownErr == nil && err != nil {
		return fmt.Errorf("the run on a better network: %w", err)
	}
	return ownErr
}
