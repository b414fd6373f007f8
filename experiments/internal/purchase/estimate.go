package purchase

import "time"

// An estimate says which share of the computing for a list of simulations is done. A
// simulation is taken to cost as much for a process as those of its workload that are
// done, on average, and as all of them if there are none. It is for showing progress:
// no result depends on it.
type estimate struct {
	list      []simulation
	workloads []effort // by workload
}

// effort is what is known of the simulations of a workload.
type effort struct {
	took       time.Duration // by those that are done
	done, left int           // processes of those that are done, and of the others
}

func newEstimate(list []simulation) *estimate {
	e := &estimate{list: list}
	for _, x := range list {
		for len(e.workloads) <= x.workload {
			e.workloads = append(e.workloads, effort{})
		}
		e.workloads[x.workload].left += x.processes()
	}
	return e
}

// done notes that simulation i took so long.
func (e *estimate) done(i int, took time.Duration) {
	w, n := &e.workloads[e.list[i].workload], e.list[i].processes()
	w.took += took
	w.done += n
	w.left -= n
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
		left += like.took.Seconds() / float64(like.done) * float64(w.left)
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
