package network_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
)

// Fast Ethernet with 80 us start-up: one megabyte takes 80 us + 1e6/12.5e6 s =
// 80 us + 80 ms.
func ExampleHockney() {
	h := network.Hockney{Latency: 80e-6, Bandwidth: 12.5e6, EagerLimit: units.Bytes(math.Inf(1))}
	c := h.Message(0, 1, 1e6)
	fmt.Println(c.Transmission, c.Latency, c.Transmission+c.Latency)
	// Output: 80 ms 80 us 80.08 ms
}

func TestHockneyEndPoints(t *testing.T) {
	h := network.Hockney{Latency: 5e-5, Bandwidth: 1e8, SendOverhead: 1e-6, RecvOverhead: 2e-6, EagerLimit: 1000}
	if got, want := h.Message(3, 4, 0), (network.Cost{SendOverhead: 1e-6, Latency: 5e-5, RecvOverhead: 2e-6}); got != want {
		t.Errorf("empty message: %+v, want %+v", got, want)
	}
	// n_1/2 = Latency * Bandwidth = 5000 B: transmission then equals latency.
	if c := h.Message(0, 1, 5000); c.Transmission != c.Latency {
		t.Errorf("at n_1/2 = 5000 B: transmission %v, latency %v; want them equal", c.Transmission, c.Latency)
	}
	if h.Rendezvous(1000) || !h.Rendezvous(1001) {
		t.Error("eager limit 1000 B: 1000 B must be eager, 1001 B rendezvous")
	}
}

func TestHockneyValidate(t *testing.T) {
	good := network.Hockney{Bandwidth: 1, EagerLimit: units.Bytes(math.Inf(1))}
	if err := good.Validate(); err != nil {
		t.Fatalf("a network without latency is legal: %v", err)
	}
	for _, c := range []struct {
		break_ func(*network.Hockney)
		want   string
	}{
		{func(h *network.Hockney) { h.Latency = -1 }, "latency"},
		{func(h *network.Hockney) { h.Latency = units.Seconds(math.NaN()) }, "latency"},
		{func(h *network.Hockney) { h.Bandwidth = 0 }, "bandwidth"},
		{func(h *network.Hockney) { h.Bandwidth = units.BytesPerSecond(math.Inf(1)) }, "bandwidth"},
		{func(h *network.Hockney) { h.SendOverhead = units.Seconds(math.Inf(1)) }, "send overhead"},
		{func(h *network.Hockney) { h.RecvOverhead = -1 }, "receive overhead"},
		{func(h *network.Hockney) { h.EagerLimit = units.Bytes(math.NaN()) }, "eager limit"},
	} {
		h := good
		c.break_(&h)
		if err := h.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one naming %q", h, err, c.want)
		}
	}
}
