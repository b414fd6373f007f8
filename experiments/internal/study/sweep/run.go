package sweep

import (
	"context"
	"errors"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// Run computes all missing shards on this computer with jobs workers, each of which
// computes one shard at a time; a search has one shard, whose batches they share.
// progress, if not nil, is told how many points of all
// have a row: first before any work, then after each batch of rows, and never twice
// at once. After an error the other workers stop too, and keep their rows; but
// after a [*PointError] they compute the remaining shards.
func (s *Study) Run(ctx context.Context, jobs int, progress func(done, total int)) error {
	if err := s.Dir.Resumable(input.Version); err != nil {
		return err
	}
	missing, err := s.Dir.Missing()
	if err != nil {
		return err
	}
	plan := s.Dir.Plan()
	done := plan.Points
	for _, shard := range missing {
		done -= plan.PointsOf(shard)
	}
	if progress == nil {
		progress = func(int, int) {}
	}
	progress(done, plan.Points)
	within := 1 // points of a shard at a time
	if s.Search != nil {
		within = jobs // of its only shard
	}
	var mu sync.Mutex // guards done, failure and progress
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var failure error
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(jobs, len(missing)) {
		wg.Go(func() {
			for shard := range next {
				err := s.Shard(ctx, shard, within, func(points int) {
					mu.Lock()
					defer mu.Unlock()
					done += points
					progress(done, plan.Points)
				})
				if err == nil {
					continue
				}
				mu.Lock()
				if failure == nil {
					failure = err
				}
				mu.Unlock()
				// A point that is too large for this computer stops its shard only.
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
