package command

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/measured"
	"github.com/isoscale/isoscale/experiments/internal/metric/measurements"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

func newMetrics() *cobra.Command {
	o := measured.DefaultOptions()
	var (
		asked                     answerFlags
		baseline, average, target string
	)
	cmd := newCommand("metrics", exactArgs(1, "one CSV file"), func(cmd *cobra.Command, args []string) error {
		files, err := asked.Outputs(cmd, args)
		if err != nil {
			return err
		}
		if cmd.Flags().Changed("efficiency") && !(o.Efficiency > 0) {
			return input.Errorf("--efficiency %g; expected an efficiency above 0", o.Efficiency)
		}
		o.Average, o.Baseline = measured.Average(average), measured.Baseline(baseline)
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
		return emit(files, r, asked, printMetrics)
	})
	f := cmd.Flags()
	asked.AddTo(cmd)
	f.Float64Var(&o.Efficiency, "efficiency", 0,
		"compare systems at efficiency `E` (default the middle of the range measured on all systems)")
	f.Float64Var(&o.Tolerance, "tolerance", o.Tolerance,
		"treat efficiencies with a relative difference up to `X` as equal where there is no trend line")
	f.IntVar(&o.Degree, "degree", o.Degree,
		"fit trend lines of degree `N` over problem size, lower where there are too few sizes")
	addChoice(cmd, &average, "average", "", "combine repeated runs of a point by `METHOD`: WORDS",
		string(measured.AverageMean), string(measured.AverageMedian), string(measured.AverageMin))
	addChoice(cmd, &baseline, "baseline", "", "relate speed-ups to `WHICH`: WORDS; smallest: the smallest number of "+
		"processes, for sizes without a time on one", string(measured.BaselineOne), string(measured.BaselineSmallest))
	f.StringVar(&target, "response-target", "",
		"set the response time that halves the value to `TIME`, as in 10min, for productivity")
	return cmd
}

const (
	// pointsInText is how many rows of a table the text lists.
	pointsInText = 60
	// nameInText is how many characters of a text in a table are shown.
	nameInText = 24
)

func printMetrics(p *printer, r *measured.Result) {
	p.Title(r.Headline())
	points := r.PointTable()
	printTable(p, points)
	p.Wrapped("", points.Caption)
	for _, t := range r.Tables() {
		p.Section(t.Title + ". " + t.Caption)
		printTable(p, t)
	}
	var missing []measured.Summary
	p.Section("What the metrics say here:")
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
		p.Section("Not computed:")
	}
	for _, m := range measured.Missing(missing) {
		p.Wrapped("  ", strings.Join(m.Titles, "; "))
		p.Wrapped("    ", "needs "+m.Needs)
	}
	p.List("note: ", r.Notes)
	p.Warnings(r.Warnings)
}

// printTable prints a table. Columns that do not fit beside the keys follow in
// further tables with the same keys, and remarks below.
func printTable(p *printer, t page.Table) {
	rows := t.Rows[:min(len(t.Rows), pointsInText)]
	cells := make([][]string, len(rows)+1) // with the head
	widths, align := make([]int, len(t.Columns)), ""
	for c, column := range t.Columns {
		for i := range cells {
			text := column.Title
			switch {
			case i > 0:
				text = rows[i-1][c]
			case column.Unit != "":
				text += " [" + column.Unit + "]"
			}
			cells[i] = append(cells[i], shortened(text))
			widths[c] = max(widths[c], utf8.RuneCountInString(cells[i][c]))
		}
		align += map[bool]string{true: "r", false: "."}[column.Numeric]
	}
	for first := t.Keys; first < len(t.Columns); {
		if first > t.Keys {
			p.Line("")
		}
		width := each.Sum(widths[:t.Keys], func(w int) int { return w + 2 }) - 2
		end := first // of the columns that fit, one at least
		for ; end < len(widths) && (end == first || width+widths[end]+2 <= textWidth); end++ {
			width += widths[end] + 2
		}
		shown := make([][]string, len(cells))
		for i, row := range cells {
			shown[i] = slices.Concat(row[:t.Keys], row[first:end])
		}
		p.Table(shown, align[:t.Keys]+align[first:end])
		first = end
	}
	printRemarks(p, t, rows)
	if more := len(t.Rows) - len(rows); more > 0 {
		p.Line("%d more rows: see --json or --report", more)
	}
}

func shortened(text string) string {
	if utf8.RuneCountInString(text) > nameInText {
		text = string([]rune(text)[:nameInText-1]) + "…"
	}
	return text
}

// printRemarks prints the remarks of the rows that are shown: those on failures with
// their row, the others once for neighbours that share one.
func printRemarks(p *printer, t page.Table, rows [][]string) {
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
