package algorithm_test

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

var (
	panelBroadcasts = []string{"1ring", "1ringM", "2ring", "2ringM", "long", "longM"}
	rowSwaps        = []string{"bin-exch", "long", "mix"}
)

// linpack returns HPL on a grid of equal processes of 1 Gflop/s.
func linpack(n, nb, rows, columns int) algorithm.HPL {
	speeds := make([]units.FlopsPerSecond, rows*columns)
	for i := range speeds {
		speeds[i] = 1e9
	}
	return algorithm.HPL{
		Problem: algorithm.Problem{N: n, Speeds: speeds, Element: 8},
		Block:   nb, Rows: rows, Columns: columns, Depth: 1, Bcast: "1ring", Swap: "bin-exch", Threshold: 3,
		Pivot: collective.Default(workloads.Allreduce), PanelEfficiency: 1, SolveEfficiency: 1,
	}
}

// hplGrids are grids with sides of 1, primes and powers of 2.
var hplGrids = [][2]int{{1, 1}, {1, 2}, {1, 5}, {1, 8}, {2, 1}, {5, 1}, {8, 1}, {2, 2}, {2, 3}, {3, 2}, {3, 3}, {4, 4}, {5, 7}, {7, 5}, {6, 4}, {11, 2}, {2, 11}}

// owned counts the indices from ... to-1 whose block belongs to a process, one by one.
func owned(process, p, from, to, nb int) (n int) {
	for i := from; i < to; i++ {
		if i/nb%p == process {
			n++
		}
	}
	return n
}

// hplWork adds up the operations of an elimination one column at a time, with the
// operations that each row of the grid performs again when it solves for U.
func hplWork(n, nb, rows int) (sum float64) {
	for i := range n {
		below := float64(n - 1 - i)
		sum += below + 2*below*(below+1) // divisions; updates of the rest of the matrix and of the right side
	}
	for s := 0; s < n; s += nb {
		b := min(nb, n-s)
		again := 0 // for one column of U: row i of the panel changes the rows below it in the panel
		for i := range b {
			again += 2 * (b - 1 - i)
		}
		sum += float64((rows - 1) * again * (n + 1 - s - b))
	}
	return sum + float64(n*n) + 7*float64(n)/6 // back substitution, see Work
}

// TestHPLWork compares the flop of all processes with the operations counted one
// column at a time, and with W where nothing is performed twice.
func TestHPLWork(t *testing.T) {
	for _, grid := range hplGrids {
		for _, size := range [][2]int{{1, 1}, {1, 4}, {7, 3}, {24, 4}, {57, 8}, {64, 64}} {
			for depth := range 2 {
				h := linpack(size[0], size[1], grid[0], grid[1])
				h.Depth = depth
				check(t, "parameters", h.Validate())
				w, err := run(h.Program(), nil)
				expect.Need(t, err == nil, "grid %v, n and nb %v, depth %d: %v", grid, size, depth, err)
				want := hplWork(size[0], size[1], grid[0])
				expect.Close(t, float64(w.work()), want, 1e-9,
					"grid %v, n and nb %v, depth %d: flop", grid, size, depth)
				n := float64(size[0])
				expect.That(t, grid[0] != 1 || math.Abs(want-(2*n*n*n/3+3*n*n/2)) <= 1e-9*want,
					"n %v: the operations are %g; expected 2/3 n^3 + 3/2 n^2", n, want)
			}
		}
	}
}

// traffic is a number of messages and their size.
type traffic struct {
	messages int
	bytes    float64
}

func (a *traffic) add(messages int, bytes float64) {
	a.messages += messages
	a.bytes += bytes
}

// broadcastTraffic is what the broadcasts of all panels send: a panel goes to
// each of the q-1 others once. In long its parts are max(1, floor(L/q)) of its L numbers,
// the last one is what remains: HPL_bcast_blong of HPL 2.3.
func broadcastTraffic(n, nb, p, q int, bcast string) (all traffic) {
	for s := 0; s < n; s += nb {
		b := min(nb, n-s)
		for row := range p {
			numbers := owned(row, p, s+b, n, nb)*b + b*b + b + 1
			size := 8 * float64(numbers)
			switch bcast {
			case "long":
				all.add(longTraffic(q, size, 8*float64(max(1, numbers/q))))
			case "longM":
				if q > 1 {
					all.add(1, size)
					all.add(longTraffic(q-1, size, 8*float64(max(1, numbers/max(1, q-1)))))
				}
			default:
				all.add(q-1, float64(q-1)*size)
			}
		}
	}
	return all
}

