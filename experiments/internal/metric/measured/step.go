package measured

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// Scaling compares each system with the next larger one while something is held.
type Scaling struct {
	Metric string `json:"metric"`
	Title  string `json:"title"`
	Holds  string `json:"holds"` // what is the same on both systems, in words
	Steps  []Step `json:"steps"`
	// Isoefficiency is how the work that holds one value on all systems of a ladder grows, for ladders of three or more
	// systems.
	Isoefficiency []Growth `json:"isoefficiency,omitempty"`

	held *held // nil: the problem size is held
}

// format writes a held value.
func (h *held) format(v float64) string {
	if h != nil && h.Speed {
		return speedText(v)
	}
	return fourDigits(v)
}

// Step is a comparison of two systems. Where there is no result, Reason says why.
type Step struct {
	From         string  `json:"from"`
	To           string  `json:"to"`
	Held         float64 `json:"held,omitempty"` // an efficiency, or a speed in flop/s
	How          string  `json:"how,omitempty"`  // how the sizes were found
	SizeFrom     float64 `json:"size_from,omitempty"`
	SizeTo       float64 `json:"size_to,omitempty"`
	WorkFrom     float64 `json:"work_from_flop,omitempty"`
	WorkTo       float64 `json:"work_to_flop,omitempty"`
	TimeFrom     float64 `json:"time_from_s,omitempty"`
	TimeTo       float64 `json:"time_to_s,omitempty"`
	Psi          float64 `json:"psi,omitempty"`
	TimeScale    float64 `json:"time_scale,omitempty"`
	LatencyScale float64 `json:"latency_scale,omitempty"`
	// Interval is that of psi, else time scale, else work ratio, if runs were repeated or trend lines miss points.
	Interval *Interval `json:"interval_95_percent,omitempty"`
	Reason   string    `json:"reason,omitempty"`
}

// fill computes a metric for two operations that hold the same value.
func (s *Step) fill(m *Metric, target float64, a, b operation) {
	s.Held = target
	s.SizeFrom, s.SizeTo = a.size, b.size
	s.WorkFrom, s.WorkTo = a.work, b.work
	s.TimeFrom, s.TimeTo = a.time, b.time
	if m.psi != nil {
		s.Psi = known(m.psi(a, b))
	}
	if m.Holds.Scales {
		s.TimeScale = known(scalability.TimeScale(units.Seconds(a.time), units.Seconds(b.time)))
		s.LatencyScale = known(scalability.LatencyScale(a.latency(), b.latency()))
	}
}

// known replaces an undefined result of a formula by 0, for formulas whose results are never 0.
func known(v float64, err error) float64 {
	if err != nil {
		return 0
	}
	return v
}

// latency returns the time that a process loses: T_1 = E times the capacity times T_p.
func (x operation) latency() units.Seconds {
	alone := units.Seconds(x.value * x.capacity * x.time)
	return units.Seconds(defined(scalability.AverageLatency(x.system.Processes, units.Seconds(x.time), alone)))
}

// work returns how many times the work of the smaller system the larger one does; 0 if that is not known.
func (s *Step) work() float64 { return quotient(s.WorkTo, s.WorkFrom) }

func quotient(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return a / b
}

// figure is the value that steps are ranked by, larger is better; 0 without a result.
func (s *Step) figure() float64 { return cmp.Or(s.Psi, s.TimeScale, quotient(s.WorkFrom, s.WorkTo)) }

// says describes the figure of a step that has one.
func (s *Step) says() string {
	var parts []string
	if s.work() > 0 {
		parts = append(parts, input.Figure(s.work(), 3)+" times the work")
	}
	if s.TimeScale > 0 {
		parts = append(parts, input.Figure(1/s.TimeScale, 3)+" times the time")
	}
	if s.Psi > 0 {
		parts = []string{fmt.Sprintf("psi = %.3g", s.Psi)}
	}
	within := ""
	switch {
	case s.Interval == nil:
	case s.Psi > 0:
		within = fmt.Sprintf(" (95 %%: %s)", s.range95())
	case s.TimeScale > 0:
		within = fmt.Sprintf(" (time scale %.3g, 95 %%: %s)", s.TimeScale, s.range95())
	}
	return fmt.Sprintf("%s%s from %s to %s", strings.Join(parts, " in "), within, s.From, s.To)
}

// range95 writes the interval of a step.
func (s *Step) range95() string {
	if s.Interval == nil {
		return input.None
	}
	text, high := fmt.Sprintf("%.2g", s.Interval.Low), fmt.Sprintf("%.2g", s.Interval.High)
	if high != text {
		text += " to " + high
	}
	if s.Interval.open() {
		text += ", or none"
	}
	return text
}

