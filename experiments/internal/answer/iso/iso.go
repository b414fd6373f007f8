package iso

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/answer/hold"
	"github.com/isoscale/isoscale/experiments/internal/answer/pool"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// Result is the outcome of a study; its JSON form is a contract (docs/formats/json.md).
type Result struct {
	TargetEfficiency float64           `json:"target_efficiency"`
	Systems          []System          `json:"systems"`
	Psi              []Psi             `json:"psi"`            // between neighbours
	Ends             *Psi              `json:"ends,omitempty"` // between the systems of smallest and largest marked speed
	Function         *Function         `json:"isoefficiency,omitempty"`
	Comparison       *ComparisonResult `json:"comparison,omitempty"`
	Warnings         []string          `json:"warnings"`
	Provenance       input.Provenance  `json:"provenance"`

	study   *scenario.Study
	details []detail
}

// System is one system at the problem size that holds the target.
type System struct {
	Name            string   `json:"name"`
	Processes       int      `json:"processes"`
	MarkedSpeed     float64  `json:"marked_speed_mflops"`
	CoresUsed       int      `json:"cores_used"`
	Cores           int      `json:"cores"` // of the nodes whose cores take part
	DevicesUsed     int      `json:"devices_used,omitempty"`
	Devices         int      `json:"devices,omitempty"` // of the nodes that take part
	N               int      `json:"n"`
	NRange          *[2]int  `json:"n_range,omitempty"` // first and last n that cross the target; nil: there is one
	Work            float64  `json:"work_flop"`
	Time            float64  `json:"time_s"`
	SpeedEfficiency float64  `json:"speed_efficiency"`
	Compute         float64  `json:"compute_s"`  // mean over the ranks
	Overhead        float64  `json:"overhead_s"` // mean over the ranks
	Wait            float64  `json:"wait_s"`     // mean over the ranks, to the end of the run
	system.Why               // at that problem size; always with efficiencies
	Energy          *float64 `json:"energy_j,omitempty"` // of the nodes that take part; nil: the power of one is not known
	NTrend          *float64 `json:"n_trend"`            // read off a trend line; null if not asked for or failed
	NPredicted      *int     `json:"n_predicted"`
	NCompared       *int     `json:"n_compared,omitempty"`
}

// ComparisonResult compares simulated times with those of a Comparison.
type ComparisonResult struct {
	Source string         `json:"source"`
	Times  []ComparedTime `json:"times,omitempty"`
	// RMS and Worst are over the relative deviations of Times.
	RMS   float64 `json:"rms_relative_deviation"`
	Worst float64 `json:"worst_relative_deviation"`
}

// ComparedTime is one measured time beside the simulated one.
type ComparedTime struct {
	System            string  `json:"system"`
	N                 int     `json:"n"`
	Compared          float64 `json:"compared_s"`
	Simulated         float64 `json:"simulated_s"`
	RelativeDeviation float64 `json:"relative_deviation"`
}

// detail is what a study finds out about one system, including what the report needs beyond System.
type detail struct {
	name         string
	curve        *system.Curve
	solution     *system.Simulation
	extrapolated bool       // solution was extrapolated, and it is not checked yet that the curve is smooth
	crossed      *[2]int    // the first and the last n that crosses the target; nil: there is one
	period       int        // sizes that divide evenly are its multiples, if the solution is one of them; otherwise 0
	why          system.Why // about the solution
	nTrend       *float64   // read off a trend line; nil: not read off
	wanted       system.Explained
	warnings     []string
	predict      *prediction
	times        []ComparedTime
}

// Run carries out a study. Systems are solved on all cores where they do not depend on each
// other; the result does not depend on the number of cores.
func Run(ctx context.Context, s *scenario.Study, overrides []input.Override, progress input.Progress) (*Result, error) {
	return RunExplained(ctx, s, overrides, system.Explained{}, true, progress)
}

