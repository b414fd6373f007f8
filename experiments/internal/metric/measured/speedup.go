package measured

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

var efficiencyAdvice = Advice{
	Question: "what share of p processors is used",
	Needs:    "T_1, T_p of one problem, p equal processors",
	Misleads: "processors differ; low values are put down to the machine, though E falls with p for every fixed problem; T_1 is too long, as for the speedup",
}

var speedupFamily = Family{
	Title:   "Speedup and its laws",
	Symbols: "T_1, T_p: sequential and parallel time, s. p: equal processors. f: sequential fraction.",
	Metrics: []*Metric{
		{
			Leads: true, Name: "speedup", Title: "speedup", Symbol: "S",
			Meaning: "how much faster than one processor",
			Formula: "S = T_1/T_p",
			Source:  "[Jin] Eq. 1", Functions: []string{"Speedup"}, Commands: []string{"metrics"},
			Advice: &Advice{
				Question: "how much faster than one processor",
				Needs:    "T_1, T_p of one problem",
				Misleads: "the sequential program is a slow one; one processor cannot hold the problem, so that T_1 is the time of swapping; read as a forecast for larger problems",
			},
			times: &fromTimes{
				needs: needsBaseline,
				point: &pointValue{key: "speedup", of: speedup, format: fourDigits},
				says:  fastestRun,
			},
		},
		{
			Leads: true, Name: "efficiency", Title: "efficiency", Symbol: "E",
			Meaning: "speedup for each processor",
			Formula: "E = S/p",
			Source:  "[Grama1993]; [Jin] Eq. 2", Functions: []string{"Efficiency"}, Commands: []string{"metrics"},
			Advice: &efficiencyAdvice,
			times: &fromTimes{
				needs: needsBaseline,
				point: &pointValue{key: "efficiency", of: efficiency, format: threeDecimals},
				says:  efficiencyRange,
			},
		},
		{
			Name: "time_at_efficiency", Title: "time and processors at an efficiency",
			Meaning: "parallel time, or processors, that go with an efficiency",
			Formula: "T_p = T_1/(E p), p = T_1/(E T_p)",
			Source:  "[Jin] Eq. 3, 4", Functions: []string{"TimeAtEfficiency", "ProcessorsAtEfficiency"},
			Advice: &efficiencyAdvice,
		},
		{
			Name: "ideal_ratio", Title: "ideal ratio", Symbol: "Sc",
			Meaning: "speedup of a machine over that of an ideal one",
			Formula: "Sc = S/S_I", Symbols: "S_I: on an ideal machine",
			Source: "[Jin] Eq. 5", Functions: []string{"IdealRatio"},
			Advice: &Advice{
				Question: "what does the machine cost, as opposed to the algorithm's structure",
				Needs:    "S on the machine and on an ideal one",
				Misleads: "the ideal machine is not of the same p or size",
			},
		},
		{
			Leads: true, Name: "karp_flatt", Title: "Karp-Flatt serial fraction", Symbol: "e",
			Meaning: "the fraction of the work that acts as if it were sequential",
			Formula: "e = (1/S - 1/p)/(1 - 1/p)",
			Source:  "[KarpFlatt1990]", Functions: []string{"KarpFlatt"}, Commands: []string{"metrics"},
			Advice: &Advice{
				Question: "is it sequential work or overhead that limits S",
				Needs:    "S at several p",
				Misleads: "read at one p only: its growth with p is the message; imbalance and communication count as sequential; p is small, so that small errors of the times are large ones of e",
			},
			times: &fromTimes{
				needs: needsBaseline,
				point: &pointValue{key: "karp_flatt", of: karpFlatt, format: threeDigits},
				says:  karpFlattTrend,
			},
		},
		{
			Name: "amdahl", Title: "Amdahl's law",
			Meaning: "speedup with the work fixed",
			Formula: "S = 1/(f + (1 - f)/p)", Symbols: "f of the time on one processor",
			Source: "[Amdahl1967]", Functions: []string{"Amdahl"}, Commands: []string{"metrics", "sweep", "report"},
			Advice: &Advice{
				Question: "how far can S go with the work fixed",
				Needs:    "f of the run on one processor, or T_p at several p",
				Misleads: "the problem would grow with the machine; overhead grows with p: it is not in the law, so a fit is bad and its limit too high",
			},
			times: &fromTimes{
				needs: "for one size times on three numbers of processes, which may be one",
				says:  func(r *Result) string { return r.fitsSay("amdahl") },
			},
		},
		{
			Name: "gustafson", Title: "Gustafson's law",
			Meaning: "speedup with the time fixed",
			Formula: "S = f + (1 - f) p", Symbols: "f of the parallel time",
			Source: "[Gustafson1988]", Functions: []string{"Gustafson"}, Commands: []string{"metrics"},
			Advice: &Advice{
				Question: "how far can S go with the time fixed",
				Needs:    "f of the parallel run, or speeds at several p with equal work for each processor",
				Misleads: "its f is taken for Amdahl's; work cannot grow, or grows its sequential part too",
			},
			times: &fromTimes{
				needs: "column work, and runs whose work for each process is that of a run on one process",
				says:  func(r *Result) string { return r.fitsSay("gustafson") },
			},
		},
		{
			Name: "sun_ni", Title: "Sun and Ni's law",
			Meaning: "speedup with memory filled",
			Formula: "S = (f + (1 - f) G)/(f + (1 - f) G/p)", Symbols: "G(p): growth of the parallel work when memory grows p times",
			Source: "[SunNi1993]", Functions: []string{"SunNi"},
			Advice: &Advice{
				Question: "how far can S go with memory filled",
				Needs:    "f, G(p)",
				Misleads: "memory is not what bounds the work; communication is not in it",
			},
		},
	},
}

