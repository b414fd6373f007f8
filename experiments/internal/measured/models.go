package measured

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/experiments/internal/laws"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/model/regression"
)

// model fits performance models to every system: to the times of each size, and to all
// times where processes and size both vary.
func (r *Result) model() {
	for _, systems := range r.byName() {
		bySize := make(map[float64]*laws.Times)
		var all []regression.Sample2
		var sizes []float64
		for _, s := range systems {
			for k := range s.Points {
				p := &s.Points[k]
				t := bySize[p.size]
				if t == nil {
					t = &laws.Times{Title: r.modelName(s.System, p.size)}
					bySize[p.size] = t
					sizes = append(sizes, p.size)
				}
				t.Samples = append(t.Samples, regression.Sample{P: float64(s.Processes), Y: p.Time})
				t.Low, t.High = append(t.Low, p.Min), append(t.High, p.Max)
				all = append(all, regression.Sample2{P: float64(s.Processes), Q: p.size, Y: p.Time})
			}
		}
		slices.Sort(sizes)
		for _, size := range sizes {
			name := systems[0].System
			if p := laws.FitTimes(*bySize[size]); p != nil {
				if p.System = name; size > 0 {
					p.N = &size
				}
				r.Models = append(r.Models, *p)
			}
		}
		if len(sizes) > 1 && len(systems) > 1 {
			r.modelGrowth(systems[0].System, all)
		}
	}
}

// modelGrowth fits a model over processes and size.
func (r *Result) modelGrowth(system string, samples []regression.Sample2) {
	p, err := laws.FitGrowth(samples, r.sizeName)
	if few, ok := errors.AsType[*regression.TooFewPointsError](err); ok {
		of := ""
		if system != "" {
			of = " of " + system
		}
		r.Notes = append(r.Notes, fmt.Sprintf("no performance model over processes and size%s: it needs a size with times on at least %d numbers of processes, and a number of processes with times of at least %d sizes",
			of, few.Need, few.Need))
	}
	if err == nil && len(p.Models) > 0 {
		p.System = system
		r.Models = append(r.Models, *p)
	}
}

// modelName tells a performance from the others; "" if there is only one.
func (r *Result) modelName(system string, size float64) string {
	if size == 0 {
		return system
	}
	return strings.TrimPrefix(system+", "+r.sizeName(size), ", ")
}

// performanceName tells a performance from the others.
func (r *Result) performanceName(p *laws.Performance) string {
	switch {
	case p.Grows():
		return strings.TrimPrefix(p.System+", all sizes", ", ")
	case p.N != nil:
		return r.modelName(p.System, *p.N)
	}
	return r.modelName(p.System, 0)
}

// ModelTable has the best model of each system and size, with what it predicts.
func (r *Result) ModelTable() page.Table {
	t := page.NewTable("Performance models", 1)
	t.RemarkTitle = "model"
	size := ""
	if r.grows() {
		size = " and size q = " + r.sizeTitle()
	}
	t.Caption = "Time T in s over p processes" + size + ", the law with the smallest error of cross-validation: the mean error (SMAPE) of predicting each point from the others. Interval: 95 %, for one more time. *: extrapolated beyond the measured range."
	t.Text("of", "law")
	t.Number("error")
	t.Number("p", r.sizeTitle(), "T", "interval")
	for i := range r.Models {
		p := &r.Models[i]
		name := r.performanceName(p)
		if name == "" {
			name = "all"
		}
		if len(p.Models) == 0 {
			t.Rows = append(t.Rows, []string{name, "none", input.None, input.None, input.None, input.None, input.None})
			t.Remarks = append(t.Remarks, page.Remark{Text: name + ": no law holds, see the warnings"})
			continue
		}
		best := p.Models[0]
		head := []string{name, best.Model, fmt.Sprintf("%.2g %%", best.CrossSMAPE)}
		remark := page.Remark{Text: name + ": T = " + best.Formula}
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
	return t.Compact()
}

// grows reports whether there is a model over processes and size.
func (r *Result) grows() bool {
	return slices.ContainsFunc(r.Models, func(p laws.Performance) bool { return p.Grows() })
}
