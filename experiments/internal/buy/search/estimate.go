package search

import (
	"time"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// An estimate says which share of the computing for a plan is done, from what is known of the simulations of
// each workload. A simulation is taken to cost as much for a process as those of its workload that are done,
// on average, and as all of them if there are none. It is for showing progress: no result depends on it.
type estimate []effort

type effort struct {
	took  time.Duration // by those that are done
	done  int           // processes of these
	begun int           // processes of those in hand
	later int           // processes of those that are still expected, at most
}

// expect says what is still to come, in place of what was expected before.
func (e estimate) expect(list []simulation) {
	for w := range e {
		e[w].later = 0
	}
	for _, x := range list {
		e[x.workload].later += x.processes()
	}
}

// begin takes simulations into hand.
func (e estimate) begin(list []pending) {
	for _, x := range list {
		w, n := &e[x.workload], x.processes()
		w.begun += n
		w.later = max(0, w.later-n)
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
		left += like.took.Seconds() / float64(like.done) * float64(w.begun+w.later)
	}
	spent := all.took.Seconds()
	return spent / (spent + left)
}

// outlook returns what the ranking of some choices simulates at most, and what the tests of robustness do:
// each run of the largest machine of each design with each figure that its time depends on, lower and higher.
// Searches for the best number of nodes of a run may end early, machines may be left out, and simulations
// that do not depend on a changed figure are not repeated.
func (s *solver) outlook(choices []model.Choice) (ranking, robust []simulation) {
	var largest []model.Choice
	for _, i := range bestOfDesigns(choices, func(i int) float64 { return -s.Speed(choices[i]) }) {
		largest = append(largest, choices[i])
	}
	parameters := s.parameters(choices)
	for _, x := range s.distinct(largest) {
		for _, figure := range parameters {
			if x.dependsOn(figure) {
				robust = append(robust, x, x)
			}
		}
	}
	return s.distinct(choices), robust
}

// A runKey is what runs on some nodes of a type have in common, of many machines.
type runKey struct {
	workload, network int
	on                model.Way
}

// distinct returns the ways to run each workload on some choices, once those that are
// alike. A run on one node has no network.
func (s *solver) distinct(choices []model.Choice) (all []simulation) {
	seen := map[runKey]bool{}
	for _, c := range choices {
		for w := range s.Workloads {
			for _, x := range runs(s.Plan, c, w) {
				key := runKey{w, c.Network, x.on}
				if x.on.Nodes == 1 {
					key.network = -1
				}
				if x.on.Whole() || !seen[key] {
					seen[key] = true
					all = append(all, x)
				}
			}
		}
	}
	return all
}
