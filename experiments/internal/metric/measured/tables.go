package measured

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/energy"
	"github.com/isoscale/isoscale/experiments/internal/metric/laws"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// PointTable lists every point with the metrics that have a value there.
func (r *Result) PointTable() page.Table {
	metrics := pointMetrics()
	heads := []string{"system", "#p", "#" + r.sizeTitle(), "#runs", "#time", "#spread", "#rf"}
	heads = each.Append(heads, metrics, func(m *Metric) string { return "#" + m.Symbol })
	t := page.NewTable("Points", 3, append(heads, "#cost ["+r.Currency+"]")...)
	repeated := false
	row := func(s *System, processes string, p *Point) {
		repeated = repeated || p.Runs > 1
		size, spread := input.None, input.None
		if p.Size > 0 {
			size = r.bareSize(p.Size)
		}
		if p.Runs > 1 {
			spread = fmt.Sprintf("%.1f %%", 100*p.spread())
		}
		cells := []string{s.System, processes, size, fmt.Sprint(p.Runs), units.Seconds(p.Time).String(), spread,
			optional(s.ReferenceFactor, threeDecimals)}
		for _, m := range metrics {
			cell := input.None
			if v, ok := p.values[m.Name]; ok {
				cell = m.format(v)
			}
			cells = append(cells, cell)
		}
		t.Rows = append(t.Rows, append(cells, optional(p.Cost, fourDigits)))
	}
	for i := range r.Baselines {
		row(&System{System: r.Baselines[i].System}, "seq", &r.Baselines[i])
	}
	for _, at := range r.places() {
		row(at.system, fmt.Sprint(at.system.Processes), at.point)
	}
	if !repeated {
		for _, row := range t.Rows {
			row[t.Keys] = input.None
		}
	}
	t = t.Compact()
	t.Caption = legend(t.Columns, metrics)
	return t
}

// legend explains the symbols used as column titles.
func legend(columns []report.Column, metrics []*Metric) string {
	var parts []string
	for _, c := range columns {
		if c.Title == "rf" {
			parts = append(parts, "rf reference factor")
		}
		for _, m := range metrics {
			if m.Symbol == c.Title {
				parts = append(parts, m.Symbol+" "+m.Title)
			}
		}
	}
	return input.Capitalized(input.List(parts))
}

// sizeTitle heads a column of sizes; bareSize writes one of its cells.
func (r *Result) sizeTitle() string {
	if r.HasN {
		return "n"
	}
	return "W"
}

func (r *Result) bareSize(size float64) string { return strings.TrimPrefix(r.sizeName(size), "n = ") }

// Tables returns the steps between systems, the fitted laws, the performance models and the energies, as far as there
// are any.
func (r *Result) Tables() []page.Table {
	tables := append(r.scalingTables(), r.fitTable(), r.modelTable(), r.energyTable())
	return slices.DeleteFunc(tables, func(t page.Table) bool { return len(t.Rows) == 0 })
}

// scalingTables returns a table for each metric that holds something.
func (r *Result) scalingTables() []page.Table {
	size := func(v float64) string {
		if r.HasN {
			return fmt.Sprintf("%.5g", v)
		}
		return units.Flops(v).String()
	}
	var tables []page.Table
	for _, s := range r.Scaling {
		t := page.NewTable(s.Title, 2, "from", "to", "#held", "#"+r.sizeTitle(), "#"+r.sizeTitle()+"'", "#W'/W", "#T'/T",
			"#psi", "#time scale", "#latency scale", "#95 %")
		t.Caption = "Held on both systems: " + s.Holds + "."
		for _, g := range s.Isoefficiency {
			t.Caption += " " + g.says(s.held)
		}
		for _, x := range s.Steps {
			row := []string{x.From, x.To, optional(x.Held, s.held.format), optional(x.SizeFrom, size), optional(x.SizeTo, size),
				optional(x.work(), threeDigits), optional(quotient(x.TimeTo, x.TimeFrom), threeDigits)}
			scales := []float64{x.Psi, x.TimeScale, x.LatencyScale}
			row = each.Append(row, scales, func(v float64) string { return optional(v, threeDecimals) })
			t.Rows = append(t.Rows, append(row, x.range95()))
			t.Remarks = append(t.Remarks, page.Remark{Text: cmp.Or(x.Reason, x.How), Failed: x.Reason != ""})
		}
		if i := slices.IndexFunc(s.Steps, func(x Step) bool { return x.Interval != nil }); i >= 0 {
			of := "W/W'"
			switch x := &s.Steps[i]; {
			case x.Psi > 0:
				of = "psi"
			case x.TimeScale > 0:
				of = "the time scale"
			}
			t.Caption += " 95 %: interval of " + of + ", if times are drawn again from the spread of the runs, and points from how far trend lines miss them."
		}
		tables = append(tables, t.Compact())
	}
	return tables
}

// optional writes a quantity that may be missing.
func optional(v float64, format func(float64) string) string {
	if v == 0 {
		return input.None
	}
	return format(v)
}

