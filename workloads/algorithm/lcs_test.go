package algorithm_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// longestCommon returns the length of the longest common subsequence by definition: of
// the longest subsequence of a that is also one of b. It takes exponential time.
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

// The program computes the length: when the computation of a piece is complete, the
// piece is filled from cells that its process has filled itself or received.
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
				world := expect.Value(run(l.Program(), func(rank int, op workloads.Op) {
					switch op.Kind {
					case workloads.Recv:
						received[rank]++
					case workloads.Compute:
						expect.That(t, rank <= 0 || received[rank] > filled[rank],
							"rank %d fills piece %d before it has its left column", rank, filled[rank])
						from := filled[rank] * piece
						to := min(n, from+piece)
						expect.Equal(t, op.Work, units.Flops((to-from)*shares[rank])*2, "rank %d, rows %d to %d", rank, from, to)
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
				}))(t)
				got, want := table[n][n], longestCommon(string(a[:]), string(b[:]))
				expect.That(t, got == want, "%d processes, pieces of %d: length of %s and %s is %d, want %d", p, piece, a, b, got, want)
				expect.Equal(t, world.work(), l.Work(), "%d processes: work", p)
				pieces := (n + piece - 1) / piece
				// Each of p-1 columns of n values goes on once.
				want = (p - 1) * pieces
				expect.That(t, world.messages == want && world.size == units.Bytes((p-1)*n*4),
					"%d processes, pieces of %d: %d messages of %v in all, want %d of %d B", p, piece, world.messages, world.size, want, (p-1)*n*4)
			}
		}
	}
}
