package measured

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
)

// PointTable has every point with the metrics that have a value there.
func (r *Result) PointTable() page.Table {
	metrics := pointMetrics()
	t := page.NewTable("Points", 3)
	t.Text("system")
	t.Number("p", r.sizeTitle(), "runs", "time", "spread", "rf")
	for _, m := range metrics {
		t.Number(m.Symbol)
	}
	t.Number("cost")
	repeated := false
	row := func(s *System, processes string, p *Point) {
		repeated = repeated || p.Runs > 1
		size, spread := input.None, input.None
		if p.size > 0 {
			size = strings.TrimPrefix(r.sizeName(p.size), "n = ")
		}
		if p.Runs > 1 {
			spread = fmt.Sprintf("%.1f %%", 100*p.spread())
		}
		cells := []string{s.System, processes, size, fmt.Sprint(p.Runs), units.Seconds(p.Time).String(), spread,
			input.Optional(s.ReferenceFactor, "%.3f")}
		for _, m := range metrics {
			cells = append(cells, optional(p.Value(m.Name), m.times.point.format))
		}
		t.Rows = append(t.Rows, append(cells, input.Optional(p.Cost, "%.4g")))
	}
	for i := range r.Baselines {
		row(&System{System: r.Baselines[i].System}, "seq", &r.Baselines[i])
	}
	for s, p := range r.points() {
		row(s, fmt.Sprint(s.Processes), p)
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

// legend explains the columns that are symbols.
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

// sizeTitle is the head of a column of sizes.
func (r *Result) sizeTitle() string {
	if r.hasN {
		return "n"
	}
	return "W"
}

// ScalingTables has a table for each metric that holds something.
func (r *Result) ScalingTables() []page.Table {
	size := func(v *float64) string {
		return optional(v, func(v float64) string {
			if r.hasN {
				return fmt.Sprintf("%.5g", v)
			}
			return units.Flops(v).String()
		})
	}
	var tables []page.Table
	for _, s := range r.Scaling {
		t := page.NewTable(s.Title, 2)
		t.Caption = "Held on both systems: " + s.Holds + "."
		t.Text("from", "to")
		t.Number("held", r.sizeTitle(), r.sizeTitle()+"'", "W'/W", "T'/T", "psi", "time scale", "latency scale")
		format := fourDigits
		if s.hold != nil {
			format = s.hold.format
		}
		for _, x := range s.Steps {
			t.Rows = append(t.Rows, []string{x.From, x.To, optional(x.Held, format), size(x.SizeFrom), size(x.SizeTo),
				quotient(x.WorkTo, x.WorkFrom), quotient(x.TimeTo, x.TimeFrom),
				input.Optional(x.Psi, "%.3f"), input.Optional(x.TimeScale, "%.3f"), input.Optional(x.LatencyScale, "%.3f")})
			if x.Reason != "" {
				t.Remarks = append(t.Remarks, page.Remark{Text: x.Reason, Failed: true})
			} else {
				t.Remarks = append(t.Remarks, page.Remark{Text: x.How})
			}
		}
		tables = append(tables, t.Compact())
	}
	return tables
}

func quotient(a, b *float64) string {
	if a == nil || b == nil {
		return input.None
	}
	return fmt.Sprintf("%.3g", *a / *b)
}

// optional writes a value that may be missing.
func optional(v *float64, format func(float64) string) string {
	if v == nil {
		return input.None
	}
	return format(*v)
}

func timeText(seconds float64) string { return input.Rounded(seconds).String() }

// speedText writes a speed with four digits, if it has a size that suits them.
func speedText(v float64) string {
	if math.Abs(v) >= 1e-3 && v < 1e21 {
		scale := math.Pow(10, 3-math.Floor(math.Log10(v)))
		v = math.Round(v*scale) / scale
	}
	return units.FlopsPerSecond(v).String()
}

// FitTable has the fitted laws.
func (r *Result) FitTable() page.Table {
	t := page.NewTable("Fitted laws", 2)
	t.Caption = "Serial fraction f by least squares of relative errors: of the times for Amdahl, of the speeds for Gustafson, those on one process included. Deviation: root mean square of these errors."
	t.Text("law", "of")
	t.Number("points", "f", "deviation", "limit 1/f")
	for i := range r.Fits {
		f := &r.Fits[i]
		law := map[string]string{"amdahl": "Amdahl", "gustafson": "Gustafson"}[f.Law]
		of := cmp.Or(r.fitName(f), "all")
		deviation := input.None
		if f.RMS != nil {
			deviation = fmt.Sprintf("%.2g %%", 100**f.RMS)
		}
		t.Rows = append(t.Rows, []string{law, of, fmt.Sprint(f.Points), fmt.Sprintf("%.4g", f.SerialFraction), deviation, input.Optional(f.Limit, "%.4g")})
	}
	return t.Compact()
}
