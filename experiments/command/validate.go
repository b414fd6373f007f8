package command

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/command/internal/flags"
	"github.com/isoscale/isoscale/experiments/command/internal/terminal"
	"github.com/isoscale/isoscale/experiments/internal/catalogue"
)

func newValidate() *cobra.Command {
	var (
		overrides flags.Overrides
		asJSON    bool
	)
	cmd := &cobra.Command{
		Use:   "validate FILE...",
		Short: "Check files of any kind without running them",
		Long: `
Check files without running them: scenarios, studies, machines, sweep plans,
purchase plans and lessons (YAML), SimGrid platforms (XML), GOAL schedules,
time-independent traces and measured times (CSV). The kind of a file is recognised by its first
line with content, or else by the extension of its name.`,
		Example: `  isoscale validate examples/*.yaml
  isoscale validate examples/cluster.xml examples/ring.ti examples/ring.goal
  isoscale validate my-machine.yaml --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return flags.ExactArgs(1, "at least one file")(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var good []catalogue.Validation
			var bad []error
			for _, path := range args {
				v, err := catalogue.Validate(cmd.Context(), path, overrides)
				if err != nil {
					bad = append(bad, err)
					continue
				}
				good = append(good, v)
			}
			if asJSON && len(bad) == 0 {
				return terminal.PrintJSON(cmd.OutOrStdout(), good)
			}
			p := &terminal.Printer{W: cmd.OutOrStdout()}
			if !asJSON {
				for _, v := range good {
					p.Line("%s", v)
				}
			}
			return errors.Join(append(bad, p.Err)...)
		},
	}
	overrides.AddTo(cmd, "workload.n=800")
	flags.AddJSON(cmd, &asJSON)
	return cmd
}
