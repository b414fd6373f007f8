package search

import (
	"maps"
	"slices"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// An estimate says which share of the computing for a plan is done. A simulation is taken
// to cost as much for a process as those of its workload that are done, on average, and as
// all of them if there are none. It is for showing progress: no result depends on it.
type estimate struct {
	workloads []effort // by workload
}

// effort is what is known of the simulations of a workload.
type effort struct {
	took  time.Duration // by those that are done
	done  int           // processes of these
	begun int           // processes of those in hand
	later int           // processes of those that are still expected, at most
}

func (e *estimate) of(workload int) *effort {
	for len(e.workloads) <= workload {
		e.workloads = append(e.workloads, effort{})
	}
	return &e.workloads[workload]
}

// expect says what is still to come, in place of what was expected before.
func (e *estimate) expect(o outlook) {
	for w := range e.workloads {
		e.workloads[w].later = 0
	}
	for w, processes := range o.processes {
		e.of(w).later = processes
	}
}

// begin takes simulations into hand.
func (e *estimate) begin(list []simulation) {
	for _, x := range list {
		w, n := e.of(x.workload), x.processes()
		w.begun += n
		w.later = max(0, w.later-n)
	}
}

// done notes that a simulation took so long.
func (e *estimate) done(x simulation, took time.Duration) {
	w, n := e.of(x.workload), x.processes()
	w.took += took
	w.done += n
	w.begun -= n
}

// share returns the share that is done, 0 if nothing is.
func (e *estimate) share() float64 {
	var all effort
	for _, w := range e.workloads {
		all.took += w.took
		all.done += w.done
	}
	if all.took == 0 {
		return 0
	}
	left := 0.0
	for _, w := range e.workloads {
		like := w
		if w.done == 0 {
			like = all
		}
		left += like.took.Seconds() / float64(like.done) * float64(w.begun+w.later)
	}
	spent := all.took.Seconds()
	return spent / (spent + left)
}

// processes returns the number of processes of a simulation.
func (x simulation) processes() int {
	n := 0
	for t, count := range x.parts() {
		n += count * x.plan.Nodes[t].Processes
	}
	return n
}

// An outlook is what a part of a plan simulates at most: searches for the best number of
// nodes of a run may end early, machines may be left out, and simulations that do not depend
// on a changed figure are not repeated.
type outlook struct {
	simulations int
	processes   map[int]int // by workload
}

func (o *outlook) add(x simulation, times int) {
	o.simulations += times
	o.processes[x.workload] += times * x.processes()
}

// and returns the sum of two parts.
func (o outlook) and(other outlook) outlook {
	sum := outlook{o.simulations + other.simulations, maps.Clone(o.processes)}
	for w, processes := range other.processes {
		sum.processes[w] += processes
	}
	return sum
}

// outlook returns what the ranking of some choices simulates, and what the tests of
// robustness do: each run of the largest machine of each design with each figure that its
// time depends on, lower and higher.
func (s *solver) outlook(choices []model.Choice) (ranking, robust outlook) {
	ranking.processes, robust.processes = map[int]int{}, map[int]int{}
	s.eachRun(choices, func(x simulation) { ranking.add(x, 1) })
	var largest []model.Choice
	for _, c := range choices {
		i := slices.IndexFunc(largest, func(x model.Choice) bool { return x.Design().Equal(c.Design()) })
		switch {
		case i < 0:
			largest = append(largest, c)
		case s.Speed(c) > s.Speed(largest[i]):
			largest[i] = c
		}
	}
	parameters := s.parameters(choices)
	s.eachRun(largest, func(x simulation) {
		for _, figure := range parameters {
			if x.dependsOn(figure) {
				robust.add(x, 2)
			}
		}
	})
	return ranking, robust
}

// missing returns what has not been simulated yet of all ways to run all workloads.
func (s *simulator) missing(list []variant) outlook {
	o := outlook{processes: map[int]int{}}
	seen := map[string]bool{}
	for _, v := range list {
		for w := range v.plan.Workloads {
			for _, x := range runs(v.plan, v.choice, w) {
				key := x.key()
				if _, done := s.done[key]; !done && !seen[key] {
					seen[key] = true
					o.add(x, 1)
				}
			}
		}
	}
	return o
}

// eachRun visits each way to run each workload on some choices, once for those that are
// alike. A run on one node has no network.
func (s *solver) eachRun(choices []model.Choice, visit func(simulation)) {
	type run struct {
		workload, network int
		on                model.Way
	}
	seen := map[run]bool{}
	for _, c := range choices {
		for w := range s.Workloads {
			for _, x := range runs(s.Plan, c, w) {
				key := run{w, c.Network, x.on}
				if x.on.Nodes == 1 {
					key.network = -1
				}
				if x.on.Whole() || !seen[key] {
					seen[key] = true
					visit(x)
				}
			}
		}
	}
}

// runs returns all ways to run a workload on a choice.
func runs(p *model.Plan, c model.Choice, w int) []simulation {
	x := &p.Workloads[w]
	if x.On.All {
		return []simulation{{plan: p, choice: c, workload: w}}
	}
	var all []simulation
	for t, count := range p.Parts(c) {
		if count > 0 && x.RunsOn(&p.Nodes[t]) {
			for _, n := range x.On.UpTo(count) {
				all = append(all, simulation{p, c, w, model.Way{Node: t, Nodes: n}})
			}
		}
	}
	return all
}

// dependsOn reports whether the time of a run may depend on a figure.
func (x simulation) dependsOn(figure model.Parameter) bool {
	switch {
	case !figure.ChangesTimes():
		return false
	case figure.Kind == model.KindNode:
		return x.parts()[figure.Index] > 0
	case figure.Kind == model.KindNetwork:
		return x.on.Nodes != 1 && x.choice.Network == figure.Index
	}
	return true
}
