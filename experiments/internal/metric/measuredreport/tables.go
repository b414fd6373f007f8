package measuredreport

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/measured"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
)

// PointTable has every point with the metrics that have a value there.
func (r Answer) PointTable() page.Table {
	metrics := measured.PointMetrics()
	t := page.NewTable("Points", 3)
	t.Text("system")
	t.Number("p", r.sizeTitle(), "runs", "time", "spread", "rf")
	for _, m := range metrics {
		t.Number(m.Symbol)
	}
	t.Number("cost")
	repeated := false
	row := func(s *measured.System, processes string, p *measured.Point) {
		repeated = repeated || p.Runs > 1
		size, spread := input.None, input.None
		if p.Size > 0 {
			size = strings.TrimPrefix(r.SizeName(p.Size), "n = ")
		}
		if p.Runs > 1 {
			spread = fmt.Sprintf("%.1f %%", 100*p.Spread())
		}
		cells := []string{s.System, processes, size, fmt.Sprint(p.Runs), units.Seconds(p.Time).String(), spread,
			input.Optional(s.ReferenceFactor, "%.3f")}
		for _, m := range metrics {
			cells = append(cells, optional(p.Value(m.Name), m.Format))
		}
		t.Rows = append(t.Rows, append(cells, input.Optional(p.Cost, "%.4g")))
	}
	for i := range r.Baselines {
		row(&measured.System{System: r.Baselines[i].System}, "seq", &r.Baselines[i])
	}
	for s, p := range r.Points() {
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
func legend(columns []report.Column, metrics []*measured.Metric) string {
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
func (r Answer) sizeTitle() string {
	if r.HasN {
		return "n"
	}
	return "W"
}

// scalingTables has a table for each metric that holds something.
func (r Answer) scalingTables() []page.Table {
	size := func(v *float64) string {
		return optional(v, func(v float64) string {
			if r.HasN {
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
		for _, x := range s.Steps {
			t.Rows = append(t.Rows, []string{x.From, x.To, optional(x.Held, s.Format), size(x.SizeFrom), size(x.SizeTo),
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
