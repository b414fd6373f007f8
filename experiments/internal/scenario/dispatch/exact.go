package dispatch

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// exact is a rational number that can be compared exactly with another. Times on paper are sums of a few given
// durations; those that share a trunk are also quotients, whose denominators grow with each transfer: too long for
// fractions of integers. So a number is kept in two forms:
//
//   - hi + lo, hi the nearest float64, is its value to about 100 bits: it says
//     which of two different numbers is the larger one;
//   - residue is its value modulo the prime 2^61 - 1, a/b standing for a times the
//     inverse of b. Equal numbers have equal residues however they were computed.
//     Different ones that are also close have equal residues with a probability
//     of 4e-19.
type exact struct {
	hi, lo  float64
	residue uint64
}

// prime is a Mersenne prime, which makes residues cheap to reduce.
const prime = 1<<61 - 1

// closeness is the relative distance below which the residues decide. It is far above
// the error of the values and far below any difference that a result shows.
const closeness = 0x1p-60

// exactInt is n. REQUIRES: 0 <= n <= 2^62.
func exactInt(n int) exact {
	hi := float64(n)
	return exact{hi, float64(n - int(hi)), uint64(n) % prime}
}

// exactFloat is the value of x itself. REQUIRES: x >= 0 and finite.
func exactFloat(x float64) exact {
	fraction, exponent := math.Frexp(x)
	residue := uint64(fraction*0x1p53) % prime
	shift := ((exponent-53)%61 + 61) % 61 // 2^61 is 1 modulo the prime
	return exact{hi: x, residue: timesMod(residue, 1<<shift)}
}

func exactRat(r *big.Rat) exact {
	hi, _ := r.Float64()
	rest := new(big.Rat).SetFloat64(hi)
	lo, _ := rest.Sub(r, rest).Float64()
	modulus := big.NewInt(prime)
	residue := func(i *big.Int) uint64 { return new(big.Int).Mod(i, modulus).Uint64() }
	return exact{hi, lo, timesMod(residue(r.Num()), inverseMod(residue(r.Denom())))}
}

func (a exact) plus(b exact) exact {
	hi, rest := twoSum(a.hi, b.hi)
	lo, last := twoSum(a.lo, b.lo)
	hi, rest = quickTwoSum(hi, rest+lo)
	hi, lo = quickTwoSum(hi, rest+last)
	return exact{hi, lo, plusMod(a.residue, b.residue)}
}

func (a exact) minus(b exact) exact {
	if a.compare(b) == 0 {
		return exact{}
	}
	return a.plus(exact{-b.hi, -b.lo, prime - b.residue})
}

func (a exact) times(b exact) exact {
	hi := float64(a.hi * b.hi)
	rest := math.FMA(a.hi, b.hi, -hi)
	rest += float64(a.hi*b.lo) + float64(a.lo*b.hi)
	hi, lo := quickTwoSum(hi, rest)
	return exact{hi, lo, timesMod(a.residue, b.residue)}
}

// inverse returns 1/a. REQUIRES: a > 0.
func (a exact) inverse() exact {
	// Two terms of the Newton iteration for the reciprocal.
	hi := 1 / a.hi
	rest := math.FMA(-hi, a.hi, 1) - float64(hi*a.lo)
	hi, lo := quickTwoSum(hi, float64(hi*rest))
	return exact{hi, lo, inverseMod(a.residue)}
}

// compare returns -1, 0 or 1: whether a is less than, equal to or more than b.
func (a exact) compare(b exact) int {
	difference := (a.hi - b.hi) + (a.lo - b.lo)
	if a.residue == b.residue && math.Abs(difference) <= closeness*(math.Abs(a.hi)+math.Abs(b.hi)) {
		return 0
	}
	if difference < 0 {
		return -1
	}
	return 1
}

func (a exact) zero() bool { return a.hi == 0 }

// scaled returns a x, rounded once but for a small part of a rounding.
func (a exact) scaled(x float64) float64 {
	hi := float64(a.hi * x) // no part of a fused sum
	return hi + (math.FMA(a.hi, x, -hi) + float64(a.lo*x))
}

