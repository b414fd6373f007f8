package algorithm_test

import (
	"fmt"
	"math"
	"math/bits"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// gaussWork is W(n).
func gaussWork(n int) units.Flops {
	return algorithm.Gauss{Problem: algorithm.Problem{N: n}}.Work()
}

// TestGaussWorkIsASum adds up the work of the steps, in whole numbers.
func TestGaussWorkIsASum(t *testing.T) {
	sum := 0 // over r = 0 ... n-2
	for n := 2; n <= 500; n++ {
		r := n - 2
		sum += r * (2*r + 5)
		if got := gaussWork(n); got != units.Flops(sum) {
			t.Errorf("W(%d) = %v; expected %d flop", n, float64(got), sum)
		}
	}
}

// TestGaussWorkIsExact compares with W(N) = (N-2) (N-1) (4N+9) / 6 in whole
// numbers, up to the order that the documentation promises.
func TestGaussWorkIsExact(t *testing.T) {
	for _, n := range []int{1000, 10007, 99999, 131071, 131072} {
		want := int64(n-2) * int64(n-1) / 2 * int64(4*n+9) / 3
		if got := gaussWork(n); got != units.Flops(want) {
			t.Errorf("W(%d) = %v; expected %d flop", n, float64(got), want)
		}
	}
}

// TestGaussWorkAsPrinted has the values of [Chen2008] Tables 3 and 5.
func TestGaussWorkAsPrinted(t *testing.T) {
	for _, tt := range []struct {
		n    int
		want units.Flops
	}{
		{100, 661353}, {200, 5312703}, {300, 17954053}, {400, 42585403}, {500, 83206753},
		{310, 19811638}, {480, 73611283},
	} {
		if got := (algorithm.Gauss{Problem: algorithm.Problem{N: tt.n}}).Work(); got != tt.want {
			t.Errorf("W(%d) = %v; expected %v", tt.n, float64(got), float64(tt.want))
		}
	}
}

func TestGaussFootprint(t *testing.T) {
	for _, tt := range []struct {
		name   string
		n      int
		speeds []units.FlopsPerSecond
		want   []units.Bytes
	}{
		// A row with its element of b is 5*8 = 40 bytes. Process 1 has one row
		// of the four (TestCyclic), process 0 keeps the whole matrix.
		{"twice as fast", 4, speeds(2, 1), []units.Bytes{160, 40}},
		{"alone", 4, speeds(2), []units.Bytes{160}},
		// Process 2 gets both rows, of 3*8 = 24 bytes: its second one is done at
		// 2/3, the first one of another at 1. In proportion it would be 1.2 rows.
		{"no rows", 2, speeds(1, 1, 3), []units.Bytes{48, 0, 48}},
	} {
		g := algorithm.Gauss{Problem: algorithm.Problem{N: tt.n, Speeds: tt.speeds, Element: 8}}
		for rank, want := range tt.want {
			if got := g.Footprints()[rank]; got != want {
				t.Errorf("%s: process %d needs %v; expected %v", tt.name, rank, got, want)
			}
		}
	}
}

// The memory of the other processes is what is sent to them.
func TestGaussFootprintIsWhatIsSent(t *testing.T) {
	sent := 0
	for _, s := range machines(17) {
		g := algorithm.Gauss{Problem: algorithm.Problem{N: 57, Speeds: s, Element: 8}, Bcast: measured(workloads.Bcast, 1), Barrier: measured(workloads.Barrier, 1)}
		for _, op := range stream(g.Program(), 0) {
			if op.Kind != workloads.Send {
				continue
			}
			sent++
			if want := g.Footprints()[op.Peer]; op.Size != want {
				t.Errorf("process %d is sent %v and needs %v", op.Peer, op.Size, want)
			}
		}
	}
	if sent != 2*16 {
		t.Errorf("%d messages from process 0; expected 16 on each of 2 machines", sent)
	}
}

// costs are lines with whole numbers, one for each operation, so that a
// reader can see which is which in a sum.
type costs struct{}

func (costs) Message(size units.Bytes) units.Seconds { return 100 + units.Seconds(size) }

func (costs) Collective(op workloads.Collective, size units.Bytes) units.Seconds {
	base := map[workloads.Collective]units.Seconds{
		workloads.Bcast: 10, workloads.Scatter: 1000, workloads.Gather: 5000, workloads.Alltoall: 70000, workloads.Barrier: 2000,
	}
	return base[op] + units.Seconds(size)
}

var _ algorithm.Costs = costs{}

// Among 4 processes: the start takes 4*0.5 = 2, the broadcast of one number
// 10 + 8 = 18, each of 2*3 messages 100 + 10/4 * 11 * 8 = 320. A pivot row is
// 11, 10, ... 3 numbers, 7 on average: each of 9 broadcasts takes
// 10 + 7*8 = 66, each of 9 barriers 2000. Alone, there is the start only.
func TestGaussOverhead(t *testing.T) {
	g := algorithm.Gauss{Problem: algorithm.Problem{N: 10, Startup: 0.5, Element: 8}}
	for _, tt := range []struct {
		speeds []units.FlopsPerSecond
		want   units.Seconds
	}{
		{speeds(4, 3, 2, 1), 2 + 18 + 6*320 + 9*66 + 9*2000},
		{speeds(4), 0.5},
	} {
		g.Speeds = tt.speeds
		if got := g.Overhead(costs{}); got != tt.want {
			t.Errorf("%d processes: %v s; expected %v s", len(g.Speeds), float64(got), float64(tt.want))
		}
	}
}

// TestGaussOperations follows both processes of a small system. Process 0 is
// twice as fast: rows 2 and 1 are done at 1/2 and 2/2 there, a tie with 1/1 of
// process 1, and row 0 is for process 1. A row with its element of b is 32
// bytes. The pivot rows have 3 and 2 elements and one of b left. Step 0 has
// r = 1 and costs 1*(2+5) = 7 flop, 3.5 for each of two rows; step 1 has r = 0.
func TestGaussOperations(t *testing.T) {
	g := algorithm.Gauss{
		Problem: algorithm.Problem{N: 3, Speeds: speeds(2, 1), Startup: 0.5, Element: 8},
		Bcast:   measured(workloads.Bcast, 1), Barrier: measured(workloads.Barrier, 2),
	}
	bcast := func(root int32, size units.Bytes) workloads.Op {
		return workloads.Op{Kind: workloads.Measured, Collective: workloads.Bcast, Peer: root, Size: size, Time: 1.25}
	}
	barrier := workloads.Op{Kind: workloads.Measured, Collective: workloads.Barrier, Time: 2.25}
	want := [][]workloads.Op{
		{
			{Kind: workloads.Delay, Time: 1},
			bcast(0, 8),
			{Kind: workloads.Send, Peer: 1, Tag: 1, Size: 32},
			bcast(1, 32),
			{Kind: workloads.Compute, Work: 7},
			barrier,
			bcast(0, 24),
			{Kind: workloads.Compute, Work: 0},
			barrier,
			{Kind: workloads.Recv, Peer: 1, Tag: 2},
			{Kind: workloads.Compute, Work: 9},
		},
		{
			{Kind: workloads.Delay, Time: 1},
			bcast(0, 8),
			{Kind: workloads.Recv, Peer: 0, Tag: 1},
			bcast(1, 32),
			barrier,
			bcast(0, 24),
			barrier,
			{Kind: workloads.Send, Peer: 0, Tag: 2, Size: 32},
		},
	}
	if diff := cmp.Diff(want, streams(g.Program())); diff != "" {
		t.Errorf("operations differ (-want +got):\n%s", diff)
	}
}

// TestGaussProgram runs the program in all variants and checks the totals.
func TestGaussProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("runs many programs")
	}
	for _, bcast := range choices(t, workloads.Bcast) {
		for _, barrier := range choices(t, workloads.Barrier) {
			t.Run(how(bcast)+" "+how(barrier), func(t *testing.T) {
				for _, p := range processes {
					for _, n := range orders {
						for i, s := range machines(p) {
							g := algorithm.Gauss{Problem: algorithm.Problem{N: n, Speeds: s, Startup: units.Seconds(i) / 4, Element: 8}, Bcast: bcast, Barrier: barrier}
							w, err := run(g.Program(), nil)
							if err == nil {
								err = checkGauss(g, w)
							}
							if err != nil {
								t.Fatalf("n = %d, speeds %v: %v", n, s, err)
							}
						}
					}
				}
			})
		}
	}
}

