package measured

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/laws"
	"github.com/isoscale/isoscale/model/regression"
)

// Performance is what models of a system say of its times: over processes at one size,
// or over processes and size.
type Performance struct {
	System      string       `json:"system"`
	N           *float64     `json:"n,omitempty"`      // over processes: the size, of n or of work
	From        *float64     `json:"n_from,omitempty"` // over both: the sizes that the model was fitted to
	To          *float64     `json:"n_to,omitempty"`
	Over        []string     `json:"over"`   // p, or p and n
	Models      []laws.Model `json:"models"` // sound ones, the smallest cross-validation error first
	Predictions []Prediction `json:"predictions"`
	Warnings    []string     `json:"warnings"`

	fitted *laws.Fitted         // over processes
	grown  *growthModel         // over both
	points []regression.Sample2 // of grown
}

// A Prediction is what the first model says of one time.
type Prediction struct {
	Processes    float64    `json:"processes"`
	N            *float64   `json:"n,omitempty"`
	Time         float64    `json:"time_s"`
	Interval     [2]float64 `json:"interval_s"` // of 95 % for one more time; not below 0
	Extrapolates bool       `json:"extrapolated"`
}

const (
	// fewestForModels is from how many numbers of processes on models are compared:
	// with fewer, leaving one out leaves as many as a law has parameters.
	fewestForModels = 4
	intervalLevel   = 0.95
)

// model fits performance models to every system: to the times of each size, and to all
// times where processes and size both vary.
func (r *Result) model() {
	for _, systems := range r.byName() {
		bySize := make(map[float64][]regression.Sample)
		var all []regression.Sample2
		var sizes []float64
		for _, s := range systems {
			for k := range s.Points {
				p := &s.Points[k]
				if bySize[p.size] == nil {
					sizes = append(sizes, p.size)
				}
				bySize[p.size] = append(bySize[p.size], regression.Sample{P: float64(s.Processes), Y: p.Time})
				all = append(all, regression.Sample2{P: float64(s.Processes), Q: p.size, Y: p.Time})
			}
		}
		slices.Sort(sizes)
		for _, size := range sizes {
			r.modelSize(systems[0].System, size, bySize[size])
		}
		if len(sizes) > 1 && len(systems) > 1 {
			r.modelGrowth(systems[0].System, all)
		}
	}
}

// modelSize compares models of the times of one size.
func (r *Result) modelSize(system string, size float64, samples []regression.Sample) {
	if len(samples) < fewestForModels {
		return
	}
	f, err := laws.Fit(laws.Subject{
		Title: r.modelName(system, size), Outcome: "time", Unit: "s", Size: "processes", Points: "measured",
		Kind: regression.Time, Samples: samples,
	})
	if err != nil {
		return
	}
	p := Performance{System: system, Over: []string{"p"}, Models: f.Models(), Predictions: []Prediction{}, Warnings: f.Notes(), fitted: f}
	if size > 0 {
		p.N = &size
	}
	if f.Sound() {
		best := f.Fits[0]
		_, high := best.Range()
		for _, processes := range []float64{high, 2 * high, 4 * high} {
			if b, err := best.Band(processes, intervalLevel); err == nil && best.Holds(processes) {
				p.predict(processes, nil, b.Value, b.Prediction, b.Extrapolates)
			}
		}
	}
	r.addModel(p)
}

// modelGrowth fits a model over processes and size.
func (r *Result) modelGrowth(system string, samples []regression.Sample2) {
	m, err := fitGrowth(samples)
	if err != nil {
		if few, ok := errors.AsType[*regression.TooFewPointsError](err); ok {
			r.Notes = append(r.Notes, fmt.Sprintf("no performance model over processes and size%s: it needs a size with times on at least %d numbers of processes, and a number of processes with times of at least %d sizes",
				of(system), few.Need, few.Need))
		}
		return
	}
	if math.IsNaN(m.form.CrossSMAPE) {
		return
	}
	lowP, highP, lowN, highN := m.form.Range()
	p := Performance{
		System: system, From: &lowN, To: &highN, Over: []string{"p", "n"}, Predictions: []Prediction{}, Warnings: []string{},
		Models: []laws.Model{{Model: m.name(), Formula: m.formula(), RMSE: m.rmse, CrossSMAPE: m.form.CrossSMAPE, From: lowP, To: highP}},
		grown:  m, points: samples,
	}
	for _, at := range [][2]float64{{highP, highN}, {2 * highP, highN}, {highP, 2 * highN}, {2 * highP, 2 * highN}} {
		b, err := m.band(at[0], at[1])
		switch {
		case err != nil:
		case b.Value <= 0:
			p.Warnings = append(p.Warnings, fmt.Sprintf("the model gives no time above 0 on %g processes for %s: do not extrapolate it that far", at[0], r.sizeName(at[1])))
		default:
			p.predict(at[0], &at[1], b.Value, b.Prediction, b.Extrapolates)
		}
	}
	for _, s := range samples {
		if m.at(s.P, s.Q) <= 0 {
			p.Warnings = append(p.Warnings, fmt.Sprintf("the model gives no time above 0 on %g processes for %s, which was measured", s.P, r.sizeName(s.Q)))
			break
		}
	}
	r.addModel(p)
}

