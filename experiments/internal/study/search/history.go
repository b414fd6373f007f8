package search

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/internal/each"
)

// A History is what is known in the course of a search.
type History struct {
	// Configurations of the design that have been simulated or begun, in that order.
	Configurations []int

	settings *Settings
	design   *design.Design
	sign     float64 // -1 to maximize the objective
	start    []int
	places   [][]float64 // by configuration
	steps    [][]int     // by configuration, its levels in the order of their places
	nominal  []bool

	sums   []float64 // over the repetitions that could be simulated
	counts []int     // number of these
	points int
}

// NewHistory returns a history without points. The factors are those of the design.
func NewHistory(s *Settings, d *design.Design, factors []analysis.Factor, maximize bool) *History {
	h := &History{settings: s, design: d, sign: 1, start: d.Start(s.Start)}
	if maximize {
		h.sign = -1
	}
	h.places, h.nominal = places(d, factors)
	h.steps = steps(h.places)
	return h
}

// Along lets predictions also depend on a quantity other than the factors, unless all configurations have the same.
func (h *History) Along(values []float64) {
	low, high := slices.Min(values), slices.Max(values)
	if low == high {
		return
	}
	h.nominal = append(h.nominal, false)
	for c, v := range values {
		h.places[c] = append(h.places[c], (v-low)/(high-low))
	}
}

// places returns the places of the configurations in a cube of the factors that vary, and which of these factors have
// no order.
func places(d *design.Design, factors []analysis.Factor) (places [][]float64, nominal []bool) {
	var along [][]float64 // by factor, the places of the levels; nil: it does not vary
	for i, f := range factors {
		var at []float64
		switch {
		case len(f.Levels) == 1:
		case d.Factors[i].Numeric:
			at, nominal = f.Positions(), append(nominal, false)
		default:
			for l := range f.Levels {
				at = append(at, float64(l))
			}
			nominal = append(nominal, true)
		}
		along = append(along, at)
	}
	for c := range d.Configurations() {
		var place []float64
		for f, l := range d.Point(c * d.Repetitions).Levels {
			if along[f] != nil {
				place = append(place, along[f][l])
			}
		}
		places = append(places, place)
	}
	return places, nominal
}

// steps numbers the places along each factor in ascending order.
func steps(places [][]float64) [][]int {
	all := make([][]int, len(places))
	for i := range places {
		all[i] = make([]int, len(places[i]))
	}
	for f := range places[0] {
		along := each.Append(nil, places, func(p []float64) float64 { return p[f] })
		slices.Sort(along)
		along = slices.Compact(along)
		for i, p := range places {
			all[i][f], _ = slices.BinarySearch(along, p[f])
		}
	}
	return all
}

// beside reports whether two configurations are at most one step apart along each factor, and differ in at most one
// factor without order.
func (h *History) beside(a, b int) bool {
	other := 0
	for f, x := range h.steps[a] {
		switch d := x - h.steps[b][f]; {
		case h.nominal[f] && d != 0:
			other++
		case d < -1 || d > 1:
			return false
		}
	}
	return other <= 1
}

// Add takes the value of a point of the design, in the order of simulation; NaN if it
// could not be simulated.
func (h *History) Add(point int, value float64) {
	if h.points%h.design.Repetitions == 0 {
		h.Configurations = append(h.Configurations, point/h.design.Repetitions)
		h.sums, h.counts = append(h.sums, 0), append(h.counts, 0)
	}
	h.points++
	if last := len(h.sums) - 1; !math.IsNaN(value) && !math.IsInf(value, 0) {
		h.sums[last] += value
		h.counts[last]++
	}
}

// Next returns the points of the design to simulate next, up to the end of the batch; nil at the end of the search.
func (h *History) Next() []int {
	repetitions := h.design.Repetitions
	at := h.points / repetitions // the configuration under way
	if at == h.settings.Points {
		return nil
	}
	var batch []int
	if at < h.settings.Start {
		batch = h.start[at:]
	} else {
		first := at - (at-h.settings.Start)%h.settings.Batch
		batch = h.choose(first, min(h.settings.Batch, h.settings.Points-first))[at-first:]
	}
	var points []int
	for _, c := range batch {
		for k := range repetitions {
			points = append(points, c*repetitions+k)
		}
	}
	return points[h.points%repetitions:]
}

// choose returns n configurations by the results of the first known ones.
func (h *History) choose(known, n int) []int {
	taken := h.taken(known)
	if m := h.model(known); m != nil {
		if beside, count := h.besideTheBest(known, taken); count > 0 && h.settings.endsAt(known, count) {
			taken = beside
		}
		return m.Process.Next(h.places, taken, n, h.settings.Criterion)
	}
	// No configuration could be simulated, so there is no basis for a choice.
	var first []int
	for c := range taken {
		if !taken[c] && len(first) < n {
			first = append(first, c)
		}
	}
	return first
}

