package command

import (
	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/command/internal/flags"
	"github.com/isoscale/isoscale/experiments/command/internal/terminal"
	"github.com/isoscale/isoscale/experiments/internal/catalogue"
)

func newSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [KIND]",
		Short: "Print the JSON Schema of a kind of file, for editors",
		Long: `
Print the JSON Schema (draft 2020-12) of a kind of file: scenario, study, machine,
super-program, sweep or plan. Without a kind, print a schema for files of any kind.
Editors that support JSON Schema use it to complete keys and to mark errors. A
schema accepts every file that isoscale accepts. It does not express everything
that isoscale checks, such as names that are defined elsewhere in the file: use
'isoscale validate' for a full check.`,
		Example: `  isoscale schema scenario
  isoscale schema`,
		ValidArgs: catalogue.SchemaNames(),
		Args:      flags.AtMostOneArg("kind of file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := ""
			if len(args) == 1 {
				name = args[0]
			}
			s, err := catalogue.Schema(name)
			if err != nil {
				return err
			}
			return terminal.PrintJSON(cmd.OutOrStdout(), s)
		},
	}
}