// predict adds a prediction; a time is not below 0.
func (p *Performance) predict(processes float64, n *float64, value float64, interval [2]float64, extrapolates bool) {
	for _, v := range []float64{value, interval[0], interval[1]} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return
		}
	}
	interval[0] = max(interval[0], 0)
	p.Predictions = append(p.Predictions, Prediction{processes, n, value, interval, extrapolates})
}

// addModel keeps a performance whose numbers are finite.
func (r *Result) addModel(p Performance) {
	p.Models = slices.DeleteFunc(p.Models, func(m laws.Model) bool {
		return math.IsNaN(m.CrossSMAPE) || math.IsNaN(m.RMSE) || math.IsInf(m.RMSE, 0)
	})
	if p.Models == nil {
		p.Models = []laws.Model{}
	}
	if p.Warnings == nil {
		p.Warnings = []string{}
	}
	r.Models = append(r.Models, p)
}

// modelName tells a performance from the others; "" if there is only one.
func (r *Result) modelName(system string, size float64) string {
	if size == 0 {
		return system
	}
	return strings.TrimPrefix(system+", "+r.sizeName(size), ", ")
}

// name tells a performance from the others.
func (r *Result) performanceName(p *Performance) string {
	switch {
	case p.grown != nil:
		return strings.TrimPrefix(p.System+", all sizes", ", ")
	case p.N != nil:
		return r.modelName(p.System, *p.N)
	}
	return r.modelName(p.System, 0)
}

func of(system string) string {
	if system == "" {
		return ""
	}
	return " of " + system
}

// ModelTable has the best model of each system and size, with what it predicts.
func (r *Result) ModelTable() Table {
	t := newTable("Performance models", 1)
	t.RemarkTitle = "model"
	size := ""
	if r.grows() {
		size = " and size q = " + r.sizeTitle()
	}
	t.Caption = "Time T in s over p processes" + size + ", the law with the smallest error of cross-validation: the mean error (SMAPE) of predicting each point from the others. Interval: 95 %, for one more time. *: extrapolated beyond the measured range."
	t.text("of", "law")
	t.number("error")
	t.number("p", r.sizeTitle(), "T", "interval")
	for i := range r.Models {
		p := &r.Models[i]
		name := r.performanceName(p)
		if name == "" {
			name = "all"
		}
		if len(p.Models) == 0 {
			t.Rows = append(t.Rows, []string{name, "none", input.None, input.None, input.None, input.None, input.None})
			t.Remarks = append(t.Remarks, Remark{name + ": no law holds, see the warnings", false})
			continue
		}
		best := p.Models[0]
		head := []string{name, best.Model, fmt.Sprintf("%.2g %%", best.CrossSMAPE)}
		remark := Remark{name + ": T = " + best.Formula, false}
		for _, x := range p.Predictions {
			mark := ""
			if x.Extrapolates {
				mark = "*"
			}
			size := input.None
			if x.N != nil {
				size = strings.TrimPrefix(r.sizeName(*x.N), "n = ")
			}
			t.Rows = append(t.Rows, append(slices.Clone(head), fmt.Sprintf("%g", x.Processes), size, timeText(x.Time)+mark,
				timeText(x.Interval[0])+" to "+timeText(x.Interval[1])))
			t.Remarks = append(t.Remarks, remark)
			head = []string{"", "", ""}
		}
		if len(p.Predictions) == 0 {
			t.Rows = append(t.Rows, append(head, input.None, input.None, input.None, input.None))
			t.Remarks = append(t.Remarks, remark)
		}
	}
	return t.compact()
}

// grows reports whether there is a model over processes and size.
func (r *Result) grows() bool {
	return slices.ContainsFunc(r.Models, func(p Performance) bool { return p.grown != nil })
}
