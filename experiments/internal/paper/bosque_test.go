package paper

import (
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// The independent program finds 45.00 us, and for each row a value from 44.90 to 45.14 us.
func TestBroadcastStep(t *testing.T) {
	b := readBosque()
	expect.That(t, math.Abs(b.step-45.00e-6) <= 0.005e-6, "step %v s", b.step)
}

// The independent program finds these by bisection over the time, where this package goes through the numbers of rows.
func TestWholeRows(t *testing.T) {
	p := makePaper(t, "bosque")
	want := []float64{0.841728, 0.837599, 0.840602, 0.835526, 0.830919, 0.838651, 0.825455}
	cells := findTable(t, p, "bosque_table2_rows").Cells
	expect.Need(t, len(cells) == 2*len(want), "%d cells", len(cells))
	for i, c := range cells[:len(want)] {
		expect.Near(t, c.Ours, want[i], 6e-7, "%s", c.Row)
	}
}

// On two slow processors with 64 rows each, one step delays every iteration, as in the formula: T = n (64 n/P_NS +
// step), plus one step until the other process has the last row. With more processors the owner of row k has n_q rows
// and sends to log2 P others, and the next owner is ready earlier: T is the sum over owners of n_q (n_q n/P_q + log2 P
// step), except for the changes of owner.
func TestFloydOnTheEngine(t *testing.T) {
	b := readBosque()
	got := expect.Value(b.engine(t.Context(), 128, 2, 0))(t)
	formula := 128 * (64*128/b.slow + b.step)
	slack := 1e-12 * formula
	expect.That(t, got >= formula-slack && got <= formula+b.step+slack,
		"two processors: %v s, want %v s and up to a step more", got, formula)
	x := findTable(t, makePaper(t, "bosque"), "bosque_table2_rows")
	engine := 0
	for _, c := range x.Cells {
		if c.Reading != "" {
			engine++
			expect.That(t, c.Verdict == Exact, "%+v", c)
		}
	}
	expect.Equal(t, engine, 7, "runs of the engine")
}

// By hand: 5 rows on two processes of speed 1 and one of speed 3. In the time of one row at speed 1, 1 + 1 + 3 = 5 rows
// are done: 5 cells at speed 1. On two processes of speed 1 alone, one has 3 rows.
func TestSlowestRows(t *testing.T) {
	b := &bosqueData{slow: 1, fast: 3}
	expect.Equal(t, b.slowestRows(5, 2, 1), 5, "with a fast one")
	expect.Equal(t, b.slowestRows(5, 2, 0), 15, "with none")
}

// The text on Figure 1 holds: the classic efficiency is not consistent, the one by power is close to that of a
// homogeneous cluster.
func TestFigureOfBosque(t *testing.T) {
	b := readBosque()
	passes := false
	for _, p := range bosqueProcessors {
		for _, n := range bosqueSizes {
			v := b.point(n, p)
			passes = passes || v[1] > 1
			expect.That(t, v[0] > 0 && v[0] < 1, "eps = %v at N = %v, P = %v", v[0], n, p)
			expect.That(t, p < 32 || math.Abs(v[0]-v[3]) <= 0.03,
				"N = %v, P = %v: eps = %v, homogeneous %v", n, p, v[0], v[3])
			// The classic efficiency times the power of as many slow processors, divided by the mixed power, is eps.
			expect.Near(t, v[1]*p*b.slow/b.mixedPower(p), v[0], 1e-12, "eps from the classic efficiency %v", v[1])
		}
	}
	expect.That(t, passes, "the classic efficiency never passes 1")
}
