package paper

import (
	"errors"
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// workIdentity checks which operations W of the elimination counts.
func workIdentity() Claim {
	c := Claim{Where: "section 4.1.1", What: "W(N) is the sum of r(2r+5) for r = 0 to N-2 (not stated)", Paper: "a polynomial",
		Ours: "identical for N = 2 to 899", Holds: true}
	sum := 0.0
	for n := 2; n < 900; n++ {
		r := float64(n - 2)
		if sum += float64(r * (float64(2*r) + 5)); sum != gaussWork(float64(n)) {
			c.Ours, c.Holds = fmt.Sprintf("differs at N = %d", n), false
			break
		}
	}
	return c
}

// scaling is a case for the theorems: a system, a larger one, and an algorithm
// with a sequential part.
type scaling struct {
	base     scalability.Point
	scaled   units.FlopsPerSecond
	seq      scalability.Sequential
	overhead [2]units.Seconds // before and after
}

// scalings are cases of all sizes.
func scalings() []scaling {
	var all []scaling
	for _, c := range []units.FlopsPerSecond{10, 30, 90} {
		for _, scaled := range []units.FlopsPerSecond{100, 400, 900} {
			for _, alpha := range []float64{0, 1e-4, 1e-3} {
				for _, w := range []units.Flops{1e3, 3e4} {
					for _, overhead := range [][2]units.Seconds{{1, 50}, {50, 60}, {20, 500}} {
						all = append(all, scaling{scalability.Point{MarkedSpeed: c, Work: w}, scaled,
							scalability.Sequential{Fraction: alpha, Speed: 5}, overhead})
					}
				}
			}
		}
	}
	return all
}

// efficiency is that of work w on marked speed c with an overhead, and t0 is the
// time of the sequential part.
func (s scaling) efficiency(w units.Flops, c units.FlopsPerSecond, overhead units.Seconds) (e float64, t0 units.Seconds) {
	alpha := s.seq.Fraction
	t0 = units.Seconds(alpha * float64(w) / float64(s.seq.Speed))
	t := units.Seconds((1-alpha)*float64(w)/float64(c)) + t0 + overhead
	return float64(w) / float64(t) / float64(c), t0
}

// theoremsHold checks Theorems 1 and 2 against the definition: the W' that follows
// from psi must keep the efficiency.
func theoremsHold() Claim {
	c := Claim{Where: "Theorems 1 and 2", What: "psi from overheads is C'W/(C W') at equal efficiency", Paper: "a theorem", Holds: true}
	const tolerance = 1e-12
	checked := 0
	for _, s := range scalings() {
		psi2, err := scalability.Theorem2(s.base, s.scaled, s.seq, s.overhead[0], s.overhead[1])
		if _, ok := errors.AsType[*scalability.UnreachableError](err); ok {
			continue
		}
		scaledWork := units.Flops(float64(s.scaled) / float64(s.base.MarkedSpeed) * float64(s.base.Work) / psi2)
		e, t0 := s.efficiency(s.base.Work, s.base.MarkedSpeed, s.overhead[0])
		eScaled, t0Scaled := s.efficiency(scaledWork, s.scaled, s.overhead[1])
		psi1, err1 := scalability.Theorem1(t0, s.overhead[0], t0Scaled, s.overhead[1])
		if err != nil || err1 != nil || math.Abs(eScaled/e-1) > tolerance || math.Abs(psi1/psi2-1) > tolerance {
			c.Holds = false
		}
		checked++
	}
	c.Holds = c.Holds && checked > 0
	c.Ours = fmt.Sprintf("holds in %d cases", checked)
	if !c.Holds {
		c.Ours = "does not hold"
	}
	return c
}

// theoremTwoLimit checks the bound that the paper does not state: a fixed
// sequential fraction limits the system that can hold the efficiency.
func theoremTwoLimit() Claim {
	c := Claim{Where: "Theorem 2", What: "it needs C' < C (1 + T_o/(b W)), b = a/C_i (not stated)", Paper: "not stated",
		Ours: "holds on both sides of the limit", Holds: true}
	for _, s := range scalings() {
		limit, err := scalability.ReachLimit(s.base, s.seq, s.overhead[0])
		if err != nil {
			c.Holds = false
		}
		if math.IsInf(float64(limit), 1) {
			continue
		}
		_, below := scalability.Theorem2(s.base, limit*0.999, s.seq, s.overhead[0], s.overhead[1])
		_, above := scalability.Theorem2(s.base, limit*1.001, s.seq, s.overhead[0], s.overhead[1])
		var unreachable *scalability.UnreachableError
		if below != nil || !errors.As(above, &unreachable) {
			c.Holds = false
		}
	}
	if !c.Holds {
		c.Ours = "does not hold"
	}
	return c
}
