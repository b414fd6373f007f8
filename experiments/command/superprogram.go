package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/system"
	"github.com/isoscale/isoscale/model/units"
)

// runSuperProgram computes a super-program. It has no ranks, so of the flags of
// run only --json and --set apply.
func runSuperProgram(cmd *cobra.Command, s *scenario.SuperProgram, overrides overrideFlag, asJSON, quiet bool) error {
	for _, name := range []string{"report", "ranks", "timeline", "critical-path", "links", "matrix", "fingerprint"} {
		if cmd.Flags().Changed(name) {
			return &usageError{fmt.Errorf("--%s: a super-program has levels and no ranks; expected a scenario with a machine, or only --set and --json; a sweep over its levels has charts", name), ""}
		}
	}
	bar := newProgress(cmd.ErrOrStderr(), quiet)
	r, err := system.RunSuperProgram(bar.watch(cmd.Context()), s, overrides)
	bar.end()
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(cmd.OutOrStdout(), r)
	}
	p := &printer{w: cmd.OutOrStdout()}
	p.line("%s", r.Headline())
	p.line("")
	p.facts([][2]string{
		{"time", units.Seconds(r.Time).String()},
		{"work", units.Seconds(r.Work).String() + " on one node"},
		{"nodes", fmt.Sprintf("%.0f", r.Nodes)},
		{"speedup", fmt.Sprintf("%.6g", r.Speedup)},
		{"log2(speedup)", fmt.Sprintf("%.6g", r.Log2Speedup)},
		{"efficiency", efficiency(r.Efficiency)},
	})
	p.warnings(r.Warnings)
	return p.err
}
