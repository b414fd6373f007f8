package command

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/catalogue"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

func newValidate() *cobra.Command {
	var (
		overrides []input.Override
		asJSON    bool
	)
	cmd := newCommand("validate", func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return exactArgs(1, "at least one file")(cmd, args)
		}
		return nil
	}, func(cmd *cobra.Command, args []string) error {
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
			return printJSON(cmd.OutOrStdout(), good)
		}
		p := &printer{W: cmd.OutOrStdout()}
		if !asJSON {
			for _, v := range good {
				p.Line("%s", v)
				for _, warning := range v.Warnings {
					p.Wrapped("  warning: ", warning)
				}
			}
		}
		return errors.Join(append(bad, p.Err)...)
	})
	addOverrides(cmd, &overrides, "workload.n=800")
	addJSON(cmd, &asJSON)
	return cmd
}
