package batchqueue_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// Under every policy no job starts before its submission and no node runs two jobs.
func TestNodesAreNotOversubscribed(t *testing.T) {
	for _, policy := range policies {
		for seed := range expect.Often[uint64](50, 500) {
			nodes, jobs := stream(rand.New(rand.NewPCG(seed, 1)), 200)
			starts := run(t, nodes, policy, jobs)
			for i, j := range jobs {
				expect.Need(t, starts[i] >= j.Submit,
					"%v, stream %d: job %d starts at %v, before %v", policy, seed, i, starts[i], j.Submit)
				// The most nodes are in use at a start.
				used := 0
				for k, other := range jobs {
					if starts[k] <= starts[i] && starts[i] < starts[k]+other.Run {
						used += other.Nodes
					}
				}
				expect.Need(t, used <= nodes,
					"%v, stream %d: %d of %d nodes in use at %v", policy, seed, used, nodes, starts[i])
			}
		}
	}
}

// inQueue returns the jobs in the order of the queue.
func inQueue(jobs []batchqueue.Job) []int {
	order := each.Ascending(len(jobs))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(jobs[a].Submit, jobs[b].Submit) })
	return order
}

// If no job exceeds its estimate, EASY starts each job no later than the reservation
// that it got when it became the head of the queue.
func TestEASYKeepsTheReservationOfTheHead(t *testing.T) {
	for seed := range expect.Often[uint64](50, 500) {
		nodes, jobs := stream(rand.New(rand.NewPCG(seed, 3)), 200)
		for i := range jobs {
			jobs[i].Estimate = max(jobs[i].Estimate, jobs[i].Run)
		}
		starts := run(t, nodes, batchqueue.EASY, jobs)
		head := units.Seconds(0)    // when all jobs before have started
		before := units.Seconds(-1) // the last of their starts
		for _, i := range inQueue(jobs) {
			head = max(head, jobs[i].Submit)
			// Reserved is the first time from head on at which the running jobs leave enough.
			reserved := head
			leaves := func(at units.Seconds) int {
				free := nodes
				for k, j := range jobs {
					if starts[k] < head && head < starts[k]+j.Run && at < starts[k]+j.Estimate {
						free -= j.Nodes
					}
				}
				return free
			}
			if leaves(head) < jobs[i].Nodes {
				reserved = units.Seconds(math.Inf(1))
				for k, j := range jobs {
					if end := starts[k] + j.Estimate; end > head && leaves(end) >= jobs[i].Nodes {
						reserved = min(reserved, end)
					}
				}
			}
			// Jobs ahead of it in the queue that start at this very instant come first.
			expect.Need(t, head == before || starts[i] <= reserved, "stream %d: job %d starts at %v, reserved was %v", seed, i, starts[i], reserved)
			before = max(before, starts[i])
			head = max(head, before)
		}
	}
}

// If no job exceeds its estimate, conservative backfilling starts no job later than with
// only the jobs that were submitted before it: later jobs delay nobody.
func TestConservativeDelaysNobody(t *testing.T) {
	for seed := range expect.Often[uint64](30, 300) {
		nodes, jobs := stream(rand.New(rand.NewPCG(seed, 4)), 60)
		for i := range jobs {
			jobs[i].Estimate = jobs[i].Run // so that the reservation is the start
		}
		slices.SortStableFunc(jobs, func(a, b batchqueue.Job) int { return cmp.Compare(a.Submit, b.Submit) })
		all := run(t, nodes, batchqueue.Conservative, jobs)
		for n := range jobs {
			got := run(t, nodes, batchqueue.Conservative, jobs[:n])
			expect.Need(t, slices.Equal(got, all[:n]),
				"stream %d: starts of the first %d jobs alone %v, with all %v", seed, n, got, all[:n])
		}
	}
}

// reference is a scheduler that keeps only the starts of jobs and, for conservative
// backfilling, the reservations from one instant to the next. It looks at all jobs for
// each question.
type reference struct {
	nodes    int
	jobs     []batchqueue.Job
	now      units.Seconds
	start    []units.Seconds // -1: not yet
	reserved []units.Seconds // -1: none
	missed   bool
	passWork int
}

