package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/measured"
	"github.com/isoscale/isoscale/model/units"
)

func newMetrics() *cobra.Command {
	o := measured.DefaultOptions()
	var (
		asJSON  bool
		report  string
		average = choice(string(measured.AverageMean), string(measured.AverageMedian), string(measured.AverageMin))
		target  string
	)
	cmd := &cobra.Command{
		Use:   "metrics FILE.csv",
		Short: "Compute all scalability metrics of measured times",
		Long: `
Read measured times from a CSV file and compute every scalability metric for
which the file has the data: speedup, efficiency, Karp-Flatt, achieved speed and
speed-efficiency, heterogeneous and extended efficiency, isospeed-efficiency and
related metrics between systems, Amdahl's and Gustafson's laws, productivity.
The other metrics are listed with the columns that they need.

The columns processes and time are required. The header has the units: time [s],
or time [hh:mm:ss] for the times of sacct. Optional columns are system, n, work
[flop], marked_speed or marked_speed_per_process [Gflop/s], power [Gflop/s],
reference_time [s], cost [EUR] of a run or [EUR/h] of the system, repetition, and
sequential (yes or no). Rows of the same point are averaged. For all columns and
rules see docs/formats/measurements.md.`,
		Example: `  isoscale metrics examples/measured-times.csv
  isoscale metrics examples/measured-times.csv --report times.html
  isoscale metrics examples/measured-times.csv --efficiency 0.7 --average min
  isoscale metrics examples/measured-clusters.csv --json`,
		Args: exactly(1, "one CSV file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := output(report).check(args...); err != nil {
				return err
			}
			if cmd.Flags().Changed("efficiency") && !(o.Efficiency > 0) {
				return &usageError{fmt.Errorf("--efficiency %g; expected an efficiency above 0", o.Efficiency), ""}
			}
			o.Average = measured.Average(average.value)
			if target != "" {
				t, err := units.ParseSeconds(target)
				if err == nil && !(t > 0) {
					err = fmt.Errorf("%v is not above 0; expected a time such as 10 min", t)
				}
				if err != nil {
					return &usageError{fmt.Errorf("--response-target: %w", err), ""}
				}
				o.ResponseTarget = t
			}
			m, err := measured.Read(args[0])
			if err != nil {
				return err
			}
			r, err := measured.Compute(m, o)
			if err != nil {
				return err
			}
			return emit(cmd, r, report, asJSON, printMetrics)
		},
	}
	f := cmd.Flags()
	addJSON(cmd, &asJSON)
	addReport(cmd, &report)
	f.Float64Var(&o.Efficiency, "efficiency", 0, "compare systems at efficiency `E` (default the middle of the range measured on all systems)")
	f.Float64Var(&o.Tolerance, "tolerance", o.Tolerance, "treat efficiencies with a relative difference up to `X` as equal where there is no trend line")
	f.IntVar(&o.Degree, "degree", o.Degree, "fit trend lines of degree `N` over problem size, lower where there are too few sizes")
	f.Var(&average, "average", "combine repeated runs of a point by `METHOD`: "+average.list())
	f.StringVar(&target, "response-target", "", "set the response time with half the value to `TIME`, as in 10min, for productivity")
	return cmd
}

const (
	// pointsInText is how many rows of a table the text lists.
	pointsInText = 60
	// nameInText is how many characters of a text in a table are shown.
	nameInText = 24
)

func printMetrics(w io.Writer, r *measured.Result, report string) error {
	p := &printer{w: w}
	p.wrapped("", r.Headline())
	p.line("")
	points := r.PointTable()
	p.metricsTable(points, false)
	p.wrapped("", points.Caption)
	for _, t := range r.ScalingTables() {
		p.line("")
		p.wrapped("", t.Title+". "+t.Caption)
		p.metricsTable(t, true)
	}
	if len(r.Fits) > 0 {
		p.line("")
		t := r.FitTable()
		p.wrapped("", t.Title+". "+t.Caption)
		p.metricsTable(t, false)
	}
	p.line("")
	p.line("What the metrics say here, and when they mislead:")
	for _, m := range r.Metrics {
		if m.Computed {
			p.line("")
			p.wrapped("  ", m.Title)
			p.wrapped("    ", m.Says)
			p.wrapped("    beware: ", m.Misleads)
		}
	}
	first := true
	for _, m := range r.Metrics {
		if m.Computed {
			continue
		}
		if first {
			p.line("")
			p.line("Not computed:")
			first = false
		}
		p.wrapped("  ", m.Title)
		p.wrapped("    needs ", m.Needs)
	}
	if len(r.Notes) > 0 {
		p.line("")
	}
	for _, note := range r.Notes {
		p.wrapped("note: ", note)
	}
	p.warnings(r.Warnings)
	p.file(report)
	return p.err
}

// metricsTable prints a table. Columns that do not fit beside the keys follow in
// further tables with the same keys. With remarks, the last column is printed only
// where it says that there is no result, below the table.
func (p *printer) metricsTable(t measured.Table, remarks bool) {
	rows, more := t.Rows, 0
	if len(rows) > pointsInText {
		rows, more = rows[:pointsInText], len(rows)-pointsInText
	}
	columns := len(t.Columns)
	if remarks {
		columns--
	}
	cell := func(row []string, c int) string {
		text := row[c]
		if utf8.RuneCountInString(text) > nameInText {
			text = string([]rune(text)[:nameInText-1]) + "…"
		}
		return text
	}
	widths := make([]int, columns)
	for c := range columns {
		widths[c] = utf8.RuneCountInString(t.Columns[c].Title)
		for _, row := range rows {
			widths[c] = max(widths[c], utf8.RuneCountInString(cell(row, c)))
		}
	}
	keys := 0
	for c := range t.Keys {
		keys += widths[c] + 2
	}
	for c := t.Keys; c < columns; {
		end, total := c, keys-2
		for end < columns && (end == c || total+2+widths[end] <= width) {
			total += 2 + widths[end]
			end++
		}
		if c > t.Keys {
			p.line("")
		}
		shown := make([]int, 0, columns)
		for k := range t.Keys {
			shown = append(shown, k)
		}
		for ; c < end; c++ {
			shown = append(shown, c)
		}
		var align strings.Builder
		table := make([][]string, 1+len(rows))
		for _, k := range shown {
			if t.Columns[k].Numeric {
				align.WriteByte('r')
			} else {
				align.WriteByte('.')
			}
			table[0] = append(table[0], t.Columns[k].Title)
			for i, row := range rows {
				table[1+i] = append(table[1+i], cell(row, k))
			}
		}
		p.table(table, align.String())
	}
	if remarks {
		said := ""
		for _, row := range rows {
			if how := row[columns]; how != said {
				said = how
				if strings.HasPrefix(how, "none: ") {
					how = row[0] + " to " + row[1] + ": " + how
				}
				p.wrapped("  ", how)
			}
		}
	}
	if more > 0 {
		p.line("%d more rows: see --json or --report", more)
	}
}
