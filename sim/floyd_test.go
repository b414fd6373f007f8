package sim_test

import (
	"math"
	"math/bits"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
	"gonum.org/v1/gonum/floats/scalar"
	"pgregory.net/rapid"
)

// runnable is an algorithm with its parameters.
type runnable interface {
	Validate() error
	Program() workloads.Program
}

// makespan runs an algorithm at its processes' marked speeds.
func makespan(t testing.TB, a runnable, speeds []units.FlopsPerSecond, n sim.Network) float64 {
	t.Helper()
	expect.Success(t, a.Validate())
	res := ran(t, sim.Config{Program: a.Program(), Rates: speeds, Network: n})
	return float64(res.Makespan)
}

func equalSpeeds(p int, c units.FlopsPerSecond) []units.FlopsPerSecond {
	speeds := make([]units.FlopsPerSecond, p)
	for q := range speeds {
		speeds[q] = c
	}
	return speeds
}

func chosen(t testing.TB, op workloads.Collective, name string) collective.Choice {
	t.Helper()
	a := expect.Value(collective.Lookup(op, name))(t)
	return collective.Choice{Operation: op, Algorithm: a}
}

// Equal processes with n/p rows each, at 1e6 cells/s. With c = n^2/p/1e6 the time
// of an iteration's updates, d = ceil(log2 p) steps of a binomial broadcast, o the
// sender's part of a message and m/B the time of a row on the way:
//
//	ideal:    T = n c, which is W/C
//	measured: T = n (c + T_bcast)
//	plain:    T = n (c + d o) if a row takes no time on the way [Bosque Eq. 7]
//
// With p = 2, an owner changes once. Process 1 has row k at k (c + o) + o + m/B.
// Having updated its rows with the last one of process 0, k = n/2-1, it sends row
// n/2 at t = n/2 (c + o) + m/B + o, and a row more every c + o. Process 0 is the
// last to update, with row n-1:
//
//	T = t + (n/2-1)(c + o) + m/B + c = n (c + o) + 2 m/B
//
// With overlap, process 0 sends row k before it updates its other rows, so process
// 1 never waits for a row again once it has row 0, at o + m/B, as long as the lead,
// nearly c, is more than the n/2 o by which it gets smaller. It has n c to compute
// and n/2 rows to send, and ends last:
//
//	T = o + m/B + n c + n/2 o
func TestFloydInClosedForm(t *testing.T) {
	const n, o = 64, 20e-6
	for _, p := range []int{1, 2, 4, 8, 16} {
		f := algorithm.Floyd{Problem: algorithm.Problem{N: n, Speeds: equalSpeeds(p, 2e6), Element: 4}, CellWork: 2, Bcast: chosen(t, workloads.Bcast, "binomial")}
		c := float64(n*n) / float64(p) / 1e6
		d := float64(bits.Len(uint(p - 1)))
		instant := network.Hockney{
			SendOverhead: o, Bandwidth: units.BytesPerSecond(math.MaxFloat64), EagerLimit: units.Bytes(math.Inf(1)),
		}
		slow := instant
		slow.Bandwidth = 4 * n / 7e-6 // a row takes 7 us
		want := func(name string, got, want float64) {
			t.Helper()
			expect.That(t, scalar.EqualWithinRel(got, want, 1e-9),
				"p = %d, %s: %v s; expected %v s", p, name, got, want)
		}
		want("ideal", makespan(t, f, f.Speeds, network.Ideal{}), n*c)
		want("plain", makespan(t, f, f.Speeds, instant), n*(c+d*o))
		if p == 2 {
			want("plain, slow", makespan(t, f, f.Speeds, slow), n*(c+o)+2*7e-6)
			f.Overlap = true
			want("overlap, slow", makespan(t, f, f.Speeds, slow), o+7e-6+n*c+n/2*o)
			f.Overlap = false
		}
		f.Bcast = collective.Choice{Operation: workloads.Bcast, Cost: &collective.Cost{Base: 1e-3}}
		each := 1e-3
		if p == 1 {
			each = 0
		}
		want("measured", makespan(t, f, f.Speeds, network.Ideal{}), n*(c+each))
	}
}

// With overlap the time of a row under way is hidden, and the run is no slower than
// [Bosque] Eq. 6, T = n c + n d o + d m/B. It is faster, because only the owner of a
// row spends d o on it, and others catch up while they are not owners: the n (p-1)
// messages cost n o (p-1)/p on average, and some process must exceed that.
func TestFloydOverlapHidesTheRows(t *testing.T) {
	const n, o, row = 512, 20e-6, 100e-6
	for _, p := range []int{2, 4, 8, 16} {
		f := algorithm.Floyd{Problem: algorithm.Problem{N: n, Speeds: equalSpeeds(p, 2e6), Element: 4}, CellWork: 2, Bcast: chosen(t, workloads.Bcast, "binomial")}
		c, d := float64(n*n)/float64(p)/1e6, float64(bits.Len(uint(p-1)))
		net := network.Hockney{SendOverhead: o, Bandwidth: 4 * n / row, EagerLimit: units.Bytes(math.Inf(1))}
		plain := makespan(t, f, f.Speeds, net)
		f.Overlap = true
		got := makespan(t, f, f.Speeds, net)
		least, equation := n*c+n*o*float64(p-1)/float64(p), n*(c+d*o)+d*row
		expect.That(t, got >= least && got <= equation && got < plain,
			"p = %d: %v s; expected %v to %v s, and less than %v s", p, got, least, equation, plain)
	}
}

// Whatever the broadcast, with messages that wait for their receivers, nobody waits for
// ever; and no run is faster than W/C or slower than everything in sequence.
func TestFloydEnds(t *testing.T) {
	names := collective.Names(workloads.Bcast)
	rapid.Check(t, func(r *rapid.T) {
		p := rapid.IntRange(1, 12).Draw(r, "p")
		f := algorithm.Floyd{
			Problem: algorithm.Problem{N: rapid.IntRange(1, 30).Draw(r, "n"), Element: 4, Speeds: equalSpeeds(p, 1e6)}, CellWork: 2,
			Overlap: rapid.Bool().Draw(r, "overlap"),
			Bcast:   chosen(t, workloads.Bcast, rapid.SampledFrom(names).Draw(r, "bcast")),
		}
		var total units.FlopsPerSecond
		for q := range f.Speeds {
			f.Speeds[q] *= units.FlopsPerSecond(rapid.IntRange(1, 9).Draw(r, "speed"))
			total += f.Speeds[q]
		}
		limit := units.Bytes(rapid.SampledFrom([]float64{0, 50, math.Inf(1)}).Draw(r, "eager limit"))
		net := network.Hockney{Latency: 1e-5, SendOverhead: 1e-6, RecvOverhead: 1e-6, Bandwidth: 1e7, EagerLimit: limit}
		got := makespan(t, f, f.Speeds, net)
		balanced := float64(f.Work()) / float64(total)
		serial := float64(f.Work())/1e6 + float64(f.N*2*p*p)*(3*1e-5+3*2e-6+3*float64(4*f.N)/1e7)
		expect.Need(r, got >= balanced*(1-1e-12) && got <= serial, "%+v, eager up to %v: %v s; expected %v to %v", f, limit, got, balanced, serial)
	})
}