// endsAt reports whether the remaining points are for the candidates beside the best: at most as many as there are
// candidates, and at most the last third after the start. They find best what a smooth prediction cannot know, such as
// that a size divides evenly.
func (s *Settings) endsAt(known, beside int) bool {
	left := s.Points - known
	return s.Criterion == Improvement && left <= beside && left <= (s.Points-s.Start)/3
}

// besideTheBest returns which configurations are not candidates beside the best of the first known ones, and the number
// of candidates.
func (h *History) besideTheBest(known int, taken []bool) (others []bool, count int) {
	best := -1
	for i := range known {
		if h.Known(i) && (best < 0 || h.sign*h.Mean(i) < h.sign*h.Mean(best)) {
			best = i
		}
	}
	others = slices.Repeat([]bool{true}, len(taken))
	for c := range taken {
		if best >= 0 && !taken[c] && h.beside(c, h.Configurations[best]) {
			others[c] = false
			count++
		}
	}
	return others, count
}

// taken reports which configurations are among the first known ones.
func (h *History) taken(known int) []bool {
	taken := make([]bool, len(h.places))
	for _, c := range h.Configurations[:known] {
		taken[c] = true
	}
	return taken
}

// Known reports whether the i-th configuration could be simulated.
func (h *History) Known(i int) bool { return h.counts[i] > 0 }

// Mean returns the objective of the i-th configuration over its repetitions, NaN if none
// could be simulated.
func (h *History) Mean(i int) float64 { return h.sums[i] / float64(h.counts[i]) }

// A Model predicts the objective from the configurations that have been simulated.
type Model struct {
	// Process predicts Sign times the objective, or Sign times its logarithm, so that small is good.
	Process *Process
	Log     bool
	Sign    float64 // -1 to maximize

	places [][]float64
	known  map[int]float64 // results by configuration; nil if they have noise
}

// Model returns the model of all results so far; nil if they do not determine a prediction.
func (h *History) Model() *Model { return h.model(len(h.Configurations)) }

// model returns the model of the first known configurations; nil if none has a value. Values above 0 that span more
// than a decade are modelled by their logarithm, because errors of times and speeds are relative.
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

// At returns the prediction of the objective for a configuration, and its standard error: in the unit of the objective
// or, for a logarithm, relative to the prediction, which is the median. Results without noise are known exactly.
func (m *Model) At(configuration int) Prediction {
	if v, ok := m.known[configuration]; ok {
		return Prediction{Mean: v}
	}
	return m.outside(m.Process.Predict(m.places[configuration]))
}

// outside converts a prediction of the process to one of the objective.
func (m *Model) outside(p Prediction) Prediction {
	p.Mean *= m.Sign
	if m.Log {
		return Prediction{Mean: math.Exp(p.Mean), StdErr: math.Expm1(p.StdErr)}
	}
	return p
}

// Noise returns the standard deviation of a result, in the form of the standard errors of [Model.At].
func (m *Model) Noise() float64 {
	return m.outside(Prediction{StdErr: m.Process.StdDev * math.Sqrt(m.Process.Kernel.Nugget)}).StdErr
}

// Candidate returns the configuration that a model would simulate next, and the expected improvement of the objective,
// in the form of the standard errors of [Model.At]; -1 if all are simulated.
func (h *History) Candidate(m *Model) (configuration int, expected float64) {
	next := m.Process.Next(h.places, h.taken(len(h.Configurations)), 1, h.settings.Criterion)
	if next == nil {
		return -1, 0
	}
	q := m.Process.Predict(h.places[next[0]])
	expected = improvement(m.Process.smallest()-q.Mean, q.StdErr)
	if m.Log {
		expected = math.Expm1(expected)
	}
	return next[0], expected
}

// MostBetter returns an upper bound of a model's probability that some configuration not simulated is better than the
// best by a share:
//
//	1 - prod (1 - Phi((y - mean)/s))
//
// over these configurations, with y better than the best result by the share. s is the standard error, enlarged if
// results left out deviate by more than their standard errors. It is a bound because errors of predictions are
// positively correlated.
func (h *History) MostBetter(m *Model, share float64) float64 {
	p := m.Process
	squares, n := 0.0, 0
	for i, q := range p.LeaveOneOut() {
		if q.StdErr > 0 {
			z := (p.y[i] - q.Mean) / q.StdErr
			squares += float64(z * z)
			n++
		}
	}
	wider := 1.0
	if n > 0 {
		wider = max(1, math.Sqrt(squares/float64(n)))
	}
	y := p.smallest()
	if m.Log {
		y += m.Sign * math.Log1p(-m.Sign*share)
	} else {
		y -= share * math.Abs(y)
	}
	none := 1.0
	for c, taken := range h.taken(len(h.Configurations)) {
		if taken {
			continue
		}
		if q := p.Predict(h.places[c]); q.StdErr > 0 {
			none *= math.Erfc((y-q.Mean)/(wider*q.StdErr*math.Sqrt2)) / 2
		} else if q.Mean <= y {
			none = 0
		}
	}
	return 1 - none
}

