package network_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
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
	h := network.Hockney{Latency: 5e-5, Bandwidth: 1e8, SendOverhead: 1e-6, RecvOverhead: 2e-6}
	expect.Equal(t, h.Message(3, 4, 0), (network.Cost{SendOverhead: 1e-6, Latency: 5e-5, RecvOverhead: 2e-6}), "empty message")
	// n_1/2 = Latency * Bandwidth = 5000 B: transmission then equals latency.
	c := h.Message(0, 1, 5000)
	expect.That(t, c.Transmission == c.Latency, "at n_1/2 = 5000 B: transmission %v, latency %v; want them equal", c.Transmission, c.Latency)
}

// A message waits if it is larger than the limit: at 0 all do that are not empty.
func TestEagerLimits(t *testing.T) {
	for limit, want := range map[units.Bytes][3]bool{
		0:                                        {false, true, true},
		1:                                        {false, false, true},
		network.NoLimit:                          {false, false, false},
		units.Bytes(math.Inf(1)):                 {false, false, false},
		units.Bytes(math.SmallestNonzeroFloat64): {false, true, true},
	} {
		h, l := network.Hockney{Bandwidth: 1, EagerLimit: limit}, network.LogGOPS{Synchronous: limit}
		for i, size := range []units.Bytes{0, 1, 2} {
			expect.That(t, h.Rendezvous(size) == want[i] && l.Rendezvous(size) == want[i],
				"limit %v, %v: hockney %v, loggops %v; want %v", limit, size, h.Rendezvous(size), l.Rendezvous(size), want[i])
		}
		expect.Success(t, h.Validate())
		expect.Success(t, l.Validate())
	}
}

func TestHockneyValidate(t *testing.T) {
	good := network.Hockney{Bandwidth: 1, EagerLimit: network.NoLimit}
	expect.Success(t, good.Validate())
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
		{func(h *network.Hockney) { h.EagerLimit = -2 }, "eager limit"},
	} {
		h := good
		c.break_(&h)
		expect.Failure(t, h.Validate(), c.want)
	}
}

// A message of 8 bytes with LogGOPSim's default parameters: the core of either
// end is busy for o = 1500 ns and, receiving, 7 G = 42 ns more; the interface
// for g + 7 G = 1042 ns; the first byte is there o + L = 4000 ns after the start.
func ExampleLogGOPS() {
	l := network.LogGOPS{Latency: 2500e-9, Overhead: 1500e-9, Gap: 1000e-9, GapPerByte: 6e-9, Synchronous: 65535}
	c := l.Message(0, 1, 8)
	fmt.Println(c.SendOverhead, c.Transmission, c.Latency, c.RecvOverhead)
	// Output: 1.5 us 1.042 us 4 us 1.542 us
}

// The simpler models are special cases: LogGP is O = 0, LogP also G = 0, where
// no cost depends on the size.
func TestLogGOPSSpecialCases(t *testing.T) {
	logP := network.LogGOPS{Latency: 5, Overhead: 2, Gap: 3, Synchronous: network.NoLimit}
	a, b := logP.Message(0, 1, 1), logP.Message(0, 1, 1000)
	expect.That(t, a == b, "LogP: %+v for 1 byte, %+v for 1000", a, b)
	logGP := network.LogGOPS{Latency: 5, Overhead: 2, Gap: 3, GapPerByte: 0.5, Synchronous: network.NoLimit}
	got, want := logGP.Message(0, 1, 11), (network.Cost{SendOverhead: 2, Transmission: 8, Latency: 7, RecvOverhead: 7})
	expect.That(t, got == want, "LogGP, 11 bytes: %+v, want %+v", got, want)
	full := logGP
	full.OverheadPerByte = 2 // above G: the receiver's core is the slower end
	got, want = full.Message(0, 1, 11), (network.Cost{SendOverhead: 22, Transmission: 8, Latency: 7, RecvOverhead: 22})
	expect.That(t, got == want, "LogGOPS, 11 bytes: %+v, want %+v", got, want)
	expect.That(t, full.Message(0, 1, 0) == full.Message(0, 1, 1),
		"an empty message must cost what one of one byte does")
}

func TestLogGOPSValidate(t *testing.T) {
	expect.Success(t, network.LogGOPS{Latency: 1, Overhead: 1, Gap: 1, GapPerByte: 1}.Validate())
	bad := network.LogGOPS{Latency: -1, Overhead: units.Seconds(math.NaN()), Gap: units.Seconds(math.Inf(1)), GapPerByte: -1, OverheadPerByte: -1, Synchronous: -2}
	err := bad.Validate()
	expect.Need(t, err != nil, "no error")
	for _, symbol := range []string{"L is", "o is", "g is", "G is", "O is", "S is"} {
		expect.That(t, strings.Contains(err.Error(), symbol), "error %q does not name %q", err, symbol)
	}
}
