package batchqueue

import (
	"slices"
	"sort"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/kernel"
)

// conservative is a reservation for each waiting job.
type conservative struct {
	*machine
	profile  *profile        // what running jobs and reservations leave
	waiting  []int32         // in the order of the queue
	reserved []units.Seconds // by job, of those that wait
	started  []bool
	releases releases // of the running jobs, as expected
	added    int      // of the waiting jobs, the last ones that have no reservation yet

	// alarms has every reservation made, and stays behind when they change.
	alarms kernel.Calendar
	due    []int32 // waiting jobs whose reservation may have fallen due

	settled bool // no reservation can be made earlier
	missed  bool // a job could not start when its reservation fell due
	peaks   []int
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
	c.releases.remove(end, job)
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
		c.peaks = c.profile.peaks(c.peaks)
		for _, job := range c.waiting[:old] {
			if c.advance(job) {
				c.settled = false
				c.peaks = c.profile.peaks(c.peaks)
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
	j, at := &c.jobs[job], c.reserved[job]
	// Before its reservation the job has no nodes that it could give up.
	if k := c.profile.before(at); k == 0 || c.peaks[k-1] < j.Nodes {
		return false
	}
	c.profile.give(at, at+j.Estimate, j.Nodes)
	c.reserve(job)
	return c.reserved[job] != at
}

// reserve makes the earliest reservation.
func (c *conservative) reserve(job int32) {
	j := &c.jobs[job]
	at := c.profile.earliest(j.Nodes, j.Estimate, c.now)
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
	for r := range c.releases.all() {
		if r.at > c.now {
			c.profile.take(c.now, r.at, int(r.nodes))
		}
	}
	c.due = c.due[:0]
	for _, job := range c.waiting {
		c.reserve(job)
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
			c.releases.add(c.expected(job), job, c.jobs[job].Nodes)
			started++
		}
	}
	c.due = c.due[:0]
	if started > 0 {
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

// profile is how many nodes are free over time: free[i] from times[i] up to times[i+1],
// the last for ever.
type profile struct {
	times []units.Seconds
	free  []int
}

func newProfile(from units.Seconds, nodes int) *profile {
	return &profile{[]units.Seconds{from}, []int{nodes}}
}

// forget drops what is before now.
func (p *profile) forget(now units.Seconds) {
	k := p.segment(now)
	p.times, p.free = p.times[k:], p.free[k:]
}

// segment returns the segment that a time is in, the first if it is before all.
func (p *profile) segment(at units.Seconds) int {
	k, exact := slices.BinarySearch(p.times, at)
	if !exact {
		k--
	}
	return max(k, 0)
}

// split makes a segment begin at a time and returns it.
func (p *profile) split(at units.Seconds) int {
	k := p.segment(at)
	if p.times[k] >= at {
		return k
	}
	p.times = slices.Insert(p.times, k+1, at)
	p.free = slices.Insert(p.free, k+1, p.free[k])
	return k + 1
}

// take takes nodes for a span of time; give gives them back. What is before the
// profile counts for nothing.
func (p *profile) take(from, to units.Seconds, nodes int) {
	if to <= p.times[0] {
		return
	}
	first, end := p.split(from), p.split(to)
	for k := first; k < end; k++ {
		p.free[k] -= nodes
	}
	p.join(end)
	p.join(first)
}

func (p *profile) give(from, to units.Seconds, nodes int) { p.take(from, to, -nodes) }

// join makes one segment of a segment and the one before it if they are equal.
func (p *profile) join(k int) {
	if k > 0 && k < len(p.free) && p.free[k] == p.free[k-1] {
		p.times = slices.Delete(p.times, k, k+1)
		p.free = slices.Delete(p.free, k, k+1)
	}
}

// earliest returns the earliest time, from now on, at which nodes are free for a duration.
func (p *profile) earliest(nodes int, duration, now units.Seconds) units.Seconds {
	for k := p.segment(now); ; k++ {
		if p.free[k] < nodes {
			continue
		}
		at := max(p.times[k], now)
		// The first segment with too few nodes decides whether they are free long enough.
		for k++; k < len(p.free) && p.free[k] >= nodes; k++ {
		}
		if k == len(p.free) || p.times[k] >= at+duration {
			return at
		}
	}
}

// peaks returns, for each segment, the most nodes free in it or one before it.
func (p *profile) peaks(buffer []int) []int {
	buffer = append(buffer[:0], p.free...)
	for k := 1; k < len(buffer); k++ {
		buffer[k] = max(buffer[k], buffer[k-1])
	}
	return buffer
}

// before returns how many segments begin before a time.
func (p *profile) before(at units.Seconds) int {
	return sort.Search(len(p.times), func(k int) bool { return p.times[k] >= at })
}
