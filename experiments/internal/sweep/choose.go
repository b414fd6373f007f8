package sweep

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/store"
	"github.com/isoscale/isoscale/experiments/internal/surrogate"
)

// A history is what is known during a search: the configurations that have rows, in the
// order of their choice. What is chosen next is a function of the plan and of the rows
// before, so a search that was interrupted goes on as if it had not been.
type history struct {
	study   *Study
	value   func(store.Row) (float64, error) // of the objective
	sign    float64                          // -1 to maximize it
	start   []int
	places  [][]float64 // by configuration
	nominal []bool

	configurations []int
	sums           []float64 // over the repetitions that could be simulated
	counts         []int     // of them
	rows           int
}

// newHistory returns one without rows, for an objective.
func (s *Study) newHistory(response string, maximize bool) *history {
	h := &history{study: s, value: s.valueOf(response), sign: 1, start: s.Design.Start(s.search.Start)}
	if maximize {
		h.sign = -1
	}
	h.places, h.nominal = s.places()
	return h
}

// finishedHistory returns that of a complete search, for the objective of the analysis.
func (s *Study) finishedHistory() (*history, error) {
	h := s.newHistory(s.About.Objective.Response, s.About.Objective.Maximize)
	for row, err := range s.Dir.Rows() {
		if err == nil {
			err = h.add(row)
		}
		if err != nil {
			return nil, err
		}
	}
	return h, nil
}

// places returns where the configurations are in a cube of the factors that vary, and
// which of these have no order.
func (s *Study) places() (places [][]float64, nominal []bool) {
	var along [][]float64 // by factor, the places of the levels; nil: it does not vary
	for i, f := range s.factors() {
		var at []float64
		switch {
		case len(f.Levels) == 1:
		case s.Design.Factors[i].Numeric:
			at, nominal = f.Positions(), append(nominal, false)
		default:
			for l := range f.Levels {
				at = append(at, float64(l))
			}
			nominal = append(nominal, true)
		}
		along = append(along, at)
	}
	for c := range s.Design.Configurations() {
		var place []float64
		for f, l := range s.Design.Point(c * s.Design.Repetitions).Levels {
			if along[f] != nil {
				place = append(place, along[f][l])
			}
		}
		places = append(places, place)
	}
	return places, nominal
}

// add takes a row, in order.
func (h *history) add(row store.Row) error {
	p, err := h.study.pointOf(row)
	if err != nil {
		return err
	}
	v, err := h.value(row)
	if err != nil {
		return err
	}
	if h.rows%h.study.Design.Repetitions == 0 {
		h.configurations = append(h.configurations, p.Index/h.study.Design.Repetitions)
		h.sums, h.counts = append(h.sums, 0), append(h.counts, 0)
	}
	h.rows++
	if last := len(h.sums) - 1; !math.IsNaN(v) && !math.IsInf(v, 0) {
		h.sums[last] += v
		h.counts[last]++
	}
	return nil
}

// next returns the points of the design that are simulated next, up to the end of the
// batch; nil at the end of the search.
func (h *history) next() []int {
	search, repetitions := h.study.search, h.study.Design.Repetitions
	at := h.rows / repetitions // the configuration under way
	if at == search.Points {
		return nil
	}
	var batch []int
	if at < search.Start {
		batch = h.start[at:]
	} else {
		first := at - (at-search.Start)%search.Batch
		batch = h.choose(first, min(search.Batch, search.Points-first))[at-first:]
	}
	var points []int
	for _, c := range batch {
		for k := range repetitions {
			points = append(points, c*repetitions+k)
		}
	}
	return points[h.rows%repetitions:]
}

// choose returns n configurations by what the first known ones say.
func (h *history) choose(known, n int) []int {
	taken := make([]bool, len(h.places))
	for _, c := range h.configurations[:known] {
		taken[c] = true
	}
	if m := h.model(known); m != nil {
		return m.process.Next(h.places, taken, n, h.criterion())
	}
	// No configuration could be simulated: there is nothing to choose by.
	var first []int
	for c := range taken {
		if !taken[c] && len(first) < n {
			first = append(first, c)
		}
	}
	return first
}

func (h *history) criterion() surrogate.Criterion {
	if h.study.search.Criterion == byUncertainty {
		return surrogate.Uncertainty
	}
	return surrogate.Improvement
}

// mean returns the objective of the i-th configuration over its repetitions, NaN if none
// could be simulated.
func (h *history) mean(i int) float64 { return h.sums[i] / float64(h.counts[i]) }

// A model predicts the objective, or its logarithm, so that small is good.
type model struct {
	process *surrogate.Process
	log     bool
	sign    float64 // -1 to maximize
	places  [][]float64
	known   map[int]float64 // by configuration, the results; nil if they have noise
}

// model returns what the first known configurations say; nil if none has a value.
// Values above 0 that span more than a decade are taken by their logarithm: errors of
// times and speeds are relative.
func (h *history) model(known int) *model {
	m := &model{sign: h.sign, places: h.places}
	if !h.study.search.Noise {
		m.known = map[int]float64{}
	}
	var x [][]float64
	var y []float64
	for i, c := range h.configurations[:known] {
		if h.counts[i] > 0 {
			x, y = append(x, h.places[c]), append(y, h.mean(i))
			if m.known != nil {
				m.known[c] = h.mean(i)
			}
		}
	}
	if len(y) == 0 {
		return nil
	}
	m.log = slices.Min(y) > 0 && page.Wide(y)
	for i := range y {
		if m.log {
			y[i] = math.Log(y[i])
		}
		y[i] *= m.sign
	}
	p, err := surrogate.Fit(x, y, surrogate.Options{Nominal: h.nominal, Noise: h.study.search.Noise})
	if err != nil {
		return nil
	}
	m.process = p
	return m
}

// at returns the prediction of the objective for a configuration, and its standard
// error: in the unit of the objective or, of a logarithm, as a share of the prediction,
// which is the median. What was simulated without noise is known.
func (m *model) at(configuration int) surrogate.Prediction {
	if v, ok := m.known[configuration]; ok {
		return surrogate.Prediction{Mean: v}
	}
	return m.outside(m.process.Predict(m.places[configuration]))
}

// outside turns a prediction of the process into one of the objective.

func (m *model) outside(p surrogate.Prediction) surrogate.Prediction {
	p.Mean *= m.sign
	if m.log {
		return surrogate.Prediction{Mean: math.Exp(p.Mean), StdErr: math.Expm1(p.StdErr)}
	}
	return p
}
