package measured

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/laws"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/regression"
	"github.com/isoscale/isoscale/model/units"
)

// Fit is a law of speedup fitted to the points of a system.
type Fit struct {
	Law            string   `json:"law"` // amdahl or gustafson
	System         string   `json:"system"`
	N              float64  `json:"n,omitempty"`                      // Amdahl: the size, of n or of work
	WorkEach       float64  `json:"work_each,omitempty"`              // Gustafson: flop per process
	Points         int      `json:"points"`                           // on more than one process; that on one is fitted too
	SerialFraction float64  `json:"serial_fraction"`                  // as found, not limited to 0 to 1
	RMS            *float64 `json:"rms_relative_deviation,omitempty"` // of times or speeds, with more than one point
	Limit          float64  `json:"speedup_limit,omitempty"`          // Amdahl: 1/f
	// Interval is the 95 % interval of f if times deviate from the law by chance; three points or more have one.
	Interval *[2]float64 `json:"serial_fraction_95_percent,omitempty"`

	fitted *regression.Fit
	weak   *curve // Gustafson: the points
}

// EnergyFit is the two powers of a process that explain the energies of a system at one size: docs/models/energy.md.
type EnergyFit struct {
	System string  `json:"system"`
	N      float64 `json:"n,omitempty"` // the size, of n or of work
	Load   float64 `json:"load_w"`      // a process that computes, with its part of the machine
	Wait   float64 `json:"wait_w"`      // one in messages
	// 95 % intervals if energies deviate from the powers by chance, for three energies or more.
	LoadInterval *[2]float64 `json:"load_w_95_percent,omitempty"`
	WaitInterval *[2]float64 `json:"wait_w_95_percent,omitempty"`

	Points []EnergyPoint `json:"points"`
}

// EnergyPoint compares the energy on a number of processes with the fit by two powers, and with processes that always
// draw what they do on the fewest processes.
type EnergyPoint struct {
	Processes int     `json:"processes"`
	Time      float64 `json:"time_s"`
	Energy    float64 `json:"energy_j,omitempty"` // as measured; 0: a prediction
	Fitted    float64 `json:"fitted_j"`
	Constant  float64 `json:"constant_power_j"`
}

// fit fits, for every system, Amdahl's law, performance models and powers to the points of each size, Gustafson's law
// to points of equal work per process, and a performance model to all times if processes and size both vary.
func (r *Result) fit() {
	var all []curve
	for _, systems := range r.byName() {
		sizes := r.strongOf(systems)
		slices.SortFunc(sizes, func(a, b curve) int { return cmp.Compare(a.size, b.size) })
		for _, c := range sizes {
			r.fitAmdahl(c)
			r.model(c)
		}
		r.fitGustafson(systems)
		if len(sizes) > 1 && len(systems) > 1 {
			r.modelGrowth(systems)
		}
		all = append(all, sizes...)
	}
	for _, c := range all {
		r.fitEnergy(c)
	}
	slices.SortStableFunc(r.Fits, func(a, b Fit) int { return cmp.Compare(a.Law, b.Law) })
}

// fitAmdahl fits the times of a size. The sequential time, if there is one, is the time on one process.
func (r *Result) fitAmdahl(c curve) {
	var samples []regression.Sample
	for _, at := range c.places {
		if at.system.Processes == 1 {
			continue
		}
		if t := at.point.SequentialTime; t > 0 && samples == nil {
			samples = []regression.Sample{{P: 1, Y: t}}
		}
		samples = append(samples, regression.Sample{P: processes(at.system), Y: at.point.Time})
	}
	law, err := regression.FitAmdahl(regression.Time, samples)
	if err != nil {
		return // too few points: Karp-Flatt covers a single one
	}
	f := Fit{Law: "amdahl", System: c.system(), N: c.size}
	if limit, ok := law.Limit(); ok {
		f.Limit = limit
	}
	r.addFit(f, law.Fit, law.Serial)
}

// fitGustafson fits the speeds of weak scaling: points whose work per process equals that of a run on one process.
func (r *Result) fitGustafson(systems []System) {
	if systems[0].Processes != 1 {
		return
	}
	for _, c := range r.weakOf(systems) {
		samples := each.Of(c.places, func(at place) regression.Sample {
			return regression.Sample{P: processes(at.system), Y: at.point.Value("achieved_speed")}
		})
		if law, err := regression.FitGustafson(samples); err == nil { // otherwise no point is on more than one process
			r.addFit(Fit{Law: "gustafson", System: systems[0].System, WorkEach: c.work, weak: &c}, law.Fit, law.Serial)
		}
	}
}

