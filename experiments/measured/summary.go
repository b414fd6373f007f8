package measured

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/model/units"
)

// Summary is one metric: what it says of these measurements and when it
// misleads, or what it needs.
type Summary struct {
	Metric   string `json:"metric"`
	Title    string `json:"title"`
	Computed bool   `json:"computed"`
	Says     string `json:"says,omitempty"`
	Misleads string `json:"misleads"`
	Needs    string `json:"needs,omitempty"` // the columns that are missing
}

// extremes are the smallest and the largest value of a metric and where they are.
type extremes struct {
	low, high     float64
	atLow, atHigh string
}

// extremes of a value over the points; false if no point has it.
func (r *Result) extremes(of func(*System, *Point) *float64) (e extremes, ok bool) {
	e.low, e.high = math.Inf(1), math.Inf(-1)
	for i := range r.Systems {
		s := &r.Systems[i]
		for k := range s.Points {
			v := of(s, &s.Points[k])
			if v == nil {
				continue
			}
			ok = true
			if *v < e.low || *v > e.high {
				place := s.Label
				if size := s.Points[k].size; size > 0 {
					place += " at " + r.sizeName(size)
				}
				if *v < e.low {
					e.low, e.atLow = *v, place
				}
				if *v > e.high {
					e.high, e.atHigh = *v, place
				}
			}
		}
	}
	return e, ok
}

// span tells where a value is smallest and largest.
func (e extremes) span(format func(float64) string) string {
	if e.atLow == e.atHigh {
		return fmt.Sprintf("%s (%s)", format(e.low), e.atLow)
	}
	return fmt.Sprintf("From %s (%s) to %s (%s)", format(e.low), e.atLow, format(e.high), e.atHigh)
}

func threeDigits(v float64) string { return fmt.Sprintf("%.3f", v) }

