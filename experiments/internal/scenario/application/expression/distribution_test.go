package expression

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// In every division each item has one owner; counting the items of an owner gives how many of the first it has.
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
			has := make([]int, p) // of the first m
			for m := range n + 1 {
				for q := range p {
					expect.Equal(t, v.below(q, m), has[q], "%T: of the first %d items process %d has", v, m, q)
				}
				if m < n {
					q := v.owner(m)
					expect.Need(t, q >= 0 && q < p, "%T: item %d belongs to process %d of %d", v, m, q, p)
					has[q]++
				}
			}
		}
	})
}

// Equal parts differ by one item at most; parts by speed by less than one from the
// exact ones.
func TestBalance(t *testing.T) {
	for q, want := range []int{3, 3, 2, 2} {
		expect.Equal(t, blocked{10, 4}.below(q, 10), want, "items of 10 of process %d", q)
	}
	s := bySpeed(10, []units.FlopsPerSecond{1, 3, 4})
	for q, want := range []float64{1.25, 3.75, 5} {
		got := float64(s.below(q, 10))
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
		expect.Need(t, (err != nil) == (tt.want == nil), "%d on %v: %v", tt.p, tt.sides, err)
		if tt.want != nil {
			expect.List(t, g.Sides, tt.want, "%d on %v", tt.p, tt.sides)
		}
	}
}
