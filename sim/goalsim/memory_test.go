package goalsim_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim/goalsim"
	"github.com/isoscale/isoscale/workloads/goal"
)

func TestMemory(t *testing.T) {
	// 7 operations of 48; 3 ranks of 24, with 2 cores and 4 interfaces of 16 and
	// 8 pairs of 16.
	shape := goal.Shape{Ranks: 3, Ops: 7, Edges: 5, CPUs: 2, NICs: 4}
	expect.Equal(t, goalsim.Memory(shape), int64(7*48+3*(24+6*16+8*16)), "Memory")
	// What a run allocates in all, garbage included, stays below.
	s := dissemination(t, 4096, 8)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run(t, s)
	runtime.ReadMemStats(&after)
	used := after.TotalAlloc - before.TotalAlloc
	expect.That(t, int64(used) <= goalsim.Memory(s.Shape()), "the run allocates %d bytes, Memory promises %d", used, goalsim.Memory(s.Shape()))
}

// A thousand times the events must not take more allocations: the state is
// allocated at the beginning, the queues reach their size early.
func TestAllocations(t *testing.T) {
	pingPong := func(rounds int) *goal.Schedule {
		var b goal.Builder
		for rank := range 2 {
			b.NextRank()
			kinds := []goal.Kind{goal.Send, goal.Recv}
			for i := range 2 * rounds {
				op := b.Add(goal.Op{Kind: kinds[(i+rank)%2], Size: 8, Peer: int32(1 - rank)})
				if i > 0 {
					b.Require(op, op-1)
				}
			}
		}
		return expect.Value(b.Schedule())(t)
	}
	few, many := pingPong(10), pingPong(10_000)
	a := testing.AllocsPerRun(3, func() { run(t, few) })
	b := testing.AllocsPerRun(3, func() { run(t, many) })
	expect.That(t, b <= a+10, "%v allocations for 10 rounds, %v for 10000", a, b)
}

func run(t testing.TB, s *goal.Schedule) *goalsim.Result {
	t.Helper()
	return expect.Value(goalsim.Run(context.Background(), s, goalsim.DefaultParameters()))(t)
}
