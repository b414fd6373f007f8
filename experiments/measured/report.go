package measured

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/page"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
)

// A Table is a part of the result as text, for a terminal or a page.
// Columns without any value are left out.
type Table struct {
	Title   string
	Caption string
	Keys    int // the first columns, which say what a row is about
	Columns []Column
	Rows    [][]string
}

// Column is the head of a column.
type Column struct {
	Title   string
	Numeric bool
}

func (t *Table) text(titles ...string) {
	for _, title := range titles {
		t.Columns = append(t.Columns, Column{Title: title})
	}
}

func (t *Table) number(titles ...string) {
	for _, title := range titles {
		t.Columns = append(t.Columns, Column{title, true})
	}
}

// compact drops the columns that have no value.
func (t *Table) compact() Table {
	c := Table{Title: t.Title, Caption: t.Caption, Rows: make([][]string, len(t.Rows))}
	for i, column := range t.Columns {
		used := false
		for _, row := range t.Rows {
			used = used || row[i] != input.None && row[i] != ""
		}
		if !used {
			continue
		}
		c.Columns = append(c.Columns, column)
		if i < t.Keys {
			c.Keys++
		}
		for k, row := range t.Rows {
			c.Rows[k] = append(c.Rows[k], row[i])
		}
	}
	return c
}

func (t *Table) report() *report.Table {
	out := &report.Table{Title: t.Title, Caption: t.Caption, Rows: t.Rows}
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, report.Column{Title: c.Title, Numeric: c.Numeric})
	}
	return out
}

// Headline says in one line what was measured.
func (r *Result) Headline() string {
	points, runs, sizes := 0, 0, make(map[float64]bool)
	for _, s := range r.Systems {
		points += len(s.Points)
		for _, p := range s.Points {
			runs += p.Runs
			sizes[p.size] = true
		}
	}
	for _, b := range r.Baselines {
		runs += b.Runs
		sizes[b.size] = true
	}
	return fmt.Sprintf("%s: %s, %s, %s, %s", filepath.Base(r.file),
		input.Plural(len(r.Systems), "system"), input.Plural(len(sizes), "size"), input.Plural(points, "point"), input.Plural(runs, "measured time"))
}

// PointTable has every point with the metrics that need no other point than the
// sequential one.
func (r *Result) PointTable() Table {
	t := Table{
		Title: "Points", Keys: 3,
		Caption: "S = T_1/T speedup, E = S/p efficiency, e Karp-Flatt serial fraction, T_o = p T - T_1 total overhead, W/T achieved speed, E_s = W/(T C) speed-efficiency, eps = W/(T P_T) heterogeneous efficiency, rf performance reference factor, E_rf = T_1/(rf T) extended efficiency, F productivity.",
	}
	t.text("system")
	t.number("p", r.sizeTitle(), "runs", "time", "spread", "S", "E", "e", "T_o", "W/T", "E_s", "eps", "rf", "E_rf", "cost", "F")
	repeated := false
	row := func(system, p, rf string, x *Point) {
		repeated = repeated || x.Runs > 1
		size := input.None
		if x.size > 0 {
			size = strings.TrimPrefix(r.sizeName(x.size), "n = ")
		}
		spread := input.None
		if x.Runs > 1 {
			spread = fmt.Sprintf("%.1f %%", 100*x.spread())
		}
		t.Rows = append(t.Rows, []string{
			system, p, size, fmt.Sprint(x.Runs), units.Seconds(x.Time).String(), spread,
			input.Optional(x.Speedup, "%.4g"), input.Optional(x.Efficiency, "%.3f"), input.Optional(x.KarpFlatt, "%.3g"),
			optionalTime(x.TotalOverhead), optionalSpeed(x.AchievedSpeed), input.Optional(x.SpeedEfficiency, "%.3f"), input.Optional(x.HeterogeneousEfficiency, "%.3f"),
			rf, input.Optional(x.ExtendedEfficiency, "%.3f"), input.Optional(x.Cost, "%.4g"), input.Optional(x.Productivity, "%.4g"),
		})
	}
	for i := range r.Baselines {
		row(r.Baselines[i].System, "seq", input.None, &r.Baselines[i])
	}
	for i := range r.Systems {
		s := &r.Systems[i]
		for k := range s.Points {
			row(s.System, fmt.Sprint(s.Processes), input.Optional(s.ReferenceFactor, "%.3f"), &s.Points[k])
		}
	}
	if !repeated {
		for _, row := range t.Rows {
			row[t.Keys] = input.None
		}
	}
	return t.compact()
}

