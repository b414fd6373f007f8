package sweep

import (
	"context"
	"errors"
	"sync"

	"github.com/isoscale/isoscale/experiments/input"
)

// Progress is how far a study has come.
type Progress struct {
	Done, Total int // points that have a row; all
	Begun       int // of Done, those that had one when this call began
}

// Run computes all shards that are missing on this computer, each by one of so
// many workers. progress, if not nil, is called now and then, never twice at
// once. After an error the other workers stop too, and their rows stay; but after a
// [*PointError] they do what else there is to do.
func (s *Study) Run(ctx context.Context, jobs int, progress func(Progress)) error {
	if err := s.Dir.Resumable(input.Version); err != nil {
		return err
	}
	missing, err := s.Dir.Missing()
	if err != nil {
		return err
	}
	plan := s.Dir.Plan()
	p := Progress{Done: plan.Points, Total: plan.Points}
	for _, shard := range missing {
		p.Done -= plan.PointsOf(shard)
	}
	p.Begun = p.Done
	var mu sync.Mutex // guards p, failure and progress
	if progress != nil {
		progress(p)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var failure error
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(jobs, len(missing)) {
		wg.Go(func() {
			for shard := range next {
				done := func(points int) {
					mu.Lock()
					defer mu.Unlock()
					p.Done += points
					if progress != nil {
						progress(p)
					}
				}
				err := s.Shard(ctx, shard, 1, done)
				if err == nil {
					continue
				}
				mu.Lock()
				if failure == nil {
					failure = err
				}
				mu.Unlock()
				// A point that is too large for this computer holds up its shard only.
				if point := (*PointError)(nil); !errors.As(err, &point) {
					cancel()
					return
				}
			}
		})
	}
deal:
	for _, shard := range missing {
		select {
		case next <- shard:
		case <-ctx.Done():
			break deal
		}
	}
	close(next)
	wg.Wait()
	if failure == nil {
		return ctx.Err()
	}
	return failure
}