// Settings say how a search proceeds. Together with the objective they are part of what determines the rows.
type Settings struct {
	Points    int       `json:"points"` // configurations to simulate
	Start     int       `json:"start"`  // how many of them are the start
	Batch     int       `json:"batch"`  // how many are chosen together
	Criterion Criterion `json:"criterion"`
	Noise     bool      `json:"noise"`
	Response  string    `json:"response"` // of the objective
	Maximize  bool      `json:"maximize"`

	points, start *yamldoc.Node // of a plan
}

// Limits of a search, because each choice takes time proportional to the squared number of points for every
// configuration.
const (
	mostSearched = 500
	mostKnown    = 20_000
)

var keys = schema.Declare("a search, as in {points: 15, start: 8}", func(k *schema.Keys, s *Settings) {
	count := func(least int) schema.Integer {
		return schema.Integer{Min: least, Max: mostSearched, Want: fmt.Sprintf("an integer from %d to %d", least, mostSearched)}
	}
	points := schema.Func(count(2), func(n *yamldoc.Node) { s.Points = k.Int(n, 2, mostSearched, "") })
	k.Required("points", points.Wanted("a number of configurations to simulate"), "configurations to simulate, each with all its repetitions")
	s.Start = (s.Points + 1) / 2
	k.Optional("start", count(2).To(&s.Start).Else("half of the points"), "configurations of a Latin hypercube, which are simulated first")
	k.Optional("batch", count(1).To(&s.Batch).Or(1), "configurations that are chosen together after the start, and can be simulated at the same time")
	k.Optional("criterion", schema.Choice(&s.Criterion, "criterion", []string{string(Improvement), string(Uncertainty)}).Or(Improvement),
		"what is largest at the next configurations: expected improvement of the objective, or uncertainty of its prediction")
	k.Optional("noise", schema.Boolean.To(&s.Noise).Or(false),
		"true: equal configurations would give different results, as with other seeds, so predictions do not pass through them")
	s.points, s.start = k.Node("points"), k.Node("start")
})

// Object is the key search of a plan.
var Object = keys.Object

// Read reads the value of the key search; nil for none. The objective is not
// known yet.
func Read(d *yamldoc.Decoder, n *yamldoc.Node, points *design.Design) *Settings {
	if n == nil || points == nil {
		return nil
	}
	s := new(Settings)
	if keys.Read(d, n, s); s.points == nil {
		return nil
	}
	switch all := points.Configurations(); {
	case s.Points > all:
		d.Fail(s.points, fmt.Sprintf("a search of %d points, but the design has %s", s.Points, input.Plural(all, "configuration")), fmt.Sprintf("at most %d", all))
	case all > mostKnown:
		d.Fail(n, fmt.Sprintf("a search among %d configurations", all), fmt.Sprintf("at most %d, as with design: {latin_hypercube: %d}", mostKnown, mostKnown))
	case s.Start > s.Points:
		d.Fail(s.start, fmt.Sprintf("a start of %d of %s", s.Start, input.Plural(s.Points, "point")), fmt.Sprintf("at most %d", s.Points))
	}
	return s
}

// ReadStored reads what a directory keeps of a search.
func ReadStored(text json.RawMessage, points *design.Design) (*Settings, error) {
	if text == nil {
		return nil, nil
	}
	s := new(Settings)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, err
	}
	if points != nil && (s.Start < 1 || s.Start > s.Points || s.Points > points.Configurations() || s.Batch < 1) {
		return nil, fmt.Errorf("a search of %d points, %d of them at the start, in batches of %d; expected numbers that suit a design of %s", s.Points, s.Start, s.Batch, input.Plural(points.Configurations(), "configuration"))
	}
	return s, nil
}

// Describe says how a search chooses.
func (s *Settings) Describe() string {
	text := fmt.Sprintf("%d of a Latin hypercube, then by %s", s.Start, strings.ReplaceAll(string(s.Criterion), "_", " "))
	if s.Batch > 1 {
		text += fmt.Sprintf(", %d at a time", s.Batch)
	}
	return text
}
