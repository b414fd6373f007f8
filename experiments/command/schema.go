package command

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/catalogue"
)

func newSchema() *cobra.Command {
	cmd := newCommand("schema", atMostOneArg("kind of file"), func(cmd *cobra.Command, args []string) error {
		s, err := catalogue.Schema(strings.Join(args, ""))
		if err != nil {
			return err
		}
		return printJSON(cmd.OutOrStdout(), s)
	})
	cmd.ValidArgs = catalogue.SchemaNames()
	return cmd
}