func bruteForce(nodes int, policy batchqueue.Policy, jobs []batchqueue.Job, passWork int) []units.Seconds {
	r := &reference{nodes: nodes, jobs: jobs, now: -1, passWork: passWork}
	for range jobs {
		r.start = append(r.start, -1)
		r.reserved = append(r.reserved, -1)
	}
	for r.step() {
		switch policy {
		case batchqueue.FCFS:
			r.inOrder()
		case batchqueue.EASY:
			r.easy()
		case batchqueue.Conservative, batchqueue.ConservativeFull:
			r.conservative()
		}
	}
	return r.start
}

// step goes to the next instant: a submission, an end or a reservation.
func (r *reference) step() bool {
	next := units.Seconds(math.Inf(1))
	for i, j := range r.jobs {
		at := []units.Seconds{j.Submit, r.reserved[i]}
		if r.start[i] >= 0 {
			at = append(at, r.start[i]+j.Run)
		}
		for _, at := range at {
			if at > r.now {
				next = min(next, at)
			}
		}
	}
	r.now = next
	return !math.IsInf(float64(next), 1)
}

func (r *reference) running(i int) bool {
	return r.start[i] >= 0 && r.start[i]+r.jobs[i].Run > r.now
}

// expected is the end of a running job by its estimate.
func (r *reference) expected(i int) units.Seconds {
	return max(r.start[i]+r.jobs[i].Estimate, r.now)
}

// waiting returns the queue.
func (r *reference) waiting() []int {
	var all []int
	for i, j := range r.jobs {
		if j.Submit <= r.now && r.start[i] < 0 {
			all = append(all, i)
		}
	}
	slices.SortStableFunc(all, func(a, b int) int { return int(r.jobs[a].Submit - r.jobs[b].Submit) })
	return all
}

// free is how many nodes are free now.
func (r *reference) free() int { return r.freeAt(-1) }

// freeAt is the number of nodes free at a later time if running jobs end as estimated; -1 for now.
func (r *reference) freeAt(at units.Seconds) int {
	free := r.nodes
	for i, j := range r.jobs {
		if r.running(i) && (at < 0 || r.expected(i) > at) {
			free -= j.Nodes
		}
	}
	return free
}

func (r *reference) inOrder() {
	for _, i := range r.waiting() {
		if r.jobs[i].Nodes > r.free() {
			return
		}
		r.start[i] = r.now
	}
}

func (r *reference) easy() {
	r.inOrder()
	queue := r.waiting()
	if len(queue) == 0 {
		return
	}
	head := r.jobs[queue[0]]
	reservation := units.Seconds(math.Inf(1))
	for i := range r.jobs {
		if r.running(i) && r.freeAt(r.expected(i)) >= head.Nodes {
			reservation = min(reservation, r.expected(i))
		}
	}
	for _, i := range queue[1:] {
		if r.jobs[i].Nodes > r.free() {
			continue
		}
		r.start[i] = r.now
		if r.freeAt(reservation) < head.Nodes { // it would delay the head
			r.start[i] = -1
		}
	}
}

func (r *reference) conservative() {
	queue := r.waiting()
	if r.missed {
		for _, i := range queue {
			r.reserved[i] = -1
		}
	}
	for k, i := range queue {
		switch old := r.reserved[i]; {
		case old < 0 || k < r.passWork/len(queue):
			r.reserved[i] = -1
			r.reserved[i] = r.earliest(i)
		case r.earliest(i) == r.now: // with its own reservation among the others
			r.reserved[i] = r.now
		}
	}
	r.missed = false
	for _, i := range queue {
		switch {
		case r.reserved[i] != r.now:
		case r.jobs[i].Nodes > r.free():
			r.missed = true
		default:
			r.start[i], r.reserved[i] = r.now, -1
		}
	}
}

// earliest is the first time at which a job delays nothing.
func (r *reference) earliest(i int) units.Seconds {
	times := []units.Seconds{r.now}
	for k, j := range r.jobs {
		if r.running(k) {
			times = append(times, r.expected(k))
		}
		if r.reserved[k] >= 0 {
			times = append(times, r.reserved[k], r.reserved[k]+j.Estimate)
		}
	}
	slices.Sort(times)
	for _, at := range times {
		if at >= r.now && !slices.ContainsFunc(times, func(t units.Seconds) bool {
			return t >= at && t < at+r.jobs[i].Estimate && r.unreserved(t) < r.jobs[i].Nodes
		}) {
			return at
		}
	}
	panic("never")
}

