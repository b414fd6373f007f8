package command

import (
	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/catalogue"
)

func newSchema() *cobra.Command {
	cmd := newCommand("schema", atMostOneArg("kind of file"), func(cmd *cobra.Command, args []string) error {
		name := ""
		if len(args) == 1 {
			name = args[0]
		}
		s, err := catalogue.Schema(name)
		if err != nil {
			return err
		}
		return printJSON(cmd.OutOrStdout(), s)
	})
	cmd.ValidArgs = catalogue.SchemaNames()
	return cmd
}
