package sweep

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/design"
	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/schema"
	"github.com/isoscale/isoscale/experiments/internal/studytable"
	"github.com/isoscale/isoscale/experiments/internal/system"
	"github.com/isoscale/isoscale/experiments/internal/yamldoc"
	"github.com/isoscale/isoscale/experiments/report"
)

// probe is a change of the scenario with which every point is simulated once more, to
// find what limits it: the change that saves most time.
type probe struct {
	name    string
	changes []yamldoc.Change
}

const wantProbes = "changes of the scenario by name, as in {nodes: {machine.node_types.node.marked_speed: 2 Gflop/s}}"

// probesType does not say which paths there are.
var probesType = schema.Map{Of: schema.Map{Of: schema.Any, Min: 1}}

// readProbes reads the key probes of a plan.
func readProbes(d *yamldoc.Decoder, n *yamldoc.Node, points *design.Design, outcomes []system.Outcome) []probe {
	if n == nil {
		return nil
	}
	var all []probe
	m := d.Mapping(n, wantProbes)
	for _, name := range m.Keys() {
		one := probe{name: name}
		fields := d.Mapping(m.Take(name), wantProbes)
		for _, path := range fields.Keys() {
			v := fields.Take(path)
			one.changes = append(one.changes, yamldoc.Change{Path: path, Value: v})
			for i := range points.Factors {
				if f := &points.Factors[i]; slices.Contains(f.Paths, path) {
					d.Fail(v, path+" is set by factor "+f.Name, "another field")
				}
			}
		}
		taken := func(o system.Outcome) bool { return o.Name == one.column() }
		switch {
		case !columnName.MatchString(name):
			d.Fail(n, fmt.Sprintf("%q is no name of a probe", name), "letters, digits and underscores, as in uplinks")
		case len(one.changes) == 0:
			d.Fail(n, "probe "+name+" changes nothing", wantProbes)
		case slices.ContainsFunc(outcomes, taken):
			d.Fail(n, one.column()+" is the name of another column", "another name")
		}
		all = append(all, one)
	}
	return all
}

func (p *probe) column() string { return "saved_" + p.name }

// sets says what a probe changes.
func (p *probe) sets() string {
	var parts []string
	for _, c := range p.changes {
		value := c.Value.Text()
		if !c.Value.IsScalar() {
			value = string(c.Value.JSON())
		}
		parts = append(parts, c.Path+" = "+value)
	}
	return strings.Join(parts, ", ")
}

// probed are the outcomes of probes, after those of the scenario.
func probed(probes []probe) []system.Outcome {
	var all []system.Outcome
	for _, p := range probes {
		all = append(all, system.Outcome{Name: p.column(), Meaning: "share of the time that is saved with " + p.sets()})
	}
	return all
}

// saved appends what each probe saves of the time of a point.
func (s *Study) saved(ctx context.Context, p design.Point, values []float64) ([]float64, error) {
	if len(s.probes) == 0 {
		return values, nil
	}
	at := slices.IndexFunc(s.outcomes, func(o system.Outcome) bool { return o.Name == "time" })
	for i := range s.probes {
		c, err := s.probedScenario(p, &s.probes[i])
		var changed []float64
		if err == nil {
			changed, err = system.RunCaseWithin(ctx, c, s.more, s.limits.memory)
		}
		if err != nil {
			return nil, fmt.Errorf("probe %s: %w", s.probes[i].name, err)
		}
		share := 0.0
		if values[at] > 0 {
			share = 1 - changed[at]/values[at]
		}
		values = append(values, share)
	}
	return values, nil
}

// probedScenario returns the scenario of a point with the changes of a probe.
func (s *Study) probedScenario(p design.Point, one *probe) (*scenario.Case, error) {
	all, err := changes(s.Design, &s.derived, p)
	if err != nil {
		return nil, err
	}
	return s.Template.Case(p.Seed, append(all, one.changes...)...)
}

// Limit is a change of the scenario and what it saves.
type Limit struct {
	Probe  string  `json:"probe"`
	Sets   string  `json:"sets"`
	AtBest float64 `json:"saved_at_best"` // share of the time of the best point
	// Most is the number of configurations at which no other probe saves more, and
	// Mean the mean share over all.
	Most int     `json:"most"`
	Mean float64 `json:"mean"`

	column int
}

// LimitsAt are the limits of the points with one level of a factor without order.
type LimitsAt struct {
	Factor string  `json:"factor,omitempty"` // none: of all points
	Level  string  `json:"level,omitempty"`
	Of     int     `json:"of"` // configurations that some probe makes faster
	Limits []Limit `json:"limits"`

	level int
}

// findLimits finds what the probes say: of each level of the factors without order,
// such as networks, or of all points if there are none.
func (r *Result) findLimits() {
	if len(r.study.probes) == 0 {
		return
	}
	for i := range r.study.Design.Factors {
		f := &r.study.Design.Factors[i]
		if f.Numeric || f.Len() < 2 {
			continue
		}
		for l := range f.Len() {
			if x, ok := r.limitsWhere(i, l); ok {
				r.Limits = append(r.Limits, x)
			}
		}
	}
	if x, ok := r.limitsWhere(-1, 0); ok && r.Limits == nil {
		r.Limits = []LimitsAt{x}
	}
}

