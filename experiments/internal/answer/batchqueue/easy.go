package batchqueue

import (
	"math"
	"math/bits"

	"github.com/isoscale/isoscale/model/units"
)

// easy is first come, first served with a reservation for the head of the queue.
type easy struct {
	*machine
	head, tail int32    // jobs before head have started, those from tail on have not been submitted
	profile    *profile // what the running jobs leave, as expected
	backlog    *backlog // the waiting jobs
}

func newEASY(m *machine, nodes int) *easy {
	return &easy{machine: m, profile: newProfile(0, nodes), backlog: newBacklog(m.jobs, nodes)}
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
	at, left = max(at, e.now), left-head // by the reservation
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
	for e.head < e.tail && !e.backlog.waiting[e.head] {
		e.head++
	}
}

// launch starts a waiting job.
func (e *easy) launch(job int32) {
	e.begin(job)
	e.backlog.remove(job)
	e.profile.take(e.now, e.expected(job), e.jobs[job].Nodes)
}

// backlog is an index of waiting jobs. It finds the first in the order of the queue
// that fits without looking at all those before it.
//
// The queue is divided into blocks. A binary tree over the blocks keeps, of all waiting
// jobs below a tree node, the fewest nodes and the shortest estimates by class of
// size: class c is the jobs of less than 2^c nodes.
type backlog struct {
	jobs     []Job
	waiting  []bool
	classes  int
	leaves   int             // of the tree, a power of two
	fewest   []int32         // by tree node; the root is 1, the children of i are 2i and 2i+1
	shortest []units.Seconds // by tree node and class
}

// blockSize is how many jobs of the queue are in a block.
const blockSize = 64

// fit says which jobs fit: those of at most left nodes, and those of at most free
// nodes that end by a time.
type fit struct {
	free, left int // left is at most free
	now, until units.Seconds
}

func (f fit) job(j *Job) bool {
	return j.Nodes <= f.left || j.Nodes <= f.free && f.now+j.Estimate <= f.until
}

func newBacklog(jobs []Job, nodes int) *backlog {
	b := &backlog{jobs: jobs, waiting: make([]bool, len(jobs)), classes: class(nodes) + 1, leaves: 1}
	for b.leaves*blockSize < len(jobs) {
		b.leaves *= 2
	}
	b.fewest = make([]int32, 2*b.leaves)
	b.shortest = make([]units.Seconds, 2*b.leaves*b.classes)
	for i := range b.fewest {
		b.clear(i)
	}
	return b
}

// class returns the smallest class that jobs of so many nodes are in.
func class(nodes int) int { return bits.Len(uint(nodes)) }

// estimates returns the shortest estimates below a tree node, by class.
func (b *backlog) estimates(node int) []units.Seconds {
	return b.shortest[node*b.classes:][:b.classes]
}

// clear makes a tree node that of no jobs.
func (b *backlog) clear(node int) {
	b.fewest[node] = math.MaxInt32
	for c := range b.estimates(node) {
		b.estimates(node)[c] = units.Seconds(math.Inf(1))
	}
}

// include counts a job in at a tree node.
func (b *backlog) include(node int, j *Job) {
	b.fewest[node] = min(b.fewest[node], int32(j.Nodes))
	larger := b.estimates(node)[class(j.Nodes):]
	for c := range larger {
		larger[c] = min(larger[c], j.Estimate)
	}
}

// leaf returns the tree node of the block of a job.
func (b *backlog) leaf(job int32) int { return b.leaves + int(job)/blockSize }

func (b *backlog) add(job int32) {
	b.waiting[job] = true
	for node := b.leaf(job); node > 0; node /= 2 {
		b.include(node, &b.jobs[job])
	}
}

func (b *backlog) remove(job int32) {
	b.waiting[job] = false
	node := b.leaf(job)
	b.clear(node)
	first := int(job) / blockSize * blockSize
	for k := first; k < min(first+blockSize, len(b.jobs)); k++ {
		if b.waiting[k] {
			b.include(node, &b.jobs[k])
		}
	}
	for node /= 2; node > 0; node /= 2 {
		b.fewest[node] = min(b.fewest[2*node], b.fewest[2*node+1])
		left, right, both := b.estimates(2*node), b.estimates(2*node+1), b.estimates(node)
		for c := range both {
			both[c] = min(left[c], right[c])
		}
	}
}

// first returns the first waiting job, of those from a place in the queue on, that
// fits; -1 if there is none.
func (b *backlog) first(from int32, f fit) int32 {
	return b.search(1, b.leaves, int(from), f)
}

// search is first below a tree node that has so many leaves.
func (b *backlog) search(node, leaves, from int, f fit) int32 {
	// The tree nodes of one level are those from its first, a power of two, on.
	end := (node*leaves - b.leaves + leaves) * blockSize // of the jobs below the node
	if end <= from || !b.mayFit(node, f) {
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

// mayFit reports false only if no job below a tree node fits. Jobs of up to twice the
// free nodes can make it report true in vain.
func (b *backlog) mayFit(node int, f fit) bool {
	return int(b.fewest[node]) <= f.left || f.now+b.estimates(node)[class(f.free)] <= f.until
}
