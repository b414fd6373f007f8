package isoscale

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"runtime/debug"
	"sync"
)

// Study computes f of every point, on all cores, and yields the results in the order of
// the points as soon as they are known. An error or panic of f concerns only its point;
// the others go on. If the loop or ctx ends early, running calls are cancelled.
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
						o.result, o.err = guarded(func() (R, error) { return f(ctx, points[i]) })
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

// guarded calls f and returns a panic of f as an error with its stack.
func guarded[R any](f func() (R, error)) (result R, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case error:
			err = fmt.Errorf("panic in the function of the study: %w\n%s", p, debug.Stack())
		default:
			err = fmt.Errorf("panic in the function of the study: %v\n%s", p, debug.Stack())
		}
	}()
	return f()
}
