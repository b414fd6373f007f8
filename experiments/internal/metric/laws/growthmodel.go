package laws

import (
	"math"

	"github.com/isoscale/isoscale/model/regression"
)

// growthModel is a model of the time over processes and size: a normal form of the time
// T or of the process time p T, over p. Normal forms have no terms that fall with p, so
// the first suits problems that grow with the machine, and the second a fixed problem.
type growthModel struct {
	form    *regression.NormalForm2
	process bool // the form is that of p T
	rmse    float64
}

// fitGrowth fits both forms and returns the one with the smaller error of
// cross-validation, which is relative and so the same for T and p T.
func fitGrowth(samples []regression.Sample2) (*growthModel, error) {
	form, err := regression.FitNormalForm2(samples)
	if err != nil {
		return nil, err
	}
	best := &growthModel{form: form}
	costs := make([]regression.Sample2, len(samples))
	for i, s := range samples {
		costs[i] = regression.Sample2{P: s.P, Q: s.Q, Y: s.P * s.Y}
	}
	if form, err := regression.FitNormalForm2(costs); err == nil && !(best.form.CrossSMAPE <= form.CrossSMAPE) {
		best = &growthModel{form: form, process: true}
	}
	sum := 0.0
	for _, s := range samples {
		miss := best.at(s.P, s.Q) - s.Y
		sum += float64(miss * miss)
	}
	best.rmse = math.Sqrt(sum / float64(len(samples)))
	return best, nil
}

func (m *growthModel) name() string {
	if m.process {
		return "normal form of p T"
	}
	return "normal form"
}

func (m *growthModel) formula() string {
	if m.process {
		return "(" + m.form.Formula + ")/p"
	}
	return m.form.Formula
}

func (m *growthModel) at(p, n float64) float64 {
	if m.process {
		return m.form.At(p, n) / p
	}
	return m.form.At(p, n)
}

// band is the value and the prediction interval.
func (m *growthModel) band(p, n float64) (regression.Band2, error) {
	b, err := m.form.Band(p, n, level)
	if m.process {
		b.Value /= p
		b.Prediction[0] /= p
		b.Prediction[1] /= p
	}
	return b, err
}
