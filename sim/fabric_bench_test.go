package sim_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// backbone is a cluster whose messages all cross one link: link 2h leads from host
// h, link 2h+1 to it, the last one is the backbone.
type backbone int32

func (n backbone) Route(buf []int32, from, to int32) ([]int32, error) {
	return append(buf, 2*from, 2*int32(n), 2*to+1), nil
}

func (n backbone) machine() flow.Machine {
	m := flow.Machine{Router: n}
	for h := range int32(n) {
		m.Place = append(m.Place, h)
		m.Hosts = append(m.Hosts, flow.Host{Cores: 1, Speed: 1e9, Memory: -1})
		m.Links = append(m.Links, flow.Link{Bandwidth: 1e8, Latency: 1e-6}, flow.Link{Bandwidth: 1e8, Latency: 1e-6})
	}
	// A quarter of what the hosts could use, so that it is always full.
	m.Links = append(m.Links, flow.Link{Bandwidth: units.BytesPerSecond(n) * 1e8 / 4, Latency: 1e-6})
	return m
}

// shifting is a program of rounds: work, then a message to a rank that changes
// with the round, both ways at once. Uneven work brings the ranks out of step.
type shifting struct {
	ranks, rounds int
	uneven        bool
	at            []int32 // operations done, by rank
}

func (p *shifting) Ranks() int { return p.ranks }

func (p *shifting) Next(rank int, op *workloads.Op) bool {
	round, sends := int(p.at[rank]/2), p.at[rank]%2 == 1
	if round == p.rounds {
		return false
	}
	p.at[rank]++
	if sends {
		hop := 1 + round%(p.ranks-1)
		*op = workloads.Op{Kind: workloads.Sendrecv, Peer: int32((rank + hop) % p.ranks), From: int32((rank - hop + p.ranks) % p.ranks), Size: 1e6}
		return true
	}
	work := uint64(1)
	if p.uneven {
		work = 1 + (uint64(rank)*0x9e3779b97f4a7c15^uint64(round)*0xd1b54a32d192ed03)>>11%1024
	}
	*op = workloads.Op{Kind: workloads.Compute, Work: units.Flops(work) * 1e5}
	return true
}

// A quarter of the ranks could fill the backbone, and each rank has a message on it
// most of the time. So there are as many flows as ranks, and every start and end
// changes the shares of all.
func BenchmarkBackbone(b *testing.B) {
	for _, uneven := range []bool{false, true} {
		step := map[bool]string{false: "in-step", true: "out-of-step"}[uneven]
		for _, n := range []int{16, 64, 256, 1024, 4096, 16384} {
			b.Run(fmt.Sprintf("%s/%d", step, n), func(b *testing.B) {
				rounds := max(32, 1<<16/n) // so that setting up does not count
				m := backbone(n).machine()
				rates := make([]units.FlopsPerSecond, n)
				for i := range rates {
					rates[i] = 1e9
				}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				runs := 0
				for b.Loop() {
					runs++
					f := expect.Value(flow.New(m, flow.Plain()))(b)
					p := &shifting{ranks: n, rounds: rounds, uneven: uneven, at: make([]int32, n)}
					r := ran(b, sim.Config{Program: p, Fabric: f, Protocol: network.SMPI()})
					if want := int64(n * rounds); r.Messages != want || r.Operations != 2*want {
						b.Fatalf("%d messages and %d operations, want %d and %d", r.Messages, r.Operations, want, 2*want)
					}
				}
				runtime.ReadMemStats(&after)
				messages := float64(runs * n * rounds)
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/messages, "ns/message")
				b.ReportMetric(float64(after.Mallocs-before.Mallocs)/messages, "allocs/message")
				b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(runs*n), "B/rank")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
