package sim_test

import (
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Each benchmark simulates whole runs and reports the time, the allocations and the
// bytes for each message, so that sizes can be compared. The numbers of messages and
// operations are asserted, because an engine that does less is not faster.

// benchNetwork is a network with all four parameters, so that nothing is free.
var benchNetwork = network.Hockney{
	Latency: 5e-6, Bandwidth: 1e9, SendOverhead: 1e-6, RecvOverhead: 1e-6,
	EagerLimit: units.Bytes(math.Inf(1)),
}

var benchRanks = []int{64, 1024, 16384}

// rounds is a program in which every rank does the same in each of a number of
// rounds: send to one rank, receive from another.
type rounds struct {
	ranks, rounds int
	to, from      func(rank, round int) int
	state         []struct {
		round int32
		sent  bool
	}
}

func (p *rounds) Ranks() int { return p.ranks }

func (p *rounds) Next(rank int, op *workloads.Op) bool {
	s := &p.state[rank]
	if int(s.round) == p.rounds {
		return false
	}
	if !s.sent {
		s.sent = true
		*op = workloads.Op{Kind: workloads.Send, Peer: int32(p.to(rank, int(s.round))), Size: 8}
		return true
	}
	*op = workloads.Op{Kind: workloads.Recv, Peer: int32(p.from(rank, int(s.round)))}
	s.sent = false
	s.round++
	return true
}

func newRounds(ranks, n int, to, from func(rank, round int) int) *rounds {
	p := &rounds{ranks: ranks, rounds: n, to: to, from: from}
	p.state = make([]struct {
		round int32
		sent  bool
	}, ranks)
	return p
}

func benchmarkProgram(b *testing.B, ranks int, fresh func() workloads.Program, messages, operations int64) {
	rates := make([]units.FlopsPerSecond, ranks)
	for i := range rates {
		rates[i] = 1e9
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		res := ran(b, sim.Config{Program: fresh(), Network: benchNetwork, Rates: rates})
		if res.Messages != messages || res.Operations != operations {
			b.Fatalf("%d messages, %d operations; want %d and %d", res.Messages, res.Operations, messages, operations)
		}
	}
	runtime.ReadMemStats(&after)
	perMessage := 1 / (float64(b.N) * float64(messages))
	// Setting up a run allocates; a message does not.
	if allocs := float64(after.Mallocs-before.Mallocs) * perMessage; allocs > 0.01 {
		b.Errorf("%.4f allocations for each message, want those of the set-up only", allocs)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())*perMessage, "ns/message")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)*perMessage, "allocs/message")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)*perMessage, "B/message")
}

// BenchmarkRing: every rank passes 8 bytes to its right neighbour, 100 times.
func BenchmarkRing(b *testing.B) {
	const n = 100
	for _, p := range benchRanks {
		b.Run(fmt.Sprint(p), func(b *testing.B) {
			benchmarkProgram(b, p, func() workloads.Program {
				return newRounds(p, n,
					func(rank, _ int) int { return (rank + 1) % p },
					func(rank, _ int) int { return (rank + p - 1) % p })
			}, int64(n*p), int64(2*n*p))
		})
	}
}

// BenchmarkDissemination: ten dissemination barriers, log2 P rounds each.
func BenchmarkDissemination(b *testing.B) {
	const barriers = 10
	for _, p := range benchRanks {
		b.Run(fmt.Sprint(p), func(b *testing.B) {
			log := bits.Len(uint(p - 1))
			benchmarkProgram(b, p, func() workloads.Program {
				return newRounds(p, barriers*log,
					func(rank, round int) int { return (rank + 1<<(round%log)) % p },
					func(rank, round int) int { return (rank + p - 1<<(round%log)) % p })
			}, int64(barriers*log*p), int64(2*barriers*log*p))
		})
	}
}

// BenchmarkGauss: Gaussian elimination of order 64 with a binomial broadcast and
// a dissemination barrier in each of its 63 steps.
func BenchmarkGauss(b *testing.B) {
	const n = 64
	for _, p := range benchRanks {
		b.Run(fmt.Sprint(p), func(b *testing.B) {
			speeds := make([]units.FlopsPerSecond, p)
			for i := range speeds {
				speeds[i] = 1e9
			}
			g := algorithm.Gauss{Problem: algorithm.Problem{N: n, Speeds: speeds, Element: 8}, Bcast: choose(b, workloads.Bcast, "binomial"), Barrier: choose(b, workloads.Barrier, "dissemination")}
			log := int64(bits.Len(uint(p - 1)))
			P := int64(p)
			// Announcement and pivot rows: n broadcasts of P-1 messages. Barriers:
			// n-1, P log2 P messages each. Distribution and collection: 2(P-1).
			messages := n*(P-1) + (n-1)*P*log + 2*(P-1)
			// Two operations a message, but one in the barriers (Sendrecv), and
			// the computations: rows left in step i are dealt out to min(P, n-1-i)
			// processes. Back substitution: one.
			computations := int64(1)
			for i := range int64(n - 1) {
				computations += min(P, n-1-i)
			}
			operations := 2*messages - (n-1)*P*log + computations
			benchmarkProgram(b, p, g.Program, messages, operations)
		})
	}
}

func choose(tb testing.TB, op workloads.Collective, name string) collective.Choice {
	a := expect.Value(collective.Lookup(op, name))(tb)
	return collective.Choice{Operation: op, Algorithm: a}
}

// BenchmarkIdleProcess: the ring beside a process that has nothing to do.
func BenchmarkIdleProcess(b *testing.B) {
	const p, n = 1024, 100
	rates := make([]units.FlopsPerSecond, p)
	for i := range rates {
		rates[i] = 1e9
	}
	idle := []sim.Process{{Name: "idle", Body: func(c *sim.Control) { c.Await(c.NewEvent("never")) }}}
	for _, processes := range [][]sim.Process{nil, idle} {
		b.Run(fmt.Sprint(len(processes)), func(b *testing.B) {
			for b.Loop() {
				program := newRounds(p, n,
					func(rank, _ int) int { return (rank + 1) % p },
					func(rank, _ int) int { return (rank + p - 1) % p })
				res := ran(b, sim.Config{Program: program, Network: benchNetwork, Rates: rates, Workers: 1, Processes: processes})
				if res.Messages != n*p {
					b.Fatalf("%d messages, want %d", res.Messages, n*p)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/(float64(b.N)*n*p), "ns/message")
		})
	}
}