// ranked returns the steps that have a result, the hardest first.
func ranked(all []Step) []Step {
	found := slices.DeleteFunc(slices.Clone(all), func(s Step) bool { return s.figure() == 0 })
	slices.SortStableFunc(found, func(a, b Step) int { return cmp.Compare(a.figure(), b.figure()) })
	return found
}

// saySteps summarizes steps in a sentence; "" if none has a result.
func saySteps(all []Step) string {
	found := ranked(all)
	if len(found) == 0 {
		return ""
	}
	worst, best := found[0], found[len(found)-1]
	none := ""
	if missing := len(all) - len(found); missing > 0 {
		none = fmt.Sprintf(" No result for %d of %s.", missing, input.Plural(len(all), "step"))
	}
	switch {
	case len(found) > 1 && alike(found) && worst.Interval != nil:
		return worst.says() + "; runs and trend lines do not distinguish the other steps from it." + none
	case len(found) > 1 && alike(found):
		return worst.says() + "; the other steps differ from it by less than 5 %." + none
	case len(found) > 1:
		return fmt.Sprintf("The hardest step%s: %s; the easiest: %s.", ofThose(len(found), len(all)), worst.says(), best.says())
	}
	return worst.says() + "." + none
}

// alike reports whether ranked steps are too similar to call one the hardest.
func alike(found []Step) bool {
	worst, best := &found[0], &found[len(found)-1]
	if worst.Interval != nil && best.Interval != nil {
		return worst.Interval.open() || best.Interval.open() || worst.Interval.High >= best.Interval.Low
	}
	return best.figure() < 1.05*worst.figure()
}

// ofThose says how many steps a superlative covers if others, which may be harder, have no result.
func ofThose(found, all int) string {
	if found == all {
		return ""
	}
	return fmt.Sprintf(" of the %d of %d that have a result", found, all)
}

// scale makes all comparisons between systems.
func (r *Result) scale() {
	ladders := r.ladders()
	for _, m := range Metrics() {
		if m.Holds == nil {
			continue
		}
		s := Scaling{Metric: m.Name, Title: input.Capitalized(m.Title), Holds: m.Holds.What, held: m.Holds}
		r.oneSize[m.Name] = len(ladders) > 0
		for _, ladder := range ladders {
			climbed, growth, oneSize := r.climb(m, ladder)
			s.Steps = append(s.Steps, climbed...)
			if growth != nil {
				s.Isoefficiency = append(s.Isoefficiency, *growth)
			}
			r.oneSize[m.Name] = r.oneSize[m.Name] && oneSize
		}
		if !r.oneSize[m.Name] { // otherwise every step lacks the same; the summary says so once
			r.Scaling = append(r.Scaling, s)
		}
	}
	s := Scaling{Metric: "productivity", Title: "Productivity", Holds: "problem size"}
	for _, ladder := range ladders {
		for i := range len(ladder) - 1 {
			s.Steps = append(s.Steps, r.compareProductivity(ladder[i], ladder[i+1])...)
		}
	}
	r.Scaling = slices.DeleteFunc(append(r.Scaling, s), func(s Scaling) bool { return len(s.Steps) == 0 })
}

// scaling returns the steps of a metric, or nil.
func (r *Result) scaling(metric string) *Scaling {
	if i := slices.IndexFunc(r.Scaling, func(s Scaling) bool { return s.Metric == metric }); i >= 0 {
		return &r.Scaling[i]
	}
	return nil
}

// ladders returns the systems to compare with each other: the numbers of processes of one system; and systems measured
// with one number of processes each, such as the C2, C4, C8 of [Chen2008].
func (r *Result) ladders() [][]*System {
	var ladders [][]*System
	var single []*System
	for _, systems := range r.byName() {
		var ladder []*System
		for i := range systems {
			ladder = append(ladder, &systems[i])
		}
		if len(ladder) == 1 {
			single = append(single, ladder...)
		} else {
			ladders = append(ladders, ladder)
		}
	}
	if len(single) > 1 {
		ladders = append(ladders, single)
	}
	return ladders
}

// compareProductivity compares two systems at every size for which both have a cost.
func (r *Result) compareProductivity(a, b *System) []Step {
	var all []Step
	for i := range a.Points {
		p := &a.Points[i]
		bySize := func(q Point, size float64) int { return cmp.Compare(q.Size, size) }
		k, both := slices.BinarySearchFunc(b.Points, p.Size, bySize)
		if !both {
			continue
		}
		q := &b.Points[k]
		s := Step{
			From: a.Label, To: b.Label, How: "measured points",
			TimeFrom: p.Time, TimeTo: q.Time, SizeFrom: p.Size, SizeTo: q.Size,
			Psi: known(place{r, a, p}.service().Scalability(place{r, b, q}.service())),
		}
		if s.Psi > 0 {
			all = append(all, s)
		}
	}
	return all
}

