package timeline

import (
	"math"
	"testing"

	"github.com/isoscale/isoscale/model/units"
)

// Ticks are a power of ten of which fewer than 2^32-1 make up the time.
func TestTicks(t *testing.T) {
	for _, c := range []struct{ end, tick units.Seconds }{
		{0, 1}, {4.294967293, 1e-9}, {4.294967296, 1e-8}, {1e-3, 1e-12}, {4294967294, 1}, {4294967296, 10},
	} {
		if got := TickOf(c.end); math.Abs(float64(got/c.tick-1)) > 1e-12 {
			t.Errorf("of %v: %v, want %v", float64(c.end), float64(got), float64(c.tick))
		}
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
		y, err := Decode(x.Encode())
		if err != nil {
			t.Fatal(err)
		}
		if string(x.Encode()) != string(y.Encode()) {
			t.Errorf("%+v\nwritten and read again\n%+v", x, y)
		}
	})
}
