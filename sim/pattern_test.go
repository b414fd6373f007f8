package sim_test

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// messages returns how many messages a round of a shape has on p ranks.
var patternMessages = map[algorithm.Shape]func(p int) int{
	algorithm.Dissemination: func(p int) int { return p * bits.Len(uint(p-1)) },
	algorithm.Ring:          func(p int) int { return p },
	algorithm.Neighbours1D:  func(p int) int { return 2 * p },
	algorithm.AllPairs:      func(p int) int { return p * (p - 1) },
	algorithm.Incast:        func(p int) int { return p - 1 },
	algorithm.Alltoall:      func(p int) int { return p * (p - 1) },
}

// Every shape ends without a deadlock and without lost messages, eager and
// rendezvous, handled by interface and by core, and does the work it says.
func TestPatternsRun(t *testing.T) {
	networks := map[string]sim.Network{
		"ideal":       network.Ideal{},
		"eager":       benchNetwork,
		"rendezvous":  network.Hockney{Latency: 1e-6, Bandwidth: 1e9},
		"loggops":     logGOPSim,
		"synchronous": network.LogGOPS{Latency: 1e-6, Overhead: 1e-6, Gap: 1e-6, GapPerByte: 1e-9, Synchronous: 4},
	}
	checked := 0
	for shape := algorithm.Dissemination; shape <= algorithm.Alltoall; shape++ {
		for _, p := range []int{1, 2, 3, 4, 5, 8, 12, 17, 27} {
			for name, n := range networks {
				a := algorithm.Pattern{Series: algorithm.Series{Rounds: 3, Processes: p}, Shape: shape, Size: 8, Compute: 10, Imbalance: 0.5, Seed: 7}
				expect.Success(t, a.Validate())
				c := sim.Config{Program: a.Program(), Network: n, Rates: ones(p), Ranks: true}
				res, err := sim.Run(context.Background(), c)
				expect.Need(t, err == nil, "%v on %d ranks, %s: %v", shape, p, name, err)
				expect.That(t, len(res.Warnings) <= 0, "%v on %d ranks, %s: %q", shape, p, name, res.Warnings)
				if f := patternMessages[shape]; f != nil && p > 1 && res.Messages != int64(3*f(p)) {
					t.Errorf("%v on %d ranks, %s: %d messages, want %d", shape, p, name, res.Messages, 3*f(p))
				}
				// Each computation is off by at most half of 10.
				if off := math.Abs(float64(res.Work - a.Work())); off > 0.5*float64(a.Work()) || off == 0 {
					t.Errorf("%v on %d ranks, %s: work %v, %v without imbalance", shape, p, name, res.Work, a.Work())
				}
				checked++
			}
		}
	}
	expect.Equal(t, checked, 9*9*5, "cases")
}

// On a symmetric machine every rank of a symmetric shape finishes at the same
// time: which rank is which does not matter.
func TestSymmetricPatternsAreSymmetric(t *testing.T) {
	for _, shape := range []algorithm.Shape{algorithm.Dissemination, algorithm.Ring, algorithm.Neighbours1D, algorithm.Neighbours2D, algorithm.Neighbours3D, algorithm.AllPairs, algorithm.Alltoall} {
		for _, n := range []sim.Network{benchNetwork, logGOPSim} {
			a := algorithm.Pattern{Series: algorithm.Series{Rounds: 2, Processes: 24}, Shape: shape, Size: 100, Compute: 1e-6}
			res := ran(t, sim.Config{Program: a.Program(), Network: n, Rates: ones(24), Ranks: true})
			for r := range res.Ranks {
				expect.Need(t, res.Ranks[r] == res.Ranks[0],
					"%v under %T: rank %d %+v, rank 0 %+v", shape, n, r, res.Ranks[r], res.Ranks[0])
			}
		}
	}
}

// A message to each of two neighbours in each of three dimensions. 24 = 4*3*2.
func TestNeighboursFormAGrid(t *testing.T) {
	a := algorithm.Pattern{Series: algorithm.Series{Rounds: 1, Processes: 24}, Shape: algorithm.Neighbours3D, Size: 8}
	res := ran(t, sim.Config{Program: a.Program(), Network: benchNetwork, Rates: ones(24)})
	expect.Equal(t, res.Messages, 6*24, "messages")
}

// One and two cores, one and three shards: the same to the last bit, for a
// program large enough to be split by itself.
func TestCoresDoNotMatter(t *testing.T) {
	expect.Long(t, "runs programs of 5000 ranks")
	const ranks = 5000
	for _, shape := range []algorithm.Shape{
		algorithm.Dissemination, algorithm.Neighbours2D, algorithm.RandomPairs, algorithm.Incast,
	} {
		for _, n := range []sim.Network{benchNetwork, logGOPSim} {
			t.Run(fmt.Sprintf("%v/%T", shape, n), func(t *testing.T) {
				run := func(workers, shards int) *sim.Result {
					a := algorithm.Pattern{Series: algorithm.Series{Rounds: 3, Processes: ranks}, Shape: shape, Size: 64, Compute: 1e-5, Imbalance: 1, Seed: 3}
					rates := make([]units.FlopsPerSecond, ranks)
					for i := range rates {
						rates[i] = 1
					}
					res := ran(t, sim.Sharded(sim.Config{Program: a.Program(), Network: n, Rates: rates, Ranks: true, Workers: workers}, shards))
					return res
				}
				one := run(1, 0)
				for _, other := range []*sim.Result{run(2, 0), run(0, 3), run(0, 7)} {
					if len(other.Ranks) != ranks || one.Makespan != other.Makespan ||
						one.Events != other.Events || one.Work != other.Work {
						t.Fatalf("totals differ: %v %d %v, %v %d %v", one.Makespan, one.Events, one.Work, other.Makespan, other.Events, other.Work)
					}
					for r := range one.Ranks {
						expect.Need(t, one.Ranks[r] == other.Ranks[r],
							"rank %d: %+v on one core, %+v on several", r, one.Ranks[r], other.Ranks[r])
					}
				}
			})
		}
	}
}
