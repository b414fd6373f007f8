package sweep

import (
	"context"
	"errors"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/experiments/internal/store"
)

// Shard computes the points of a shard that have no row yet, so many at a time,
// and commits it. done, if not nil, is called with the number of points that have
// got a row since it was last called, those of earlier attempts first. A shard
// that is complete costs nothing.
//
// When ctx is cancelled the rows that are there stay for the next attempt.
func (s *Study) Shard(ctx context.Context, shard, jobs int, done func(points int)) error {
	if err := s.Dir.Resumable(input.Version); err != nil {
		return err
	}
	a, err := s.Dir.Begin(shard)
	if errors.Is(err, store.ErrComplete) {
		return nil
	}
	if err != nil {
		return err
	}
	report := func(n int) {
		if done != nil && n > 0 {
			done(n)
		}
	}
	report(a.Adopted())
	if jobs > 1 {
		err = s.together(ctx, a, jobs, report)
	} else {
		err = s.alone(ctx, a, report)
	}
	if err != nil {
		_ = a.Close() // what it says it has said before
		return err
	}
	return a.Commit()
}

// alone computes one point after the other.
func (s *Study) alone(ctx context.Context, a *store.Attempt, report func(int)) error {
	for {
		point, ok := a.Next()
		if !ok {
			return nil
		}
		cells, took, err := s.evaluate(ctx, point)
		if err != nil {
			return err
		}
		if err := a.Put(cells, took); err != nil {
			return err
		}
		report(1)
	}
}

// outcome is the row of a point, or why there is none.
type outcome struct {
	cells []string
	took  time.Duration
	err   error
}

// together computes points side by side and puts their rows in order. At most
// twice as many points as jobs are under way or wait for their turn.
func (s *Study) together(ctx context.Context, a *store.Attempt, jobs int, report func(int)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	first, ok := a.Next()
	if !ok {
		return nil
	}
	turns := make(chan chan outcome, jobs)
	free := make(chan struct{}, jobs)
	go func() {
		defer close(turns)
		for point := first; point < s.Dir.Plan().Points; point += s.Dir.Plan().Shards {
			turn := make(chan outcome, 1)
			select {
			case turns <- turn:
			case <-ctx.Done():
				return
			}
			free <- struct{}{}
			go func() {
				defer func() { <-free }()
				var o outcome
				o.cells, o.took, o.err = s.evaluate(ctx, point)
				turn <- o
			}()
		}
	}()
	for turn := range turns {
		o := <-turn
		if _, ok := a.Next(); !ok {
			return nil // another attempt has completed the shard
		}
		if o.err == nil {
			o.err = a.Put(o.cells, o.took)
		}
		if o.err != nil {
			return o.err
		}
		report(1)
	}
	return ctx.Err()
}