// addFit completes a fit and keeps it if its numbers are finite and its time or speed on one process, to which f
// refers, is above 0.
func (r *Result) addFit(f Fit, law *regression.Fit, serial float64) {
	f.fitted, f.Points, f.SerialFraction = law, law.Points(), serial
	if low, _ := law.Range(); low == 1 {
		f.Points-- // the point on one process
	}
	rms := math.Sqrt(law.Quality.Loss / float64(law.Points()))
	if f.Points > 1 {
		f.RMS = &rms
	}
	if freedom := law.Points() - 2; freedom > 0 {
		half := law.Parameters[1].StandardError * distuv.StudentsT{Sigma: 1, Nu: float64(freedom)}.Quantile(0.975)
		if !math.IsNaN(half) && !math.IsInf(half, 0) {
			f.Interval = &[2]float64{serial - half, serial + half}
		}
	}
	if sum := f.SerialFraction + rms + f.Limit; law.Parameters[0].Value > 0 && !math.IsInf(sum, 0) && !math.IsNaN(sum) {
		r.Fits = append(r.Fits, f)
	}
}

// model fits performance models to the times of a size.
func (r *Result) model(c curve) {
	t := laws.Subject{Title: r.modelName(c.system(), c.size)}
	for _, at := range c.places {
		p := at.point
		t.Samples = append(t.Samples, regression.Sample{P: processes(at.system), Y: p.Time})
		t.Low, t.High = append(t.Low, p.Min), append(t.High, p.Max)
	}
	if p := laws.FitTimes(t); p != nil {
		p.System, p.N = c.system(), c.size
		r.Models = append(r.Models, *p)
	}
}

// modelGrowth fits a performance model over processes and size.
func (r *Result) modelGrowth(systems []System) {
	var samples []regression.Sample2
	for _, s := range systems {
		for _, p := range s.Points {
			samples = append(samples, regression.Sample2{P: processes(&s), Q: p.Size, Y: p.Time})
		}
	}
	system := systems[0].System
	p, err := laws.FitGrowth(samples, r.sizeName)
	if few, ok := errors.AsType[*regression.TooFewPointsError](err); ok {
		of := ""
		if system != "" {
			of = " of " + system
		}
		r.Notes = append(r.Notes, fmt.Sprintf("no performance model over processes and size%s: it needs a size with times on at least "+
			"%d numbers of processes, and a number of processes with times of at least %d sizes", of, few.Need, few.Need))
	}
	if err == nil && len(p.Models) > 0 {
		p.System = system
		r.Models = append(r.Models, *p)
	}
}

// fitEnergy fits powers to the energies of a size, or notes why there are none.
func (r *Result) fitEnergy(c curve) {
	f := EnergyFit{System: c.system(), N: c.size}
	var given []EnergyPoint
	for _, at := range c.places {
		x := EnergyPoint{Processes: at.system.Processes, Time: at.point.Time, Energy: at.point.Energy}
		f.Points = append(f.Points, x)
		if x.Energy > 0 {
			given = append(given, x)
		}
	}
	if len(given) == 0 {
		return
	}
	if err := f.fit(given); err != nil {
		r.Notes = append(r.Notes, fmt.Sprintf("no powers for %s: %v", cmp.Or(r.modelName(c.system(), c.size), "all"), err))
		return
	}
	r.Energies = append(r.Energies, f)
}

