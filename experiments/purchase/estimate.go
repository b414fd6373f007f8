package purchase

import "time"

// An estimate says which share of the computing for a list of simulations is done. A
// simulation is taken to cost as much for a process as those of its workload that are
// done, on average, and as all of them if there are none. It is for showing progress:
// no result depends on it.
type estimate struct {
	list  []simulation
	ended []bool
	time  map[int]time.Duration // of those that are done, by workload
	size  map[int]int           // their processes
}

func newEstimate(list []simulation) *estimate {
	return &estimate{list: list, ended: make([]bool, len(list)), time: map[int]time.Duration{}, size: map[int]int{}}
}

// done notes that simulation i took so long.
func (e *estimate) done(i int, took time.Duration) {
	w := e.list[i].workload
	e.ended[i] = true
	e.time[w] += took
	e.size[w] += e.list[i].processes()
}

// share returns the share that is done, 0 if nothing is.
func (e *estimate) share() float64 {
	var spent, size float64
	for w := range e.time {
		spent += e.time[w].Seconds()
		size += float64(e.size[w])
	}
	if spent == 0 {
		return 0
	}
	left := 0.0
	for i, x := range e.list {
		if e.ended[i] {
			continue
		}
		cost := spent / size
		if n := e.size[x.workload]; n > 0 {
			cost = e.time[x.workload].Seconds() / float64(n)
		}
		left += float64(cost * float64(x.processes()))
	}
	return spent / (spent + left)
}

// processes returns the number of processes of a simulation.
func (x simulation) processes() int {
	n := 0
	for t, count := range x.plan.parts(x.choice) {
		n += count * x.plan.Nodes[t].Processes
	}
	return n
}
