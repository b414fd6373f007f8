package watch

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
)

// slow is a network of 1 s latency and 1 byte/s, without overheads.
var slow = network.Hockney{Latency: 1, Bandwidth: 1, EagerLimit: units.Bytes(math.Inf(1))}

// observed runs a program on slow, with cores of 1 flop/s.
func observed(t *testing.T, ranks int, body func(*sim.Rank), o sim.Observer) *sim.Result {
	t.Helper()
	p := sim.NewProgram(ranks, body)
	defer p.Close()
	rates := slices.Repeat([]units.FlopsPerSecond{1}, ranks)
	return expect.Value(sim.Run(t.Context(), sim.Config{Program: p, Network: slow, Rates: rates, Ranks: true, Observer: o}))(t)
}

func recordOf(t *testing.T, ranks int, body func(*sim.Rank)) *timeline.Timeline {
	t.Helper()
	r, path := NewRecorder(ranks), observe.NewCriticalPath(ranks, slow)
	res := observed(t, ranks, body, observe.Tee(r, path))
	return r.Timeline(res.Makespan, nil, path.Path(), nil)
}

// Rank 0 computes for 2 s and sends 1 byte, which arrives 1 + 1 s later, at 4; rank 1
// computes for 1 s, waits for 3 and computes for 4 more. A second message of 2 bytes,
// sent at 2 too, has to wait for the interface until 3, arrives at 3 + 2 + 1 = 6 and
// is received at 8. All times are whole; of 8 s, the tick is 10 ns.
func TestRecordOfTwoRanks(t *testing.T) {
	got := recordOf(t, 2, func(r *sim.Rank) {
		if r.Rank() == 0 {
			r.Compute(2)
			r.Send(1, 0, 1)
			r.Send(1, 0, 2)
			return
		}
		r.Compute(1)
		r.Recv(0, 0)
		r.Compute(4)
		r.Recv(0, 0)
	})
	const s = 100_000_000 // ticks in a second
	want := &timeline.Timeline{
		Parts: parts, PathKinds: pathKinds,
		Ranks: 2, Tick: 1e-8, End: 8 * s, Spans: 4, Messages: 2,
		SpanFirst: []uint32{0, 1, 4}, SpanEnd: []uint32{2 * s, 1 * s, 4 * s, 8 * s},
		SpanPart:     []uint8{uint8(sim.PartCompute), uint8(sim.PartCompute), uint8(sim.PartWaitMessage), uint8(sim.PartCompute)},
		MessageFirst: []uint32{0, 2, 2}, MessageTo: []uint32{1, 1},
		MessageLeaves: []uint32{2 * s, 3 * s}, MessageArrives: []uint32{4 * s, 6 * s}, MessageReceived: []uint32{4 * s, 8 * s},
		MessageSize: []float64{1, 2}, MessageTag: []int32{0, 0},
		// Computation of rank 0, the message, computation of rank 1.
		PathFrom: []uint32{0, 2 * s, 4 * s}, PathUntil: []uint32{2 * s, 4 * s, 8 * s},
		PathRank: []uint32{0, 0, 1}, PathTo: []uint32{0, 1, 1}, PathKind: []uint8{0, 10, 0},
		Rows: 2, Columns: 512, RanksPerRow: 1, ColumnWidth: 1.0 / 64,
	}
	// A column is 1/64 s wide, so each lies in one span.
	kinds := [2][8]int{{0, 0, -1, -1, -1, -1, -1, -1}, {0, 2, 2, 2, 0, 0, 0, 0}} // by row, by second
	want.BinShare = make([]uint8, 2*512*3)
	for row, seconds := range kinds {
		for c := range 512 {
			if k := seconds[c/64]; k >= 0 {
				want.BinShare[(row*512+c)*3+k] = 255
			}
		}
	}
	expect.That(t, pathKinds[10] == string(observe.Message),
		"kind 10 of a path is %q, want %q", pathKinds[10], observe.Message)
	diff := cmp.Diff(want, got)
	expect.That(t, diff == "", "timeline (-want +got):\n%s", diff)
	expect.Same(t, expect.Value(timeline.Decode(got.Encode()))(t), got, "after encoding and decoding")
}

// ring lets each rank compute for 1 s and pass a byte on, in each round.
func ring(rounds int) func(*sim.Rank) {
	return func(r *sim.Rank) {
		for range rounds {
			r.Compute(1)
			r.Sendrecv((r.Rank()+1)%r.Size(), 0, 1, (r.Rank()+r.Size()-1)%r.Size())
		}
	}
}

// 64 ranks exchange 64 * 157 = 10 048 messages, with two spans each: 28 bytes a message,
// 5 a span, as the documentation says, beside bins, path and contents.
func TestSizeOfTheBinaryForm(t *testing.T) {
	got := recordOf(t, 64, ring(157))
	expect.Need(t, got.Messages == 10048 && got.Spans == 2*10048,
		"%d messages and %d spans, want 10 048 and 20 096", got.Messages, got.Spans)
	arrays := 28*got.Messages + 5*got.Spans
	rest := len(got.BinShare) + 17*len(got.PathKind) + 8<<10
	n := len(got.Encode())
	expect.That(t, n >= arrays && n <= arrays+rest,
		"%d bytes; want at least %d for spans and messages, and at most %d more", n, arrays, rest)
}

// A recorder that observes more than its limit drops the spans and messages that it has
// kept, and its bins are the same as without a limit.
func TestLimitKeepsBins(t *testing.T) {
	const ranks = 600
	all, few := NewRecorder(ranks), NewRecorder(ranks)
	few.limit = 100
	res := observed(t, ranks, ring(3), observe.Tee(all, few))
	expect.That(t, few.ranks == nil, "the recorder keeps spans or messages beyond its limit")
	a, b := all.Timeline(res.Makespan, nil, nil, nil), few.Timeline(res.Makespan, nil, nil, nil)
	expect.That(t, len(a.SpanEnd) == 600*6 && len(b.SpanEnd) == 0 && b.Spans == a.Spans && b.Messages == a.Messages,
		"%d and %d spans listed, of %d and %d; want 3600 and none, of 3600", len(a.SpanEnd), len(b.SpanEnd), a.Spans,
		b.Spans)
	// 600 ranks in rows of 3. Each round is 1 s of computation and 2 of waiting, the
	// same for all, so each column is in at most two of these and full.
	expect.That(t, b.Rows == 200 && b.RanksPerRow == 3, "%d rows of %d ranks, want 200 of 3", b.Rows, b.RanksPerRow)
	for c := range b.Columns {
		cell := b.BinShare[(7*b.Columns+c)*3:][:3]
		sum := int(cell[0]) + int(cell[1]) + int(cell[2])
		expect.That(t, sum >= 254 && sum <= 256, "column %d is full to %d of 255", c, sum)
	}
	diff := cmp.Diff(a.BinShare, b.BinShare)
	expect.That(t, diff == "", "bins with a limit differ:\n%s", diff)
}
