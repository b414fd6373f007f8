package batchqueue_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/model/units"
)

// Under every policy no job starts before its submission and no node runs two jobs.
func TestNodesAreNotOversubscribed(t *testing.T) {
	for _, policy := range policies {
		for seed := range few(500) {
			nodes, jobs := stream(rand.New(rand.NewPCG(seed, 1)), 200)
			starts := run(t, nodes, policy, jobs)
			for i, j := range jobs {
				if starts[i] < j.Submit {
					t.Fatalf("%v, stream %d: job %d starts at %v, before %v", policy, seed, i, starts[i], j.Submit)
				}
				// The most nodes are in use at a start.
				used := 0
				for k, other := range jobs {
					if starts[k] <= starts[i] && starts[i] < starts[k]+other.Run {
						used += other.Nodes
					}
				}
				if used > nodes {
					t.Fatalf("%v, stream %d: %d of %d nodes in use at %v", policy, seed, used, nodes, starts[i])
				}
			}
		}
	}
}

// few is how many random streams are tried: with -short a tenth.
func few(n uint64) uint64 {
	if testing.Short() {
		return n / 10
	}
	return n
}

// inQueue returns the jobs in the order of the queue.
func inQueue(jobs []batchqueue.Job) []int {
	var order []int
	for i := range jobs {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(jobs[a].Submit, jobs[b].Submit) })
	return order
}

func TestFCFSStartsInOrder(t *testing.T) {
	for seed := range few(500) {
		nodes, jobs := stream(rand.New(rand.NewPCG(seed, 2)), 200)
		starts := run(t, nodes, batchqueue.FCFS, jobs)
		last := units.Seconds(0)
		for _, i := range inQueue(jobs) {
			if starts[i] < last {
				t.Fatalf("stream %d: job %d starts at %v, one before it at %v", seed, i, starts[i], last)
			}
			last = starts[i]
		}
	}
}

// If no job exceeds its estimate, EASY starts each job no later than the reservation
// that it got when it became the head of the queue.
func TestEASYKeepsTheReservationOfTheHead(t *testing.T) {
	for seed := range few(500) {
		nodes, jobs := stream(rand.New(rand.NewPCG(seed, 3)), 200)
		for i := range jobs {
			jobs[i].Estimate = max(jobs[i].Estimate, jobs[i].Run)
		}
		starts := run(t, nodes, batchqueue.EASY, jobs)
		head := units.Seconds(0) // when all jobs before have started
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
			if alone := head > last(jobs, starts, i); alone && starts[i] > reserved {
				t.Fatalf("stream %d: job %d starts at %v, reserved was %v", seed, i, starts[i], reserved)
			}
			head = max(head, starts[i])
		}
	}
}

// last returns the last start of a job that comes before another in the queue.
func last(jobs []batchqueue.Job, starts []units.Seconds, i int) units.Seconds {
	last := units.Seconds(-1)
	for _, k := range inQueue(jobs) {
		if k == i {
			break
		}
		last = max(last, starts[k])
	}
	return last
}

// If no job exceeds its estimate, conservative backfilling starts no job later than the
// jobs that were submitted before it alone would have let it: later jobs delay nobody.
func TestConservativeDelaysNobody(t *testing.T) {
	for seed := range few(300) {
		nodes, jobs := stream(rand.New(rand.NewPCG(seed, 4)), 60)
		for i := range jobs {
			jobs[i].Estimate = jobs[i].Run // so that the reservation is the start
		}
		slices.SortStableFunc(jobs, func(a, b batchqueue.Job) int { return cmp.Compare(a.Submit, b.Submit) })
		all := run(t, nodes, batchqueue.Conservative, jobs)
		for n := range jobs {
			if got := run(t, nodes, batchqueue.Conservative, jobs[:n]); !slices.Equal(got, all[:n]) {
				t.Fatalf("stream %d: starts of the first %d jobs alone %v, with all %v", seed, n, got, all[:n])
			}
		}
	}
}

// Jobs of one node are served alike by every policy: a free node goes to the head of the
// queue.
func TestJobsOfOneNodeAreServedAlike(t *testing.T) {
	for seed := range few(300) {
		nodes, jobs := stream(rand.New(rand.NewPCG(seed, 5)), 200)
		for i := range jobs {
			jobs[i].Nodes = 1
			jobs[i].Estimate = max(jobs[i].Estimate, jobs[i].Run)
		}
		want := run(t, nodes, batchqueue.FCFS, jobs)
		for _, policy := range policies {
			if got := run(t, nodes, policy, jobs); !slices.Equal(got, want) {
				t.Fatalf("stream %d: %v %v, FCFS %v", seed, policy, got, want)
			}
		}
	}
}

// Twice the times give twice the starts.
func TestScaleOfTime(t *testing.T) {
	for _, policy := range policies {
		for seed := range few(200) {
			nodes, jobs := stream(rand.New(rand.NewPCG(seed, 6)), 100)
			want := run(t, nodes, policy, jobs)
			for i := range jobs {
				jobs[i].Submit *= 2
				jobs[i].Run *= 2
				jobs[i].Estimate *= 2
				want[i] *= 2
			}
			if got := run(t, nodes, policy, jobs); !slices.Equal(got, want) {
				t.Fatalf("%v, stream %d: %v, want %v", policy, seed, got, want)
			}
		}
	}
}
