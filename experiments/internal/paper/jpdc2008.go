package paper

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// JPDC2008 reproduces [Chen2008], the journal version of [Sun2005].
func JPDC2008(ctx context.Context) (*Paper, error) {
	p, err := newSunwulfPaper(ctx, "jpdc2008", "jpdc2008_table2", "jpdc2008_table5")
	if err != nil {
		return nil, err
	}
	p.Misprints = slices.Concat(p.shared.Misprints, p.Misprints)
	p.predictionError()
	p.runs("jpdc2008_table3", 2)
	p.runs("jpdc2008_table4", 4)
	p.sizes("jpdc2008_table5")
	p.psi("jpdc2008_table6", p.required, gaussWork)
	p.simulatedPsi("jpdc2008_table6", p.sim.gauss, Simulated)
	p.configurations("jpdc2008_table7")
	p.multiplications("jpdc2008_table8")
	p.psi("jpdc2008_table9", load("jpdc2008_table8"), matMulWork)
	p.simulatedPsi("jpdc2008_table9", p.sim.matMul, Fitted)
	for r := range p.table("jpdc2008_table10").rows() {
		r.compare("W", convolutionWork(r.value("N")), Recomputed)
	}
	p.psi("jpdc2008_table11", load("jpdc2008_table10"), convolutionWork)
	p.predicted("jpdc2008_table12")
	p.predictedPsi("jpdc2008_table13")
	if err := p.efficiencies("jpdc2008_fig2", readingOn2, readingOn4); err != nil {
		return nil, err
	}
	p.multiplication("jpdc2008_fig3")
	p.claim(workIdentity())
	p.claim(theoremsHold())
	p.claim(theoremTwoLimit())
	return p.done(), nil
}

// convolutionWork is W(N) of the 2D convolution in flop, section 4.1.3.
func convolutionWork(n float64) float64 {
	return float64(66*n*n*math.Log2(n)) + float64(21*n*n) + float64(84*n*math.Log2(n))
}

// predictionError adds the mean prediction error to the numbers in the text.
func (p *sunwulfPaper) predictionError() {
	predicted := load("jpdc2008_table12")
	sum := 0.0
	for i := range predicted.Rows {
		sum += math.Abs(predicted.value(i, "N_predicted")/p.required.value(i+1, "N") - 1)
	}
	p.table("jpdc2008_parameters").
		compare("pred_err", "value", p.constants.constant("pred_err"), 100*sum/float64(len(predicted.Rows)), Recomputed)
}

// configurations fills the table of the systems for multiplication and convolution; the claims are that their nodes add
// up.
func (p *sunwulfPaper) configurations(id string) {
	for r := range p.table(id).rows() {
		servers, blades, v210s := r.count("server"), r.count("sunblade"), r.count("v210")
		r.compute("C", sumOf(servers, blades, v210s), p.speeds...)
		sum := servers + blades + v210s
		p.claim(fmt.Sprint(sum), sum == r.count("nodes"))
	}
}

// multiplications fills the table of sizes at which the multiplication holds 0.2.
func (p *sunwulfPaper) multiplications(id string) {
	t := p.table(id)
	for r := range t.rows() {
		r.compare("W", matMulWork(r.value("N")), Recomputed)
	}
	for _, w := range p.sim.matMul.Warnings {
		t.Notes = append(t.Notes, "The engine warns: "+w+".")
	}
	for r := range t.rows() {
		r.compare("N", float64(p.sim.matMul.Systems[r.i].N), Fitted)
	}
}

// workIdentity checks which operations of the elimination W counts.
func workIdentity() (ours string, holds bool) {
	sum := 0.0
	for n := 2; n < 900; n++ {
		r := float64(n - 2)
		if sum += float64(r * (float64(2*r) + 5)); sum != gaussWork(float64(n)) {
			return fmt.Sprintf("differs at N = %d", n), false
		}
	}
	return "identical for N = 2 to 899", true
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

// efficiency returns the efficiency of work w on marked speed c with an overhead; t0 is the time of the sequential
// part.
func (s scaling) efficiency(
	w units.Flops, c units.FlopsPerSecond, overhead units.Seconds,
) (e float64, t0 units.Seconds) {
	alpha := s.seq.Fraction
	t0 = units.Seconds(alpha * float64(w) / float64(s.seq.Speed))
	t := units.Seconds((1-alpha)*float64(w)/float64(c)) + t0 + overhead
	return float64(w) / float64(t) / float64(c), t0
}

// theoremsHold checks Theorems 1 and 2 against the definition: the W' that follows
// from psi must keep the efficiency.
func theoremsHold() (ours string, holds bool) {
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
			return "does not hold", false
		}
		checked++
	}
	return fmt.Sprintf("holds in %d cases", checked), checked > 0
}

// theoremTwoLimit checks the bound that the paper does not state: a fixed
// sequential fraction limits the system that can hold the efficiency.
func theoremTwoLimit() (ours string, holds bool) {
	for _, s := range scalings() {
		limit, err := scalability.ReachLimit(s.base, s.seq, s.overhead[0])
		if err == nil && math.IsInf(float64(limit), 1) {
			continue
		}
		_, below := scalability.Theorem2(s.base, limit*0.999, s.seq, s.overhead[0], s.overhead[1])
		_, above := scalability.Theorem2(s.base, limit*1.001, s.seq, s.overhead[0], s.overhead[1])
		_, unreachable := errors.AsType[*scalability.UnreachableError](above)
		if err != nil || below != nil || !unreachable {
			return "does not hold", false
		}
	}
	return "holds on both sides of the limit", true
}
