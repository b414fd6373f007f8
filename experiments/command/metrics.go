package command

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/command/internal/answer"
	"github.com/isoscale/isoscale/experiments/command/internal/flags"
	"github.com/isoscale/isoscale/experiments/command/internal/terminal"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/measured"
	"github.com/isoscale/isoscale/experiments/internal/metric/measurements"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/model/units"
)

func newMetrics() *cobra.Command {
	o := measured.DefaultOptions()
	var (
		asked    answer.Flags
		baseline = flags.OneOf(string(measured.BaselineOne), string(measured.BaselineSmallest))
		average  = flags.OneOf(string(measured.AverageMean), string(measured.AverageMedian), string(measured.AverageMin))
		target   string
	)
	cmd := &cobra.Command{
		Use:   "metrics FILE.csv",
		Short: "Compute all scalability metrics of measured times",
		Long: `
Read measured times from a CSV file and compute every scalability metric for
which the file has the data: speedup, efficiency, Karp-Flatt, achieved speed and
speed-efficiency, heterogeneous and extended efficiency, isospeed-efficiency and
related metrics between systems, Amdahl's and Gustafson's laws, productivity.
Performance models over processes, and over processes and size, are chosen by
cross-validation, with what they predict on more processes.
The other metrics are listed with the columns that they need.

The columns processes and time are required. The header has the units: time [s],
or time [hh:mm:ss] for the times of sacct. Optional columns are system, n, work
[flop], marked_speed or marked_speed_per_process [Gflop/s], power [Gflop/s],
reference_time [s], cost [EUR] of a run or [EUR/h] of the system, energy [kWh],
repetition, and sequential (yes or no). Rows of the same point are averaged. For all columns and
rules see docs/formats/measurements.md.`,
		Example: `  isoscale metrics examples/measured-times.csv
  isoscale metrics examples/measured-times.csv --report times.html
  isoscale metrics examples/measured-clusters.csv --baseline smallest
  isoscale metrics examples/measured-times.csv --efficiency 0.7 --average min
  isoscale metrics examples/measured-clusters.csv --json`,
		Args: flags.ExactArgs(1, "one CSV file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := asked.Outputs(cmd, args)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("efficiency") && !(o.Efficiency > 0) {
				return input.Errorf("--efficiency %g; expected an efficiency above 0", o.Efficiency)
			}
			o.Average, o.Baseline = measured.Average(average.String()), measured.Baseline(baseline.String())
			if target != "" {
				t, err := units.Time.Parse(target)
				if err == nil && !(t > 0) {
					err = fmt.Errorf("%v is not above 0; expected a time such as 10 min", t)
				}
				if err != nil {
					return input.Errorf("--response-target: %v", err)
				}
				o.ResponseTarget = t
			}
			m, err := measurements.Read(args[0])
			if err != nil {
				return err
			}
			r, err := measured.Compute(m, o)
			if err != nil {
				return err
			}
			return answer.Emit(files, r, asked, printMetrics)
		},
	}
	f := cmd.Flags()
	asked.AddTo(cmd)
	f.Float64Var(&o.Efficiency, "efficiency", 0, "compare systems at efficiency `E` (default the middle of the range measured on all systems)")
	f.Float64Var(&o.Tolerance, "tolerance", o.Tolerance, "treat efficiencies with a relative difference up to `X` as equal where there is no trend line")
	f.IntVar(&o.Degree, "degree", o.Degree, "fit trend lines of degree `N` over problem size, lower where there are too few sizes")
	f.Var(&average, "average", "combine repeated runs of a point by `METHOD`: "+average.List())
	f.Var(&baseline, "baseline", "relate speed-ups to `WHICH`: "+baseline.List()+"; smallest takes the smallest number of processes of a size that has no time on one")
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
	p := &terminal.Printer{W: w}
	p.Wrapped("", r.Headline())
	p.Line("")
	points := r.PointTable()
	printMetricsTable(p, points)
	p.Wrapped("", points.Caption)
	for _, t := range r.Tables() {
		p.Line("")
		p.Wrapped("", t.Title+". "+t.Caption)
		printMetricsTable(p, t)
	}
	var missing []measured.Summary
	p.Line("")
	p.Line("What the metrics say here:")
	for _, m := range r.Metrics {
		if !m.Computed {
			missing = append(missing, m)
			continue
		}
		p.Line("")
		p.Wrapped("  ", m.Title)
		p.Wrapped("    ", m.Says)
		p.Wrapped("    ", "misleads when "+m.Misleads)
	}
	if len(missing) > 0 {
		p.Line("")
		p.Line("Not computed:")
	}
	for _, m := range measured.Missing(missing) {
		p.Wrapped("  ", strings.Join(m.Titles, "; "))
		p.Wrapped("    ", "needs "+m.Needs)
	}
	if len(r.Notes) > 0 {
		p.Line("")
	}
	for _, note := range r.Notes {
		p.Wrapped("note: ", note)
	}
	p.Warnings(r.Warnings)
	p.File(report)
	return p.Err
}