// checkGauss compares what was done with closed forms.
//
//	messages: out and back for each other process, 2 (p-1);
//	          with an algorithm, those of N broadcasts: 1 number, and the pivot
//	          rows of N+1, N, ... 3 numbers (see broadcast);
//	          with an algorithm, 2 (p-1) or p ceil(log2 p) for each of N-1 barriers;
//	bytes:    N+1 numbers for each row of the others, out and back, and those of
//	          the broadcasts.
//
// Among one process there is no communication.
func checkGauss(g algorithm.Gauss, w *world) error {
	p, n := len(g.Speeds), g.N
	others := n - counts(algorithm.Cyclic(n, g.Speeds), p)[0]
	messages := 2 * (p - 1)
	size := 8 * 2 * others * (n + 1)
	bcasts, barriers := 0, 0
	switch {
	case p == 1:
	case g.Bcast.Cost != nil:
		bcasts = n
	default:
		for numbers := n + 1; numbers >= 1; numbers-- {
			if numbers == 2 {
				continue
			}
			sent, moved := broadcast(g.Bcast.Algorithm.Name(), p, 8*numbers)
			messages += sent
			size += moved
		}
	}
	switch {
	case p == 1:
	case g.Barrier.Cost != nil:
		barriers = n - 1
	default:
		each := map[string]int{"linear": 2 * (p - 1), "tree": 2 * (p - 1), "dissemination": p * bits.Len(uint(p-1))}
		messages += (n - 1) * each[g.Barrier.Algorithm.Name()]
	}
	if w.messages != messages || w.size != units.Bytes(size) {
		return fmt.Errorf("%d messages of %v byte; expected %d of %d", w.messages, float64(w.size), messages, size)
	}
	if got := w.called(workloads.Bcast); got != bcasts {
		return fmt.Errorf("%d measured broadcasts; expected %d", got, bcasts)
	}
	if got := w.called(workloads.Barrier); got != barriers {
		return fmt.Errorf("%d measured barriers; expected %d", got, barriers)
	}
	if err := checkWork(w, g.Work()+g.SequentialWork()); err != nil {
		return err
	}
	if err := checkStart(w, g.Startup); err != nil {
		return err
	}
	return checkElimination(g, w)
}

