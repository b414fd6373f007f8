package scalability

import (
	"cmp"
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// A Point is a system together with the work that it does at the held
// efficiency.
type Point struct {
	MarkedSpeed units.FlopsPerSecond // C, > 0
	Work        units.Flops          // W, > 0
}

// check returns an error unless both numbers are positive and finite; suffix
// tells the points of one formula apart.
func (p Point) check(fn, suffix string) error {
	return cmp.Or(positive(fn, "C"+suffix, p.MarkedSpeed), positive(fn, "W"+suffix, p.Work))
}

// IsospeedEfficiency returns the scalability from a base to a scaled system,
//
//	psi(C, C') = C' W/(C W')   where   W/(T C) = W'/(T' C')
//
//	C, W    marked speed and work of the base, > 0
//	C', W'  marked speed and work of the scaled system, > 0
//
// 1 is ideal: the work need only grow as the machine does. The second equation is
// the caller's to hold: times do not enter here, so two points of different
// efficiency give a number that is not a scalability.
//
// Source: [Sun2005] 3.3, [Chen2008] 3.3. Deviations: none. C' < C is accepted.
func IsospeedEfficiency(base, scaled Point) (float64, error) {
	const fn = "IsospeedEfficiency"
	return positiveResult(fn, "psi", psi(base, scaled), base.check(fn, ""), scaled.check(fn, "'"))
}

// psi is C' W/(C W'), as a product of ratios so that it does not overflow early.
func psi(base, scaled Point) float64 {
	return float64(scaled.MarkedSpeed/base.MarkedSpeed) * float64(base.Work/scaled.Work)
}

// A Ladder is a series of systems that all work at the same speed-efficiency, as
// in the tables of [Chen2008]: C_2, C_4, C_8 and so on.
type Ladder []Point

// Psi returns psi between neighbours: element i is [IsospeedEfficiency] from
// point i to point i+1. There is one element less than there are points, none for
// an empty ladder. Psi between systems further apart is the product.
func (l Ladder) Psi() ([]float64, error) {
	const fn = "Ladder.Psi"
	var steps []float64
	for i, p := range l {
		if err := p.check(fn, fmt.Sprintf("[%d]", i)); err != nil {
			return nil, err
		}
		if i == 0 {
			continue
		}
		step, err := positiveResult(fn, fmt.Sprintf("psi[%d]", i-1), psi(l[i-1], p))
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// Isospeed returns the scalability of a system of equal processors,
//
//	psi(p, p') = p' W/(p W')   where   W/(p T) = W'/(p' T')
//
//	p, W    processors (> 0) and work (> 0) of the base
//	p', W'  processors and work of the scaled system
//
// It is [IsospeedEfficiency] with C = p C_1. The second equation is the caller's
// to hold.
//
// Source: [SunRover1994]; [Chen2008] Table 1. Deviations: none.
func Isospeed(p int, w units.Flops, pScaled int, wScaled units.Flops) (float64, error) {
	return isospeed("Isospeed", "p", float64(p), w, float64(pScaled), wScaled)
}

// isospeed is psi for isospeed and extended isospeed, where the size of a system
// has that symbol.
func isospeed(fn, symbol string, size float64, w units.Flops, sizeScaled float64, wScaled units.Flops) (float64, error) {
	return positiveResult(fn, "psi", sizeScaled/size*float64(w/wScaled),
		positive(fn, symbol, size), positive(fn, "W", w),
		positive(fn, symbol+"'", sizeScaled), positive(fn, "W'", wScaled))
}
