package sim_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
)

// logGP has round numbers: L = 10, o = 2, g = 5, G = 1 s, all eager.
var logGP = network.LogGOPS{Latency: 10, Overhead: 2, Gap: 5, GapPerByte: 1, Synchronous: units.Bytes(math.Inf(1))}

func TestLogGOPS(t *testing.T) {
	perByte := logGP
	perByte.OverheadPerByte = 3
	limit := logGP
	limit.Synchronous = 4
	for _, c := range []struct {
		name    string
		network network.LogGOPS
		script  script
		want    []units.Seconds
	}{
		// First byte at o + L = 12; then o + (1-1)G = 2.
		{"one byte", logGP, script{{send(1, 1, 0)}, {recv(0, 0)}}, []units.Seconds{2, 14}},
		// First byte at 12, then o + 3 G = 5.
		{"four bytes", logGP, script{{send(1, 4, 0)}, {recv(0, 0)}}, []units.Seconds{2, 17}},
		// The core sends for o + 3*3 = 11; the first byte is not delayed; the
		// receiver's core takes o + max(9, 3) = 11.
		{"overhead per byte", perByte, script{{send(1, 4, 0)}, {recv(0, 0)}}, []units.Seconds{11, 23}},
		// The interface sends again at g + 3 G = 8: the second message starts
		// then, ends at 10, arrives at 20. The receiver's core handles the first
		// from 12 to 17, its interface is free at 12 + 8 = 20: 20 to 25.
		{"gap between sends", logGP, script{{send(1, 4, 0), send(1, 4, 0)}, {recv(0, 0), recv(0, 0)}}, []units.Seconds{10, 25}},
		// Two senders: both first bytes at 12. The receiver handles one from 12,
		// and the other when its interface is free again, at 12 + 5 = 17, to 19.
		{"gap between receives", logGP, script{{recv(1, 0), recv(2, 0)}, {send(0, 1, 0)}, {send(0, 1, 0)}}, []units.Seconds{19, 2, 2}},
		// Busy until 30, then deals with the message (30 to 32), then receives.
		{"a busy core makes messages wait", logGP, script{{send(1, 1, 0)}, {compute(30), recv(0, 0)}}, []units.Seconds{2, 32}},
		// A message that nobody asks for yet costs the core all the same: the
		// rank waits for rank 2's message; rank 0's is handled from 12 to 14.
		// Rank 2 sends at 20: first byte at 32.
		{"every message interrupts", logGP, script{{send(1, 1, 0)}, {recv(2, 0), recv(0, 0)}, {compute(20), send(1, 1, 0)}}, []units.Seconds{2, 34, 22}},
		// The receive is posted: the message is matched at 12, and that is when
		// the synchronous sender goes on. Data: 12 + o + 5 G = 19.
		{"a synchronous send ends with the match", limit, script{{send(1, 6, 0)}, {recv(0, 0)}}, []units.Seconds{12, 19}},
		// Busy until 40: handles the message 40 to 47; posts the receive at 47,
		// which matches at once.
		{"a synchronous send waits for its receiver", limit, script{{send(1, 6, 0)}, {compute(40), recv(0, 0)}}, []units.Seconds{47, 47}},
		{"a message as large as S is not synchronous", limit, script{{send(1, 4, 0)}, {compute(40), recv(0, 0)}}, []units.Seconds{2, 45}},
		// The core waits for its interface from 2 to 8; a message for it comes
		// at 3 + 12 = 15 without meeting that; second send 8 to 10.
		{"an exchange", logGP, script{{send(1, 4, 0), send(1, 1, 0), recv(1, 0)}, {compute(3), send(0, 1, 0), recv(0, 0), recv(0, 0)}}, []units.Seconds{17, 22}},
	} {
		t.Run(c.name, func(t *testing.T) { wantFinish(t, c.script, c.network, c.want...) })
	}
}

// LogGP without overheads and gap is Hockney's law but for one byte: a message
// of s+1 bytes takes L + s G, as one of s bytes takes under Hockney. So the
// receivers of messages in a row finish at the same time under both. (Were there
// computation between them, it would start later under LogGP, whose sending core
// waits for its interface.)
func TestLogGPWithoutOverheadsIsHockney(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		pairs := rapid.IntRange(1, 4).Draw(rt, "pairs")
		gap := units.Seconds(rapid.SampledFrom([]float64{0.5, 1, 2}).Draw(rt, "G"))
		latency := units.Seconds(rapid.IntRange(1, 9).Draw(rt, "L"))
		gp, hockney := make(script, 2*pairs), make(script, 2*pairs)
		for i := range pairs {
			from, to := int32(2*i), int32(2*i+1)
			work := compute(units.Flops(rapid.IntRange(0, 12).Draw(rt, "work")))
			gp[from], hockney[from] = append(gp[from], work), append(hockney[from], work)
			for range rapid.IntRange(1, 6).Draw(rt, "messages") {
				size := units.Bytes(rapid.IntRange(0, 9).Draw(rt, "size"))
				gp[from] = append(gp[from], send(to, size+1, 0))
				hockney[from] = append(hockney[from], send(to, size, 0))
				gp[to] = append(gp[to], recv(from, 0))
				hockney[to] = append(hockney[to], recv(from, 0))
			}
		}
		eager := units.Bytes(math.Inf(1))
		x, err := run(t, gp, network.LogGOPS{Latency: latency, GapPerByte: gap, Synchronous: eager})
		if err != nil {
			rt.Fatal(err)
		}
		y, err := run(t, hockney, network.Hockney{Latency: latency, Bandwidth: units.BytesPerSecond(1 / gap), EagerLimit: eager})
		if err != nil {
			rt.Fatal(err)
		}
		for r := 1; r < 2*pairs; r += 2 {
			if x.Ranks[r].Finish != y.Ranks[r].Finish {
				rt.Fatalf("rank %d: %v under LogGP, %v under Hockney", r, x.Ranks[r].Finish, y.Ranks[r].Finish)
			}
		}
	})
}
