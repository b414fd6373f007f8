package efficiencies

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/pool"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/sim"
)

// Runs are those of a case on networks that are changed, each of which is made once. Results have their ranks.
type Runs struct {
	jobs int // at a time; as many as there are cores if 0
	on   func(cluster.Change) (*sim.Result, error)
	done map[cluster.Change]*sim.Result
}

// NewRuns returns runs that a function makes, so many at a time, as many as there are cores if jobs is 0.
func NewRuns(jobs int, on func(cluster.Change) (*sim.Result, error)) *Runs {
	return &Runs{jobs: jobs, on: on, done: map[cluster.Change]*sim.Result{}}
}

// Made is how many runs were made.
func (r *Runs) Made() int { return len(r.done) }

// On returns the runs on these networks.
func (r *Runs) On(changes []cluster.Change) ([]*sim.Result, error) {
	if err := r.make(changes, nil); err != nil {
		return nil, err
	}
	var all []*sim.Result
	for _, c := range changes {
		all = append(all, r.done[c])
	}
	return all, nil
}

// Beside makes the run of the case as it is and, at the same time, those that its efficiencies need where messages share
// links, for which the engine uses one core.
func (r *Runs) Beside(run func() error) error {
	return r.make(needed(true), run)
}

// make makes the runs that are missing, and a first one if it is not nil, whose error prevails.
func (r *Runs) make(changes []cluster.Change, first func() error) (err error) {
	missing := slices.DeleteFunc(slices.Clone(changes), func(c cluster.Change) bool { return r.done[c] != nil })
	results := make([]*sim.Result, len(missing)+1)
	n := len(missing)
	if first != nil {
		n++
	}
	failed := pool.Each(n, r.jobs, func(i int) (failed error) {
		if i == len(missing) {
			err = first()
			return err
		}
		results[i], failed = r.on(missing[i])
		return failed
	}, nil)
	if err != nil {
		return err
	}
	for i, c := range missing {
		if results[i] != nil {
			r.done[c] = results[i]
		}
	}
	return failed
}
