package measured

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/regression"
	"github.com/isoscale/isoscale/model/units"
)

// Fit is a law of speedup fitted to the points of a system.
type Fit struct {
	Law            string   `json:"law"` // amdahl or gustafson
	System         string   `json:"system"`
	N              *float64 `json:"n,omitempty"`                      // Amdahl: the size, of n or of work
	WorkEach       *float64 `json:"work_each,omitempty"`              // Gustafson: flop for each process
	Points         int      `json:"points"`                           // on more than one process; that on one is fitted too
	SerialFraction float64  `json:"serial_fraction"`                  // as found, not forced into 0 to 1
	RMS            *float64 `json:"rms_relative_deviation,omitempty"` // of times or speeds, with more than one point
	Limit          *float64 `json:"speedup_limit,omitempty"`          // Amdahl: 1/f

	fitted *regression.Fit
	weak   *curve // Gustafson: the points
}

// fit fits Amdahl's law to points of one size and Gustafson's to points of equal
// work for each process, for every system.
func (r *Result) fit() {
	for _, systems := range r.byName() {
		r.fitAmdahl(systems)
		r.fitGustafson(systems)
	}
	slices.SortStableFunc(r.Fits, func(a, b Fit) int { return cmp.Compare(a.Law, b.Law) })
}

// fitAmdahl fits the times of each size, with the sequential time, if there is one, as
// that on one process.
func (r *Result) fitAmdahl(systems []System) {
	bySize := make(map[float64][]regression.Sample)
	var sizes []float64
	for _, s := range systems {
		for _, p := range s.Points {
			if s.Processes == 1 {
				continue
			}
			if bySize[p.Size] == nil {
				sizes = append(sizes, p.Size)
				if p.SequentialTime != nil {
					bySize[p.Size] = []regression.Sample{{P: 1, Y: *p.SequentialTime}}
				}
			}
			bySize[p.Size] = append(bySize[p.Size], regression.Sample{P: float64(s.Processes), Y: p.Time})
		}
	}
	slices.Sort(sizes)
	for _, size := range sizes {
		law, err := regression.FitAmdahl(regression.Time, bySize[size])
		if err != nil {
			continue // too few points: one is what Karp-Flatt says
		}
		f := Fit{Law: "amdahl", System: systems[0].System}
		if size > 0 {
			f.N = &size
		}
		if limit, ok := law.Limit(); ok {
			f.Limit = &limit
		}
		r.addFit(f, law.Fit, law.Serial)
	}
}

// fitGustafson fits the speeds of weak scaling, points whose work for each process is
// that of a run on one process.
func (r *Result) fitGustafson(systems []System) {
	if systems[0].Processes != 1 {
		return
	}
	for _, c := range r.weakOf(systems) {
		var samples []regression.Sample
		for _, at := range c.places {
			samples = append(samples, regression.Sample{P: processes(at.system), Y: *at.point.Value("achieved_speed")})
		}
		law, err := regression.FitGustafson(samples)
		if err != nil {
			continue // no point on more than one process
		}
		r.addFit(Fit{Law: "gustafson", System: systems[0].System, WorkEach: &c.work, weak: &c}, law.Fit, law.Serial)
	}
}

// addFit completes a fit and keeps it if its numbers are finite.
func (r *Result) addFit(f Fit, law *regression.Fit, serial float64) {
	f.fitted, f.Points, f.SerialFraction = law, law.Points(), serial
	if low, _ := law.Range(); low == 1 {
		f.Points-- // the point on one process
	}
	if f.Points > 1 {
		rms := math.Sqrt(law.Quality.Loss / float64(law.Points()))
		f.RMS = &rms
	}
	for _, v := range []float64{f.SerialFraction, value(f.RMS), value(f.Limit)} {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return
		}
	}
	r.Fits = append(r.Fits, f)
}

// fitsSay tells the fit of a law with the largest serial fraction; "" if there is
// none.
func (r *Result) fitsSay(law string) string {
	var worst *Fit
	count := 0
	for i := range r.Fits {
		if f := &r.Fits[i]; f.Law == law {
			count++
			if worst == nil || f.SerialFraction > worst.SerialFraction {
				worst = f
			}
		}
	}
	if worst == nil {
		return ""
	}
	says := "The serial fraction"
	if count > 1 {
		says = "The largest serial fraction of " + input.Plural(count, "fit")
	}
	says += fmt.Sprintf(" is %.3g", worst.SerialFraction)
	if place := r.FitName(worst); place != "" {
		says += " (" + place + ")"
	}
	if worst.Limit != nil {
		says += fmt.Sprintf(", which would limit the speedup to %.3g", *worst.Limit)
	}
	if worst.RMS != nil {
		says += fmt.Sprintf("; the deviation of this fit is %.2g %% rms", 100**worst.RMS)
	}
	says += "."
	if worst.SerialFraction < 0 {
		says += " A fraction below 0 means that the law does not hold: the speedup exceeds p."
	}
	return says
}

// FitName tells a fit from the others of its law.
func (r *Result) FitName(f *Fit) string {
	name := f.System
	size := ""
	switch {
	case f.N != nil:
		size = r.SizeName(*f.N)
	case f.WorkEach != nil:
		size = units.Flops(*f.WorkEach).String() + " a process"
	}
	if name != "" && size != "" {
		name += ", "
	}
	return name + size
}
