package main

import (
	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/catalogue"
)

func newSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [KIND]",
		Short: "Print the JSON Schema of a kind of file, for editors",
		Long: `Print the JSON Schema (draft 2020-12) of a kind of file: scenario, study, machine,
super-program, sweep or plan. Without a kind, print a schema of files of any kind.
Editors that know JSON Schema complete keys and mark mistakes with it. A schema
accepts every file that isoscale accepts. It cannot express all that isoscale
checks, such as names that another part of the file defines: 'isoscale validate'
does.`,
		Example: `  isoscale schema scenario > scenario.schema.json
  isoscale schema > isoscale.schema.json`,
		ValidArgs: catalogue.SchemaNames(),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return exactly(1, "at most one kind of file")(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			name := ""
			if len(args) == 1 {
				name = args[0]
			}
			s, err := catalogue.Schema(name)
			if err != nil {
				return err
			}
			return printJSON(cmd.OutOrStdout(), s)
		},
	}
}