// longTraffic is what HPL sends to give q processes size bytes in parts: over a binomial
// tree, q-1 messages, process v of it gets the parts v ... v + its lowest bit - 1; then in
// q-1 exchanges of each process, in which every part is sent q-1 times.
func longTraffic(q int, size, part float64) (messages int, bytes float64) {
	if q < 2 {
		return 0, 0
	}
	for v := 1; v < q; v++ {
		end := size
		if beyond := v + v&-v; beyond < q {
			end = min(size, float64(beyond)*part)
		}
		bytes += end - min(size, float64(v)*part)
	}
	return q - 1 + q*(q-1), bytes + float64(q-1)*size
}

// binaryTraffic is what a binary exchange in a column of p processes sends for n
// columns of a panel of b: with p = 2^h + e,
//
//	2^h h messages and, if e > 0, 3 e more
//
// For a power of 2, U goes over the edges of a tree, p-1 times; e processes get it a second
// time at the end, with the pivot rows. In the other direction
// and among those that do not have it yet, step k has p - 2^k messages of 2^k shares.
func binaryTraffic(p, b, n int) (messages int, bytes float64) {
	if p < 2 || n == 0 {
		return 0, 0
	}
	h := bits.Len(uint(p)) - 1
	power := 1 << h
	extra := p - power
	all, share := 8*float64(b*n), 8*float64(b*(n+1))/float64(p)
	messages = power*h + 3*extra
	bytes = float64(p-1+extra) * all // once to everyone but the process that has it, and again to some
	bytes += float64(extra) * share
	for k := range h {
		// Every process of the power holds what was its own and what was added to it.
		held := make([]int, power)
		for d := range held {
			for e := range power {
				if e>>k == d>>k {
					held[d]++
					if e >= 1 && e < extra {
						held[d]++
					}
				}
			}
			if d >= 1<<k {
				bytes += float64(held[d]) * share
			}
		}
	}
	return messages, bytes
}

// swapTraffic is what all swaps send. With look-ahead the columns of the next
// panel are swapped before the others of their process.
func swapTraffic(n, nb, p, q, depth int, swap string, threshold int) (all traffic) {
	for s := 0; s < n; s += nb {
		b := min(nb, n-s)
		for column := range q {
			parts := []int{owned(column, q, s+b, n+1, nb)}
			if next := (s + b) / nb; depth == 1 && s+b < n && next%q == column {
				ahead := min(nb, n-s-b)
				parts = []int{ahead, parts[0] - ahead}
			}
			for _, m := range parts {
				if m == 0 || p == 1 {
					continue
				}
				if swap == "bin-exch" || swap == "mix" && m <= threshold {
					all.add(binaryTraffic(p, b, m))
					continue
				}
				u := 8 * float64(b*m)
				all.add(longTraffic(p, u, u/float64(p)))
			}
		}
	}
	return all
}

// pivotTraffic is what the searches of all pivots send by recursive doubling: in
// each column of the matrix 2^h h messages among p = 2^h + e processes, and 2 e more,
// of two rows of the panel and four numbers.
func pivotTraffic(n, nb, p int) (all traffic) {
	h := bits.Len(uint(p)) - 1
	messages := h<<h + 2*(p-1<<h)
	for i := range n {
		b := min(nb, n-i/nb*nb)
		all.add(messages, float64(messages*8*(2*b+4)))
	}
	return all
}

// TestHPLTraffic compares messages and bytes with the formulas above.
func TestHPLTraffic(t *testing.T) {
	const n, nb = 50, 4
	for _, grid := range hplGrids {
		p, q := grid[0], grid[1]
		for _, bcast := range panelBroadcasts {
			for _, swap := range rowSwaps {
				for depth := range 2 {
					name := fmt.Sprintf("%d x %d, %s, %s, depth %d", p, q, bcast, swap, depth)
					h := linpack(n, nb, p, q)
					h.Bcast, h.Swap, h.Depth, h.ColumnMajor = bcast, swap, depth, depth == 1
					w, err := run(h.Program(), nil)
					expect.Need(t, err == nil, "%s: %v", name, err)
					want := broadcastTraffic(n, nb, p, q, bcast)
					swaps := swapTraffic(n, nb, p, q, depth, swap, h.Threshold)
					want.add(swaps.messages, swaps.bytes)
					pivots := pivotTraffic(n, nb, p)
					want.add(pivots.messages, pivots.bytes)
					expect.That(t, w.messages == want.messages &&
						math.Abs(float64(w.size)-want.bytes) <= 1e-9*want.bytes,
						"%s: %d messages, %v B; expected %d, %g B", name, w.messages, float64(w.size), want.messages, want.bytes)
				}
			}
		}
	}
}

