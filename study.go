package isoscale

import (
	"context"
	"iter"
	"runtime"
	"sync"
)

// Study computes f of every point, on all cores, and yields the results in the
// order of the points as soon as they are known. An error of f belongs to its
// point; the others go on. If the loop ends early, or ctx does, what runs is
// cancelled.
func Study[P, R any](ctx context.Context, points []P, f func(ctx context.Context, p P) (R, error)) iter.Seq2[R, error] {
	type outcome struct {
		result R
		err    error
	}
	return func(yield func(R, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		var workers sync.WaitGroup
		defer workers.Wait()
		defer stop()
		outcomes := make([]chan outcome, len(points))
		for i := range outcomes {
			outcomes[i] = make(chan outcome, 1)
		}
		next := make(chan int, len(points))
		for i := range points {
			next <- i
		}
		close(next)
		for range min(runtime.GOMAXPROCS(0), len(points)) {
			workers.Go(func() {
				for i := range next {
					var o outcome
					if o.err = ctx.Err(); o.err == nil {
						o.result, o.err = f(ctx, points[i])
					}
					outcomes[i] <- o
				}
			})
		}
		for _, c := range outcomes {
			if o := <-c; !yield(o.result, o.err) {
				return
			}
		}
	}
}
