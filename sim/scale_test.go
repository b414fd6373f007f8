package sim_test

import (
	"context"
	"fmt"
	"math/bits"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/meter"
	"github.com/isoscale/isoscale/workloads"
)

// exchange is a dissemination barrier of 8-byte messages: in round i, rank r
// exchanges with r + 2^i and r - 2^i.
type exchange struct {
	ranks, rounds int
	round         []uint8
}

func newExchange(ranks int) *exchange {
	return &exchange{ranks, bits.Len(uint(ranks - 1)), make([]uint8, ranks)}
}

func (x *exchange) Ranks() int { return x.ranks }

func (x *exchange) Next(rank int, op *workloads.Op) bool {
	i := int(x.round[rank])
	if i == x.rounds {
		return false
	}
	x.round[rank]++
	op.Kind, op.Size = workloads.Sendrecv, 8
	op.Peer, op.From = int32((rank+1<<i)%x.ranks), int32((rank-1<<i+x.ranks)%x.ranks)
	return true
}

// logGOPSim has the default parameters of LogGOPSim.
var logGOPSim = network.LogGOPS{Latency: 2500e-9, Overhead: 1500e-9, Gap: 1000e-9, GapPerByte: 6e-9, Synchronous: 65535}

func runExchange(tb testing.TB, ranks, workers int) *sim.Result {
	return runExchangeIn(context.Background(), tb, ranks, workers)
}

func runExchangeIn(ctx context.Context, tb testing.TB, ranks, workers int) *sim.Result {
	rates := make([]units.FlopsPerSecond, ranks)
	for i := range rates {
		rates[i] = 1
	}
	res := expect.Value(sim.Run(ctx, sim.Config{
		Program: newExchange(ranks), Network: logGOPSim, Rates: rates, Workers: workers}))(tb)
	return res
}

// In LogGOPS with L = 2500, o = 1500, g = 1000, G = 6, O = 0 ns, a round of 8-byte
// messages takes o (send) + L + o + 7 G (receive, from the first byte's arrival
// at o + L after the start): 1500 + 2500 + 1500 + 42 = 5542 ns. The interface is
// free again after 1042 ns each way, before it is needed.
func TestDisseminationUnderLogGOPS(t *testing.T) {
	for _, ranks := range []int{2, 3, 16, 1000, 16384} {
		res := runExchange(t, ranks, 1)
		rounds := bits.Len(uint(ranks - 1))
		expect.Near(t, float64(res.Makespan), float64(rounds)*5542e-9, 1e-15, "%d ranks", ranks)
		expect.That(t, res.Messages == int64(ranks*rounds), "%d ranks: %d messages, want %d", ranks, res.Messages, ranks*rounds)
	}
}

// A meter in the context shows how far a run has come, and changes nothing.
func TestMeterOfARun(t *testing.T) {
	for _, ranks := range []int{16, 16384} { // one shard, several
		var m meter.Meter
		watched := runExchangeIn(meter.With(context.Background(), &m), t, ranks, 2)
		alone := runExchange(t, ranks, 2)
		expect.That(t, watched.Makespan == alone.Makespan, "%d ranks: makespan %v with a meter, %v without", ranks, watched.Makespan, alone.Makespan)
		expect.That(t, m.Events() == watched.Events && m.Time() == watched.Makespan,
			"%d ranks: the meter shows %d events at %v; there were %d up to %v", ranks, m.Events(), m.Time(), watched.Events, watched.Makespan)
	}
}

func BenchmarkScale(b *testing.B) {
	for _, workers := range []int{1, 2} {
		for _, ranks := range []int{1024, 16384, 131072, 1048576} {
			b.Run(fmt.Sprintf("%d/workers=%d", ranks, workers), func(b *testing.B) {
				var messages int64
				for b.Loop() {
					messages += runExchange(b, ranks, workers).Messages
				}
				expect.Equal(b, messages, int64(b.N*ranks*bits.Len(uint(ranks-1))), "messages")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(messages), "ns/message")
			})
		}
	}
}