// unreserved is the number of nodes that neither running jobs nor reservations take at a time.
func (r *reference) unreserved(at units.Seconds) int {
	free := r.freeAt(at)
	for k, j := range r.jobs {
		if r.reserved[k] >= 0 && r.reserved[k] <= at && at < r.reserved[k]+j.Estimate {
			free -= j.Nodes
		}
	}
	return free
}

// estimates are ways in which estimates differ from run times.
var estimates = []func(run units.Seconds, rng *rand.Rand) units.Seconds{
	func(run units.Seconds, _ *rand.Rand) units.Seconds { return run },
	func(run units.Seconds, rng *rand.Rand) units.Seconds { return run + units.Seconds(rng.IntN(8)) },
	func(run units.Seconds, rng *rand.Rand) units.Seconds { return run * units.Seconds(1+rng.IntN(4)) },
	func(_ units.Seconds, rng *rand.Rand) units.Seconds { return 1 + units.Seconds(rng.IntN(12)) },
}

// stream returns up to most random jobs. Times are small whole numbers, so that many coincide.
func stream(rng *rand.Rand, most int) (nodes int, jobs []batchqueue.Job) {
	nodes = 1 + rng.IntN(12)
	largest := 1 + rng.IntN(nodes)
	span := 1 + rng.IntN(4*most)
	estimate := estimates[rng.IntN(len(estimates))]
	for range 1 + rng.IntN(most) {
		run := 1 + units.Seconds(rng.IntN(12))
		jobs = append(jobs, batchqueue.Job{
			Submit: units.Seconds(rng.IntN(span)), Nodes: 1 + rng.IntN(largest), Run: run, Estimate: estimate(run, rng),
		})
	}
	if rng.IntN(2) == 0 {
		slices.SortFunc(jobs, func(a, b batchqueue.Job) int { return int(a.Submit - b.Submit) })
	}
	return nodes, jobs
}

// streams is how many random streams are compared.
func streams() uint64 { return expect.Often[uint64](2000, 100_000) }

func TestAgainstBruteForce(t *testing.T) {
	for _, policy := range policies {
		t.Run(policy.String(), func(t *testing.T) {
			t.Parallel()
			for seed := range streams() {
				compare(t, policy, seed, 28, everything)
			}
		})
	}
}

// Queues of many blocks.
func TestLongQueuesAgainstBruteForce(t *testing.T) {
	n := streams() / 500
	for _, policy := range policies {
		t.Run(policy.String(), func(t *testing.T) {
			t.Parallel()
			most := 600
			if policy == batchqueue.Conservative {
				most = 100 // a question costs the reference the cube of this
			}
			for seed := range uint64(n) {
				compare(t, policy, seed, most, everything)
			}
		})
	}
}

// Of many waiting jobs the first move to any time, the others to now.
func TestPassesOfTheFirstAgainstBruteForce(t *testing.T) {
	for _, passWork := range []int{0, 8, 30, 100, 300, everything} {
		t.Run(fmt.Sprint(passWork), func(t *testing.T) {
			t.Cleanup(batchqueue.LongQueues(passWork))
			for seed := range uint64(streams() / 200) {
				compare(t, batchqueue.Conservative, seed, 40, passWork)
				compare(t, batchqueue.ConservativeFull, seed, 40, everything)
			}
		})
	}
}

// everything is a passWork with which passes leave no job out.
const everything = 1 << 40

var policies = []batchqueue.Policy{batchqueue.FCFS, batchqueue.EASY, batchqueue.Conservative}

func compare(t *testing.T, policy batchqueue.Policy, seed uint64, most, passWork int) {
	t.Helper()
	nodes, jobs := stream(rand.New(rand.NewPCG(seed, 16)), most)
	got := run(t, nodes, policy, jobs)
	expect.List(t, got, bruteForce(nodes, policy, jobs, passWork), "stream %d on %d nodes: %v\nstarts", seed, nodes, jobs)
}

func run(t testing.TB, nodes int, policy batchqueue.Policy, jobs []batchqueue.Job) []units.Seconds {
	t.Helper()
	return expect.Value(batchqueue.Run(context.Background(), nodes, policy, jobs))(t)
}
