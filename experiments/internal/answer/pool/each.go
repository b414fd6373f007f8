package pool

import (
	"runtime"
	"sync"
)

// Each does n pieces of work, at most jobs of them at a time, or as many as there are cores if jobs
// is 0. The last ones are begun first: they are usually the largest. It does all of them whatever
// fails, and returns the error of the first that failed. done, if not nil, is told each piece that
// has succeeded and how many that makes, and never twice at once.
func Each(n, jobs int, work func(i int) error, done func(finished, i int)) error {
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	errs := make([]error, n)
	next := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex // guards finished and done
	finished := 0
	for range min(jobs, n) {
		wg.Go(func() {
			for i := range next {
				if errs[i] = work(i); errs[i] != nil {
					continue
				}
				mu.Lock()
				if finished++; done != nil {
					done(finished, i)
				}
				mu.Unlock()
			}
		})
	}
	for i := n - 1; i >= 0; i-- {
		next <- i
	}
	close(next)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
