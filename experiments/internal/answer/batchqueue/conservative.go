package batchqueue

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/kernel"
)

// conservative keeps a reservation for each waiting job.
type conservative struct {
	*machine
	profile   *profile        // what running jobs and reservations leave
	tail      int32           // jobs from here on have not been submitted
	unplanned int32           // jobs from here on have no reservation yet
	waits     int             // number of waiting jobs
	backlog   *backlog        // the waiting jobs
	first     int32           // head of the list next; like its other jobs it may have started
	next      []int32         // by job, the one behind it in the queue; the next pass unlinks jobs that have started
	reserved  []units.Seconds // by waiting job
	running   []int32

	// A reservation can become earlier only if nodes were given back since the last attempt to move it.
	gifts int   // how often nodes were given back
	tried []int // by job, gifts at the last attempt

	// While no nodes are given back, marks of earlier searches say when the next can begin.
	marks    [][64]mark // by class of size and binary exponent of the duration
	searches int        // since nodes were last given back

	// alarms has all reservations that were made, including those that have changed since.
	alarms kernel.Calendar
	due    []int32 // waiting jobs whose reservation may have fallen due

	// A pass tries to move passWork / waits reservations to any time. So a queue costs about
	// passWork moves each time that its length doubles.
	passWork int

	missed  bool // a job could not start when its reservation fell due
	nodes   int
	longest units.Seconds // the longest estimate
}

// fewSearches is the number of searches up to which looking at the marks does not pay.
var fewSearches = 1000

// FullPass is the number of waiting jobs up to which a pass leaves none out: all, if there are up to 4000 jobs.
func FullPass(jobs int) int { return max(1000, 16_000_000/max(jobs, 1)) }

// passWorkOf is the passWork for a number of jobs.
var passWorkOf = func(jobs int) int { return FullPass(jobs) * FullPass(jobs) }

func newConservative(m *machine, nodes, passWork int) *conservative {
	n := len(m.jobs)
	c := &conservative{machine: m, nodes: nodes, passWork: passWork, profile: newProfile(0, nodes),
		backlog: newBacklog(m.jobs, nodes), next: make([]int32, n), marks: make([][64]mark, class(nodes)+1),
		reserved: make([]units.Seconds, n), tried: make([]int, n)}
	for job := range c.next {
		c.next[job] = int32(job) + 1
		c.longest = max(c.longest, m.jobs[job].Estimate)
	}
	return c
}

func (c *conservative) submitted(job int32) {
	c.tail = job + 1
	c.waits++
	c.backlog.add(job)
}

func (c *conservative) ended(job int32) {
	end := c.expected(job)
	c.running = slices.DeleteFunc(c.running, func(other int32) bool { return other == job })
	if end > c.now {
		c.give(c.now, end, job)
	}
}

// give gives the nodes of a job back for a span of time.
func (c *conservative) give(from, to units.Seconds, job int32) {
	c.profile.give(from, to, c.jobs[job].Nodes)
	c.gifts++
	c.searches = 0
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

// queue yields the waiting jobs in order.
func (c *conservative) queue(yield func(job int32) bool) {
	for link := &c.first; *link < c.tail; {
		switch job := *link; {
		case !c.backlog.waiting[job]:
			*link = c.next[job]
		case !yield(job):
			return
		default:
			link = &c.next[job]
		}
	}
}

// compress moves the reservations of the first waiting jobs, in the order of the queue, to the earliest
// time, moves those of the others to now if possible, and reserves for the jobs without a reservation.
func (c *conservative) compress() {
	left, behind := c.passWork/max(c.waits, 1), c.unplanned
	for job := range c.queue {
		if left <= 0 || job >= c.unplanned {
			behind = job
			break
		}
		if left--; c.tried[job] < c.gifts {
			c.advance(job)
			c.tried[job] = c.gifts
		}
	}
	if c.gifts > 0 {
		c.startBehind(behind)
	}
	for ; c.unplanned < c.tail; c.unplanned++ {
		c.reserve(c.unplanned)
	}
}

// startBehind moves the reservations of a job and those behind it to now where that is possible.
func (c *conservative) startBehind(job int32) {
	for ; job < c.unplanned; job++ {
		job = c.backlog.first(job, fit{c.now, c.profile.steps(c.now + c.longest)})
		if job < 0 || job >= c.unplanned {
			return
		}
		if old := c.reserved[job]; old > c.now {
			c.give(old, old+c.jobs[job].Estimate, job)
			c.hold(job, c.now)
		}
	}
}

// advance moves a reservation to an earlier time, if there is one.
func (c *conservative) advance(job int32) {
	j, old := &c.jobs[job], c.reserved[job]
	// From old on, the job has the nodes of its reservation, whatever else is free.
	if at, ok := c.profile.earliest(j.Nodes, j.Estimate, c.now, old); ok {
		c.give(old, old+j.Estimate, job)
		c.hold(job, at)
	}
}

// reserve makes the earliest possible reservation.
func (c *conservative) reserve(job int32) {
	j := &c.jobs[job]
	at, _ := c.profile.earliest(j.Nodes, j.Estimate, c.notBefore(j), forever)
	if m := &c.marks[class(j.Nodes)][exponent(j.Estimate)]; m.gifts != c.gifts || m.at < at {
		*m = mark{c.gifts, j.Nodes, j.Estimate, at}
	}
	c.hold(job, at)
}

// A mark says that at is the first time at which nodes nodes are free for a duration. While gifts stays
// the same, no job that is as large and as long can start earlier.
type mark struct {
	gifts, nodes int
	duration, at units.Seconds
}

func exponent(t units.Seconds) int {
	_, e := math.Frexp(float64(t))
	return min(max(e+16, 0), 63)
}

// notBefore returns a time before which there is no reservation for a job.
func (c *conservative) notBefore(j *Job) units.Seconds {
	from := c.now
	if c.searches++; c.searches < fewSearches {
		return from
	}
	for class := range class(j.Nodes) + 1 {
		for e := range exponent(j.Estimate) + 1 {
			m := &c.marks[class][e]
			if m.at > from && m.gifts == c.gifts && m.nodes <= j.Nodes && m.duration <= j.Estimate {
				from = m.at
			}
		}
	}
	return from
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
	c.gifts++ // all reserved nodes were given back
	c.searches = 0
	for job := range c.queue {
		c.reserve(job)
		c.tried[job] = c.gifts
	}
	c.unplanned = c.tail
}

// startDue starts the jobs whose reservation has fallen due.
func (c *conservative) startDue() {
	c.missed = false
	slices.Sort(c.due)
	c.due = slices.Compact(c.due)
	for _, job := range c.due {
		switch {
		case !c.backlog.waiting[job] || c.reserved[job] != c.now:
			// The entry is an old reservation of the job.
		case c.jobs[job].Nodes > c.free:
			c.missed = true
		default:
			c.begin(job)
			c.running = append(c.running, job)
			c.waits--
			c.backlog.remove(job)
		}
	}
	c.due = c.due[:0]
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
