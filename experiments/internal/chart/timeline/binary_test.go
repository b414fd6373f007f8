package timeline

import (
	"math"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// Ticks are a power of ten of which fewer than 2^32-1 make up the time.
func TestTicks(t *testing.T) {
	for _, c := range []struct{ end, tick units.Seconds }{
		{0, 1}, {4.294967293, 1e-9}, {4.294967296, 1e-8}, {1e-3, 1e-12}, {4294967294, 1}, {4294967296, 10},
	} {
		got := TickOf(c.end)
		expect.That(t, math.Abs(float64(got/c.tick-1)) <= 1e-12,
			"of %v: %v, want %v", float64(c.end), float64(got), float64(c.tick))
	}
}

// What cannot be a timeline is refused with the reason; what can be is read, and
// written and read again gives the same.
func FuzzDecode(f *testing.F) {
	t := &Timeline{
		Ranks: 1, Tick: 1, End: 2, Names: []string{"a"}, Spans: 1, SpanFirst: []uint32{0, 1}, SpanEnd: []uint32{2}, SpanPart: []uint8{0}, Parts: []Part{{"compute", Compute}},
		Rows: 1, Columns: 1, RanksPerRow: 1, ColumnWidth: 2, BinShare: []uint8{255, 0, 0}, Use: &LinkUse{[]string{"up"}, 1, []uint8{7, 9}},
	}
	f.Add(t.Encode())
	f.Add((&Timeline{Tick: 1}).Encode())
	f.Add([]byte("ISTL\x01\x00\x00\x00\x02\x00\x00\x00{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := Decode(data)
		if err != nil {
			return
		}
		y := expect.Value(Decode(x.Encode()))(t)
		expect.That(t, string(x.Encode()) == string(y.Encode()), "%+v\nwritten and read again\n%+v", x, y)
	})
}

// Edges at 10, 110 and 255 of 255 are at 15, 105 and 255 in steps of 15.
func TestRounded(t *testing.T) {
	got := (&Timeline{BinShare: []uint8{10, 100, 145}}).Rounded(15).BinShare
	want := []uint8{15, 90, 150}
	expect.That(t, slices.Equal(got, want), "%d, want %d", got, want)
}

// Two rows of three columns in at most one row and two columns: the means of two by two
// bins, and of the two that are left.
func TestCoarse(t *testing.T) {
	x := &Timeline{Rows: 2, Columns: 3, RanksPerRow: 4, ColumnWidth: 0.5, BinShare: []uint8{
		0, 8, 0, 20, 0, 0, 100, 1, 0,
		40, 0, 0, 60, 0, 0, 200, 3, 255,
	}}
	got := x.Coarse(1, 2)
	want := []uint8{30, 2, 0, 150, 2, 127}
	expect.That(t, slices.Equal(got.BinShare, want) && got.RanksPerRow == 8 && got.ColumnWidth == 1,
		"%+v, want the shares %d of rows of 8 ranks and columns of 1 s", got, want)
	expect.That(t, x.Coarse(2, 3) == x, "what is coarse enough changes")
}