// summaries has all metrics in the order of the documentation.
func (r *Result) summaries() []Summary {
	const needsSequential = "for every size a row with processes = 1 or sequential = yes"
	point := func(metric, title string, of func(*Point) *float64, says func(extremes) string, misleads, needs string) Summary {
		m := Summary{Metric: metric, Title: title, Misleads: misleads}
		e, ok := r.extremes(func(s *System, p *Point) *float64 { return of(p) })
		if m.Computed = ok; ok {
			m.Says = says(e)
		} else {
			m.Needs = needs
		}
		return m
	}
	var all []Summary
	add := func(m Summary) { all = append(all, m) }
	parallel := func(p *System, v *float64) *float64 {
		if p.Processes == 1 {
			return nil
		}
		return v
	}
	speedup := point("speedup", "Speedup T_1/T", func(p *Point) *float64 { return p.Speedup },
		func(extremes) string { return "" },
		"A slow sequential program makes it large; and it says nothing of larger problems.", needsSequential)
	if e, ok := r.extremes(func(s *System, p *Point) *float64 { return parallel(s, p.Speedup) }); ok {
		speedup.Says = fmt.Sprintf("The fastest run against its sequential time is %s: %.4g times as fast.", e.atHigh, e.high)
	} else if speedup.Computed {
		speedup.Computed, speedup.Needs = false, "runs on more than one process of a size with a sequential time"
	}
	add(speedup)
	efficiency := Summary{Metric: "efficiency", Title: "Efficiency S/p", Misleads: "It falls with p for every fixed problem, so low values need not mean a bad machine. Processes must be equal.", Needs: speedup.Needs}
	if e, ok := r.extremes(func(s *System, p *Point) *float64 { return parallel(s, p.Efficiency) }); ok {
		efficiency.Computed, efficiency.Needs = true, ""
		efficiency.Says = e.span(threeDigits) + "."
		if e.high > 1.02 {
			efficiency.Says += " Above 1: the parts fit into caches that the whole did not, or the sequential time is too long."
		}
	}
	add(efficiency)
	karp := Summary{Metric: "karp_flatt", Title: "Karp-Flatt serial fraction e", Misleads: "It puts every loss down to sequential work. With few processes small errors of the times make large ones of e.", Needs: speedup.Needs}
	if says := r.karpFlattSays(); says != "" {
		karp.Computed, karp.Needs, karp.Says = true, "", says
	}
	add(karp)
	add(point("total_overhead", "Total overhead p T - T_1", func(p *Point) *float64 { return p.TotalOverhead },
		func(e extremes) string {
			return fmt.Sprintf("At most %v of process time is not useful work (%s).", input.Rounded(e.high), e.atHigh)
		}, "It does not say whether the loss is communication, waiting or extra work.", needsSequential))
	add(point("achieved_speed", "Achieved speed W/T", func(p *Point) *float64 { return p.AchievedSpeed },
		func(e extremes) string {
			return e.span(func(v float64) string { return optionalSpeed(&v) }) + "."
		}, "An algorithm with more work than needed looks faster while it takes longer.", "column work"))
	add(point("speed_efficiency", "Speed-efficiency W/(T C)", func(p *Point) *float64 { return p.SpeedEfficiency },
		func(e extremes) string {
			return e.span(threeDigits) + " of the marked speed."
		}, "It also holds how well the algorithm suits the processor, so a low value need not be a loss in parallel.",
		"columns work and marked_speed, or marked_speed_per_process"))
	add(point("heterogeneous_efficiency", "Heterogeneous efficiency W/(T P_T)", func(p *Point) *float64 { return p.HeterogeneousEfficiency },
		func(e extremes) string {
			return e.span(threeDigits) + " of what the processes do alone."
		}, "Speeds alone are of one size; where caches matter another size has others.",
		"columns work and power, the sum of the speeds that the processors reach alone on this problem"))
	add(point("extended_efficiency", "Extended efficiency T_1/(rf T)", func(p *Point) *float64 { return p.ExtendedEfficiency },
		func(e extremes) string {
			return e.span(threeDigits) + ": what is lost beyond what sharing a node or a network costs the reference program."
		}, "rf is that of one reference program: a program with another need of memory has another.",
		"column reference_time, also for one process, and "+needsSequential))
	scaling := make(map[string]*Scaling)
	for i := range r.Scaling {
		scaling[r.Scaling[i].Metric] = &r.Scaling[i]
	}
	for _, h := range []struct{ metric, title, misleads, needs string }{
		{"isospeed_efficiency", "Isospeed-efficiency psi", "psi is of one held value; another gives another psi. 1 is ideal but does not say that the times are short.", "columns work and marked_speed, and two systems"},
		{"isospeed", "Isospeed psi", "Processes must be equal: with unequal ones use isospeed-efficiency.", "column work, and two numbers of processes"},
		{"extended_isospeed", "Extended isospeed psi", "See extended efficiency: rf is that of a reference program.", "columns work and reference_time, also for one process"},
		{"isoefficiency", "Isoefficiency, time and latency scale", "T_1 of large problems is often not measurable, as they do not fit into one node, and swapping makes it too long.", needsSequential + ", and two numbers of processes"},
		{"extended_isoefficiency", "Extended isoefficiency, time and latency scale", "As isoefficiency, and as extended efficiency.", "column reference_time, also for one process, and " + needsSequential},
		{"h_isoefficiency", "H-isoefficiency", "As heterogeneous efficiency.", "columns work and power, and two systems"},
	} {
		m := Summary{Metric: h.metric, Title: h.title, Misleads: h.misleads}
		s := scaling[h.metric]
		switch {
		case s == nil:
			m.Needs = h.needs
		default:
			m.Says = s.says()
			m.Computed = m.Says != ""
			if !m.Computed {
				m.Needs = "sizes at which neighbouring systems reach the same value: larger ones on the larger system"
			}
		}
		add(m)
	}
	for _, h := range []struct{ law, title, misleads, needs string }{
		{"amdahl", "Amdahl's law", "Overhead that grows with p is no serial fraction; then the fit is bad and the limit too high.", "speedups of one size on two numbers of processes above 1"},
		{"gustafson", "Gustafson's law", "It is for runs whose work for each process is the same, and its f is not that of Amdahl.", "column work, and runs whose work for each process is that of a run on one process"},
	} {
		m := Summary{Metric: h.law, Title: h.title, Misleads: h.misleads, Says: r.fitSays(h.law)}
		if m.Computed = m.Says != ""; !m.Computed {
			m.Needs = h.needs
		}
		add(m)
	}
	productivity := Summary{Metric: "productivity", Title: "Productivity", Needs: "column cost",
		Misleads: "Without --response-target every run is worth the same however late it ends, so the smallest system mostly wins. Different sizes do not compare."}
	largest := 0.0
	for _, s := range r.Systems {
		for _, p := range s.Points {
			if p.Productivity != nil {
				largest = max(largest, p.size)
			}
		}
	}
	if e, ok := r.extremes(func(_ *System, p *Point) *float64 {
		if p.size < largest {
			return nil
		}
		return p.Productivity
	}); ok {
		productivity.Computed, productivity.Needs = true, ""
		productivity.Says = fmt.Sprintf("The most for the money at the largest size is %s: %.4g for one %s; the least %s: %.4g.", e.atHigh, e.high, r.Currency, e.atLow, e.low)
	}
	add(productivity)
	return all
}