// RunExplained is Run that also explains the times of the solutions, as far as explained asks. Efficiencies are always
// known. If drawn is set, it also simulates the sizes that only the curves of the report need.
func RunExplained(ctx context.Context, s *scenario.Study, overrides []input.Override, explained system.Explained,
	drawn bool, progress input.Progress) (*Result, error) {
	stop := input.Stopwatch("iso", s.Inputs, overrides, s.Seed)
	r := &Result{TargetEfficiency: s.Target, Psi: []Psi{}, Warnings: []string{}, study: s,
		details: make([]detail, len(s.Systems))}
	for i := range r.details {
		r.details[i].wanted = explained
	}
	if err := r.solveAll(ctx, progress); err != nil {
		return nil, err
	}
	for i, x := range s.Systems {
		d := &r.details[i]
		sys := d.result()
		if s.Compare != nil {
			if n, ok := s.Compare.N[x.Name]; ok {
				sys.NCompared = &n
			}
		}
		r.Systems = append(r.Systems, sys)
	}
	r.warnSystems()
	if err := r.findSteps(ctx); err != nil {
		return nil, err
	}
	r.warnCrossings()
	r.warnGrids()
	r.findFunction()
	if drawn {
		err := pool.Each(len(r.details), 0, func(i int) error { return r.details[i].finishCurve(ctx, s.Sizes) }, nil)
		if err != nil {
			return nil, err
		}
	}
	for _, d := range r.details {
		simulations, events := d.curve.Effort()
		r.Provenance.Simulations += simulations
		if d.why.Efficiencies != nil {
			r.Provenance.Simulations += d.why.Efficiencies.Simulations()
		}
		if explained.Waits || explained.Sensitivities {
			r.Provenance.Simulations++
		}
		r.Provenance.Events += events
	}
	r.compare()
	stop(&r.Provenance)
	return r, nil
}

// solveAll fills the details. The error is that of the first system in the study that fails. Systems whose curves seem
// smooth are solved one after another: each uses the sizes of those before, which are simulated on it anyway.
func (r *Result) solveAll(ctx context.Context, progress input.Progress) error {
	systems := r.study.Systems
	if progress == nil {
		progress = func(input.Step) {}
	}
	progress(input.Step{Total: len(systems), What: "systems"})
	if err := pool.Each(len(systems), 0, func(i int) error { return r.begin(i) }, nil); err != nil {
		return err
	}
	for i := range r.details {
		r.details[i].extrapolate(ctx, r.study, r.sizesBesides(i))
	}
	err := pool.Each(len(systems), 0, func(i int) error {
		if r.details[i].extrapolated {
			return nil
		}
		return r.placed(i, r.details[i].search(ctx, r.study))
	}, nil)
	if err != nil {
		return err
	}
	if err := r.simulateEqualSizes(ctx); err != nil {
		return err
	}
	return pool.Each(len(systems), 0, func(i int) error { return r.finish(ctx, i) }, func(finished, i int) {
		first := r.details[i].solution
		progress(input.Step{Done: finished, Total: len(systems),
			What: fmt.Sprintf("%s: N = %d, %v", systems[i].Name, first.N, first.Makespan)})
	})
}

// begin makes a system ready for simulation.
func (r *Result) begin(i int) error {
	s, d := r.study, &r.details[i]
	sys, err := system.New(s.Scenario(i))
	if err != nil {
		return err
	}
	if len(s.Systems) > 1 {
		sys.Workers = 1 // systems share the cores
	}
	d.name, d.curve = s.Systems[i].Name, system.NewCurve(sys)
	return nil
}

// extrapolate finds the problem size that holds the target, if the curve seems smooth. That of a grid of processes is
// not smooth.
func (d *detail) extrapolate(ctx context.Context, s *scenario.Study, besides []int) {
	if len(d.grid(s.Sizes.From)) == 0 {
		d.solution = d.curve.Extrapolate(ctx, s.Target, s.Sizes, besides...)
	}
	d.extrapolated = d.solution != nil
}

// placed adds the name of the system to an error.
func (r *Result) placed(i int, err error) error {
	d := &r.details[i]
	if unattainable, ok := errors.AsType[*fault.UnattainableError](err); ok {
		unattainable.Pos, unattainable.System, unattainable.Processes = r.study.TargetPos, d.name, len(d.curve.System.Speeds)
		return unattainable
	}
	if err != nil {
		return fmt.Errorf("system %s, %w", d.name, err)
	}
	return nil
}

