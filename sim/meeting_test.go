package sim_test

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Ranks 0, 1, 2 enter at 1, 5, 3; rank 1 is the root; the call costs 10.
func TestMeasuredCollectives(t *testing.T) {
	for _, c := range []struct {
		name        string
		collective  workloads.Collective
		want        []units.Seconds
		cost, waits []units.Seconds
	}{
		// All wait for the last (5) and leave at 15.
		{"barrier", workloads.Barrier, []units.Seconds{15, 15, 15}, []units.Seconds{10, 10, 10}, []units.Seconds{4, 0, 2}},
		{"allreduce", workloads.Allreduce, []units.Seconds{15, 15, 15}, []units.Seconds{10, 10, 10}, []units.Seconds{4, 0, 2}},
		{"allgather", workloads.Allgather, []units.Seconds{15, 15, 15}, []units.Seconds{10, 10, 10}, []units.Seconds{4, 0, 2}},
		{"alltoall", workloads.Alltoall, []units.Seconds{15, 15, 15}, []units.Seconds{10, 10, 10}, []units.Seconds{4, 0, 2}},
		// The root enters at 5: everybody has the data at 15.
		{"bcast", workloads.Bcast, []units.Seconds{15, 15, 15}, []units.Seconds{10, 10, 10}, []units.Seconds{4, 0, 2}},
		{"scatter", workloads.Scatter, []units.Seconds{15, 15, 15}, []units.Seconds{10, 10, 10}, []units.Seconds{4, 0, 2}},
		// The others leave at once; the root enters last and pays.
		{"reduce", workloads.Reduce, []units.Seconds{1, 15, 3}, []units.Seconds{0, 10, 0}, []units.Seconds{0, 0, 0}},
		{"gather", workloads.Gather, []units.Seconds{1, 15, 3}, []units.Seconds{0, 10, 0}, []units.Seconds{0, 0, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			op := measured(c.collective, 1, 10)
			res := wantFinish(t, script{{compute(1), op}, {compute(5), op}, {compute(3), op}}, hockney, c.want...)
			for r := range res.Ranks {
				b := res.Ranks[r]
				expect.That(t, b.CollectiveCost == c.cost[r] && b.WaitCollective == c.waits[r],
					"rank %d: cost %v, wait %v; want %v and %v", r, b.CollectiveCost, b.WaitCollective, c.cost[r], c.waits[r])
			}
			expect.That(t, res.Collectives == 1 && res.Messages == 0,
				"%d collectives, %d messages; want 1 and 0", res.Collectives, res.Messages)
		})
	}
}

// The root is early (1), cost 3: data are there at 4. Rank 1 comes at 2 and
// waits till 4; rank 2 comes at 9 and finds them.
func TestMeasuredBcastFindsLateRanksServed(t *testing.T) {
	op := measured(workloads.Bcast, 0, 3)
	res := wantFinish(t, script{{compute(1), op}, {compute(2), op}, {compute(9), op}}, hockney, 4, 4, 9)
	b := res.Ranks[2]
	expect.That(t, b.CollectiveCost == 0 && b.WaitCollective == 0, "late rank: %+v, want neither cost nor wait", b)
}

// The root of a gather that is early waits for the last (9) and pays 3.
func TestMeasuredGatherWaitsForTheLast(t *testing.T) {
	op := measured(workloads.Gather, 0, 3)
	wantFinish(t, script{{compute(1), op}, {compute(2), op}, {compute(9), op}}, hockney, 12, 2, 9)
}

// A root may be many broadcasts ahead of the others.
func TestMeasuredCallsOverlap(t *testing.T) {
	const calls = 50
	root, slow := make([]workloads.Op, 0, calls), make([]workloads.Op, 0, 2*calls)
	for range calls {
		root = append(root, measured(workloads.Bcast, 0, 1))
		slow = append(slow, measured(workloads.Bcast, 0, 1), compute(2))
	}
	// Root: one second each. The other waits 1 s for the first, then only computes.
	res := wantFinish(t, script{root, slow}, hockney, calls, 1+2*calls)
	expect.Equal(t, res.Collectives, calls, "collectives")
}

// Rank 1's messages arrive at 1 and at 0.5 + 1 = 1.5. The barrier ends when rank
// 2 enters, at 1.25; rank 0 then still waits for the second message.
func TestMeasuredCallDoesNotHurryMessages(t *testing.T) {
	barrier := measured(workloads.Barrier, 0, 0)
	wantFinish(t, script{
		{barrier, recv(1, 1)},
		{send(0, 0, 0), send(0, 0.5, 1), barrier},
		{compute(1.25), barrier},
	}, hockney, 1.5, 1.25, 1.25)
}

func TestMeasuredCallsMustAgree(t *testing.T) {
	for _, c := range []struct {
		name string
		op   workloads.Op
	}{
		{"operation", measured(workloads.Gather, 0, 1)},
		{"root", measured(workloads.Bcast, 1, 1)},
	} {
		_, err := run(t, script{{measured(workloads.Bcast, 0, 1)}, {c.op}}, hockney)
		expect.Failure(t, err, "expected the same collective calls on every rank")
	}
}

// A group whose root is not among its members can neither start nor end.
func TestMeasuredRootMustBeAMember(t *testing.T) {
	for _, c := range []workloads.Collective{workloads.Bcast, workloads.Scatter, workloads.Reduce, workloads.Gather} {
		op := measured(c, 0, 1)
		op.Group, op.Members = 1, 2
		_, err := run(t, script{{}, {op}, {compute(1), op}}, hockney)
		expect.Failure(t, err, "root 0 is not among the 2 members of group 1")
	}
}

// Ranks 1 and 2 meet without rank 0, twice; then all three.
func TestMeasuredGroups(t *testing.T) {
	pair := measured(workloads.Barrier, 0, 10)
	pair.Group, pair.Members = 1, 2
	all := measured(workloads.Barrier, 0, 100)
	// The pair: ready at 3, left at 13; again ready at 13, left at 23; all: 123.
	res := wantFinish(t, script{{all}, {compute(3), pair, pair, all}, {pair, pair, all}}, hockney, 123, 123, 123)
	expect.Equal(t, res.Collectives, 3, "collectives")
}

// The later rank is blamed, whatever the order in which ranks are advanced.
func TestMeasuredDisagreementBlamesTheLater(t *testing.T) {
	far := hockney
	far.Latency = 10
	_, err := run(t, script{{compute(12), measured(workloads.Barrier, 0, 1)}, {compute(11.5), measured(workloads.Allreduce, 0, 1)}}, far)
	expect.That(t, err != nil && strings.HasPrefix(err.Error(), "rank 0 at 12 s"),
		"error %v, want one of rank 0 at 12 s", err)
}