// sizeTitle is the head of a column of sizes.
func (r *Result) sizeTitle() string {
	if r.hasN {
		return "n"
	}
	return "W"
}

// ScalingTables has a table for each metric that holds something.
func (r *Result) ScalingTables() []Table {
	var tables []Table
	for _, s := range r.Scaling {
		t := Table{Title: s.Title, Caption: "Held on both systems: " + s.Holds + ".", Keys: 2}
		t.text("from", "to")
		t.number("held", r.sizeTitle(), r.sizeTitle()+"'", "W'/W", "T'/T", "psi", "time scale", "latency scale")
		t.text("how")
		for _, x := range s.Steps {
			held := input.Optional(x.Held, "%.4g")
			if s.kind != nil && s.kind.speed {
				held = optionalSpeed(x.Held)
			}
			how := x.How
			if x.Reason != "" {
				how = "none: " + x.Reason
			}
			size := func(v *float64) string {
				if v == nil {
					return input.None
				}
				if !r.hasN {
					return units.Flops(*v).String()
				}
				return fmt.Sprintf("%.5g", *v)
			}
			t.Rows = append(t.Rows, []string{x.From, x.To, held, size(x.SizeFrom), size(x.SizeTo),
				quotient(x.WorkTo, x.WorkFrom), quotient(x.TimeTo, x.TimeFrom),
				input.Optional(x.Psi, "%.3f"), input.Optional(x.TimeScale, "%.3f"), input.Optional(x.LatencyScale, "%.3f"), how})
		}
		tables = append(tables, t.compact())
	}
	return tables
}

func quotient(a, b *float64) string {
	if a == nil || b == nil {
		return input.None
	}
	return fmt.Sprintf("%.3g", *a / *b)
}

func optionalTime(v *float64) string {
	if v == nil {
		return input.None
	}
	return input.Rounded(*v).String()
}

func optionalSpeed(v *float64) string {
	if v == nil {
		return input.None
	}
	if math.Abs(*v) >= 1e-3 && *v < 1e21 {
		scale := math.Pow(10, 3-math.Floor(math.Log10(*v)))
		return units.FlopsPerSecond(math.Round(*v*scale) / scale).String()
	}
	return units.FlopsPerSecond(*v).String()
}

// FitTable has the fitted laws.
func (r *Result) FitTable() Table {
	t := Table{Title: "Fitted laws", Keys: 2, Caption: "Serial fraction f by least squares of the relative deviations from the law: of the times for Amdahl, of the speeds for Gustafson, with the one on one process among them. Deviation: their root mean square."}
	t.text("law", "of")
	t.number("points", "f", "deviation", "limit 1/f")
	for i := range r.Fits {
		f := &r.Fits[i]
		law := map[string]string{"amdahl": "Amdahl", "gustafson": "Gustafson"}[f.Law]
		of := r.fitName(f)
		if of == "" {
			of = "all"
		}
		deviation := input.None
		if f.RMS != nil {
			deviation = fmt.Sprintf("%.2g %%", 100**f.RMS)
		}
		t.Rows = append(t.Rows, []string{law, of, fmt.Sprint(f.Points), fmt.Sprintf("%.4g", f.SerialFraction), deviation, input.Optional(f.Limit, "%.4g")})
	}
	return t.compact()
}

