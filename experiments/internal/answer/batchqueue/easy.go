package batchqueue

import "github.com/isoscale/isoscale/model/units"

// easy is first come, first served with a reservation for the head of the queue.
type easy struct {
	*machine
	head, tail int32    // jobs before head have started, those from tail on have not been submitted
	releases   releases // of the running jobs, as expected
	backlog    *backlog // the waiting jobs
}

func newEASY(m *machine, nodes int) *easy {
	return &easy{machine: m, backlog: newBacklog(m.jobs, nodes)}
}

func (e *easy) submitted(job int32) {
	e.backlog.add(job)
	e.tail = job + 1
}

func (e *easy) ended(job int32) { e.releases.remove(e.expected(job), job) }

func (e *easy) schedule() {
	for e.skipStarted(); e.head < e.tail && e.jobs[e.head].Nodes <= e.free; e.skipStarted() {
		e.launch(e.head)
	}
	if e.head == e.tail || e.free == 0 {
		return
	}
	head := e.jobs[e.head].Nodes
	at, released := e.releases.enough(head-e.free, e.now)
	left := e.free + released - head // by the reservation
	for job := e.head + 1; ; job++ {
		fit := fit{free: e.free, left: min(left, e.free), now: e.now, until: at}
		if job = e.backlog.first(job, fit); job < 0 {
			return
		}
		if e.now+e.jobs[job].Estimate > at {
			left -= e.jobs[job].Nodes
		}
		e.launch(job)
	}
}

// skipStarted moves the head past jobs that have started before their turn.
func (e *easy) skipStarted() {
	for e.head < e.tail && !e.backlog.waits(e.head) {
		e.head++
	}
}

// launch starts a waiting job.
func (e *easy) launch(job int32) {
	e.begin(job)
	e.backlog.remove(job)
	e.releases.add(e.expected(job), job, e.jobs[job].Nodes)
}

func (e *easy) alarm() (units.Seconds, bool) { return 0, false }

func (e *easy) ring() bool { return false }
