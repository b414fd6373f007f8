package laws

import (
	"fmt"
	"math"
	"testing"

	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/regression"
)

// T = 100 (0.1 + 0.9/p) s, without any error, is Amdahl's law: on 32 and 64 processes
// 12.8125 and 11.40625 s.
func TestModelsOverProcesses(t *testing.T) {
	m := FitTimes(amdahlTimes("processes"))
	expect.That(t, !m.Grows() && m.Models[0].Model == "Amdahl" && m.Models[0].CrossSMAPE <= 1e-7 &&
		len(m.Blocks()) >= 2,
		"best %+v", m.Models[0])
	for i, want := range []struct {
		p, t  float64
		extra bool
	}{{16, 15.625, false}, {32, 12.8125, true}, {64, 11.40625, true}} {
		x := m.Predictions[i]
		expect.That(t, x.Processes == want.p && math.Abs(x.Time-want.t) <= 1e-6 && x.Extrapolates == want.extra &&
			x.Interval[0] <= x.Time && x.Interval[1] >= x.Time,
			"prediction %+v, want %+v", x, want)
	}
}

// growing has times on 1 to 16 processes for sizes of 1 to 16.
func growing(time func(p, n float64) float64) []regression.Sample2 {
	var samples []regression.Sample2
	for p := 1.0; p <= 16; p *= 2 {
		for n := 1.0; n <= 16; n *= 2 {
			samples = append(samples, regression.Sample2{P: p, Q: n, Y: time(p, n)})
		}
	}
	return samples
}

// T = (3 n + 2 n p)/p has p T = 3 n + 2 n p, a normal form with the terms n and p n; T itself falls with p, as no
// normal form can. 5 + 2 p n grows with both. On 32 processes and n = 16: (48 + 1024)/32 = 33.5 s and 1029 s. Without
// an error, each of the 25 times lies on the line of equal values.
func TestModelsOverProcessesAndSize(t *testing.T) {
	for _, tt := range []struct {
		model string
		time  func(p, n float64) float64
	}{
		{"normal form of p T", func(p, n float64) float64 { return (3*n + 2*n*p) / p }},
		{"normal form", func(p, n float64) float64 { return 5 + 2*p*n }},
	} {
		m := expect.Value(FitGrowth(growing(tt.time), func(n float64) string { return fmt.Sprint("n = ", n) }))(t)
		expect.That(t, fmt.Sprint(m.Over) == "[p n]" && m.Models[0].Model == tt.model &&
			m.Models[0].CrossSMAPE <= 1e-6 && m.From == 1 && m.To == 16,
			"model %+v", m)
		found := false
		for _, x := range m.Predictions {
			if x.Processes == 32 && x.N == 16 {
				found = true
				want := tt.time(32, 16)
				expect.That(t, math.Abs(x.Time-want) <= 1e-6*want && x.Extrapolates,
					"%s: %+v, want %g s", tt.model, x, want)
			}
		}
		expect.That(t, found, "%s: predictions %+v", tt.model, m.Predictions)
		blocks := Section([]Performance{*m}, &report.Table{}, 1).Blocks
		// The smallest, the largest and two more sizes have points and two lines each.
		c := blocks[1].(*report.LineChart)
		expect.That(t, len(c.Series) == 3*mostSizes && len(c.Bands) == 2,
			"%s: %d series, %d bands", tt.model, len(c.Series), len(c.Bands))
		pairs := 0
		for _, s := range blocks[2].(*report.LineChart).Series {
			for k := range s.X {
				expect.That(t, math.Abs(s.Y[k]-s.X[k]) <= 1e-6*s.X[k],
					"%s: %v modelled over %v measured", s.Name, s.Y[k], s.X[k])
				pairs++
			}
		}
		if pairs != 25+2 { // including the ends of the line
			t.Errorf("%d points; want 25 and the ends of the line", pairs)
		}
	}
}

// T = 50 - p n/10 is 24.4 s on 16 processes for n = 16, and below 0 where either is doubled: a warning takes the place
// of a prediction. Three times are too few for a model.
func TestModelsDoNotPredictTimesBelowZero(t *testing.T) {
	name := func(n float64) string { return fmt.Sprint("n = ", n) }
	m := expect.Value(FitGrowth(growing(func(p, n float64) float64 { return 50 - p*n/10 }), name))(t)
	expect.List(t, m.Warnings, []string{
		"the model gives no time above 0 on 32 processes for n = 16: it does not reach that far",
		"the model gives no time above 0 on 16 processes for n = 32: it does not reach that far",
		"the model gives no time above 0 on 32 processes for n = 32: it does not reach that far",
	}, "warnings")
	expect.That(t, len(m.Predictions) == 1 && m.Predictions[0].Processes == 16 && m.Predictions[0].N == 16 &&
		math.Abs(m.Predictions[0].Time-24.4) <= 1e-6 && !m.Predictions[0].Extrapolates, "predictions %+v", m.Predictions)
	m.System = "cluster"
	blocks := m.Blocks()
	expect.That(t, len(blocks) == 3 && blocks[0].(*report.LineChart).Title == "Times over processes and size of cluster",
		"blocks %+v", blocks)
	p := FitTimes(Subject{Samples: []regression.Sample{{P: 1, Y: 9}, {P: 2, Y: 5}, {P: 4, Y: 3}}})
	expect.That(t, p == nil, "three times have a model: %+v", p)
}
