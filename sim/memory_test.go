package sim_test

import (
	"context"
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	roofline "github.com/isoscale/isoscale/model/compute" // compute is an operation in these tests
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

func inMemory(w units.Flops, traffic units.Bytes) workloads.Op {
	return workloads.Op{Kind: workloads.Compute, Work: w, Size: traffic}
}

// On cores of 2 flop/s, rank 0 has 4 byte/s and rank 1 has no limit.
func TestComputationsWaitForTheirShareOfMemory(t *testing.T) {
	for _, tt := range []struct {
		name string
		op   workloads.Op
		want [2]units.Seconds
	}{
		{"no traffic", inMemory(6, 0), [2]units.Seconds{3, 3}},
		{"memory keeps up", inMemory(6, 12), [2]units.Seconds{3, 3}},
		{"memory is short", inMemory(6, 40), [2]units.Seconds{10, 3}},
		{"traffic alone", inMemory(0, 8), [2]units.Seconds{2, 0}},
	} {
		res := expect.Value(sim.Run(context.Background(), sim.Config{
			Program: script{{tt.op}, {tt.op}}.program(), Network: network.Ideal{}, Ranks: true,
			Rates: []units.FlopsPerSecond{2, 2}, Memory: []units.BytesPerSecond{4, roofline.Unlimited},
		}))(t)
		for r, want := range tt.want {
			got := res.Ranks[r]
			expect.That(t, got.Finish == want && got.Compute == want,
				"%s: rank %d computes for %v and finishes at %v, want %v", tt.name, r, got.Compute, got.Finish, want)
		}
	}
}

// If all processes of a node compute at once, a fabric gives them equal shares: on
// nodes of [smp], 3 byte/s alone and 1.5 byte/s for each of two. The time does not
// depend on how often the computation is interrupted.
func TestEqualSharesAreThoseOfAFabric(t *testing.T) {
	for _, traffic := range []units.Bytes{0, 1, 9, 12, 24, 900} {
		body := func(r *sim.Rank) {
			for range 3 {
				r.ComputeInMemory(2, traffic/3)
			}
		}
		for _, place := range [][]int32{{0, 0}, {0, 1}} {
			share := roofline.Share(3, 1)
			if place[0] == place[1] {
				share = roofline.Share(3, 2)
			}
			res := expect.Value(sim.Run(context.Background(), sim.Config{
				Program: sim.NewProgram(2, body), Network: network.Ideal{}, Rates: ones(2), Memory: []units.BytesPerSecond{share, share},
			}))(t)
			want := finishOn(t, smp(place...), sim.NewProgram(2, body))
			expect.That(t, close12(float64(res.Makespan), float64(want)),
				"%v on nodes %v: %v with equal shares, %v on a fabric", traffic, place, res.Makespan, want)
		}
	}
}

// Bad operations are errors with shares of memory too.
func TestBadComputationsInMemory(t *testing.T) {
	for _, op := range []workloads.Op{
		inMemory(-1, 8), inMemory(1, -8), inMemory(1, units.Bytes(math.NaN())), inMemory(units.Flops(math.NaN()), 1),
	} {
		_, err := sim.Run(context.Background(), sim.Config{
			Program: script{{op}}.program(), Network: network.Ideal{}, Rates: ones(1), Memory: []units.BytesPerSecond{1},
		})
		expect.Kind[*sim.ProgramError](t, err)
	}
}

func TestBadShares(t *testing.T) {
	one := script{{inMemory(1, 1)}}
	for _, tt := range []struct {
		memory []units.BytesPerSecond
		fabric bool
		want   string
	}{
		{[]units.BytesPerSecond{1, 1}, false, "2 shares of memory bandwidth for 1 ranks"},
		{[]units.BytesPerSecond{}, false, "0 shares of memory bandwidth for 1 ranks"},
		{[]units.BytesPerSecond{0}, false, "rank 0 has a memory bandwidth of 0 B/s; expected one above 0"},
		{[]units.BytesPerSecond{1}, true, "both shares of memory bandwidth and a fabric"},
	} {
		c := sim.Config{Program: one.program(), Rates: []units.FlopsPerSecond{1}, Memory: tt.memory, Network: network.Ideal{}}
		if tt.fabric {
			c.Network, c.Rates, c.Fabric = nil, nil, (*flow.Model)(nil)
		}
		expect.Refusal(sim.Run(context.Background(), c))(t, tt.want)
	}
}
