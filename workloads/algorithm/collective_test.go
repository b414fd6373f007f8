package algorithm_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// named returns the choice of an algorithm by its name.
func named(t testing.TB, op workloads.Collective, name string) collective.Choice {
	t.Helper()
	a := expect.Value(collective.Lookup(op, name))(t)
	return collective.Choice{Operation: op, Algorithm: a}
}

// once returns a single call.
func once(p int, ch collective.Choice, size units.Bytes) algorithm.Collective {
	return algorithm.Collective{Series: algorithm.Series{Rounds: 1, Processes: p}, Choice: ch, Size: size}
}

// TestCollectiveOperations has 3 processes and blocks of 10 bytes. A scatter has
// three of them, and a measured gather is told of all, 30 bytes; its cost is
// 1 + 3/8 = 1.375.
func TestCollectiveOperations(t *testing.T) {
	const tag = workloads.CollectiveTag
	star := func(c workloads.Collective, root int32) [][]workloads.Op {
		ops := make([][]workloads.Op, 3)
		for q := range int32(3) {
			if q != root {
				ops[root] = append(ops[root], workloads.Op{Kind: workloads.Send, Collective: c,
					First: len(ops[root]) == 0, Peer: q, Tag: tag, Size: 10})
				ops[q] = []workloads.Op{{Kind: workloads.Recv, Collective: c, First: true, Peer: root, Tag: tag, Size: 10}}
			}
		}
		return ops
	}
	all := func(op workloads.Op) [][]workloads.Op { return [][]workloads.Op{{op}, {op}, {op}} }
	rooted := func(c algorithm.Collective, root int) algorithm.Collective {
		c.Root = root
		return c
	}
	for _, tt := range []struct {
		name string
		call algorithm.Collective
		want [][]workloads.Op
	}{
		{"broadcast", once(3, named(t, workloads.Bcast, "flat"), 10), star(workloads.Bcast, 0)},
		{"broadcast from 2", rooted(once(3, named(t, workloads.Bcast, "flat"), 10), 2), star(workloads.Bcast, 2)},
		{"scatter from 1", rooted(once(3, named(t, workloads.Scatter, "flat"), 10), 1), star(workloads.Scatter, 1)},
		{"measured gather", once(3, measured(workloads.Gather, 1), 10),
			all(workloads.Op{Kind: workloads.Measured, Collective: workloads.Gather, Size: 30, Time: 1.375})},
		{"measured gather to 2", rooted(once(3, measured(workloads.Gather, 1), 10), 2),
			all(workloads.Op{Kind: workloads.Measured, Collective: workloads.Gather, Peer: 2, Size: 30, Time: 1.375})},
		{"measured barrier", once(3, measured(workloads.Barrier, 1), 10),
			all(workloads.Op{Kind: workloads.Measured, Collective: workloads.Barrier, Time: 1.375})},
		{"alone", once(1, measured(workloads.Barrier, 1), 10), [][]workloads.Op{nil}},
	} {
		check(t, tt.name, tt.call.Validate())
		expect.Same(t, streams(tt.call.Program()), tt.want, "%s: operations differ", tt.name)
	}
}

// MPICH broadcasts up to 12287 bytes along a binomial tree: 3 messages among 4.
// From 8 processes on, 12288 bytes are scattered, 7 messages, and gathered round
// the ring, 7 from each of 8.
func TestCollectiveByRules(t *testing.T) {
	rules := expect.Value(collective.LookupRules("mpich"))(t)
	ch := collective.Choice{Operation: workloads.Bcast, Rules: rules}
	for _, tt := range []struct {
		p        int
		size     units.Bytes
		messages int
	}{{4, 12287, 3}, {8, 12287, 7}, {8, 12288, 7 + 7*8}} {
		w, err := run(once(tt.p, ch, tt.size).Program(), nil)
		expect.That(t, err == nil && w.messages == tt.messages,
			"%d processes, %v: %v; expected %d messages", tt.p, tt.size, err, tt.messages)
	}
}

// TestCollectiveCallsDoNotMix: the operations of a process in three calls are three
// times those of one call. In one call, each process has as many receives from another,
// by its number, as that one sends messages to it. So of the messages of a pair, which
// keep their order, those of one call match receives of that call.
func TestCollectiveCallsDoNotMix(t *testing.T) {
	type pair struct{ from, to int32 }
	for op := workloads.Barrier; op <= workloads.Scan; op++ {
		for _, ch := range choices(t, op) {
			for _, p := range processes {
				for _, root := range []int{0, p / 2} {
					if root > 0 && !collective.Rooted(op) {
						continue
					}
					c := once(p, ch, 96)
					c.Root = root
					name := fmt.Sprintf("%v %s, %d processes, root %d", op, how(ch), p, root)
					one := streams(c.Program())
					c.Rounds = 3
					for rank, ops := range streams(c.Program()) {
						want := slices.Repeat(one[rank], 3)
						expect.That(t, slices.Equal(ops, want), "%s: rank %d does %+v in three calls; expected %+v", name, rank, ops, want)
					}
					sent, received := make(map[pair]int), make(map[pair]int)
					for rank, ops := range one {
						me := int32(rank)
						for _, op := range ops {
							switch op.Kind {
							case workloads.Send, workloads.Isend:
								sent[pair{me, op.Peer}]++
							case workloads.Recv, workloads.Irecv:
								received[pair{op.Peer, me}]++
							case workloads.Sendrecv:
								sent[pair{me, op.Peer}]++
								received[pair{op.From, me}]++
							}
						}
					}
					diff := cmp.Diff(sent, received)
					expect.That(t, diff == "", "%s: messages sent differ from messages received (-sent +received):\n%s", name, diff)
				}
			}
		}
	}
}

// TestCollectiveFootprints: the bytes that a process gives and gets, with 5 bytes a
// block, among 3 processes with root 1.
func TestCollectiveFootprints(t *testing.T) {
	for op, want := range map[workloads.Collective][]units.Bytes{
		workloads.Barrier:       {0, 0, 0},
		workloads.Bcast:         {5, 5, 5},
		workloads.Reduce:        {5, 5 + 5, 5},
		workloads.Gather:        {5, 5 + 15, 5},
		workloads.Scatter:       {5, 15 + 5, 5},
		workloads.Allreduce:     {5 + 5, 5 + 5, 5 + 5},
		workloads.Allgather:     {5 + 15, 5 + 15, 5 + 15},
		workloads.Alltoall:      {15 + 15, 15 + 15, 15 + 15},
		workloads.ReduceScatter: {15 + 5, 15 + 5, 15 + 5},
		workloads.Scan:          {5 + 5, 5 + 5, 5 + 5},
	} {
		c := once(3, measured(op, 1), 5)
		if collective.Rooted(op) {
			c.Root = 1
		}
		expect.List(t, c.Footprints(), want, "%v needs", op)
	}
}

// A gather of four blocks of 25 bytes costs 5000 + 100, twice; four processes
// take 4 * 0.5 to start. Alone, there is the start only.
func TestCollectiveOverhead(t *testing.T) {
	c := once(4, measured(workloads.Gather, 1), 25)
	c.Rounds, c.Startup = 2, 0.5
	expect.Equal(t, c.Overhead(costs{}), 2+2*5100, "overhead")
	c.Processes = 1
	expect.Equal(t, c.Overhead(costs{}), 0.5, "overhead alone")
	expect.That(t, c.Work() == 0 && c.SequentialWork() == 0,
		"work %v and %v; expected none", c.Work(), c.SequentialWork())
}