// twoSum returns a + b as the nearest float64 and the remainder.
func twoSum(a, b float64) (sum, rest float64) {
	sum = a + b
	t := sum - a
	return sum, (a - (sum - t)) + (b - t)
}

// quickTwoSum is twoSum for |a| >= |b|.
func quickTwoSum(a, b float64) (sum, rest float64) {
	sum = a + b
	return sum, b - (sum - a)
}

func plusMod(a, b uint64) uint64 {
	s := a + b
	if s >= prime {
		s -= prime
	}
	return s
}

func timesMod(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return plusMod(hi<<3|lo>>61, lo&prime)
}

// inverseMod returns a^(prime-2), which is 1/a by Fermat.
func inverseMod(a uint64) uint64 {
	result := uint64(1)
	for e := uint64(prime - 2); e > 0; e >>= 1 {
		if e&1 == 1 {
			result = timesMod(result, a)
		}
		a = timesMod(a, a)
	}
	return result
}

// ticks converts durations to multiples of the longest one, so that results do not depend on the unit of time. A
// duration of 0.3 s is no float64: the nearest one, or that of 300 ms times 0.001, is off by one rounding or a few. So
// the intended number is recovered: see ratio.
type ticks struct {
	unit float64 // seconds, above 0
}

// newTicks takes the longest of some durations as unit.
func newTicks(durations ...float64) ticks {
	longest := each.Max(0, durations, func(d float64) float64 { return d })
	if longest == 0 {
		longest = 1
	}
	return ticks{longest}
}

func (t ticks) of(duration float64) exact {
	if duration == 0 {
		return exact{}
	}
	return exactRat(ratio(duration, t.unit))
}

func (t ticks) seconds(e exact) units.Seconds { return units.Seconds(e.scaled(t.unit)) }

const (
	// digits is the longest decimal that is recognised. One in 2000 arbitrary numbers is within decimalSlack of such a
	// decimal.
	digits       = 12
	decimalSlack = 0x1p-51 // four roundings
	// mostProduct bounds numerator times denominator of a fraction that is recognised. One in 500 arbitrary numbers is
	// within fractionSlack of one.
	mostProduct   = 1 << 40
	fractionSlack = 0x1p-50 // four roundings of each of two numbers
)

// ratio returns the number that x/y most likely stands for, with a relative error
// of at most 2^-50:
//
//  1. the exact quotient if both are decimals of at most 12 digits, give or take
//     four roundings;
//  2. else a simple fraction, such as that of 1 MB over 12 Mbit/s to 10 ms, or of
//     two durations given in an odd unit;
//  3. else the exact quotient of the two float64.
//
// Where the fraction is simple the first two agree: two different fractions whose
// numerators and denominators multiply to at most 2^40 are at least 2^-40 apart.
func ratio(x, y float64) *big.Rat {
	if a, ok := decimal(x); ok {
		if b, ok := decimal(y); ok {
			return a.Quo(a, b)
		}
	}
	if r, ok := simpleFraction(x / y); ok {
		return r
	}
	a, b := new(big.Rat).SetFloat64(x), new(big.Rat).SetFloat64(y)
	return a.Quo(a, b)
}

// decimal returns the decimal of at most 12 digits whose float64 is x.
func decimal(x float64) (*big.Rat, bool) {
	text := strconv.FormatFloat(x, 'e', digits-1, 64)
	near, err := strconv.ParseFloat(text, 64)
	if err != nil || math.Abs(near-x) > decimalSlack*x {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// simpleFraction returns the first convergent of the continued fraction of x
// that is within fractionSlack of it.
func simpleFraction(x float64) (*big.Rat, bool) {
	p, q := 1.0, 0.0 // the convergent
	lastP, lastQ := 0.0, 1.0
	for rest := x; ; rest = 1 / rest {
		whole := math.Floor(rest)
		p, lastP = float64(whole*p)+lastP, p
		q, lastQ = float64(whole*q)+lastQ, q
		switch {
		case !(p*q <= mostProduct && p <= mostProduct):
			return nil, false
		case p > 0 && math.Abs(p/q-x) <= fractionSlack*x:
			return big.NewRat(int64(p), int64(q)), true
		}
		rest -= whole
		if rest == 0 {
			return nil, false
		}
	}
}