// Report returns the answer as a report.
func (r *Result) Report() *report.Document {
	doc := &report.Document{
		Title:      "Scalability of measured times",
		Subtitle:   r.Headline(),
		Provenance: page.ProvenanceFacts(r.Provenance),
	}
	summary := report.Section{Heading: "What the metrics say"}
	missing := &report.Table{Title: "Not computed", Columns: []report.Column{{Title: "metric"}, {Title: "needs"}}}
	for _, m := range r.Metrics {
		if m.Computed {
			summary.Text = append(summary.Text, m.Title+". "+m.Says+" Beware: "+m.Misleads)
		} else {
			missing.Rows = append(missing.Rows, []string{m.Title, m.Needs})
		}
		switch m.Metric {
		case "speedup", "efficiency", "karp_flatt", "isospeed_efficiency":
			if m.Computed {
				doc.Lead = append(doc.Lead, m.Title+". "+m.Says)
			}
		}
	}
	doc.Facts = r.facts()
	if len(missing.Rows) > 0 {
		summary.Blocks = append(summary.Blocks, missing)
	}
	points := r.PointTable()
	doc.Sections = append(doc.Sections, r.curves()...)
	doc.Sections = append(doc.Sections, summary,
		report.Section{Heading: "Points", Text: []string{fmt.Sprintf("Times are the %s of the runs; the spread is from the fastest to the slowest, relative to it.", r.options.Average)}, Blocks: []report.Block{points.report()}})
	if tables := r.ScalingTables(); len(tables) > 0 {
		s := report.Section{Heading: "From system to system", Text: []string{"Each metric holds something while the system grows, and asks how the problem must grow for that. psi is 1 where work need only grow as the system does."}}
		for i := range tables {
			s.Blocks = append(s.Blocks, tables[i].report())
		}
		doc.Sections = append(doc.Sections, s)
	}
	if len(r.Fits) > 0 {
		t := r.FitTable()
		doc.Sections = append(doc.Sections, report.Section{Heading: "Laws of speedup", Blocks: []report.Block{t.report()}})
	}
	if len(r.Notes) > 0 {
		doc.Sections = append(doc.Sections, report.Section{Heading: "Notes", Blocks: []report.Block{&report.Notes{Items: r.Notes}}})
	}
	doc.Sections = append(doc.Sections, page.WarningSection(r.Warnings))
	return doc
}

// facts are the numbers at the top of the report.
func (r *Result) facts() []report.Fact {
	var facts []report.Fact
	best := func(label, format string, of func(*Point) *float64) {
		if e, ok := r.extremes(func(s *System, p *Point) *float64 {
			if s.Processes == 1 {
				return nil
			}
			return of(p)
		}); ok {
			facts = append(facts, report.Fact{Label: label, Value: fmt.Sprintf(format, e.high), Note: e.atHigh})
		}
	}
	best("Largest speedup", "%.4g", func(p *Point) *float64 { return p.Speedup })
	best("Best efficiency", "%.3f", func(p *Point) *float64 { return p.Efficiency })
	best("Best speed-efficiency", "%.3f", func(p *Point) *float64 { return p.SpeedEfficiency })
	for _, s := range r.Scaling {
		var hardest *Step
		for i := range s.Steps {
			if x := &s.Steps[i]; x.Psi != nil && (hardest == nil || *x.Psi < *hardest.Psi) {
				hardest = x
			}
		}
		if hardest != nil && (s.Metric == "isospeed_efficiency" || s.Metric == "isospeed") {
			facts = append(facts, report.Fact{Label: s.Title + ", hardest step", Value: fmt.Sprintf("psi = %.3f", *hardest.Psi), Note: hardest.From + " to " + hardest.To})
		}
	}
	return facts
}

// mostCurves is how many curves a chart shows; more cannot be told apart.
const mostCurves = 8

