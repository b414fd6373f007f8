package batchqueue

import (
	"slices"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/kernel"
)

// conservative is a reservation for each waiting job.
type conservative struct {
	*machine
	profile  *profile        // what running jobs and reservations leave
	waiting  []int32         // in the order of the queue, and among them
	gone     int             // jobs that have started
	reserved []units.Seconds // by job, of those that wait
	started  []bool
	running  []int32
	added    int // of the waiting jobs, the last ones that have no reservation yet

	// alarms has every reservation made, and stays behind when they change.
	alarms kernel.Calendar
	due    []int32 // waiting jobs whose reservation may have fallen due

	settled bool // no reservation can be made earlier
	missed  bool // a job could not start when its reservation fell due
	nodes   int
}

func newConservative(m *machine, nodes int) *conservative {
	return &conservative{machine: m, nodes: nodes, profile: newProfile(0, nodes), settled: true,
		reserved: make([]units.Seconds, len(m.jobs)), started: make([]bool, len(m.jobs))}
}

func (c *conservative) submitted(job int32) {
	c.waiting = append(c.waiting, job)
	c.added++
}

func (c *conservative) ended(job int32) {
	end := c.expected(job)
	c.running = slices.DeleteFunc(c.running, func(other int32) bool { return other == job })
	if end > c.now {
		c.profile.give(c.now, end, c.jobs[job].Nodes)
		c.settled = false
	}
}

func (c *conservative) schedule() {
	c.profile.forget(c.now)
	if c.missed {
		c.rebuild()
	} else {
		c.compress()
	}
	c.startDue()
}

// compress moves each reservation to the earliest time, in the order of the queue, and
// makes those of the jobs that have none.
func (c *conservative) compress() {
	old := len(c.waiting) - c.added
	if !c.settled {
		c.settled = true
		for _, job := range c.waiting[:old] {
			if !c.started[job] && c.advance(job) {
				c.settled = false
			}
		}
	}
	for _, job := range c.waiting[old:] {
		c.reserve(job)
	}
	c.added = 0
}

// advance moves a reservation to an earlier time, if there is one.
func (c *conservative) advance(job int32) bool {
	j, old := &c.jobs[job], c.reserved[job]
	// From its reservation on the job has its own nodes, whatever else is free.
	at, ok := c.profile.earliest(j.Nodes, j.Estimate, c.now, old)
	if ok {
		c.profile.give(old, old+j.Estimate, j.Nodes)
		c.hold(job, at)
	}
	return ok
}

// reserve makes the earliest reservation.
func (c *conservative) reserve(job int32) {
	at, _ := c.profile.earliest(c.jobs[job].Nodes, c.jobs[job].Estimate, c.now, forever)
	c.hold(job, at)
}

// hold makes a reservation at a time.
func (c *conservative) hold(job int32, at units.Seconds) {
	j := &c.jobs[job]
	c.profile.take(at, at+j.Estimate, j.Nodes)
	c.reserved[job] = at
	if at == c.now {
		c.due = append(c.due, job)
	} else {
		c.alarms.Push(at, job)
	}
}

// rebuild makes all reservations anew.
func (c *conservative) rebuild() {
	c.profile = newProfile(c.now, c.nodes)
	for _, job := range c.running {
		c.profile.take(c.now, c.expected(job), c.jobs[job].Nodes)
	}
	c.due = c.due[:0]
	for _, job := range c.waiting {
		if !c.started[job] {
			c.reserve(job)
		}
	}
	c.added, c.settled = 0, true
}

// startDue starts the jobs whose reservation has fallen due.
func (c *conservative) startDue() {
	c.missed = false
	slices.Sort(c.due)
	c.due = slices.Compact(c.due)
	started := 0
	for _, job := range c.due {
		switch {
		case c.started[job] || c.reserved[job] != c.now:
			// The entry is of a reservation that the job no longer has.
		case c.jobs[job].Nodes > c.free:
			c.missed = true
		default:
			c.begin(job)
			c.started[job] = true
			c.running = append(c.running, job)
			started++
		}
	}
	c.due = c.due[:0]
	// Half of the waiting jobs may have started, lest each start costs a pass.
	if c.gone += started; 2*c.gone > len(c.waiting) {
		c.gone = 0
		c.waiting = slices.DeleteFunc(c.waiting, func(job int32) bool { return c.started[job] })
	}
}

func (c *conservative) alarm() (units.Seconds, bool) { return c.alarms.Min() }

// ring collects the jobs whose reservation falls due now.
func (c *conservative) ring() bool {
	for at, ok := c.alarms.Min(); ok && at <= c.now; at, ok = c.alarms.Min() {
		_, job, _ := c.alarms.Pop()
		if c.reserved[job] == c.now {
			c.due = append(c.due, job)
		}
	}
	return len(c.due) > 0
}
