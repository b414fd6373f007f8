package sim_test

import (
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
	"gonum.org/v1/gonum/floats/scalar"
	"pgregory.net/rapid"
)

func convolutionOf(t testing.TB, n int, speeds []units.FlopsPerSecond, scatter, alltoall, gather string) algorithm.Convolution {
	t.Helper()
	return algorithm.Convolution{
		Problem: algorithm.Problem{N: n, Speeds: speeds, Element: 16}, Transposes: true,
		Scatter:  chosen(t, workloads.Scatter, scatter),
		Alltoall: chosen(t, workloads.Alltoall, alltoall),
		Gather:   chosen(t, workloads.Gather, gather),
	}
}

// Equal processes with equal rows take W/C if messages cost nothing. At measured costs,
// two scatters, three exchanges (if any) and a gather are added.
func TestConvolutionInClosedForm(t *testing.T) {
	for _, p := range []int{1, 2, 4, 8} {
		c := convolutionOf(t, 64, equalSpeeds(p, 1e6), "flat", "pairwise", "flat")
		work := float64(c.Work()) / (float64(p) * 1e6)
		want := func(name string, want float64) {
			t.Helper()
			got := makespan(t, c, c.Speeds, network.Ideal{})
			expect.That(t, scalar.EqualWithinRel(got, want, 1e-9), "p = %d, %s: %v s; expected %v s", p, name, got, want)
		}
		want("ideal", work)
		c.Scatter.Algorithm, c.Scatter.Cost = nil, &collective.Cost{Base: 1}
		c.Alltoall.Algorithm, c.Alltoall.Cost = nil, &collective.Cost{Base: 10}
		c.Gather.Algorithm, c.Gather.Cost = nil, &collective.Cost{Base: 100}
		calls := 1.0
		if p == 1 {
			calls = 0
		}
		want("measured", work+calls*(2*1+3*10+100))
		c.Transposes = false
		want("without exchanges", work+calls*(2*1+100))
	}
}

// Two equal processes, messages that wait for nobody: L = 3 ms, B = 1 MB/s, rows of an
// image b = 16 n^2/2/B, a block of an exchange b/2. Process 1 has its rows at 2 b + L.
// A process that enters an exchange at x while the other enters at y leaves at max(x, y
// + b/2 + L); process 0's first block waits for its interface until 2 b. Process 0 ends
// when the rows of process 1 have come in, or with its own work.
func TestConvolutionOfTwoProcesses(t *testing.T) {
	for _, speed := range []units.FlopsPerSecond{1e5, 1e6, 1e7, 1e9} { // computing dominates, or communication
		const n, latency = 64, 3e-3
		c := convolutionOf(t, n, equalSpeeds(2, speed), "flat", "pairwise", "flat")
		lines, points := n/2.0, n*n/2.0
		half := lines * (11*n + 14) * 6 / float64(speed) // lg 64 = 6
		finish := half + 5*points/float64(speed)
		product := 6 * points / float64(speed)
		b := 16 * points / 1e6

		at, free := [2]float64{0, 2*b + latency}, [2]float64{2 * b, 0} // clock, and interface free
		for exchange := range 3 {
			var sent [2]float64 // when the block has left
			for q := range at {
				if exchange == 2 {
					at[q] += product
				}
				at[q] += half
				sent[q] = max(at[q], free[q]) + b/2
				free[q] = sent[q]
			}
			for q := range at {
				at[q] = max(at[q], sent[1-q]+latency) + finish
			}
		}
		want := max(at[0], max(at[1], free[1])+b+latency)

		net := network.Hockney{Latency: latency, Bandwidth: 1e6, EagerLimit: units.Bytes(math.Inf(1))}
		got := makespan(t, c, c.Speeds, net)
		expect.That(t, scalar.EqualWithinRel(got, want, 1e-9), "at %v: %v s; expected %v s", speed, got, want)
	}
}

// Whatever the algorithms, with messages that wait for their receivers, nobody waits
// for ever; and no run is faster than W/C or slower than everything in sequence, if no
// block travels more than four times.
func TestConvolutionEnds(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		name := func(op workloads.Collective) string {
			return rapid.SampledFrom(collective.Names(op)).Draw(r, op.String())
		}
		p := rapid.IntRange(1, 12).Draw(r, "p")
		c := convolutionOf(t, rapid.IntRange(1, 100).Draw(r, "n"), equalSpeeds(p, 1e6), name(workloads.Scatter), name(workloads.Alltoall), name(workloads.Gather))
		c.Transposes = rapid.Bool().Draw(r, "transposes")
		var total units.FlopsPerSecond
		for q := range c.Speeds {
			c.Speeds[q] *= units.FlopsPerSecond(rapid.IntRange(1, 9).Draw(r, "speed"))
			total += c.Speeds[q]
		}
		limit := units.Bytes(rapid.SampledFrom([]float64{0, 500, math.Inf(1)}).Draw(r, "eager limit"))
		net := network.Hockney{Latency: 1e-5, SendOverhead: 1e-6, RecvOverhead: 1e-6, Bandwidth: 1e7, EagerLimit: limit}
		got := makespan(t, c, c.Speeds, net)
		balanced := float64(c.Work()) / float64(total)
		image := float64(16*c.N*c.N) / 1e7
		serial := float64(c.Work())/1e6 + float64(6*p*p)*(3*1e-5+3*2e-6) + 4*6*image
		expect.Need(r, got >= balanced*(1-1e-12) && got <= serial, "%+v, eager up to %v: %v s; expected %v to %v", c, limit, got, balanced, serial)
	})
}
