package algorithm_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

var referencePartners = []algorithm.Shape{
	algorithm.Dissemination, algorithm.Ring, algorithm.Neighbours1D, algorithm.Neighbours2D,
	algorithm.Neighbours3D, algorithm.AllPairs, algorithm.Alltoall,
}

// What [He2004] section 4 demands of the program: work in proportion to the
// processes, and in every round the same computation and the same exchange,
// whatever the number of partners.
func TestReferenceKeepsItsRatio(t *testing.T) {
	for _, partners := range referencePartners {
		for p := 1; p <= 20; p++ {
			const rounds, compute, exchange = 3, 5e6, 12e3
			r := algorithm.Reference{Series: algorithm.Series{Rounds: rounds, Processes: p}, Compute: compute, Exchange: exchange, Partners: partners}
			expect.Success(t, r.Validate())
			expect.Equal(t, r.Work(), units.Flops(p)*rounds*compute, "%v on %d: work", partners, p)
			arrived := make([]units.Bytes, p)
			for rank, ops := range streams(r.Program()) {
				var work units.Flops
				var sent units.Bytes
				for _, op := range ops {
					switch op.Kind {
					case workloads.Compute:
						work += op.Work
					case workloads.Sendrecv, workloads.Isend:
						sent += op.Size
						arrived[op.Peer] += op.Size
					}
				}
				want := units.Bytes(rounds * exchange)
				if p == 1 {
					want = 0
				}
				expect.That(t, work == rounds*compute && math.Abs(float64(sent-want)) <= 1e-6,
					"%v, rank %d of %d: %v of work and %v sent; want %v and %v", partners, rank, p, work, sent, units.Flops(rounds*compute), want)
			}
			least, most := slices.Min(arrived), slices.Max(arrived)
			expect.That(t, float64(most-least) <= 1e-6, "%v on %d: ranks receive between %v and %v", partners, p, least, most)
		}
	}
}

// A total of 8 flop on speeds of 1 and 3 is 2 and 6 flop in a round: each process
// takes 2 s. The total does not depend on the processes.
func TestTotalComputeIsDividedBySpeed(t *testing.T) {
	speeds := []units.FlopsPerSecond{1, 3}
	s := algorithm.Series{Rounds: 5, Processes: 2}
	for _, a := range []algorithm.Algorithm{
		algorithm.Reference{Series: s, TotalCompute: 8, Speeds: speeds, Partners: algorithm.Ring},
		algorithm.Pattern{Series: s, TotalCompute: 8, Speeds: speeds, Shape: algorithm.Ring},
	} {
		expect.Success(t, a.Validate())
		expect.That(t, a.Work() == 40, "%T: work %v, want 5 rounds of 8 flop", a, a.Work())
		for rank, ops := range streams(a.Program()) {
			rounds := 0
			for _, op := range ops {
				if op.Kind == workloads.Compute {
					rounds++
					expect.Equal(t, op.Work, []units.Flops{2, 6}[rank], "%T, rank %d: in a round", a, rank)
				}
			}
			expect.Equal(t, rounds, 5, "%T, rank %d: computations", a, rank)
		}
	}
	both := algorithm.Pattern{Series: s, Compute: 1, TotalCompute: 8, Speeds: speeds, Shape: algorithm.Ring}
	expect.Failure(t, both.Validate(), "both compute and total_compute")
}

// oneMessage is the cost of messages of 1 s and 1 s/byte.
type oneMessage struct{ algorithm.Costs }

func (oneMessage) Message(size units.Bytes) units.Seconds { return 1 + units.Seconds(size) }

func TestReferenceClosedForms(t *testing.T) {
	// Four processes: three messages of 20 bytes in each of two rounds, and
	// a start of 4 * 0.5 s.
	r := algorithm.Reference{Series: algorithm.Series{Rounds: 2, Processes: 4, Startup: 0.5}, Compute: 1, Exchange: 60, Partners: algorithm.Alltoall}
	expect.Equal(t, r.Overhead(oneMessage{}), 2*3*21+2, "overhead")
	expect.Equal(t, fmt.Sprint(r.Footprints()), fmt.Sprint([]units.Bytes{120, 120, 120, 120}), "footprints")
	r.Processes = 1
	got := r.Overhead(oneMessage{})
	expect.That(t, got == 0.5 && r.Footprints()[0] == 0 && r.SequentialWork() == 0 && len(r.Choices()) == 0,
		"alone: overhead %v, footprint %v", got, r.Footprints())
}
