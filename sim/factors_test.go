package sim_test

import (
	"context"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"pgregory.net/rapid"
)

// useful returns for how long each rank computes.
func useful(r *sim.Result) (all []units.Seconds) {
	for _, x := range r.Ranks {
		all = append(all, x.Compute)
	}
	return all
}

// factors simulates a program, made for each run, on a network and on the ideal one.
func factors(t expect.TB, program func() workloads.Program, n sim.Network) (f scalability.Factors, real, ideal *sim.Result) {
	t.Helper()
	run := func(n sim.Network) *sim.Result {
		p := program()
		return expect.Value(sim.Run(context.Background(),
			sim.Config{Program: p, Network: n, Rates: ones(p.Ranks()), Ranks: true}))(t)
	}
	real, ideal = run(n), run(network.Ideal{})
	f = expect.Value(scalability.ParallelFactors(useful(real), real.Makespan,
		slices.Max(useful(ideal)), ideal.Makespan))(t)
	return f, real, ideal
}

// Three causes of lost time, each alone, and all together.
func TestFactorsOfKnownPrograms(t *testing.T) {
	latency := network.Hockney{Latency: 1, Bandwidth: 1e300, EagerLimit: 1000}
	for _, tt := range []struct {
		name string
		n    sim.Network
		body func(m *sim.Rank)
		want scalability.Factors
	}{
		// Ranks compute 1, 2, 3 and 4 s and never meet: the mean is 2.5 s of 4 s.
		{"imbalance", latency, func(m *sim.Rank) {
			m.Compute(units.Flops(m.Rank() + 1))
		}, scalability.Factors{Parallel: 0.625, LoadBalance: 0.625, Communication: 1, Serialisation: 1, Transfer: 1}},
		// Four ranks compute 2 s, one after another: 8 s, whatever the network.
		{"chain", network.Ideal{}, func(m *sim.Rank) {
			if m.Rank() > 0 {
				m.Recv(m.Rank()-1, 0)
			}
			m.Compute(2)
			if m.Rank() < 3 {
				m.Send(m.Rank()+1, 0, 8)
			}
		}, scalability.Factors{Parallel: 0.25, LoadBalance: 1, Communication: 0.25, Serialisation: 0.25, Transfer: 1}},
		// With a latency of 1 s it has three of these: 11 s, of which 8 s remain.
		{"chain with latency", latency, func(m *sim.Rank) {
			if m.Rank() > 0 {
				m.Recv(m.Rank()-1, 0)
			}
			m.Compute(2)
			if m.Rank() < 3 {
				m.Send(m.Rank()+1, 0, 8)
			}
		}, scalability.Factors{Parallel: 2.0 / 11, LoadBalance: 1, Communication: 2.0 / 11, Serialisation: 0.25, Transfer: 8.0 / 11}},
		// Around a ring of equal ranks only the latency is lost: 3 s of 4 s.
		{"ring", latency, func(m *sim.Rank) {
			m.Compute(3)
			r := m.Irecv((m.Rank()+3)%4, 0)
			m.Send((m.Rank()+1)%4, 0, 0)
			m.Wait(r)
		}, scalability.Factors{Parallel: 0.75, LoadBalance: 1, Communication: 0.75, Serialisation: 1, Transfer: 0.75}},
	} {
		got, _, _ := factors(t, func() workloads.Program { return sim.NewProgram(4, tt.body) }, tt.n)
		for i, x := range [][2]float64{{got.Parallel, tt.want.Parallel}, {got.LoadBalance, tt.want.LoadBalance},
			{got.Communication, tt.want.Communication}, {got.Serialisation, tt.want.Serialisation},
			{got.Transfer, tt.want.Transfer}} {
			expect.Close(t, x[0], x[1], 1e-12, "%s: factor %d of five", tt.name, i+1)
		}
	}
}

// On random patterns no factor exceeds 1, products agree, and the parallel efficiency times p T is what was computed:
// at 1 flop/s the speed-efficiency, up to what is computed beside W. Pattern names its senders.
func TestFactorsOfRandomPatterns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := algorithm.Pattern{
			Series:  algorithm.Series{Rounds: rapid.IntRange(1, 4).Draw(t, "rounds"), Processes: rapid.IntRange(2, 17).Draw(t, "processes")},
			Shape:   algorithm.Shape(rapid.IntRange(int(algorithm.Dissemination), int(algorithm.Alltoall)).Draw(t, "shape")),
			Size:    units.Bytes(rapid.IntRange(0, 1000).Draw(t, "size")),
			Compute: units.Flops(rapid.IntRange(1, 10).Draw(t, "compute")), Imbalance: 0.5, Seed: 7,
		}
		n := rapid.SampledFrom([]sim.Network{
			network.Hockney{Latency: 1, Bandwidth: 100},
			network.LogGOPS{Latency: 1, Overhead: 0.1, Gap: 0.1, GapPerByte: 1e-3, Synchronous: 100},
		}).Draw(t, "network")
		f, real, ideal := factors(t, func() workloads.Program { return a.Program() }, n)
		const one = 1 + 1e-12
		for i, x := range []float64{f.Parallel, f.LoadBalance, f.Communication, f.Serialisation, f.Transfer} {
			expect.That(t, x > 0 && x <= one, "factor %d of five is %v", i+1, x)
		}
		expect.Close(t, f.LoadBalance*f.Serialisation*f.Transfer, f.Parallel, 1e-12, "product")
		expect.Close(t, f.Transfer, float64(ideal.Makespan/real.Makespan), 1e-12, "transfer as T'/T")
		did := float64(real.Work) / (float64(a.Processes) * float64(real.Makespan))
		expect.Close(t, f.Parallel, did, 1e-12, "work done over T C")
	})
}