// broadcast returns the messages and bytes of a broadcast of m bytes, less than
// a segment of a chain, among p processes: p-1 messages with all of it, or, by
// scatter and allgather, pieces from floor(v m/p) to floor((v+1) m/p) that
// travel down the tree once for each set bit of v, in p-1 messages, and then
// each p-1 times.
func broadcast(name string, p, m int) (messages, size int) {
	if name != "scatter-allgather" {
		return p - 1, (p - 1) * m
	}
	messages, size = p-1+p*(p-1), (p-1)*m
	for v := range p {
		size += bits.OnesCount(uint(v)) * ((v+1)*m/p - v*m/p)
	}
	return messages, size
}

// checkWork compares the work of all processes with the total expected.
func checkWork(w *world, want units.Flops) error {
	if got := w.work(); math.Abs(float64(got-want)) > 1e-12*float64(want) {
		return fmt.Errorf("work is %v flop; expected %v", float64(got), float64(want))
	}
	return nil
}

// checkStart expects one delay of p times startup, before anything else, or
// none.
func checkStart(w *world, startup units.Seconds) error {
	for rank, r := range w.ranks {
		delays := r.of(workloads.Delay)
		if startup == 0 && len(delays) == 0 {
			continue
		}
		if want := units.Seconds(len(w.ranks)) * startup; startup == 0 || len(delays) != 1 || r.done[0].Time != want {
			return fmt.Errorf("rank %d begins with %+v and delays %+v; expected one, first, of %v", rank, r.done[0], delays, want)
		}
	}
	return nil
}

// checkElimination tells from the work of each computation how many rows it is
// for. A process computes in every step until its last row has been the pivot
// row, so its computation number i is for step i. Bounds of its part of
// m = N-1-i rows are those of TestCyclicProperties: less than a row below
// m C_q/C, at most (p-1) C_q/C above; for equal speeds, a row above. The last
// step costs nothing, so its rows cannot be told.
func checkElimination(g algorithm.Gauss, w *world) error {
	var total float64
	for _, c := range g.Speeds {
		total += float64(c)
	}
	back := 0 // back substitutions
	sum := make([]float64, g.N-1)
	for rank, r := range w.ranks {
		steps := r.of(workloads.Compute)
		if last := len(steps) - 1; rank == 0 {
			if last < 0 || steps[last].Work != units.Flops(g.N*g.N) || r.done[len(r.done)-1] != steps[last] {
				return fmt.Errorf("process 0 ends with %+v; expected the back substitution", r.done[len(r.done)-1])
			}
			back++
			steps = steps[:last]
		}
		if len(steps) > g.N-1 {
			return fmt.Errorf("process %d computes %d times in %d steps", rank, len(steps), g.N-1)
		}
		part := float64(g.Speeds[rank]) / total
		for i := range g.N - 2 {
			left := float64(g.N - 2 - i)
			var rows float64
			if i < len(steps) {
				rows = float64(steps[i].Work) * (left + 1) / (left * (2*left + 5))
			}
			const rounding = 1e-9
			if math.Abs(rows-math.Round(rows)) > rounding {
				return fmt.Errorf("step %d, process %d: %v rows; expected whole ones", i, rank, rows)
			}
			exact := (left + 1) * part
			if rows <= exact-1-rounding || rows > exact+float64(len(g.Speeds)-1)*part+rounding {
				return fmt.Errorf("step %d, process %d: %v rows; in proportion it would be %v", i, rank, rows, exact)
			}
			sum[i] += rows
		}
	}
	for i := range g.N - 2 {
		if got := math.Round(sum[i]); got != float64(g.N-1-i) {
			return fmt.Errorf("step %d works on %v rows; expected %d", i, got, g.N-1-i)
		}
	}
	if back != 1 {
		return fmt.Errorf("%d back substitutions; expected 1", back)
	}
	return nil
}