// karpFlattSays tells how e changes with p, for the system and size where it ends
// largest.
func (r *Result) karpFlattSays() string {
	type end struct {
		first, last float64
		p, q        int
		size        float64
		system      string
	}
	type key struct {
		system string
		size   float64
	}
	ends := make(map[key]*end)
	var order []*end
	for _, s := range r.Systems {
		for _, p := range s.Points {
			if p.KarpFlatt == nil {
				continue
			}
			k := key{s.System, p.size}
			e := ends[k]
			if e == nil {
				e = &end{first: *p.KarpFlatt, p: s.Processes, size: p.size, system: s.System}
				ends[k] = e
				order = append(order, e)
			}
			e.last, e.q = *p.KarpFlatt, s.Processes
		}
	}
	if len(order) == 0 {
		return ""
	}
	e := slices.MaxFunc(order, func(a, b *end) int { return cmp.Compare(a.last, b.last) })
	where := ""
	if e.size > 0 {
		where = " for " + r.sizeName(e.size)
	}
	if e.system != "" {
		where += " on " + e.system
	}
	if e.p == e.q {
		return fmt.Sprintf("e is %.3g on %s%s; one number of processes does not tell sequential work from overhead.", e.first, input.ProcessCount(e.p), where)
	}
	says := fmt.Sprintf("e goes from %.3g on %d to %.3g on %d processes%s", e.first, e.p, e.last, e.q, where)
	switch {
	case e.last > 1.2*e.first && e.last > 0:
		return says + ": it grows, so overhead limits the speedup rather than sequential work."
	case e.last < 0.8*e.first:
		return says + ": it falls, so what is lost does not grow in step with p, or the first points are noisy."
	}
	return says + ": nearly constant, so it acts as sequential work."
}

// says sums up the steps of a metric; "" if none has a result.
func (s *Scaling) says() string {
	var best, worst *Step
	key := func(x *Step) *float64 {
		switch {
		case x.Psi != nil:
			return x.Psi
		case x.TimeScale != nil:
			return x.TimeScale
		case x.WorkFrom != nil && x.WorkTo != nil:
			v := *x.WorkFrom / *x.WorkTo
			return &v
		}
		return nil
	}
	missing := 0
	for i := range s.Steps {
		x := &s.Steps[i]
		v := key(x)
		if v == nil {
			missing++
			continue
		}
		if best == nil || *v > *key(best) {
			best = x
		}
		if worst == nil || *v < *key(worst) {
			worst = x
		}
	}
	if best == nil {
		return ""
	}
	describe := func(x *Step) string {
		switch {
		case x.Psi != nil:
			return fmt.Sprintf("psi = %.3f from %s to %s", *x.Psi, x.From, x.To)
		case x.TimeScale != nil && x.WorkFrom != nil && x.WorkTo != nil:
			return fmt.Sprintf("%.3g times the work in %.3g times the time from %s to %s", *x.WorkTo / *x.WorkFrom, 1 / *x.TimeScale, x.From, x.To)
		case x.TimeScale != nil:
			return fmt.Sprintf("%.3g times the time from %s to %s", 1 / *x.TimeScale, x.From, x.To)
		}
		return fmt.Sprintf("%.3g times the work from %s to %s", *x.WorkTo / *x.WorkFrom, x.From, x.To)
	}
	says := describe(worst)
	if best != worst {
		says = "The hardest step: " + says + "; the best: " + describe(best)
	}
	says += "."
	if missing > 0 {
		says += fmt.Sprintf(" %s of %d could not be made.", input.Plural(missing, "step"), len(s.Steps))
	}
	return says
}

func (r *Result) fitSays(law string) string {
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
	if place := r.fitName(worst); place != "" {
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

// fitName tells a fit from the others of its law.
func (r *Result) fitName(f *Fit) string {
	name := f.System
	size := ""
	switch {
	case f.N != nil:
		size = r.sizeName(*f.N)
	case f.WorkEach != nil:
		size = units.Flops(*f.WorkEach).String() + " a process"
	}
	if name != "" && size != "" {
		name += ", "
	}
	return name + size
}