// finish completes the solution of one system, predicts it, and simulates what it is compared with.
func (r *Result) finish(ctx context.Context, i int) error {
	s, d := r.study, &r.details[i]
	if err := d.solve(ctx, s); err != nil {
		return r.placed(i, err)
	}
	if p, err := predict(ctx, d.solution.System, s.Target, s.Sizes); err != nil {
		d.warn("no prediction: %v", reason(err))
	} else {
		d.predict = &p
	}
	return d.compare(ctx, s, i)
}

// reason says why there is no prediction. It drops the place in the file that an error of
// the search has, because a prediction does not concern it.
func reason(err error) string {
	if unattainable, ok := errors.AsType[*fault.UnattainableError](err); ok {
		return "in closed form, " + unattainable.Reason()
	}
	return err.Error()
}

// search finds the problem size that holds the target on a curve of any form.
func (d *detail) search(ctx context.Context, s *scenario.Study) (err error) {
	d.curve = d.curve.Anew()
	if d.solution, err = d.curve.Search(ctx, s.Target, s.Sizes); err != nil {
		return err
	}
	if smooth, err := d.smooth(ctx, s.Target, s.Sizes, d.solution.N/10, 1.5, step); err != nil {
		return err
	} else if !smooth {
		if err := d.simulateAround(ctx, s.Sizes); err != nil {
			return err
		}
	}
	return d.settle(ctx, s.Target, s.Sizes)
}

// solve searches if the curve turns out not to be smooth, and finds what else is shown about the solution.
func (d *detail) solve(ctx context.Context, s *scenario.Study) error {
	if d.extrapolated {
		beyond := 1.5
		if d.solution.OneLaw() {
			beyond = 0
		}
		smooth, err := d.smooth(ctx, s.Target, s.Sizes, d.solution.N/32, beyond, 4.5)
		if err != nil {
			return err
		}
		if from, _ := d.fall(); !smooth || from != nil || d.uneven(d.solution.N/32) {
			if err := d.search(ctx, s); err != nil {
				return err
			}
		}
	}
	if err := d.readTrend(ctx, s); err != nil {
		return err
	}
	if err := d.explain(ctx); err != nil {
		return err
	}
	if off := math.Abs(d.solution.SpeedEfficiency - s.Target); d.crossed == nil && off > hold.Tolerance(s.Target) {
		d.warn("no problem size holds the target within %g; the nearest, n = %d, is off by %.3g",
			hold.Tolerance(s.Target), d.solution.N, off)
	}
	sys := d.solution.System
	for _, w := range slices.Concat(sys.Data(d.solution.N).Problems, system.MachineWarnings(sys.Placement, sys.Transport.Kind),
		sys.Workload.AssumedSpeeds(sys.Placement)) {
		d.warn("%s", w)
	}
	return nil
}

func (d *detail) explain(ctx context.Context) error {
	var err error
	if d.wanted.Waits || d.wanted.Sensitivities {
		if err := d.solution.System.Priced(); d.wanted.Sensitivities && err != nil {
			return err
		}
		x, err := d.solution.System.Explain(ctx, d.solution.N, d.wanted)
		if err != nil {
			return fmt.Errorf("system %s: %w", d.name, err)
		}
		d.why = x.Why
	}
	if d.why.Efficiencies, err = d.solution.Efficiencies(ctx, 1); err != nil && !errors.Is(err, efficiencies.ErrIdle) && !efficiencies.Stuck(err) {
		return err
	}
	return nil
}

// compare simulates the problem sizes at which the study has times of system i.
func (d *detail) compare(ctx context.Context, s *scenario.Study, i int) error {
	if s.Compare == nil {
		return nil
	}
	for _, t := range s.Compare.Times {
		if t.System != i {
			continue
		}
		x, err := d.curve.At(ctx, t.N)
		if err != nil {
			return fmt.Errorf("system %s, %w", d.name, err)
		}
		d.times = append(d.times, ComparedTime{
			System: d.name, N: t.N,
			Compared: float64(t.Time), Simulated: float64(x.Makespan),
			RelativeDeviation: float64(x.Makespan/t.Time) - 1,
		})
	}
	return nil
}