// TestHPLRings writes out who sends a panel to whom, among 8 processes, the first of which
// has it: [Petitet2018], Algorithm.
func TestHPLRings(t *testing.T) {
	for bcast, want := range map[string][8][]int32{
		"1ring":  {{1}, {2}, {3}, {4}, {5}, {6}, {7}, nil},
		"1ringM": {{1, 2}, nil, {3}, {4}, {5}, {6}, {7}, nil},
		"2ring":  {{1, 4}, {2}, {3}, nil, {5}, {6}, {7}, nil},
		"2ringM": {{1, 2, 4}, nil, {3}, nil, {5}, {6}, {7}, nil},
	} {
		h := linpack(4, 4, 1, 8) // one panel
		h.Bcast, h.Depth = bcast, 0
		for rank, ops := range streams(h.Program()) {
			var to []int32
			for _, op := range ops {
				if op.Kind == workloads.Isend {
					to = append(to, op.Peer)
				}
			}
			expect.That(t, fmt.Sprint(to) == fmt.Sprint(want[rank]),
				"%s: process %d sends to %v; expected %v", bcast, rank, to, want[rank])
		}
	}
}

// TestHPLBinaryExchange writes out the swap of one column of U, in blocks of one row, in a
// column of 6 processes, the first of which has the panel. HPL exchanges what is called W
// in its documentation, 2 numbers for each row, with the rows of U.
func TestHPLBinaryExchange(t *testing.T) {
	h := linpack(1, 1, 6, 1) // the right side is the only column of U
	const u, w = 8, 8 * 2.0 / 6
	want := [6]string{
		"4<>4:U 1<>1:U 2<>2:U 4:U", // first to 4 for the share of that, last the result to it
		"<5 0<>0:2W 3<>3:U 5:U",
		"3<>3:W 0<>0:2W",
		"2<>2:W 1<>1:2W",
		"0<>0:W 5:U <0",
		"1:W <4 <1",
	}
	name := func(size units.Bytes) string {
		if size == u {
			return "U"
		}
		if shares := math.Round(float64(size) / w); shares > 1 {
			return fmt.Sprint(shares, "W")
		}
		return "W"
	}
	for rank, ops := range streams(h.Program()) {
		expect.Equal(t, messagesOf(ops, 2, name), want[rank], "process %d", rank)
	}
}

// messagesOf writes operations of a tag as text: "1:U" sends U to 1, "<1" receives from 1,
// and "1<>1:U" exchanges.
func messagesOf(ops []workloads.Op, tag int32, name func(units.Bytes) string) string {
	var all []string
	for _, op := range ops {
		if op.Tag != tag {
			continue
		}
		switch op.Kind {
		case workloads.Sendrecv:
			all = append(all, fmt.Sprintf("%d<>%d:%s", op.From, op.Peer, name(op.Size)))
		case workloads.Send, workloads.Isend:
			all = append(all, fmt.Sprintf("%d:%s", op.Peer, name(op.Size)))
		case workloads.Recv:
			all = append(all, fmt.Sprintf("<%d", op.Peer))
		}
	}
	return strings.Join(all, " ")
}

// TestHPLLongSwap writes out the swap of a column of U in 4 and 5 processes, the first of which
// has the panel: HPL_spreadT and HPL_rollT of HPL 2.3, followed by hand. Sizes are in shares of a
// process.
func TestHPLLongSwap(t *testing.T) {
	for p, want := range map[int][]string{
		4: {
			"2:2 1:1 1<>1:1 3<>3:1 1<>1:1", // gives 0, 0, 3
			"<0 0<>0:1 2<>2:1 0<>0:1",      // 1, 1, 2
			"<0 3:1 3<>3:1 1<>1:1 3<>3:1",  // 2, 2, 1
			"<2 2<>2:1 0<>0:1 2<>2:1",      // 3, 3, 0
		},
		5: { // the edge between 4 and 0 is used one step later by 0
			"4:1 2:2 1:1 1<>1:1 4<>4:1 1<>1:1 4<>4:1",
			"<0 0<>0:1 2<>2:1 0<>0:1 2<>2:1",
			"<0 3:1 3<>3:1 1<>1:1 3<>3:1 1<>1:1",
			"<2 2<>2:1 4<>4:1 2<>2:1 4<>4:1",
			"<0 0<>0:1 3<>3:1 0<>0:1 3<>3:1",
		},
	} {
		h := linpack(1, 1, p, 1)
		h.Swap = "long"
		share := 8 / float64(p)
		name := func(size units.Bytes) string { return fmt.Sprint(math.Round(float64(size)/share*1e9) / 1e9) }
		for rank, ops := range streams(h.Program()) {
			expect.Equal(t, messagesOf(ops, 2, name), want[rank], "%d processes: process %d", p, rank)
		}
	}
}