// fit determines two powers from the energies on different numbers of processes, given in ascending order,
//
//	E_i = p_i (P_load t_i + P_wait (T_i - t_i))        t_i = p_1 T_1/p_i
//
// where p_1 is the smallest number of processes, assumed to compute all the time, and work is divided evenly; a run
// faster than that only computes. It minimizes the squares of relative errors. The error says why there are no such
// powers: fewer than two numbers of processes, no time in messages, or a power below 0.
func (f *EnergyFit) fit(given []EnergyPoint) error {
	if len(given) == 1 {
		return errors.New("the energies are of one number of processes")
	}
	first := given[0]
	times := func(x EnergyPoint) (compute, wait float64) {
		compute = min(x.Time, float64(first.Processes)/float64(x.Processes)*first.Time)
		return compute, x.Time - compute
	}
	a, b := mat.NewDense(len(given), 2, nil), mat.NewVecDense(len(given), nil)
	messages := 0.0
	for i, x := range given {
		compute, wait := times(x)
		messages = max(messages, wait)
		a.SetRow(i, []float64{float64(x.Processes) * compute / x.Energy, float64(x.Processes) * wait / x.Energy})
		b.SetVec(i, 1)
	}
	if messages == 0 {
		return errors.New("no run spends time in messages")
	}
	var powers mat.VecDense
	if err := powers.SolveVec(a, b); err != nil {
		return fmt.Errorf("the energies do not determine two powers: %w", err)
	}
	f.Load, f.Wait = powers.AtVec(0), powers.AtVec(1)
	if freedom := len(given) - 2; freedom > 0 {
		var off mat.VecDense
		off.MulVec(a, &powers)
		off.SubVec(&off, b)
		var gram, inverse mat.Dense
		gram.Mul(a.T(), a)
		if err := inverse.Inverse(&gram); err == nil {
			t := distuv.StudentsT{Sigma: 1, Nu: float64(freedom)}.Quantile(0.975)
			interval := func(k int) *[2]float64 {
				half := t * mat.Norm(&off, 2) * math.Sqrt(inverse.At(k, k)/float64(freedom))
				return &[2]float64{powers.AtVec(k) - half, powers.AtVec(k) + half}
			}
			f.LoadInterval, f.WaitInterval = interval(0), interval(1)
		}
	}
	if !(f.Load > 0 && f.Wait >= 0) || math.IsInf(f.Load+f.Wait, 0) {
		return fmt.Errorf("the energies would need powers of %v computing and %v in messages", units.Watts(f.Load), units.Watts(f.Wait))
	}
	constant := first.Energy / (float64(first.Processes) * first.Time)
	for i := range f.Points {
		x := &f.Points[i]
		compute, wait := times(*x)
		x.Fitted = float64(x.Processes) * (float64(f.Load*compute) + float64(f.Wait*wait))
		x.Constant = constant * float64(x.Processes) * x.Time
	}
	return nil
}

// modelName distinguishes the fits of a system's sizes; "" if there is only one.
func (r *Result) modelName(system string, size float64) string {
	if size == 0 {
		return system
	}
	return strings.TrimPrefix(system+", "+r.sizeName(size), ", ")
}

// fitName distinguishes a fit from the others of its law.
func (r *Result) fitName(f *Fit) string {
	if f.weak != nil {
		return f.weak.name
	}
	return r.modelName(f.System, f.N)
}

// range95 writes the interval of the serial fraction; "" if it has none.
func (f *Fit) range95() string {
	if f.Interval == nil {
		return ""
	}
	return fmt.Sprintf("95 %%: %.3g to %.3g", f.Interval[0], f.Interval[1])
}

// fitsSay describes the fit of a law with the largest serial fraction; "" if there is none.
func (r *Result) fitsSay(law string) string {
	fits := slices.DeleteFunc(slices.Clone(r.Fits), func(f Fit) bool { return f.Law != law })
	if len(fits) == 0 {
		return ""
	}
	worst := slices.MaxFunc(fits, func(a, b Fit) int { return cmp.Compare(a.SerialFraction, b.SerialFraction) })
	says := "The serial fraction"
	if len(fits) > 1 {
		says = "The largest serial fraction of " + input.Plural(len(fits), "fit")
	}
	says += fmt.Sprintf(" is %.3g", worst.SerialFraction)
	notes := slices.DeleteFunc([]string{r.fitName(&worst), worst.range95()}, func(s string) bool { return s == "" })
	if len(notes) > 0 {
		says += " (" + strings.Join(notes, "; ") + ")"
	}
	holds := func(f float64) bool { return worst.Interval != nil && worst.Interval[0] <= f && f <= worst.Interval[1] }
	switch {
	case holds(0) && holds(1):
		says += ", which these times do not determine"
		if f := worst.SerialFraction; f < 0 || f > 1 {
			says += ": a fraction lies between 0 and 1"
		}
	case holds(0):
		says += ", which these times do not distinguish from 0"
	case worst.Limit > 0:
		says += fmt.Sprintf(", which would limit the speedup to %.3g", worst.Limit)
	case holds(1):
		says += ", which these times do not distinguish from 1"
	}
	if worst.RMS != nil {
		says += fmt.Sprintf("; the deviation of this fit is %.2g %% rms", 100**worst.RMS)
	}
	says += "."
	if !worst.fitted.Sound {
		says += " However, " + strings.Join(worst.fitted.Warnings, "; ") + "."
	}
	return says
}
