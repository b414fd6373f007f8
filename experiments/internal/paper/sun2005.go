package paper

import (
	"context"
	"slices"
)

// Sun2005 reproduces [Sun2005], the conference paper on isospeed-efficiency.
func Sun2005(ctx context.Context) (*Paper, error) {
	p, err := newSunwulfPaper(ctx, "sun2005", "sun2005_table1", "sun2005_table3")
	if err != nil {
		return nil, err
	}
	p.Misprints = slices.Concat(p.Misprints, p.shared.Misprints)
	p.runs("sun2005_table2", 2)
	p.sizes("sun2005_table3")
	p.psi("sun2005_table4", p.required, gaussWork)
	p.simulatedPsi("sun2005_table4", p.sim.gauss, Simulated)
	// The table of multiplication has no caption. Only [Chen2008] prints the sizes from which it follows.
	l := load("jpdc2008_table8")
	for r := range p.table("sun2005_table5").rows() {
		at := func(column string, i int) float64 { return l.value(r.i+i, column) }
		r.compare("psi", psi(at("C", 0), matMulWork(at("N", 0)), at("C", 1), matMulWork(at("N", 1))), Recomputed)
	}
	p.simulatedPsi("sun2005_table5", p.sim.matMul, Fitted)
	p.predicted("sun2005_table6")
	p.predictedPsi("sun2005_table7")
	if err := p.efficiencies("sun2005_fig1", readingOn2); err != nil {
		return nil, err
	}
	p.multiplication("sun2005_fig2")
	return p.done(), nil
}
