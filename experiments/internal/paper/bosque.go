package paper

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// Bosque reproduces [Bosque], the paper on H-isoefficiency.
func Bosque(ctx context.Context) (*Paper, error) {
	b := readBosque()
	b.text()
	for r := range b.table("bosque_table1").rows() {
		r.compare("t_ci", 1/r.value("P_i"), Recomputed)
	}
	b.scaled()
	b.mixed()
	if err := b.wholeRows(ctx); err != nil {
		return nil, err
	}
	b.figure()
	return b.done(), nil
}

// bosqueData are the tables of the paper, with the cost of a broadcast step fitted to Table 2.
type bosqueData struct {
	*draft
	constants, sizes *Sheet
	fast, slow       float64 // P_NF and P_NS, cells/s
	step             float64 // s
}

func readBosque() *bosqueData {
	types := load("bosque_table1")
	b := &bosqueData{
		draft: readDraft("bosque"), constants: load("bosque_parameters"), sizes: load("bosque_table2"),
		fast: types.value(0, "P_i"), slow: types.value(1, "P_i"),
	}
	for i := range b.sizes.Rows {
		n := b.sizes.value(i, "N")
		b.step += (1/b.sizes.value(i, "eps") - 1) * n * n / (b.sizes.value(i, "P_T") * math.Log2(b.sizes.value(i, "P")))
	}
	b.step /= float64(len(b.sizes.Rows))
	b.Fits["step"][0].Value = 1e6 * b.step
	b.Values["step"] = fmt.Sprintf("%.2f", 1e6*b.step)
	return b
}

// bosqueEfficiency returns the efficiency of n^3 cell updates at a power with an overhead in seconds.
func bosqueEfficiency(n, power, overhead float64) float64 {
	w := n * n * n
	t := units.Seconds(w/power + overhead)
	return must(scalability.HeterogeneousEfficiency(units.Flops(w), t, units.FlopsPerSecond(power)))
}

// fitted returns the efficiency if the fitted cost of a step is the only overhead.
func (b *bosqueData) fitted(n, power, processors float64) float64 {
	return bosqueEfficiency(n, power, n*math.Log2(processors)*b.step)
}

// classic returns the efficiency relative to a reference processor.
func classic(eps, power, processors, reference float64) float64 {
	return must(scalability.ClassicEfficiency(
		eps, int(processors), units.FlopsPerSecond(power), units.FlopsPerSecond(reference)))
}

// over adds the classic efficiency relative to a reference processor to a row.
func (r tableRow) over(column string, processors, reference float64) *Cell {
	power := r.value("P_T")
	of := func(x []float64) float64 { return classic(x[0], power, processors, reference) }
	return r.compute(column, of, r.printed("eps"))
}

// size returns the problem size that holds the efficiency of a base: Eq. 10.
func (b *bosqueData) size(n0, power0, processors0, power, processors float64) float64 {
	point := func(power, p float64) scalability.OverheadPoint {
		return scalability.OverheadPoint{Power: units.FlopsPerSecond(power), Factor: math.Log2(p)}
	}
	return must(scalability.HIsoefficiencySize(n0, point(power0, processors0), point(power, processors), 3, 1))
}

func (b *bosqueData) text() {
	cores := func(kind string) float64 {
		get := func(symbol string) float64 { return b.constants.constant(symbol + kind).Value }
		return get("nodes_") * get("sockets_") * get("cores_")
	}
	b.table("bosque_parameters").
		compare("P_max", "processors", b.constants.constant("P_max"), cores("NS")+cores("NF"), Recomputed).
		because("The nodes listed have 280 cores, 90 sockets, 45 nodes: 142 is none of them.")
}

// scaled fills Table 2: 2 NS and the rest NF, at the size that holds eps.
func (b *bosqueData) scaled() {
	const (
		exchanged = "headings exchanged"
		asHeaded  = "headings as printed"
		why       = "The headings E(NF) and E(NS) are exchanged."
	)
	lambda, beta := b.constants.constant("lambda").Value*1e-6, b.constants.constant("beta").Value
	base := func(column string) float64 { return b.sizes.value(0, column) }
	for r := range b.table("bosque_table2").rows() {
		p, power, n := r.value("P"), r.value("P_T"), r.value("N")
		r.compare("P_T", b.mixedPower(p), Recomputed)
		r.compare("N_Hisoeff", b.size(base("N"), base("P_T"), base("P"), power, p), Recomputed)
		r.over("E(NF)", p, b.slow).as(exchanged)
		r.over("E(NS)", p, b.fast).as(exchanged)
		r.over("E(NF)", p, b.fast).as(asHeaded).because(why)
		r.over("E(NS)", p, b.slow).as(asHeaded).because(why)
		steps := math.Ceil(math.Log2(p))
		r.compare("eps", bosqueEfficiency(n, power, n*steps*(lambda+float64(4*n/beta))), Recomputed).
			as("Eq. 7, lambda = 25 us, beta = 2e9 byte/s").
			because("lambda = 25 us is too small, and the term of beta does not vanish.")
		r.compare("eps", bosqueEfficiency(n, power, float64(n*steps*lambda)+steps*4*n/beta), Recomputed).
			as("Eq. 6, lambda = 25 us, beta = 2e9 byte/s").because("lambda = 25 us is too small.")
		fitted := b.fitted(n, power, p)
		r.compare("eps", fitted, Fitted)
		r.compare("E(NF)", classic(fitted, power, p, b.slow), Fitted).as(exchanged)
		r.compare("E(NS)", classic(fitted, power, p, b.fast), Fitted).as(exchanged)
	}
}

