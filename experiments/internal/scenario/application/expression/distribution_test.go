package expression

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// In every division each item has one owner; counting the items of an owner gives its share
// and what it has after an item.
func TestDivisions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, p := rapid.IntRange(0, 60).Draw(t, "n"), rapid.IntRange(1, 9).Draw(t, "p")
		block := rapid.IntRange(1, 7).Draw(t, "block")
		speeds := make([]units.FlopsPerSecond, p)
		for i := range speeds {
			speeds[i] = units.FlopsPerSecond(rapid.IntRange(1, 5).Draw(t, "speed"))
		}
		size := Constant(float64(block), "block")
		for _, d := range []*Distribution{{}, {Block: size}, {BySpeed: true}, {Block: size, BySpeed: true}} {
			v := expect.Value(d.divide(n, block, speeds))(t)
			left := make([]int, p) // after the last item
			for i := n - 1; i >= 0; i-- {
				for q := range p {
					if got := v.after(q, i); got != left[q] {
						t.Fatalf("%T: process %d has %d items after %d, want %d", v, q, got, i, left[q])
					}
				}
				q := v.owner(i)
				expect.Need(t, q >= 0 && q < p, "%T: item %d belongs to process %d of %d", v, i, q, p)
				left[q]++
			}
			for q := range p {
				if got := v.share(q); got != left[q] {
					t.Fatalf("%T: process %d has %d items, want %d", v, q, got, left[q])
				}
				if got := v.after(q, -1); got != left[q] {
					t.Fatalf("%T: process %d has %d items after -1, want %d", v, q, got, left[q])
				}
			}
		}
	})
}

// Equal parts differ by one item at most; parts by speed by less than one from the
// exact ones.
func TestBalance(t *testing.T) {
	v := blocked{10, 4}
	for q, want := range []int{3, 3, 2, 2} {
		got := v.share(q)
		expect.That(t, got == want, "process %d has %d of 10, want %d", q, got, want)
	}
	s := bySpeed(10, []units.FlopsPerSecond{1, 3, 4})
	for q, want := range []float64{1.25, 3.75, 5} {
		got := float64(s.share(q))
		expect.That(t, got > want-1 && got < want+1, "process %d has %v of 10, want about %v", q, got, want)
	}
}

func TestArrange(t *testing.T) {
	for _, tt := range []struct {
		p     int
		sides []int
		want  []int32 // nil: an error
	}{
		{1, []int{0, 0, 0}, []int32{1, 1, 1}},
		{7, []int{0, 0}, []int32{7, 1}},
		{12, []int{0, 0}, []int32{4, 3}},
		{10, []int{0, 0, 0}, []int32{5, 2, 1}},
		{64, []int{0, 0, 0}, []int32{4, 4, 4}},
		{24, []int{2, 0, 0}, []int32{2, 4, 3}},
		{24, []int{0, 2, 3}, []int32{4, 2, 3}},
		{24, []int{4, 6}, []int32{4, 6}},
		{24, []int{4, 5}, nil},
		{24, []int{4, 3}, nil},
		{24, []int{5, 0}, nil},
	} {
		g, err := arrange(tt.p, tt.sides)
		if (err != nil) != (tt.want == nil) {
			t.Errorf("%d on %v: %v", tt.p, tt.sides, err)
			continue
		}
		for i := range tt.want {
			if g.Sides[i] != tt.want[i] {
				t.Errorf("%d on %v: %v, want %v", tt.p, tt.sides, g.Sides, tt.want)
				break
			}
		}
	}
}
