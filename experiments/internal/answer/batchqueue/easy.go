package batchqueue

import (
	"math/bits"
	"slices"

	"github.com/isoscale/isoscale/model/units"
)

// easy is first come, first served with a reservation for the head of the queue.
type easy struct {
	*machine
	head, tail int32    // jobs before head have started, those from tail on have not been submitted
	profile    *profile // the nodes that running jobs leave free, by their estimates
	backlog    *backlog // the waiting jobs
	steps      [2]step
}

func (e *easy) submitted(job int32) {
	e.backlog.add(job)
	e.tail = job + 1
}

func (e *easy) ended(job int32) { e.profile.give(e.now, e.expected(job), e.jobs[job].Nodes) }

func (e *easy) schedule() {
	for e.skipStarted(); e.head < e.tail && e.jobs[e.head].Nodes <= e.free; e.skipStarted() {
		e.launch(e.head)
	}
	e.profile.forget(e.now)
	if e.head == e.tail || e.free == 0 {
		return
	}
	head := e.jobs[e.head].Nodes
	at, left := e.profile.reaches(head)
	at, left = max(at, e.now), left-head // what the reservation leaves
	for job := e.head + 1; ; job++ {
		free := append(e.steps[:0], step{e.free, at}, step{min(left, e.free), forever})
		if job = e.backlog.first(job, fit{e.now, free}); job < 0 {
			return
		}
		if e.now+e.jobs[job].Estimate > at {
			left -= e.jobs[job].Nodes
		}
		e.launch(job)
	}
}

// skipStarted moves the head past jobs that have already started.
func (e *easy) skipStarted() {
	for e.head < e.tail && !e.backlog.waiting[e.head] {
		e.head++
	}
}

func (e *easy) launch(job int32) {
	e.begin(job)
	e.backlog.remove(job)
	e.profile.take(e.now, e.expected(job), e.jobs[job].Nodes)
}

// backlog is an index of waiting jobs. It finds the first job in the order of the queue
// that fits, without looking at all jobs before it.
//
// The queue is divided into blocks. A binary tree over the blocks has, for each tree
// node, the shortest estimate of the waiting jobs below it, by class of size.
type backlog struct {
	jobs     []Job
	waiting  []bool
	classes  int
	leaves   int             // of the tree, a power of two
	shortest []units.Seconds // by tree node and class; the root is 1, the children of i are 2i and 2i+1
	until    []units.Seconds // in a search: the time up to which enough nodes are free, by class
}

// blockSize is the number of jobs in a block.
const blockSize = 64

// fit says which jobs fit: those that can start now and whose estimated end is not after the time
// up to which enough nodes are free.
type fit struct {
	now  units.Seconds
	free []step
}

// step says that nodes are free up to a time. In a list of steps each has fewer nodes than the
// one before, and a later time.
type step struct {
	nodes int
	until units.Seconds
}

func (f fit) job(j *Job) bool {
	for _, s := range f.free {
		if j.Nodes > s.nodes {
			break
		}
		if f.now+j.Estimate <= s.until {
			return true
		}
	}
	return false
}

func newBacklog(jobs []Job, nodes int) *backlog {
	b := &backlog{jobs: jobs, waiting: make([]bool, len(jobs)), classes: class(nodes) + 1, leaves: 1}
	for b.leaves*blockSize < len(jobs) {
		b.leaves *= 2
	}
	b.shortest = make([]units.Seconds, 2*b.leaves*b.classes)
	for i := range b.shortest {
		b.shortest[i] = forever
	}
	return b
}

// class returns the class of jobs with a number of nodes: one for each number up to 15, then eight
// from each power of two to the next.
func class(nodes int) int {
	octave := max(bits.Len(uint(nodes))-4, 0)
	return 8*octave + nodes>>octave
}

// estimates returns the shortest estimates below a tree node, by class.
func (b *backlog) estimates(node int) []units.Seconds {
	return b.shortest[node*b.classes:][:b.classes]
}

func (b *backlog) add(job int32) {
	b.waiting[job] = true
	c := class(b.jobs[job].Nodes)
	for node := b.leaf(job); node > 0; node /= 2 {
		b.estimates(node)[c] = min(b.estimates(node)[c], b.jobs[job].Estimate)
	}
}

func (b *backlog) remove(job int32) {
	b.waiting[job] = false
	c, shortest := class(b.jobs[job].Nodes), forever
	first := int(job) / blockSize * blockSize
	for k := first; k < min(first+blockSize, len(b.jobs)); k++ {
		if b.waiting[k] && class(b.jobs[k].Nodes) == c {
			shortest = min(shortest, b.jobs[k].Estimate)
		}
	}
	node := b.leaf(job)
	b.estimates(node)[c] = shortest
	for node /= 2; node > 0; node /= 2 {
		b.estimates(node)[c] = min(b.estimates(2 * node)[c], b.estimates(2*node + 1)[c])
	}
}

// leaf returns the tree node of a job's block.
func (b *backlog) leaf(job int32) int { return b.leaves + int(job)/blockSize }

// first returns the first waiting job that fits, from a place in the queue on; -1 if
// there is none.
func (b *backlog) first(from int32, f fit) int32 {
	b.until = b.until[:0]
	for _, s := range slices.Backward(f.free) {
		for len(b.until) <= class(s.nodes) {
			b.until = append(b.until, s.until)
		}
	}
	return b.search(1, b.leaves, int(from), f)
}

// search is first among the jobs below a tree node that has the given number of leaves.
func (b *backlog) search(node, leaves, from int, f fit) int32 {
	// A level of the tree begins at a power of two.
	end := (node*leaves - b.leaves + leaves) * blockSize // of the jobs below the node
	if end <= from || !b.mayFit(node, f.now) {
		return -1
	}
	if leaves == 1 {
		for k := max(end-blockSize, from); k < min(end, len(b.jobs)); k++ {
			if b.waiting[k] && f.job(&b.jobs[k]) {
				return int32(k)
			}
		}
		return -1
	}
	if job := b.search(2*node, leaves/2, from, f); job >= 0 {
		return job
	}
	return b.search(2*node+1, leaves/2, from, f)
}

// mayFit returns false only if no job below a tree node fits. It may return true in vain, because
// a class also has larger jobs.
func (b *backlog) mayFit(node int, now units.Seconds) bool {
	shortest := b.estimates(node)
	for c, until := range b.until {
		if now+shortest[c] <= until && shortest[c] < forever {
			return true
		}
	}
	return false
}