// fitTable lists the fitted laws.
func (r *Result) fitTable() page.Table {
	t := page.NewTable("Fitted laws", 2, "law", "of", "#points", "#f", "#95 %", "#deviation", "#limit 1/f")
	t.Caption = "Serial fraction f by least squares of relative errors: of the times for Amdahl, of the speeds for " +
		"Gustafson, those on one process included. 95 %: interval of f, if they differ from the law by chance. " +
		"Deviation: root mean square of these errors."
	for i := range r.Fits {
		f := &r.Fits[i]
		law := input.Capitalized(f.Law) // laws are called by their authors' names
		deviation := input.None
		if f.RMS != nil {
			deviation = fmt.Sprintf("%.2g %%", 100**f.RMS)
		}
		t.Rows = append(t.Rows, []string{law, cmp.Or(r.fitName(f), "all"), fmt.Sprint(f.Points), fourDigits(f.SerialFraction),
			cmp.Or(strings.TrimPrefix(f.range95(), "95 %: "), input.None), deviation, optional(f.Limit, fourDigits)})
	}
	return t.Compact()
}

// modelTable lists the best model of each system and size, with its predictions.
func (r *Result) modelTable() page.Table {
	t := page.NewTable("Performance models", 1, "of", "law", "#error", "#p", "#"+r.sizeTitle(), "#T", "#interval")
	t.RemarkTitle = "model"
	size := ""
	if slices.ContainsFunc(r.Models, func(p laws.Performance) bool { return p.Grows() }) {
		size = " and size q = " + r.sizeTitle()
	}
	t.Caption = "Time T in s over p processes" + size + ", the law with the smallest error of cross-validation: the mean error (SMAPE) of " +
		"predicting each point from the others. Interval: 95 %, for the mean of as many further runs. *: beyond the measured range, by the form that best predicts " +
		"the largest numbers of processes from the smaller ones; no row where that form does not reach."
	add := func(remark string, cells ...string) {
		for len(cells) < len(t.Columns) {
			cells = append(cells, input.None)
		}
		t.Rows = append(t.Rows, cells)
		t.Remarks = append(t.Remarks, page.Remark{Text: remark})
	}
	for i := range r.Models {
		p := &r.Models[i]
		name := cmp.Or(r.modelName(p.System, p.N), "all")
		if p.Grows() {
			name = strings.TrimPrefix(p.System+", all sizes", ", ")
		}
		if len(p.Models) == 0 {
			add(name+": no law holds: "+strings.Join(p.Warnings, "; ")+".", name, "none")
			continue
		}
		best := p.Models[0]
		head := []string{name, best.Model, fmt.Sprintf("%.2g %%", best.CrossSMAPE)}
		remark := strings.TrimSpace(name + ": T = " + best.Formula + ". " + p.Beyond)
		for _, x := range p.Predictions {
			mark := ""
			if x.Extrapolates {
				mark = "*"
			}
			interval := timeText(x.Interval[0]) + " to " + timeText(x.Interval[1])
			add(remark, append(slices.Clone(head),
				fmt.Sprintf("%g", x.Processes), optional(x.N, r.bareSize), timeText(x.Time)+mark, interval)...)
			head = []string{"", "", ""}
		}
		if len(p.Predictions) == 0 {
			add(remark, head...)
		}
	}
	return t.Compact()
}

const sureOf = " 95 %: interval of the power in messages, if energies differ from these powers by chance."

// energyTable returns the fitted powers with measured and fitted energies.
func (r *Result) energyTable() page.Table {
	t := page.NewTable("Energy by two powers of a process", 2,
		"of", "#p", "#computing", "#in messages", "#95 %", "#measured", "#two powers", "#error", "#constant")
	t.Caption = "One power while it computes, one in messages, fitted by least squares of relative errors. The runs " +
		"on the fewest processes are assumed to compute all the time, and work to be divided evenly. Constant: the " +
		"error if every process drew at all times what it draws there."
	for i := range r.Energies {
		f := &r.Energies[i]
		sure := input.None
		if x := f.WaitInterval; x != nil {
			t.Caption = strings.TrimSuffix(t.Caption, sureOf) + sureOf
			sure = fmt.Sprintf("%.3g to %.3g W", x[0], x[1])
		}
		for _, x := range f.Points {
			off := func(of float64) string {
				return optional(x.Energy, func(e float64) string { return fmt.Sprintf("%+.1f %%", 100*(of/e-1)) })
			}
			short := func(e float64) string { return energy.Joules(e).Short() }
			t.Rows = append(t.Rows, []string{cmp.Or(r.modelName(f.System, f.N), "all"), fmt.Sprint(x.Processes), fourDigits(f.Load) + " W", fourDigits(f.Wait) + " W", sure,
				optional(x.Energy, short), short(x.Fitted), off(x.Fitted), off(x.Constant)})
		}
	}
	return t.Compact()
}
