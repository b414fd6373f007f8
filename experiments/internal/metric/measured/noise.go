package measured

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/isoscale/isoscale/model/scalability"
)

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
