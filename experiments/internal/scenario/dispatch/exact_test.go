package dispatch

import (
	"github.com/isoscale/isoscale/internal/expect"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// Sums, differences, products and quotients of fractions are equal exactly if those of big.Rat are, and in the same
// order.
func TestExactArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	fraction := func() *big.Rat { return big.NewRat(1+r.Int64N(1000), 1+r.Int64N(30)) }
	for range 2000 {
		a, b := fraction(), fraction()
		x, y := exactRat(a), exactRat(b)
		for range 20 {
			c := fraction()
			z := exactRat(c)
			switch r.IntN(4) {
			case 0:
				a, x = new(big.Rat).Add(a, c), x.plus(z)
			case 1:
				if a.Cmp(c) > 0 {
					a, x = new(big.Rat).Sub(a, c), x.minus(z)
				}
			case 2:
				a, x = new(big.Rat).Mul(a, c), x.times(z)
			case 3:
				a, x = new(big.Rat).Quo(a, c), x.times(z.inverse())
			}
			expect.Equal(t, x.compare(y), a.Cmp(b), "order of %v and %v", a, b)
			want := exactRat(a)
			expect.Need(t, x.compare(want) == 0 && x.residue == want.residue, "%v: %v, want %v", a, x, want)
			if rest := new(big.Rat).Sub(a, new(big.Rat).SetFloat64(x.hi)); rest.Sign() != 0 {
				rest.Sub(rest, new(big.Rat).SetFloat64(x.lo))
				off, _ := rest.Quo(rest, a).Float64()
				expect.Need(t, math.Abs(off) <= 0x1p-90, "%v: off by %g", a, off)
			}
		}
	}
}

// Three times a third is one, which float64 and any fixed number of digits miss; numbers 2^-55 apart are not equal.
func TestExactEquality(t *testing.T) {
	third := exactInt(3).inverse()
	one := third.plus(third).plus(third)
	expect.That(t, one.compare(exactInt(1)) == 0, "3 x 1/3 is %v", one)
	expect.That(t, exactFloat(0.1).compare(exactRat(big.NewRat(1, 10))) != 0, "the float64 0.1 is a tenth")
	for _, x := range []float64{1, 0.1, 1e-300, 1e300, 0x1p-1074, math.Pi} {
		expect.Equal(t, exactFloat(x), exactRat(new(big.Rat).SetFloat64(x)), "value of %g", x)
	}
}

// ratio finds what two numbers mean that were computed in floating point.
func TestRatio(t *testing.T) {
	for _, tt := range []struct {
		x, y float64
		want *big.Rat
	}{
		{0.3, 0.1, big.NewRat(3, 1)},
		{0.1 + 0.2, 0.1, big.NewRat(3, 1)},
		{100 * 1e-6, 50 * 1e-3, big.NewRat(2, 1000)},
		{1.0 / 3, 0.08, big.NewRat(25, 6)}, // 1 MB over 3 MB/s to 80 ms
		{100 * math.Pi, 350 * math.Pi, big.NewRat(2, 7)},
		{1, 7e-9, big.NewRat(1000000000, 7)},
		{0.123456789, 1, big.NewRat(123456789, 1000000000)},
		{math.Sqrt2, 1, new(big.Rat).SetFloat64(math.Sqrt2)}, // unchanged
	} {
		got := ratio(tt.x, tt.y)
		expect.That(t, got.Cmp(tt.want) == 0, "%v/%v is %v, want %v", tt.x, tt.y, got, tt.want)
	}
}
