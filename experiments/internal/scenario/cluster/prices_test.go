package cluster

import (
	"math/rand/v2"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
)

// A bill evaluated with the values of its parameters is the cost.
func TestBillsAddUpToCosts(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 5))
	second := func() units.Seconds { return units.Seconds(r.Float64()) }
	for range 200 {
		size := units.Bytes(r.IntN(3) * r.IntN(1000)) // often 0
		h := network.Hockney{Latency: second(), Bandwidth: units.BytesPerSecond(0.1 + r.Float64()), SendOverhead: second(), RecvOverhead: second()}
		checkBill(t, HockneyPricing, h, size)
		checkBill(t, LogGOPSPricing, network.LogGOPS{Latency: second(), Overhead: second(), Gap: second(), GapPerByte: second(), OverheadPerByte: second()}, size)
	}
}

func checkBill[M network.Model](t *testing.T, p *Pricing[M], m M, size units.Bytes) {
	t.Helper()
	level := PricesOf(p, m).Levels[0]
	b, cost := level.Bill(size), m.Message(0, 1, size)
	for _, part := range []struct {
		terms Terms
		want  units.Seconds
	}{{b.SendOverhead, cost.SendOverhead}, {b.Transmission, cost.Transmission}, {b.Latency, cost.Latency}, {b.RecvOverhead, cost.RecvOverhead}} {
		sum := 0.0
		for i, x := range level.Parameters {
			if x.Reciprocal {
				sum += part.terms[i] / x.Value
			} else {
				sum += part.terms[i] * x.Value
			}
		}
		expect.Close(t, sum, float64(part.want), 1e-12, "%+v, %v", m, size)
	}
}