// limitsWhere are the limits of the points with a level of a factor; of all if the
// factor is -1. ok is false if there are no such points.
func (r *Result) limitsWhere(factor, level int) (x LimitsAt, ok bool) {
	x.level = level
	if factor >= 0 {
		x.Factor, x.Level = r.table.Factors[factor].Name, r.levelText(factor, level)
	}
	goal := slices.Clone(r.best.levels)
	if factor >= 0 {
		goal[factor] = level
	}
	for i := range r.study.probes {
		p := &r.study.probes[i]
		column, err := r.table.ResponseIndex(p.column())
		if err != nil {
			return x, false
		}
		x.Limits = append(x.Limits, Limit{Probe: p.name, Sets: p.sets(), column: column})
	}
	n := 0
	for _, row := range r.table.Rows {
		v := row.Values[x.Limits[0].column]
		if v != v || factor >= 0 && row.Levels[factor] != level {
			continue
		}
		n++
		for i := range x.Limits {
			x.Limits[i].Mean += row.Values[x.Limits[i].column]
			if slices.Equal(row.Levels, goal) {
				x.Limits[i].AtBest = row.Values[x.Limits[i].column]
			}
		}
		if i := mostSaved(x.Limits, row); i >= 0 {
			x.Of++
			x.Limits[i].Most++
		}
	}
	for i := range x.Limits {
		x.Limits[i].Mean /= float64(max(n, 1))
	}
	slices.SortStableFunc(x.Limits, func(a, b Limit) int { return cmp.Or(b.Most-a.Most, cmp.Compare(b.Mean, a.Mean)) })
	return x, n > 0
}

// worthSaving is the share of the time from which on a change counts.
const worthSaving = 0.001

// mostSaved returns the probe that saves most at a point, the first of equal ones; -1
// if none saves enough.
func mostSaved(limits []Limit, row studytable.Row) int {
	most, at := worthSaving, -1
	for i, l := range limits {
		if v := row.Values[l.column]; v > most {
			most, at = v, i
		}
	}
	return at
}

// limitsInWords says what limits.
func (r *Result) limitsInWords() []string {
	var lines []string
	for _, x := range r.Limits {
		text := "What limits"
		if x.Factor != "" {
			text += fmt.Sprintf(" with %s = %s", x.Factor, x.Level)
		}
		var most, means []string
		for _, l := range x.Limits {
			switch {
			case l.Most == 0:
			case most == nil:
				most = append(most, fmt.Sprintf("%s at %d of %s", l.Probe, l.Most, input.Plural(x.Of, "point")))
			default:
				most = append(most, fmt.Sprintf("%s at %d", l.Probe, l.Most))
			}
			means = append(means, fmt.Sprintf("%s %.1f %%", l.Probe, 100*l.Mean))
		}
		if most == nil {
			lines = append(lines, text+": no change saves a thousandth of the time of any point.")
			continue
		}
		lines = append(lines, text+": "+strings.Join(most, ", ")+". Of the time, the changes save on average: "+strings.Join(means, ", ")+".")
	}
	return lines
}

// limitSection draws the probe that saves most over the factors of the map, a chart for
// each level of the factors without order.
func (r *Result) limitSection() *report.Section {
	x, y, ok := r.mapped()
	if !ok || r.Limits == nil {
		return nil
	}
	fx, fy := &r.table.Factors[x], &r.table.Factors[y]
	s := &report.Section{Heading: "What limits", Text: r.limitsInWords()}
	t := &report.Table{Title: "The changes that were tried", Columns: []report.Column{{Title: "probe"}, {Title: "sets"}}}
	for i := range r.study.probes {
		t.Rows = append(t.Rows, []string{r.study.probes[i].name, r.study.probes[i].sets()})
	}
	if len(fx.Levels) <= maxLossSide && len(fy.Levels) <= maxLossSide {
		for i := range r.Limits {
			if c := r.limitChart(&r.Limits[i], x, y); len(c.Series) > 0 {
				s.Blocks = append(s.Blocks, c)
			}
		}
	}
	s.Blocks = append(s.Blocks, t)
	return s
}

func (r *Result) limitChart(l *LimitsAt, x, y int) *report.ScatterChart {
	fx, fy := &r.table.Factors[x], &r.table.Factors[y]
	at := slices.Clone(r.best.levels)
	if k, err := r.table.FactorIndex(l.Factor); err == nil {
		at[k] = l.level
	}
	chart := &report.ScatterChart{
		Title:   fmt.Sprintf("What limits over %s and %s", r.label(fx.Name), r.label(fy.Name)),
		Caption: "Each point is a configuration; its colour and shape say which change saves most of its time, and its text how much." + r.fixedInWords(at, x, y),
		X:       report.Axis{Title: r.label(fx.Name), Unit: page.Unit(fx.Unit)},
		Y:       report.Axis{Title: r.label(fy.Name), Unit: page.Unit(fy.Unit)},
	}
	if l.Factor != "" {
		chart.Title += ", " + l.Factor + " = " + l.Level
	}
	series := make([]report.ScatterSeries, len(l.Limits))
	var xs, ys []float64
	for _, row := range r.table.Rows {
		i := mostSaved(l.Limits, row)
		if i < 0 || !inSlice(row.Levels, at, x, y) {
			continue
		}
		p := report.ScatterPoint{
			Name: r.describe(row.Levels), X: fx.Levels[row.Levels[x]].Value, Y: fy.Levels[row.Levels[y]].Value,
			Notes: fmt.Sprintf("saves %.1f %% of the time", 100*row.Values[l.Limits[i].column]),
		}
		series[i].Points = append(series[i].Points, p)
		xs, ys = append(xs, p.X), append(ys, p.Y)
	}
	for i, s := range series {
		if s.Name = l.Limits[i].Probe; len(s.Points) > 0 {
			chart.Series = append(chart.Series, s)
		}
	}
	chart.X.Log, chart.Y.Log = page.ByRatio(xs), page.ByRatio(ys)
	return chart
}