// noise returns the standard deviation of a run relative to its point's average, pooled over all points with several
// runs, and its degrees of freedom; 0 without such points.
func (r *Result) noise() (deviation float64, freedom int) {
	sum := 0.0
	pool := func(p *Point) {
		for _, t := range p.Times { // set if there are several runs
			sum += (t/p.Time - 1) * (t/p.Time - 1)
		}
		freedom += max(0, len(p.Times)-1)
	}
	for i := range r.Baselines {
		pool(&r.Baselines[i])
	}
	for _, at := range r.places() {
		pool(at.point)
	}
	return math.Sqrt(sum / max(1, float64(freedom))), freedom
}

// draws of all times. The interval of a step leaves out one in 40 on either side.
const draws = 400

// An Interval contains 95 % of the figures of a step when the times of all points are drawn anew, around the measured
// times with the spread of runs.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Share is the fraction of the draws in which the step has a result; the interval is over these.
	Share float64 `json:"share_with_result"`
}

// open reports whether the step may have no result.
func (i *Interval) open() bool { return i.Share < 0.95 }

// findIntervals draws the times of all points again and again, and gives each step that has a result the interval of
// its figure. All points share one error of a run, relative to their times; an average of k runs has it over the root
// of k. The deviations of points from trend lines beyond that are drawn, too.
func (r *Result) findIntervals(freedom int) {
	if r.deviation == 0 && !r.misses {
		return
	}
	type key struct{ metric, from, to string }
	figures := make(map[key][]float64)
	source := rand.NewPCG(1, 2)
	normal, chi := distuv.Normal{Sigma: 1, Src: source}, distuv.ChiSquared{K: float64(freedom), Src: source}
	for range draws {
		scale := 0.0
		if freedom > 0 {
			scale = r.deviation * math.Sqrt(float64(freedom)/chi.Rand()) // the deviation itself is an estimate from few runs
		}
		again := r.again(normal.Rand, func(p *Point) float64 { return math.Exp(normal.Rand() * scale / math.Sqrt(float64(p.Runs))) })
		for _, s := range again.Scaling {
			for _, x := range ranked(s.Steps) {
				k := key{s.Metric, x.From, x.To}
				figures[k] = append(figures[k], x.figure())
			}
		}
	}
	for i := range r.Scaling {
		s := &r.Scaling[i]
		for k := range s.Steps {
			x := &s.Steps[k]
			if all := figures[key{s.Metric, x.From, x.To}]; s.held != nil && x.figure() > 0 && len(all) > 0 {
				slices.Sort(all)
				out := len(all) / 40
				x.Interval = &Interval{all[out], all[len(all)-1-out], float64(len(all)) / draws}
			}
		}
	}
}

// again returns the result for other times, each multiplied by a factor, as far as steps depend on it. Its trend lines
// go through points that miss the line by as much as before, at random.
func (r *Result) again(chance func() float64, factor func(*Point) float64) *Result {
	other := &Result{chance: chance, deviation: r.deviation, Baselines: slices.Clone(r.Baselines), Systems: slices.Clone(r.Systems), Options: r.Options, HasN: r.HasN,
		oneSize: make(map[string]bool)}
	change := func(p *Point) {
		p.Time *= factor(p)
		p.SequentialTime, p.baseline, p.Relative = 0, baseline{}, 0
	}
	for i := range other.Baselines {
		change(&other.Baselines[i])
	}
	for i := range other.Systems {
		s := &other.Systems[i]
		s.Points = slices.Clone(s.Points)
		for k := range s.Points {
			change(&s.Points[k])
		}
	}
	other.findBaselines()
	other.computeValues()
	other.scale()
	return other
}

// missed returns the standard deviation by which samples deviate from a trend line beyond the noise of runs; 0 if the
// line has as many coefficients as points.
func (c *comparison) missed(g *profile, samples []scalability.Sample) float64 {
	freedom := len(samples) - g.degree - 1
	if freedom < 1 {
		return 0
	}
	sum, noise, values := 0.0, 0.0, 0.0
	for i, s := range samples {
		sum += math.Pow(s.Efficiency-g.trend.Eval(s.N), 2)
		noise += math.Pow(s.Efficiency*c.r.deviation, 2) / float64(g.runs[i])
		values += float64(s.Efficiency * s.Efficiency)
	}
	if c.r.chance != nil {
		noise *= 2 // that of the runs, and of the draws
	}
	const rounding = 1e-12
	return math.Sqrt(max(0, sum/float64(freedom)-noise/float64(len(samples))-float64(rounding*values)))
}
