package runs

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/command/internal/answer"
	"github.com/isoscale/isoscale/experiments/command/internal/flags"
	"github.com/isoscale/isoscale/experiments/command/internal/terminal"
	"github.com/isoscale/isoscale/experiments/internal/answer/run"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/output"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/model/units"
)

// sharesInText are the columns of the table of levels that fit in the text.
const sharesInText = 7

// runSuperProgram computes a super-program. It has no ranks, so of the flags of
// run only --json, --report and --set apply.
func runSuperProgram(cmd *cobra.Command, s *scenario.SuperProgram, overrides flags.Overrides, files *output.Files, asked answer.Flags) error {
	for _, name := range []string{"ranks", "timeline", "critical-path", "links", "matrix", "fingerprint"} {
		if cmd.Flags().Changed(name) {
			return input.Errorf("--%s: a super-program has levels and no ranks; expected a scenario with a machine, or only --set, --json and --report", name)
		}
	}
	if err := files.Check(input.Files(s.Inputs)...); err != nil {
		return err
	}
	return answer.EmitLong(cmd, files, asked, func(ctx context.Context, _ input.Progress) (*run.SuperResult, error) {
		return run.SuperProgram(ctx, s, overrides)
	}, printSuperProgram)
}

func printSuperProgram(w io.Writer, r *run.SuperResult, report string) error {
	p := &terminal.Printer{W: w}
	p.Wrapped("", r.Headline())
	p.Line("")
	p.Facts([][2]string{
		{"time", units.Seconds(r.Time).String()},
		{"work", units.Seconds(r.Work).String() + " on one node"},
		{"nodes", fmt.Sprintf("%.0f", r.Nodes)},
		{"speedup", fmt.Sprintf("%.6g", r.Speedup)},
		{"log2(speedup)", fmt.Sprintf("%.6g", r.Log2Speedup)},
		{"efficiency", efficiency(r.Efficiency)},
	})
	p.Line("")
	p.Wrapped("", r.Why())
	p.Line("Shares of the time of all processors, busy and lost to the rest:")
	p.Line("")
	titles, rows := r.LevelTable()
	table := [][]string{titles[:sharesInText]}
	for _, row := range rows {
		table = append(table, row[:sharesInText])
	}
	p.Table(table, strings.Repeat("r", sharesInText))
	p.Warnings(r.Warnings)
	p.File(report)
	return p.Err
}