// mixed fills Table 3: 128 processors of two kinds.
func (b *bosqueData) mixed() {
	var n1, power1 float64 // of the first row
	for r := range b.table("bosque_table3").rows() {
		nf, ns, power := r.value("NF"), r.value("NS"), r.value("P_T")
		if r.i == 0 {
			n1, power1 = r.value("N_Hisoeff"), power
		}
		b.claim(fmt.Sprint(nf+ns), nf+ns == 128)
		r.compare("P_T", float64(nf*b.fast)+float64(ns*b.slow), Recomputed)
		r.compare("N_Hisoeff", b.size(n1, power1, 128, power, 128), Recomputed)
		r.over("E(NF)", 128, b.fast)
		r.over("E(NS)", 128, b.slow)
		if nf+ns != 128 {
			const why = "The paper divides by 128 although the row has 130 processors."
			r.over("E(NF)", nf+ns, b.fast).as("130 processors").because(why)
			r.over("E(NS)", nf+ns, b.slow).as("130 processors").because(why)
		}
		fitted := func(x []float64) float64 { return b.fitted(x[0], power, 128) }
		r.compute("eps", fitted, r.printed("N_Hisoeff")).How = Fitted
		if r.i == 0 {
			target := must(scalability.IsoefficiencyConstant(b.constants.constant("eps_table3").Value))
			r.compute("N_Hisoeff", func(x []float64) float64 {
				k0 := must(scalability.IsoefficiencyConstant(x[0]))
				return b.size(b.sizes.value(0, "N"), b.sizes.value(0, "P_T"), 2, power, 128) * math.Sqrt(target/k0)
			}, b.sizes.printed(0, "eps")).as("from the base of Table 2, with K of 0.80 over K of 0.842")
		}
	}
}

// slowestRows returns the time of an iteration, in cell updates of n columns over power: n whole rows, dealt out so
// that the slowest process ends as early as possible.
func (b *bosqueData) slowestRows(n, slow, fast float64) float64 {
	best := math.Inf(1)
	for _, speed := range []float64{b.slow, b.fast} {
		for rows := 1.0; rows <= n; rows++ {
			// The number of rows that a process of this speed updates in the time. The margin absorbs the rounding of
			// the two divisions.
			t := rows * n / speed
			done := func(p float64) float64 { return math.Floor(t*p/n + 1e-9) }
			if float64(slow*done(b.slow))+float64(fast*done(b.fast)) >= n {
				best = min(best, t)
				break
			}
		}
	}
	return best
}

// wholeRows computes the efficiency of Table 2 if rows are not divided: by formula, then by the engine.
func (b *bosqueData) wholeRows(ctx context.Context) error {
	t := b.table("bosque_table2_rows")
	for r := range t.rows() {
		p, power, n := r.value("P"), r.value("P_T"), r.value("N")
		iteration := b.slowestRows(n, 2, p-2)
		ours := bosqueEfficiency(n, power, float64(n*iteration)-n*n*n/power+float64(n*math.Log2(p)*b.step))
		r.compare("eps", ours, Fitted).
			because(fmt.Sprintf("Whole rows make an iteration %.2f %% longer.", 100*(iteration*power/(n*n)-1)))
	}
	for r := range t.rows() {
		p, power, n := r.value("P"), r.value("P_T"), r.value("N")
		time, err := b.engine(ctx, int(n), 2, int(p)-2)
		if err != nil {
			return err
		}
		r.compare("eps", bosqueEfficiency(n, power, time-n*n*n/power), Fitted).as("by the engine")
	}
	return nil
}