// warn adds a warning about the system. [Result.warnSystems] puts its name before it.
func (d *detail) warn(format string, args ...any) {
	d.warnings = append(d.warnings, fmt.Sprintf(format, args...))
}

// warnSystems adds the warnings about systems, with one warning for all systems with the same text.
func (r *Result) warnSystems() {
	var texts []string
	of := map[string][]string{}
	for _, d := range r.details {
		for _, w := range d.warnings {
			if of[w] == nil {
				texts = append(texts, w)
			}
			of[w] = append(of[w], d.name)
		}
	}
	for _, w := range texts {
		r.Warnings = append(r.Warnings, strings.Join(of[w], ", ")+": "+w)
	}
}

func (d *detail) result() System {
	x := d.solution
	sys := System{
		Name:        d.name,
		Processes:   len(x.Ranks),
		MarkedSpeed: megaflops(x.MarkedSpeed),
		N:           x.N, NRange: d.crossed,
		Work: float64(x.Work),
		Time: float64(x.Makespan), SpeedEfficiency: x.SpeedEfficiency,
		Compute: float64(x.Compute), Overhead: float64(x.Overhead), Wait: float64(x.Wait), NTrend: d.nTrend, Why: d.why,
	}
	sys.CoresUsed, sys.Cores = x.System.Placement.Cores()
	sys.DevicesUsed, sys.Devices = x.System.Placement.Devices()
	if x.Energy != nil {
		sys.Energy = new(float64(x.Energy.Total))
	}
	if d.predict != nil {
		sys.NPredicted = &d.predict.n
	}
	return sys
}

// megaflops converts to Mflop/s and rounds away the error of converting decimal
// numbers to binary.
func megaflops(c units.FlopsPerSecond) float64 {
	const digits = 1e9
	return math.Round(float64(c)/1e6*digits) / digits
}

// compare sums up the deviations of the simulated from the compared times.
func (r *Result) compare() {
	if r.study.Compare == nil {
		return
	}
	c := &ComparisonResult{Source: r.study.Compare.Source}
	var sum float64
	for _, d := range r.details {
		for _, t := range d.times {
			c.Times = append(c.Times, t)
			sum += float64(t.RelativeDeviation * t.RelativeDeviation)
			c.Worst = max(c.Worst, math.Abs(t.RelativeDeviation))
		}
	}
	if len(c.Times) > 0 {
		c.RMS = math.Sqrt(sum / float64(len(c.Times)))
	}
	r.Comparison = c
}

// step is the largest ratio of neighbouring sizes of a curve.
const step = 1.6

// finishCurve simulates the sizes that a drawn curve lacks, from a tenth of the solution to nearly twice it.
func (d *detail) finishCurve(ctx context.Context, r scenario.SizeRange) error {
	last := min(9*d.solution.N/5, r.To)
	if _, err := d.curve.Near(ctx, last); err != nil {
		return err
	}
	return d.fill(ctx, max(r.From, d.solution.N/10), last, step)
}

// fill simulates sizes between those from a first to a last that are simulated already, until no ratio of neighbours is
// above step.
func (d *detail) fill(ctx context.Context, first, last int, step float64) error {
	all := d.curve.Points()
	for i := 1; i < len(all); i++ {
		a, b := all[i-1].N, all[i].N
		if b <= first || b > last || float64(b) <= step*float64(a) {
			continue
		}
		between := int(math.Ceil(math.Log(float64(b)/float64(a)) / math.Log(step)))
		for k := 1; k < between; k++ {
			n := float64(a) * math.Pow(float64(b)/float64(a), float64(k)/float64(between))
			if _, err := d.curve.Near(ctx, int(math.Round(n))); err != nil {
				return err
			}
		}
	}
	return nil
}

