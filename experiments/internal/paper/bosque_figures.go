package paper

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/report"
)

// The sizes and processors for which Figure 1 is drawn. The paper does not print
// its own.
const (
	bosqueFigureSize       = 2000
	bosqueFigureProcessors = 32
)

// mixedPower is the power of 2 NS processors and the rest NF.
func (b *bosqueData) mixedPower(p float64) float64 { return float64(2*b.slow) + float64((p-2)*b.fast) }

// point has the values that Figure 1 compares, in the order of bosqueCurves.
func (b *bosqueData) point(n, p float64) []float64 {
	power := b.mixedPower(p)
	eps := b.fitted(n, power, p)
	return []float64{eps, classic(eps, power, p, b.slow), classic(eps, power, p, b.fast), b.fitted(n, p*b.fast, p)}
}

var bosqueCurves = []string{"eps, by power", "classic, over NS", "classic, over NF", "homogeneous: all NF"}

func bosqueProcessors() []float64 { return []float64{2, 4, 8, 16, 32, 64, 128} }

func bosqueSizes() []float64 { return []float64{250, 500, 1000, 2000, 4000, 8000} }

func (b *bosqueData) figureTable() Table {
	t := Table{ID: "bosque_fig1", Title: "Figure 1: classic and heterogeneous efficiency", Parameters: b.fit(),
		Formula: "the fitted model of Table 2 over processors and over size",
		Notes: []string{
			"The efficiency over a slow processor passes 1 and the one over a fast processor starts at 0.4 of the real one: neither is a share of what the machine can do. The efficiency by power stays next to that of a homogeneous cluster of fast processors, as the text says."}}
	add := func(row string, n, p float64) {
		for i, v := range b.point(n, p) {
			t.Values = append(t.Values, Value{row, bosqueCurves[i] + " [1]", v, Fitted})
		}
	}
	for _, p := range bosqueProcessors() {
		add(fmt.Sprintf("N=%d, P=%v", bosqueFigureSize, p), bosqueFigureSize, p)
	}
	for _, n := range bosqueSizes() {
		add(fmt.Sprintf("N=%v, P=%d", n, bosqueFigureProcessors), n, bosqueFigureProcessors)
	}
	return t
}

func (b *bosqueData) figure() Figure {
	over := func(title, caption, axis string, xs []float64, at func(x float64) []float64) *report.LineChart {
		c := &report.LineChart{Title: title, Caption: caption, X: report.Axis{Title: axis, Unit: report.Dimensionless, Log: true},
			Y: report.Axis{Title: "efficiency", Unit: report.Dimensionless}, Targets: []report.Target{{Label: "1", Y: 1}}}
		for i, name := range bosqueCurves {
			s := report.Series{Name: name, X: xs}
			if i > 0 && i < 3 {
				s.Dashed = true
			}
			for _, x := range xs {
				s.Y = append(s.Y, at(x)[i])
			}
			c.Series = append(c.Series, s)
		}
		return c
	}
	return Figure{ID: "bosque_fig1", Title: "Figure 1: classic and heterogeneous efficiency", Draw: []report.Block{
		over(fmt.Sprintf("Efficiency over processors, N = %d", bosqueFigureSize), "2 NS, the rest NF.", "processors", bosqueProcessors(),
			func(p float64) []float64 { return b.point(bosqueFigureSize, p) }),
		over(fmt.Sprintf("Efficiency over size, P = %d", bosqueFigureProcessors), "2 NS, 30 NF.", "order of the matrix N", bosqueSizes(),
			func(n float64) []float64 { return b.point(n, bosqueFigureProcessors) }),
		b.surface(),
	}}
}

// surface shows eps over both; its contours are curves of H-isoefficiency.
func (b *bosqueData) surface() *report.Surface {
	const firstP, lastP, firstN, lastN = 1, 7, 7, 13 // log2
	s := &report.Surface{
		Title: "Efficiency by power over processors and size",
		Caption: "2 NS, the rest NF. Each contour is a curve of H-isoefficiency: the size that holds that efficiency. Rings: the sizes N measured in Table 2, at the printed eps of 0.842. " +
			"Between powers of two of processors the formula is continued.",
		X:      report.Axis{Title: "log2 of processors", Unit: report.Dimensionless, Min: new(float64(firstP)), Max: new(float64(lastP))},
		Y:      report.Axis{Title: "log2 of N", Unit: report.Dimensionless, Min: new(float64(firstN)), Max: new(float64(lastN))},
		Value:  report.Axis{Title: "eps", Unit: report.Dimensionless, Min: new(0.0), Max: new(1.0)},
		Height: 480,
	}
	for y := firstN; y <= lastN; y++ {
		var row []float64
		for x := firstP; x <= lastP; x++ {
			p := math.Exp2(float64(x))
			row = append(row, b.fitted(math.Exp2(float64(y)), b.mixedPower(p), p))
		}
		s.Values = append(s.Values, row)
	}
	contours := report.Layer{Name: "H-isoefficiency", Mark: report.MarkContours}
	for _, eps := range []float64{0.2, 0.4, 0.6, 0.842, 0.95} {
		t := report.Trace{Label: fmt.Sprint(eps)}
		const steps = 48
		for i := range steps + 1 {
			x := firstP + float64(lastP-firstP)*float64(i)/steps
			// eps = 1/(1 + step x P_T/N^2), solved for N.
			y := math.Log2(b.step*x*b.mixedPower(math.Exp2(x))*eps/(1-eps)) / 2
			if y >= firstN && y <= lastN {
				t.X, t.Y = append(t.X, x), append(t.Y, y)
			}
		}
		contours.Traces = append(contours.Traces, t)
	}
	measured := report.Layer{Name: "Table 2", Mark: report.MarkPoints}
	for i := range b.sizes.Rows {
		p, n := b.sizes.Value(i, "P"), b.sizes.Value(i, "N")
		measured.Traces = append(measured.Traces, report.Trace{Label: fmt.Sprintf("P = %v, N = %v", p, n), X: []float64{math.Log2(p)}, Y: []float64{math.Log2(n)}})
	}
	s.Layers = []report.Layer{contours, measured}
	return s
}
