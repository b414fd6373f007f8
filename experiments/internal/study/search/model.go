package search

import (
	"math"
	"slices"
)

// A Model predicts the objective from the configurations that have been simulated.
type Model struct {
	// Process predicts Sign times the objective, or times its logarithm, so that small is
	// good.
	Process *Process
	Log     bool
	Sign    float64 // -1 to maximize

	places [][]float64
	known  map[int]float64 // by configuration, the results; nil if they have noise
}

// Model returns what the results so far say; nil if they do not determine a prediction.
func (h *History) Model() *Model { return h.model(len(h.Configurations)) }

// model returns what the first known configurations say; nil if none has a value.
// Values above 0 that span more than a decade are taken by their logarithm: errors of
// times and speeds are relative.
func (h *History) model(known int) *Model {
	m := &Model{Sign: h.sign, places: h.places}
	if !h.settings.Noise {
		m.known = map[int]float64{}
	}
	var x [][]float64
	var y []float64
	for i, c := range h.Configurations[:known] {
		if h.Known(i) {
			x, y = append(x, h.places[c]), append(y, h.Mean(i))
			if m.known != nil {
				m.known[c] = h.Mean(i)
			}
		}
	}
	if len(y) == 0 {
		return nil
	}
	low, high := slices.Min(y), slices.Max(y)
	m.Log = low >= 1e-9 && high > 10*low
	for i := range y {
		if m.Log {
			y[i] = math.Log(y[i])
		}
		y[i] *= m.Sign
	}
	p, err := Fit(x, y, Options{Nominal: h.nominal, Noise: h.settings.Noise})
	if err != nil {
		return nil
	}
	m.Process = p
	return m
}

// At returns the prediction of the objective for a configuration, and its standard
// error: in the unit of the objective or, of a logarithm, as a share of the prediction,
// which is the median. What was simulated without noise is known.
func (m *Model) At(configuration int) Prediction {
	if v, ok := m.known[configuration]; ok {
		return Prediction{Mean: v}
	}
	return m.outside(m.Process.Predict(m.places[configuration]))
}

// outside turns a prediction of the process into one of the objective.
func (m *Model) outside(p Prediction) Prediction {
	p.Mean *= m.Sign
	if m.Log {
		return Prediction{Mean: math.Exp(p.Mean), StdErr: math.Expm1(p.StdErr)}
	}
	return p
}

// Noise returns the standard deviation of a result, as [Model.At] returns standard errors.
func (m *Model) Noise() float64 {
	return m.outside(Prediction{StdErr: m.Process.StdDev * math.Sqrt(m.Process.Kernel.Nugget)}).StdErr
}

// Candidate returns the configuration that would be simulated next by what a model says,
// and the expected improvement of the objective, as [Model.At] returns standard errors;
// -1 if all are simulated.
func (h *History) Candidate(m *Model) (configuration int, improvement float64) {
	next := m.Process.Next(h.places, h.taken(len(h.Configurations)), 1, h.settings.Criterion)
	if next == nil {
		return -1, 0
	}
	improvement = m.Process.ExpectedImprovement(h.places[next[0]])
	if m.Log {
		improvement = math.Expm1(improvement)
	}
	return next[0], improvement
}
