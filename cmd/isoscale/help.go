package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// newHelp returns the command help, which shows what --help shows.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:    "help [COMMAND]",
		Short:  "Show the help of a command",
		Hidden: true, // every page of help says how to get more
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, c := range cmd.Root().Commands() {
				if len(args) == 0 && c.IsAvailableCommand() {
					names = append(names, c.Name())
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				err := fmt.Errorf("unknown command %q", strings.Join(args, " "))
				if near := cmd.Root().SuggestionsFor(args[0]); len(near) > 0 {
					err = fmt.Errorf("%w; did you mean %s?", err, strings.Join(near, " or "))
				}
				return &usageError{err, "Run 'isoscale help' for the commands."}
			}
			about.InitDefaultHelpFlag() // as if it had been executed
			about.InitDefaultVersionFlag()
			return about.Help()
		},
	}
}