func speedup(at place) *float64 {
	b := at.point.baseline
	if b == nil {
		return nil
	}
	return defined(scalability.Speedup(units.Seconds(b.time), units.Seconds(at.point.Time)))
}

func efficiency(at place) *float64 {
	s := at.point.Value("speedup")
	if s == nil {
		return nil
	}
	if p0 := at.point.baseline.processes; p0 > 1 {
		e := *s / at.point.baseline.ratio(at.system) // of groups of p0 processes
		return &e
	}
	return defined(scalability.Efficiency(*s, at.system.Processes))
}

func karpFlatt(at place) *float64 {
	s := at.point.Value("speedup")
	if s == nil || !at.point.parallel(at.system) {
		return nil
	}
	if at.point.baseline.processes > 1 {
		// The formula for p/p0 processors, which need not be a whole number.
		q := at.point.baseline.ratio(at.system)
		e := (1 / *s - 1/q) / (1 - 1/q)
		return &e
	}
	return defined(scalability.KarpFlatt(*s, at.system.Processes))
}

// fastestRun names the largest speedup on more than one process.
func fastestRun(r *Result) string {
	e, ok := r.extremes(inParallel("speedup"))
	if !ok {
		return ""
	}
	return fmt.Sprintf("The largest speedup is %.4g (%s).", e.high, e.atHigh)
}

// efficiencyRange names the smallest and the largest efficiency on more than one
// process.
func efficiencyRange(r *Result) string {
	e, ok := r.extremes(inParallel("efficiency"))
	if !ok {
		return ""
	}
	says := e.span(threeDecimals) + "."
	if e.high > 1.02 {
		says += " Above 1: the parts fit into caches that the whole does not fit into, or the sequential time is too long."
	}
	return says
}

// karpFlattTrend tells how e changes with p, for the system and size where it ends
// largest.
func karpFlattTrend(r *Result) string {
	type series struct {
		system string
		size   float64
	}
	type trend struct {
		series
		first, last float64
		p, q        int // of first and last
	}
	trends := make(map[series]*trend)
	var order []*trend
	for s, p := range r.Points() {
		e := p.Value("karp_flatt")
		if e == nil {
			continue
		}
		k := series{s.System, p.Size}
		t := trends[k]
		if t == nil {
			t = &trend{series: k, first: *e, p: s.Processes}
			trends[k] = t
			order = append(order, t)
		}
		t.last, t.q = *e, s.Processes
	}
	if len(order) == 0 {
		return ""
	}
	t := slices.MaxFunc(order, func(a, b *trend) int { return cmp.Compare(a.last, b.last) })
	where := ""
	if t.size > 0 {
		where = " for " + r.SizeName(t.size)
	}
	if t.system != "" {
		where += " on " + t.system
	}
	if t.p == t.q {
		return fmt.Sprintf("e is %.3g on %s%s. One number of processes does not tell sequential work from overhead.", t.first, input.ProcessCount(t.p), where)
	}
	says := fmt.Sprintf("e goes from %.3g on %d to %.3g on %d processes%s", t.first, t.p, t.last, t.q, where)
	switch {
	case t.last > 1.2*t.first && t.last > 0:
		return says + ". It grows: overhead limits the speedup rather than sequential work."
	case t.last < 0.8*t.first:
		return says + ". It falls: the losses grow more slowly than p, or the first points are noisy."
	}
	return says + ". It is nearly constant, as for sequential work."
}
