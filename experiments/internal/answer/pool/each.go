package pool

import (
	"runtime"
	"sync"
)

// Each does n pieces of work, at most jobs of them at a time, or as many as there are cores if jobs
// is 0. It begins with the last one, because later ones are usually larger. It does all of them even
// if some fail, and returns the error of the lowest i. done, if not nil, is called after each piece
// that succeeds, with the number finished so far; its calls never overlap.
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