// TestHPLLongPanel writes out the broadcast of a panel of 4 columns and no rows below, 4*4+4+1 = 21
// numbers, in parts of 5, 5, 5 and 6: HPL_bcast_blong and HPL_bcast_blonM of HPL 2.3, followed by
// hand. In longM process 1 gets all of it at first and is left out of the rest.
func TestHPLLongPanel(t *testing.T) {
	for bcast, want := range map[string][]string{
		"long": {
			"2:11 1:5 1<>1:5 3<>3:5 1<>1:6", // gives 0, 0, 3
			"<0 0<>0:5 2<>2:5 0<>0:5",
			"<0 3:6 3<>3:5 1<>1:5 3<>3:5",
			"<2 2<>2:6 0<>0:6 2<>2:5",
		},
		"longM": {
			"1:21 3:11 2:5 2<>2:5 4<>4:5 2<>2:6",
			"<0",
			"<0 0<>0:5 3<>3:5 0<>0:5",
			"<0 4:6 4<>4:5 2<>2:5 4<>4:5",
			"<3 3<>3:6 0<>0:6 3<>3:5",
		},
	} {
		h := linpack(4, 4, 1, len(want))
		h.Bcast = bcast
		name := func(size units.Bytes) string { return fmt.Sprint(float64(size) / 8) }
		for rank, ops := range streams(h.Program()) {
			expect.Equal(t, messagesOf(ops, 1, name), want[rank], "%s: process %d", bcast, rank)
		}
	}
}

// TestHPLLongWaits counts the messages that the last of 5 processes gets before its first
// update. In the rings it has one panel by then. In long and longM it waits for the next
// panel, too: a part of the panel from the tree and those of the other 4, or 3 without the
// one that gets all at once.
func TestHPLLongWaits(t *testing.T) {
	for bcast, want := range map[string]int{
		"1ring": 1, "1ringM": 1, "2ring": 1, "2ringM": 1, "long": 2 * (1 + 4), "longM": 2 * (1 + 3),
	} {
		h := linpack(40, 4, 1, 5)
		h.Bcast = bcast
		got := 0
		for _, op := range stream(h.Program(), 4) {
			if op.Kind == workloads.Compute {
				break
			}
			if op.Kind == workloads.Recv || op.Kind == workloads.Sendrecv {
				got++
			}
		}
		expect.Equal(t, got, want, "%s: messages before the first update", bcast)
	}
}

// TestHPLMeasuredPivot expects one operation for each panel, among the processes
// of its column, that costs as much as one for each column of the panel.
func TestHPLMeasuredPivot(t *testing.T) {
	h := linpack(10, 4, 3, 2)
	h.Pivot = measured(workloads.Allreduce, 2) // 2 s, and 1/8 s for each of 3 processes
	// Panels of 4, 4 and 2 columns; process 1 is in the second column of the grid.
	for rank, want := range map[int][]units.Seconds{0: {9.5, 4.75}, 1: {9.5}} {
		var got []units.Seconds
		for _, op := range stream(h.Program(), rank) {
			if op.Kind == workloads.Measured {
				got = append(got, op.Time)
				expect.That(t, op.Members == 3 && op.Group == int32(1+rank),
					"rank %d: group %d of %d; expected %d of 3", rank, op.Group, op.Members, 1+rank)
			}
		}
		expect.That(t, fmt.Sprint(got) == fmt.Sprint(want), "rank %d: costs are %v; expected %v", rank, got, want)
	}
}

// TestHPLFootprints counts the elements of each process one by one.
func TestHPLFootprints(t *testing.T) {
	h := linpack(50, 4, 3, 2)
	for rank, got := range h.Footprints() {
		row, column := rank/2, rank%2
		m, n := owned(row, 3, 0, 50, 4), owned(column, 2, 0, 51, 4)
		if want := units.Bytes(8 * (m*n + 2*4*(m+4) + 4*n)); got != want { // matrix, two panels, U
			t.Errorf("rank %d: %v; expected %v", rank, got, want)
		}
	}
}

// TestHPLCallTime counts the calls of dgemm that cost time.
func TestHPLCallTime(t *testing.T) {
	h := linpack(12, 4, 1, 1)
	h.CallTime, h.Depth = 3, 0
	delays := 0
	for _, op := range stream(h.Program(), 0) {
		if op.Kind == workloads.Delay && op.Time == 3 {
			delays++
		}
	}
	if delays != 2 { // the last of three panels leaves no rows to update
		t.Errorf("%d calls cost time; expected 2", delays)
	}
}
