package sim_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// logGP has round numbers: L = 10, o = 2, g = 5, G = 1 s, all eager.
var logGP = network.LogGOPS{Latency: 10, Overhead: 2, Gap: 5, GapPerByte: 1, Synchronous: units.Bytes(math.Inf(1))}

func TestLogGOPS(t *testing.T) {
	perByte := logGP
	perByte.OverheadPerByte = 3
	limit := logGP
	limit.Synchronous = 4
	limitPerByte := limit
	limitPerByte.OverheadPerByte = 3
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
		// Rank 1 sends from 8 to 8 + o + 3*3 = 19, then handles rank 0's message for o + 5*3. Its sendrecv has posted the
		// receive by then; an irecv comes after the message.
		{"a sendrecv posts at once", limitPerByte, script{{send(1, 6, 0)}, {compute(8), sendrecv(2, 4, 0, 0)}, {recv(1, 0)}},
			[]units.Seconds{19, 36, 31}},
		{"an isend and an irecv", limitPerByte, script{{send(1, 6, 0)},
			{compute(8), isend(2, 4, 0, 1), irecv(0, 0, 2), waitall()}, {recv(1, 0)}}, []units.Seconds{36, 36, 31}},
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
		x := expect.Value(run(t, gp, network.LogGOPS{Latency: latency, GapPerByte: gap, Synchronous: eager}))(rt)
		y := expect.Value(run(
			t, hockney, network.Hockney{Latency: latency, Bandwidth: units.BytesPerSecond(1 / gap), EagerLimit: eager},
		))(rt)
		for r := 1; r < 2*pairs; r += 2 {
			expect.Need(rt, x.Ranks[r].Finish == y.Ranks[r].Finish,
				"rank %d: %v under LogGP, %v under Hockney", r, x.Ranks[r].Finish, y.Ranks[r].Finish)
		}
	})
}

// Under LogGOPS, too, running ahead, strict order and shards agree on random
// programs: run compares them. Ties are frequent; a program error or a deadlock
// must be the same as well.
func TestLogGOPSDoesNotDependOnTheOrder(t *testing.T) {
	kinds := map[string]int{}
	for name, scenes := range map[string]*rapid.Generator[scene]{
		"ordered": orderedScenes(everything),
		"loose":   looseScenes(everything),
		"chaotic": chaoticScenes(everything),
	} {
		t.Run(name, func(t *testing.T) {
			check(t, func(rt *rapid.T) {
				times := rapid.SampledFrom([]float64{0, 0.5, 1, 2, 5})
				draw := func(what string) units.Seconds { return units.Seconds(times.Draw(rt, what)) }
				n := network.LogGOPS{
					Latency:  units.Seconds(rapid.SampledFrom([]float64{0.5, 1, 3, 10}).Draw(rt, "L")),
					Overhead: draw("o"), Gap: draw("g"), GapPerByte: draw("G"), OverheadPerByte: draw("O"),
					Synchronous: units.Bytes(rapid.SampledFrom([]float64{0, 1, 2, math.Inf(1)}).Draw(rt, "S")),
				}
				sc := scenes.Draw(rt, "scene")
				if _, err := run(drawn{t, rt}, sc.script, n); err != nil {
					kinds["failed"]++
				} else {
					kinds["ended"]++
				}
			})
		})
	}
	expect.That(t, kinds["ended"] != 0 && kinds["failed"] != 0, "outcomes %v; expected both", kinds)
}

// A message must not move a core that waits to send beyond the time at which it can
// send.
func TestMessageDoesNotDelayALaunch(t *testing.T) {
	n := network.LogGOPS{Latency: 1, Overhead: 1, Gap: 5, GapPerByte: 1, Synchronous: units.Bytes(math.Inf(1))}
	// Rank 2 sends at 0 and, its gap over, at 5 (to 6). Rank 3's message starts
	// at 0: at rank 2 at 2 (core to 6: o + 3 G). Then the core sends, 6 to 7.
	// Rank 0's message starts at 3 (to 4), first byte at 5; rank 2's interface is
	// free again at 2 + 5 + 3 = 10: 10 to 11. Rank 1 gets rank 2's first at 2, to
	// 3. Rank 0 gets rank 2's second at 6 + 2 = 8, to 9.
	wantFinish(t, script{
		{compute(3), send(2, 1, 0), recv(2, 0)},
		{recv(2, 0)},
		{send(1, 1, 0), send(0, 1, 0), recv(3, 0), recv(0, 0)},
		{send(2, 4, 0)},
	}, n, 9, 3, 11, 1)
}

// A receiver that is ahead of the clock must not let a synchronous sender go on too
// early: messages that reach the sender before the match are handled first.
func TestSynchronousSenderStillHandlesMessages(t *testing.T) {
	n := network.LogGOPS{Latency: 10, Overhead: 2, Gap: 5, GapPerByte: 1, Synchronous: 4}
	// Rank 0 sends 6 bytes at 0 and computes 2 to 20; rank 1 is busy to 19,
	// handles them (first byte there at 12) from 19 to 26, posts its receive at
	// 26: matched then. Rank 0's message to rank 2 leaves at 20 and is there at
	// 32, handled to 34. Rank 0 waits for the match at 26.
	wantFinish(t, script{
		{isend(1, 6, 0, 1), compute(18), send(2, 1, 0), waitall()},
		{compute(19), recv(0, 0)},
		{recv(0, 0)},
	}, n, 26, 26, 34)
	// Rank 0 delays to 20; its 6 bytes
	// leave at 20, are there at 32; rank 1 computes to 125, handles them to 132,
	// and they match its receive, posted at 0, at 125. Rank 2's message leaves
	// at 50: at rank 0 at 62, whose core handles it to 69 and whose receive for
	// it was posted at 0: rank 2 is free at 62, rank 0 at the match, 125.
	wantFinish(t, script{
		{irecv(2, 0, 1), delay(20), send(1, 6, 0), waitall()},
		{irecv(0, 0, 1), compute(25), compute(100), waitall()},
		{compute(50), send(0, 6, 0)},
	}, n, 125, 132, 62)
}

// A core inside a measured collective operation handles messages like an idle core:
// else the sender of a synchronous message could never join that operation.
func TestMessagesAreHandledInsideMeasuredCollectives(t *testing.T) {
	n := network.LogGOPS{Latency: 10, Overhead: 2, Gap: 5, GapPerByte: 1, Synchronous: 4}
	// Six bytes: first one there at 12, matched; the receiving core is busy to
	// 12 + o + 5 G = 19. The sender enters the barrier at 12, both could leave at
	// 13; the receiver leaves when its core is free.
	barrier := measured(workloads.Barrier, 0, 1)
	wantFinish(t, script{{send(1, 6, 0), barrier}, {irecv(0, 0, 1), barrier, waitall()}}, n, 13, 19)
}