// smooth reports whether the efficiency at each size is what the sizes around it lead to expect, within half of the
// tolerance. Then nothing is hidden between them, such as sizes that divide unevenly. For that it simulates sizes in
// steps from a first one to the solution, which are cheap, and beyond times the solution, or takes the limit for 0.
func (d *detail) smooth(ctx context.Context, target float64, r scenario.SizeRange, first int, beyond, step float64) (bool, error) {
	last := int(beyond * float64(d.solution.N))
	if last <= r.To && !slices.ContainsFunc(d.curve.Points(), func(x *system.Simulation) bool { return x.N > last-2 }) {
		if _, err := d.curve.Near(ctx, last); err != nil {
			return false, err
		}
	}
	if err := d.fill(ctx, first, d.solution.N, step); err != nil {
		return false, err
	}
	var known []hold.Point // not too close to each other
	for _, x := range d.curve.Points() {
		if x.N >= first && (len(known) == 0 || 5*x.N > 6*known[len(known)-1].N) {
			known = append(known, hold.Point{N: x.N, Efficiency: x.SpeedEfficiency})
		}
	}
	if beyond == 0 {
		known = append(known, hold.Point{N: math.MaxInt, Efficiency: d.solution.System.Limit()})
	}
	if len(known) < 5 {
		return false, nil
	}
	for i := 1; i < len(known)-1; i++ {
		around := slices.Delete(slices.Clone(known[max(0, i-2):min(i+3, len(known))]), min(i, 2), min(i, 2)+1)
		if off := math.Abs(1/hold.Through(around, known[i].N) - known[i].Efficiency); !(off <= hold.Tolerance(target)/2) {
			return false, nil
		}
	}
	return true, nil
}

// curvePoints is the number of sizes that are simulated of a curve that is not smooth.
const curvePoints = 20

// simulateAround simulates sizes from a tenth of the solution to nearly twice it.
func (d *detail) simulateAround(ctx context.Context, r scenario.SizeRange) error {
	for i := range curvePoints {
		n := int(math.Round(float64(d.solution.N) * (0.1 + 1.7*float64(i)/(curvePoints-1))))
		if n < r.From || n > r.To {
			continue
		}
		if _, err := d.curve.Near(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// readTrend reads the problem size off a polynomial through sampled sizes, as the papers
// do, if the study asks for it. If that is not possible, a warning gives the reason.
func (d *detail) readTrend(ctx context.Context, s *scenario.Study) error {
	if s.Trend.Points == 0 {
		return nil
	}
	var samples []scalability.Sample
	for i := range s.Trend.Points {
		// From 0.3 to 1.7 times the solution: the papers sample 100 to 500 around 310.
		n := int(math.Round(float64(d.solution.N) * (0.3 + 1.4*float64(i)/float64(s.Trend.Points-1))))
		n = min(max(n, s.Sizes.From), s.Sizes.To)
		if len(samples) > 0 && samples[len(samples)-1].N >= float64(n) {
			continue
		}
		x, err := d.curve.Near(ctx, n)
		if err != nil {
			return err
		}
		samples = append(samples, scalability.Sample{N: float64(x.N), Efficiency: x.SpeedEfficiency})
	}
	line, err := scalability.FitTrend(s.Trend.Degree, samples)
	if err != nil {
		d.warn("no trend line: %v", err)
		return nil
	}
	reading, err := line.ReadOff(s.Target)
	if err != nil {
		d.warn("nothing can be read off the trend line: %v", err)
		return nil
	}
	if reading.Warning != "" {
		d.warn("trend line: %v", reading.Warning)
	}
	if reading.N > 0 {
		d.nTrend = &reading.N
	}
	return nil
}

// Check returns the error with which [Run] would fail before time passes at the smallest
// problem size on some system.
func Check(s *scenario.Study) error {
	for i, x := range s.Systems {
		sys, err := system.New(s.Scenario(i))
		if err != nil {
			return err
		}
		if err := sys.Check(s.Sizes.From); err != nil {
			return fmt.Errorf("system %s, n = %d: %w", x.Name, s.Sizes.From, err)
		}
	}
	return nil
}