// curves has the charts over processes and over size, as far as there is
// something to show.
func (r *Result) curves() []report.Section {
	processes := report.Axis{Title: "processes", Unit: report.Dimensionless, Log: true}
	speedup := &report.LineChart{Title: "Speedup over processes", X: processes, Y: report.Axis{Title: "speedup", Unit: report.Dimensionless, Log: true}}
	efficiency := &report.LineChart{Title: "Efficiency over processes", X: processes, Y: report.Axis{Title: "efficiency", Unit: report.Dimensionless},
		Targets: []report.Target{{Label: "ideal", Y: 1}}}
	type key struct {
		system string
		size   float64
	}
	index := make(map[key]int)
	var series []report.Series
	left := 0
	for i := range r.Systems {
		s := &r.Systems[i]
		for k := range s.Points {
			p := &s.Points[k]
			if !shown(p.Speedup) || !shown(p.Efficiency) {
				continue
			}
			id := key{s.System, p.size}
			n, ok := index[id]
			if !ok {
				if len(series) == mostCurves-1 { // one is the ideal
					left++
					continue
				}
				n = len(series)
				index[id] = n
				name := s.System
				if p.size > 0 {
					name = strings.TrimPrefix(name+", "+r.sizeName(p.size), ", ")
				}
				if name == "" {
					name = "measured"
				}
				series = append(series, report.Series{Name: name})
			}
			series[n].X = append(series[n].X, float64(s.Processes))
			series[n].Y = append(series[n].Y, *p.Speedup)
		}
	}
	var sections []report.Section
	if len(series) > 0 {
		ideal := report.Series{Name: "ideal", Style: report.StyleDashed}
		var ps []float64
		for _, s := range series {
			ps = append(ps, s.X...)
		}
		ideal.X = distinctSorted(ps)
		ideal.Y = ideal.X
		speedup.Series = append(append(speedup.Series, series...), ideal)
		for _, s := range series {
			e := report.Series{Name: s.Name, X: s.X, Y: make([]float64, len(s.Y))}
			for k := range e.Y {
				e.Y[k] = s.Y[k] / s.X[k]
			}
			efficiency.Series = append(efficiency.Series, e)
		}
		speedup.Caption = "Logarithmic on both axes: an ideal speedup is a straight line."
		if left > 0 {
			speedup.Caption += fmt.Sprintf(" %s of further systems and sizes are only in the table.", input.Plural(left, "point"))
		}
		sections = append(sections, report.Section{
			Heading: "Speedup and efficiency",
			Text:    []string{"Speedup is the sequential time of the same problem over the time in parallel, efficiency the speedup for each process."},
			Blocks:  []report.Block{speedup, efficiency},
		})
	}
	if c := r.speedEfficiencyChart(); c != nil {
		sections = append(sections, report.Section{
			Heading: "Speed-efficiency",
			Text:    []string{"The share of the marked speed that was achieved. Where two systems have the same, psi compares them."},
			Blocks:  []report.Block{c},
		})
	}
	return sections
}

// speedEfficiencyChart shows E_s over the size, a curve for each system; nil if
// there is nothing to show.
func (r *Result) speedEfficiencyChart() *report.LineChart {
	c := &report.LineChart{
		Title: "Speed-efficiency over problem size",
		X:     report.Axis{Title: "problem size n", Unit: report.Dimensionless, Log: true},
		Y:     report.Axis{Title: "speed-efficiency", Unit: report.Dimensionless},
	}
	if !r.hasN {
		c.X.Title, c.X.Unit = "work", "flop"
	}
	left := 0
	for _, s := range r.Systems {
		curve := report.Series{Name: s.Label}
		for _, p := range s.Points {
			if p.size >= 1e-9 && shown(p.SpeedEfficiency) {
				curve.X, curve.Y = append(curve.X, p.size), append(curve.Y, *p.SpeedEfficiency)
			}
		}
		switch {
		case len(curve.X) == 0:
		case len(c.Series) == mostCurves:
			left++
		default:
			c.Series = append(c.Series, curve)
		}
	}
	if len(c.Series) == 0 {
		return nil
	}
	if left > 0 {
		c.Caption = fmt.Sprintf("%s more are only in the table.", input.Plural(left, "system"))
	}
	return c
}

// shown reports whether a chart can show a value.
func shown(v *float64) bool { return v != nil && *v >= 1e-9 && *v <= 1e30 }

func distinctSorted(values []float64) []float64 {
	return slices.Compact(slices.Sorted(slices.Values(values)))
}
