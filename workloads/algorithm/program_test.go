package algorithm_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// programs returns functions that make a fresh run of each algorithm with 17 unequal
// processes, and with each way to carry out its collective operations.
func programs(t testing.TB) map[string]func() workloads.Program {
	all := make(map[string]func() workloads.Program)
	s := machines(17)[1]
	bcasts, barriers := choices(t, workloads.Bcast), choices(t, workloads.Barrier)
	scatters, gathers := choices(t, workloads.Scatter), choices(t, workloads.Gather)
	alltoalls := choices(t, workloads.Alltoall)
	for i, bcast := range bcasts { // the operation with the most ways
		barrier := barriers[i%len(barriers)]
		scatter, gather := scatters[i%len(scatters)], gathers[i%len(gathers)]
		g := algorithm.Gauss{
			Problem: algorithm.Problem{N: 57, Speeds: s, Startup: 1, Element: 8}, Bcast: bcast, Barrier: barrier,
		}
		all["gauss "+how(bcast)+" "+how(barrier)] = g.Program
		m := algorithm.MatMul{Problem: algorithm.Problem{N: 57, Speeds: s, Startup: 1, Element: 8}, Scatter: scatter, Bcast: bcast, Gather: gather}
		all["matmul "+how(bcast)] = m.Program
		f := algorithm.Floyd{Problem: algorithm.Problem{N: 57, Speeds: s, Startup: 1, Element: 4}, CellWork: 2, Overlap: i%2 == 1, Bcast: bcast}
		all["floyd "+how(bcast)] = f.Program
		alltoall := alltoalls[i%len(alltoalls)]
		c := algorithm.Convolution{Problem: algorithm.Problem{N: 57, Speeds: s, Startup: 1, Element: 16}, Transposes: true, Scatter: scatter, Alltoall: alltoall, Gather: gather}
		all["convolution "+how(alltoall)] = c.Program
	}
	all["lcs"] = algorithm.LCS{Problem: algorithm.Problem{N: 57, Speeds: s, Startup: 1, Element: 1}, PieceRows: 10, CellWork: 1}.Program
	all["transformer"] = training(t, 17, 34, layout(1, 1, 1, 1, 17, 1)).Program
	for i, bcast := range panelBroadcasts {
		h := linpack(57, 4, 5, 7)
		h.Bcast, h.Swap, h.Depth, h.Startup = bcast, rowSwaps[i%len(rowSwaps)], i%2, 1
		all["hpl "+bcast] = h.Program
	}
	for op := workloads.Barrier; op <= workloads.Scan; op++ {
		for _, ch := range choices(t, op) {
			c := algorithm.Collective{Series: algorithm.Series{Rounds: 2, Processes: len(s), Startup: 1}, Choice: ch, Size: 96}
			all["collective "+op.String()+" "+how(ch)] = c.Program
		}
	}
	return all
}

// TestRunsAreIndependent starts two runs of the same parameters, ends one, and then
// lets all ranks of the other ask at once, for the race detector.
func TestRunsAreIndependent(t *testing.T) {
	for name, program := range programs(t) {
		a, b := program(), program()
		want := streams(a)
		got := make([][]workloads.Op, b.Ranks())
		var wg sync.WaitGroup
		for rank := range got {
			wg.Go(func() { got[rank] = stream(b, rank) })
		}
		wg.Wait()
		for rank := range want {
			if !slices.Equal(want[rank], got[rank]) {
				t.Errorf("%s: operations of rank %d differ (-first run +second run):\n%s", name, rank, cmp.Diff(want[rank], got[rank]))
			}
		}
	}
}

// TestProgramsStart expects the start of all processes one after the other, then the rest.
func TestProgramsStart(t *testing.T) {
	for name, program := range programs(t) {
		for rank, ops := range streams(program()) {
			if ops[0].Kind != workloads.Delay || slices.ContainsFunc(ops[1:], func(op workloads.Op) bool { return op.Kind == workloads.Delay }) {
				t.Errorf("%s: rank %d does not begin with its only delay", name, rank)
			}
			expect.That(t, ops[0].Time == units.Seconds(program().Ranks()),
				"%s: rank %d begins with a delay of %v; expected 1 s for each process", name, rank, ops[0].Time)
		}
	}
}

// started keeps programs on the heap, as the engine does.
var started workloads.Program

// TestNextAllocatesNothing expects that a whole run allocates no more than its
// start.
func TestNextAllocatesNothing(t *testing.T) {
	var op workloads.Op // the engine keeps one for all ranks
	for name, program := range programs(t) {
		operations := 0
		start := testing.AllocsPerRun(5, func() { started = program() })
		whole := testing.AllocsPerRun(5, func() {
			started = program()
			for rank := range started.Ranks() {
				for op = (workloads.Op{}); started.Next(rank, &op); op = (workloads.Op{}) {
					operations++
				}
			}
		})
		expect.That(t, operations != 0 && whole == start,
			"%s: %v allocations for %d operations; expected none besides %v at the start", name, whole, operations, start)
	}
}