// printMetricsTable prints a table. Columns that do not fit beside the keys follow in
// further tables with the same keys, and remarks below.
func printMetricsTable(p *terminal.Printer, t page.Table) {
	more := max(0, len(t.Rows)-pointsInText)
	rows := t.Rows[:len(t.Rows)-more]
	columns := make([]textColumn, len(t.Columns))
	for c := range columns {
		columns[c] = newTextColumn(t, rows, c)
	}
	keys, others := columns[:t.Keys], columns[t.Keys:]
	for first := true; len(others) > 0; first = false {
		if !first {
			p.Line("")
		}
		n := fitting(keys, others)
		printColumns(p, append(slices.Clone(keys), others[:n]...))
		others = others[n:]
	}
	printRemarks(p, t, rows)
	if more > 0 {
		p.Line("%d more rows: see --json or --report", more)
	}
}

// A textColumn is a column of a table with its head.
type textColumn struct {
	cells   []string
	width   int
	numeric bool
}

func newTextColumn(t page.Table, rows [][]string, c int) textColumn {
	x := textColumn{numeric: t.Columns[c].Numeric}
	add := func(text string) {
		text = shortened(text)
		x.cells = append(x.cells, text)
		x.width = max(x.width, utf8.RuneCountInString(text))
	}
	add(t.Columns[c].Title)
	for _, row := range rows {
		add(row[c])
	}
	return x
}

// shortened returns a text as it is shown in a table.
func shortened(text string) string {
	if utf8.RuneCountInString(text) > nameInText {
		text = string([]rune(text)[:nameInText-1]) + "…"
	}
	return text
}

// fitting is how many of the other columns fit on a line beside the keys, one at least.
func fitting(keys, others []textColumn) int {
	total := -2
	for _, c := range keys {
		total += c.width + 2
	}
	for n, c := range others {
		if total += c.width + 2; total > terminal.Width && n > 0 {
			return n
		}
	}
	return len(others)
}

// printColumns prints columns side by side.
func printColumns(p *terminal.Printer, columns []textColumn) {
	var align strings.Builder
	rows := make([][]string, len(columns[0].cells))
	for _, c := range columns {
		if c.numeric {
			align.WriteByte('r')
		} else {
			align.WriteByte('.')
		}
		for i, cell := range c.cells {
			rows[i] = append(rows[i], cell)
		}
	}
	p.Table(rows, align.String())
}

// printRemarks prints the remarks of the rows that are shown: those on failures with
// their row, the others once for neighbours that share one.
func printRemarks(p *terminal.Printer, t page.Table, rows [][]string) {
	var last page.Remark
	for i := range min(len(rows), len(t.Remarks)) {
		remark := t.Remarks[i]
		switch {
		case remark.Failed:
			p.Wrapped("  ", fmt.Sprintf("%s to %s: %v", rows[i][0], rows[i][1], remark))
		case remark != last:
			p.Wrapped("  ", remark.String())
		}
		last = remark
	}
}
