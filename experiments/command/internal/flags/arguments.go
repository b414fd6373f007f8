package flags

import (
	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// AtMostOneArg demands no more than one argument and says what it is.
func AtMostOneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= 1 {
			return nil
		}
		return ExactArgs(1, "at most one "+what)(cmd, args)
	}
}

// ExactArgs demands n arguments and says what they are.
func ExactArgs(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return input.Errorf("%[1]s takes %[2]s, got %[3]d arguments\nRun '%[1]s --help' for examples.", cmd.CommandPath(), what, len(args))
	}
}