// engine returns the time of Floyd's algorithm with whole rows on slow and fast
// processors, where each message of a broadcast costs its sender one fitted step
// and nothing else.
//
// The step is an overhead and not a latency, so that the broadcasts of successive
// rows do not overlap, as in the formulas of the paper.
func (b *bosqueData) engine(ctx context.Context, n, slow, fast int) (float64, error) {
	const cellWork = 1 // speeds are in cells/s
	speeds := slices.Concat(
		slices.Repeat([]units.FlopsPerSecond{units.FlopsPerSecond(b.slow)}, slow),
		slices.Repeat([]units.FlopsPerSecond{units.FlopsPerSecond(b.fast)}, fast))
	floyd := algorithm.Floyd{Problem: algorithm.Problem{N: n, Speeds: speeds, Element: 4}, CellWork: cellWork,
		Bcast: chosen(workloads.Bcast, "binomial")}
	if err := floyd.Validate(); err != nil {
		return 0, err
	}
	return makespan(ctx, sim.Config{
		Program: floyd.Program(),
		Network: network.Hockney{
			SendOverhead: units.Seconds(b.step), Bandwidth: math.MaxFloat64, EagerLimit: units.Bytes(math.Inf(1)),
		},
		Rates: speeds,
	})
}

// mixedPower returns the power of 2 NS processors and the rest NF.
func (b *bosqueData) mixedPower(p float64) float64 { return float64(2*b.slow) + float64((p-2)*b.fast) }

// point returns the values that Figure 1 compares, in the order of bosqueCurves.
func (b *bosqueData) point(n, p float64) []float64 {
	power := b.mixedPower(p)
	eps := b.fitted(n, power, p)
	return []float64{eps, classic(eps, power, p, b.slow), classic(eps, power, p, b.fast), b.fitted(n, p*b.fast, p)}
}

// The curves of Figure 1, and the sizes and processors for which it is drawn. The paper does not print those that it
// used.
var (
	bosqueCurves     = []string{"eps, by power", "classic, over NS", "classic, over NF", "homogeneous: all NF"}
	bosqueProcessors = []float64{2, 4, 8, 16, 32, 64, 128}
	bosqueSizes      = []float64{250, 500, 1000, 2000, 4000, 8000}
)

// figure draws Figure 1, and lists its values.
func (b *bosqueData) figure() {
	const size, processors = 2000, 32
	t := b.table("bosque_fig1")
	over := func(name, row string, xs []float64, at func(x float64) []float64) *report.LineChart {
		c := chartOf[report.LineChart](b.draft, name)
		for i, curve := range bosqueCurves {
			c.Series = append(c.Series, report.Series{Name: curve, X: xs, Dashed: i > 0 && i < 3})
		}
		for _, x := range xs {
			for i, v := range at(x) {
				t.value(fmt.Sprintf(row, x), bosqueCurves[i]+" [1]", v, Fitted)
				c.Series[i].Y = append(c.Series[i].Y, v)
			}
		}
		return c
	}
	b.draw("bosque_fig1",
		over("processors", "N=2000, P=%v", bosqueProcessors, func(p float64) []float64 { return b.point(size, p) }),
		over("size", "N=%v, P=32", bosqueSizes, func(n float64) []float64 { return b.point(n, processors) }),
		b.surface())
}

// surface shows eps over both; its contours are curves of H-isoefficiency.
func (b *bosqueData) surface() *report.Surface {
	s := chartOf[report.Surface](b.draft, "surface")
	for y := *s.Y.Min; y <= *s.Y.Max; y++ {
		var row []float64
		for x := *s.X.Min; x <= *s.X.Max; x++ {
			p := math.Exp2(x)
			row = append(row, b.fitted(math.Exp2(y), b.mixedPower(p), p))
		}
		s.Values = append(s.Values, row)
	}
	contours := report.Layer{Name: "H-isoefficiency", Mark: report.MarkContours}
	for _, eps := range []float64{0.2, 0.4, 0.6, 0.842, 0.95} {
		t := report.Trace{Label: fmt.Sprint(eps)}
		const steps = 48
		for i := range steps + 1 {
			x := *s.X.Min + (*s.X.Max-*s.X.Min)*float64(i)/steps
			// eps = 1/(1 + step x P_T/N^2), solved for N.
			y := math.Log2(b.step*x*b.mixedPower(math.Exp2(x))*eps/(1-eps)) / 2
			if y >= *s.Y.Min && y <= *s.Y.Max {
				t.X, t.Y = append(t.X, x), append(t.Y, y)
			}
		}
		contours.Traces = append(contours.Traces, t)
	}
	measured := report.Layer{Name: "Table 2", Mark: report.MarkPoints}
	for i := range b.sizes.Rows {
		p, n := b.sizes.value(i, "P"), b.sizes.value(i, "N")
		mark(&measured, fmt.Sprintf("P = %v, N = %v", p, n), [2]float64{math.Log2(p), math.Log2(n)})
	}
	s.Layers = []report.Layer{contours, measured}
	return s
}
