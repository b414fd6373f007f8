package measured

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/metric/laws"
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
				t := bySize[p.Size]
				if t == nil {
					t = &laws.Times{Title: r.ModelName(s.System, p.Size)}
					bySize[p.Size] = t
					sizes = append(sizes, p.Size)
				}
				t.Samples = append(t.Samples, regression.Sample{P: float64(s.Processes), Y: p.Time})
				t.Low, t.High = append(t.Low, p.Min), append(t.High, p.Max)
				all = append(all, regression.Sample2{P: float64(s.Processes), Q: p.Size, Y: p.Time})
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
	p, err := laws.FitGrowth(samples, r.SizeName)
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

// ModelName tells a performance from the others; "" if there is only one.
func (r *Result) ModelName(system string, size float64) string {
	if size == 0 {
		return system
	}
	return strings.TrimPrefix(system+", "+r.SizeName(size), ", ")
}
