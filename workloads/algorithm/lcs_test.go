package algorithm_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// longestCommon is the length of the longest common subsequence by definition: the
// longest of all subsequences of a that is one of b. Its time is exponential.
func longestCommon(a, b string) int {
	best := 0
	for chosen := range 1 << len(a) {
		rest, n := b, 0
		for i := range a {
			if chosen>>i&1 == 0 {
				continue
			}
			at := strings.IndexByte(rest, a[i])
			if at < 0 {
				n = 0
				break
			}
			rest, n = rest[at+1:], n+1
		}
		best = max(best, n)
	}
	return best
}

// The program computes the length: each piece is filled when the computation of it
// is complete, from cells that its process has filled itself or has received.
func TestLCSComputesTheLength(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, p := range processes {
		for _, speeds := range machines(p) {
			for _, piece := range []int{1, 3, 10, 11, 100} {
				const n = 10
				l := algorithm.LCS{Problem: algorithm.Problem{N: n, Speeds: speeds, Element: 4}, PieceRows: piece, CellWork: 2}
				var a, b [n]byte
				for i := range n {
					a[i], b[i] = "abc"[r.IntN(3)], "abc"[r.IntN(3)]
				}
				shares := algorithm.Shares(n, speeds)
				first := make([]int, p)
				for q := 1; q < p; q++ {
					first[q] = first[q-1] + shares[q-1]
				}
				var table [n + 1][n + 1]int
				received, filled := make([]int, p), make([]int, p) // pieces
				world, err := run(l.Program(), func(rank int, op workloads.Op) {
					switch op.Kind {
					case workloads.Recv:
						received[rank]++
					case workloads.Compute:
						if rank > 0 && received[rank] <= filled[rank] {
							t.Errorf("rank %d fills piece %d before it has its left column", rank, filled[rank])
						}
						from := filled[rank] * piece
						to := min(n, from+piece)
						if want := units.Flops((to-from)*shares[rank]) * 2; op.Work != want {
							t.Errorf("rank %d, rows %d to %d: %v, want %v", rank, from, to, op.Work, want)
						}
						for i := from; i < to; i++ {
							for j := first[rank]; j < first[rank]+shares[rank]; j++ {
								table[i+1][j+1] = max(table[i][j+1], table[i+1][j])
								if a[i] == b[j] {
									table[i+1][j+1] = table[i][j] + 1
								}
							}
						}
						filled[rank]++
					}
				})
				if err != nil {
					t.Fatal(err)
				}
				if got, want := table[n][n], longestCommon(string(a[:]), string(b[:])); got != want {
					t.Errorf("%d processes, pieces of %d: length of %s and %s is %d, want %d", p, piece, a, b, got, want)
				}
				if world.work() != l.Work() {
					t.Errorf("%d processes: work %v, want %v", p, world.work(), l.Work())
				}
				pieces := (n + piece - 1) / piece
				// Each of p-1 columns of n values goes on once.
				if want := (p - 1) * pieces; world.messages != want || world.size != units.Bytes((p-1)*n*4) {
					t.Errorf("%d processes, pieces of %d: %d messages of %v in all, want %d of %d B", p, piece, world.messages, world.size, want, (p-1)*n*4)
				}
			}
		}
	}
}

func TestLCSStartup(t *testing.T) {
	l := algorithm.LCS{Problem: algorithm.Problem{N: 4, Speeds: machines(3)[0], Element: 1, Startup: 0.5}, PieceRows: 2, CellWork: 1}
	for rank, ops := range streams(l.Program()) {
		if ops[0].Kind != workloads.Delay || ops[0].Time != 1.5 {
			t.Errorf("rank %d begins with %+v, want a delay of 3 * 0.5 s", rank, ops[0])
		}
	}
}

func TestLCSFootprints(t *testing.T) {
	// Two processes, 6 and 2 of 8 columns, pieces of 3 rows of 4 bytes: 8 + 6
	// characters and 6 + 2*3 values; 8 + 2 characters and 2 + 2*3 values.
	l := algorithm.LCS{Problem: algorithm.Problem{N: 8, Speeds: []units.FlopsPerSecond{3, 1}, Element: 4}, PieceRows: 3, CellWork: 1}
	if got := fmt.Sprint(l.Footprints()); got != fmt.Sprint([]units.Bytes{14 + 48, 10 + 32}) {
		t.Errorf("footprints %s", got)
	}
}

func TestLCSValidate(t *testing.T) {
	good := algorithm.LCS{Problem: algorithm.Problem{N: 4, Speeds: []units.FlopsPerSecond{1}, Element: 1}, PieceRows: 2, CellWork: 1}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	for want, l := range map[string]algorithm.LCS{
		"n is 0":      {Problem: algorithm.Problem{N: 0, Speeds: good.Speeds, Element: 1}, PieceRows: 2, CellWork: 1},
		"0 rows":      {Problem: algorithm.Problem{N: 4, Speeds: good.Speeds, Element: 1}, CellWork: 1},
		"for a cell":  {Problem: algorithm.Problem{N: 4, Speeds: good.Speeds, Element: 1}, PieceRows: 2},
		"no process":  {Problem: algorithm.Problem{N: 4, Element: 1}, PieceRows: 2, CellWork: 1},
		"element is":  {Problem: algorithm.Problem{N: 4, Speeds: good.Speeds}, PieceRows: 2, CellWork: 1},
		"startup is":  {Problem: algorithm.Problem{N: 4, Speeds: good.Speeds, Element: 1, Startup: -1}, PieceRows: 2, CellWork: 1},
		"speed of pr": {Problem: algorithm.Problem{N: 4, Speeds: []units.FlopsPerSecond{0}, Element: 1}, PieceRows: 2, CellWork: 1},
	} {
		if err := l.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v; want %q", l, err, want)
		}
	}
}

func TestLCSAllocatesOnlyAtItsStart(t *testing.T) {
	l := algorithm.LCS{Problem: algorithm.Problem{N: 1000, Speeds: machines(5)[1], Element: 1}, PieceRows: 10, CellWork: 1}
	var op workloads.Op
	start := testing.AllocsPerRun(5, func() { started = l.Program() })
	whole := testing.AllocsPerRun(5, func() {
		started = l.Program()
		for rank := range started.Ranks() {
			for started.Next(rank, &op) {
			}
		}
	})
	if whole != start {
		t.Errorf("%v allocations; expected the %v of the start", whole, start)
	}
}
