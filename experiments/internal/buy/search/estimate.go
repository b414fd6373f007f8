package search

import (
	"time"
)

// An estimate says which share of the computing for a plan is done, from what is known of the simulations of
// each workload. A simulation is taken to cost as much for a process as those of its workload that are done,
// on average, and as all of them if there are none. It is for showing progress: no result depends on it.
type estimate []effort

type effort struct {
	took  time.Duration // by those that are done
	done  int           // processes of these
	begun int           // processes of those in hand
}

// begin takes simulations into hand.
func (e estimate) begin(list []pending) {
	for _, x := range list {
		w, n := &e[x.workload], x.processes()
		w.begun += n
	}
}

// done notes that a simulation has been carried out.
func (e estimate) done(x pending) {
	w, n := &e[x.workload], x.processes()
	w.took += x.took
	w.done += n
	w.begun -= n
}

// share returns the share that is done, 0 if nothing is.
func (e estimate) share() float64 {
	var all effort
	for _, w := range e {
		all.took += w.took
		all.done += w.done
	}
	if all.took == 0 {
		return 0
	}
	left := 0.0
	for _, w := range e {
		like := w
		if w.done == 0 {
			like = all
		}
		left += like.took.Seconds() / float64(like.done) * float64(w.begun)
	}
	spent := all.took.Seconds()
	return spent / (spent + left)
}
