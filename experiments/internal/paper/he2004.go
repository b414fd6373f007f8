package paper

import (
	"context"
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// He2004 reproduces [He2004].
func He2004(ctx context.Context) (*Paper, error) {
	d := readDraft("he2004")
	if err := hePrograms(ctx, d.table("he2004_table1")); err != nil {
		return nil, err
	}
	if err := heReferenceTable(ctx, d.table("he2004_table2")); err != nil {
		return nil, err
	}
	heIsoTimes(d.table("he2004_table3"), heIsospeed)
	heIsoTimes(d.table("he2004_table5"), heTimeScale)
	for i, x := range []struct{ metric, ratios, times string }{
		{"psi", "he2004_table4", "he2004_table3"}, {"time_scale", "he2004_table6", "he2004_table5"},
	} {
		times := heTimes(x.times)
		heRatios(d.table(x.ratios), x.metric, times)
		d.draw(fmt.Sprintf("he2004_fig%d", i+1), heFigure(d, x.metric, times)...)
	}
	return d.done(), nil
}

// hePrograms fills Table 1.
func hePrograms(ctx context.Context, t *draftTable) error {
	mega := func(c computing) float64 { return float64(c.speed) / 1e6 }
	t.fitted(mega(heMatMul), heMatMul.contention, mega(heLCS), heLCS.contention)
	for r := range t.rows() {
		set := smpSet{name: r.name, single: r.count("nodes_with_1"), double: r.count("nodes_with_2")}
		for _, p := range []struct {
			column string
			time   programTime
			computing
		}{{"T_matmul", matMulTime, heMatMul}, {"T_lcs", lcsTime, heLCS}} {
			ours, err := p.time(ctx, set, heReference.messaging, p.computing)
			if err != nil {
				return fmt.Errorf("paper: %s on %s: %w", p.column, set.name, err)
			}
			r.compare(p.column, ours, Fitted)
		}
	}
	return nil
}

// heReferenceTable fills Table 2.
func heReferenceTable(ctx context.Context, t *draftTable) error {
	f := heReference
	t.fitted(float64(f.compute)/1e6, f.contention, float64(f.exchange)/1e3,
		float64(f.perMessage)*1e6, float64(f.perByte)*1e9, float64(f.onNode)/1e6)
	var alone Printed
	var oursAlone float64
	for r := range t.rows() {
		set := r.set()
		ours, err := f.time(ctx, set, algorithm.Alltoall)
		if err != nil {
			return fmt.Errorf("paper: reference program on %s: %w", set.name, err)
		}
		r.compare("T_ref", ours, Fitted)
		n := float64(set.processors())
		if r.i == 0 {
			alone, oursAlone = r.printed("T_ref"), ours
			r.compare("rf", 1, Recomputed)
		} else {
			factor := func(x []float64) float64 {
				return must(scalability.ReferenceFactor(set.processors(), units.Seconds(x[0]), units.Seconds(x[1])))
			}
			r.compute("rf", factor, alone, r.printed("T_ref"))
		}
		r.compare("rf", n*oursAlone/ours, Fitted).as("from fitted T_ref")
	}
	return nil
}

// coarse reports whether a printed time has a single digit.
func coarse(p Printed) bool { return p.Value < 10*p.Place }

// heIsoTimes fills Table 3 or 5.
func heIsoTimes(t *draftTable, f isoFit) {
	t.fitted(f.contention, f.volume, f.efficiency)
	factors := load("he2004_table2")
	least, most := math.Inf(1), 0.0
	for r := range t.rows() {
		rf, printed := factors.value(r.i, "rf"), r.printed("T")
		c := r.compare("T", f.time(r.set(), rf, printed.Value), Fitted)
		if coarse(printed) {
			c.Note = "one printed digit; not part of the fit"
		} else {
			_, amplification := f.solve(r.set(), rf)
			least, most = min(least, amplification), max(most, amplification)
		}
	}
	fit := t.tally(func(c Cell) bool { return c.Note == "" })
	t.set("times", "%d", fit.Cells)
	t.set("rms", "%.1f", 100*fit.RMS)
	t.set("least", "%.0f", least)
	t.set("most", "%.0f", most)
}

// heRatios fills Table 4 or 6: ratios of the times of another table.
func heRatios(t *draftTable, column string, times map[string]Printed) {
	for r := range t.rows() {
		from, to := r.text("n_set"), r.text("n_set_scaled")
		if from == to {
			r.compare(column, 1, Recomputed)
		} else {
			r.compute(column, func(x []float64) float64 { return x[0] / x[1] }, times[from], times[to])
		}
	}
}

// heTimes returns the printed times of Table 3 or 5 by set.
func heTimes(id string) map[string]Printed {
	s := load(id)
	times := map[string]Printed{}
	for i := range s.Rows {
		times[s.text(i, "processor_set")] = s.printed(i, "T")
	}
	return times
}

// heNodes is the largest number of nodes of a set in [He2004].
const heNodes = 10

// heFigure returns Figure 1 or 2: for sets of one and of two processors per node, the curves from each set to all
// larger ones, and the same as a surface.
func heFigure(d *draft, metric string, times map[string]Printed) []report.Block {
	var blocks []report.Block
	for a := 1; a <= 2; a++ {
		places := []string{"${metric}", metric, "${a}", fmt.Sprint(a)}
		curves := chartOf[report.LineChart](d, "curves", places...)
		surface := chartOf[report.HeatMap](d, "surface", places...)
		for b := 1; b <= heNodes; b++ {
			from := fmt.Sprintf("%dx%d", a, b)
			curve, row := report.Series{Name: from}, report.HeatRow{Name: from, Values: make([]float64, heNodes)}
			for to := b; to <= heNodes; to++ {
				ratio := times[from].Value / times[fmt.Sprintf("%dx%d", a, to)].Value
				curve.X, curve.Y = append(curve.X, float64(to)), append(curve.Y, ratio)
				row.Values[to-1] = ratio
			}
			if b < heNodes { // no set is larger than the largest
				curves.Series = append(curves.Series, curve)
			}
			surface.Rows = append(surface.Rows, row)
		}
		blocks = append(blocks, curves, surface)
	}
	return blocks
}
