package command

import (
	"embed"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// helpPages has a page for each command: how it is used, what it does in a line and in full, and
// examples.
//
//go:embed help
var helpPages embed.FS

// newCommand returns the command of a page of help.
func newCommand(page string, args cobra.PositionalArgs, run func(*cobra.Command, []string) error) *cobra.Command {
	text, err := helpPages.ReadFile("help/" + page + ".txt")
	if err != nil {
		panic(err) // a name that is not in the folder
	}
	use, rest, _ := strings.Cut(string(text), "\n")
	short, long, _ := strings.Cut(rest, "\n")
	long, examples, _ := strings.Cut(long, "\nExamples:\n")
	return &cobra.Command{Use: use, Short: short, Long: strings.TrimSpace(long), Args: args, RunE: watched(run),
		Example: strings.TrimRight(examples, "\n")}
}

// watched makes a command without progress of its own, and hence without --quiet, show that it is
// at work until it writes its answer.
func watched(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Lookup("quiet") != nil {
			return run(cmd, args)
		}
		bar := newProgress(cmd.ErrOrStderr(), false)
		cmd.SetContext(bar.Watch(cmd.Context()))
		defer bar.End()
		if out, ok := cmd.OutOrStdout().(*standardOutput); ok {
			out.first = bar.End
		}
		return run(cmd, args)
	}
}

// fillHelp keeps the help of a command and of its subcommands within the width: when help is shown,
// paragraphs are filled, and descriptions of flags are broken between words.
func fillHelp(root *cobra.Command) {
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages",
		fmt.Sprintf(".FlagUsagesWrapped %d", textWidth)))
	show := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		cmd.Long = filled(cmd.Long)
		show(cmd, args)
	})
}

// filled fills the paragraphs of a text, which empty lines separate. Indented lines
// stay as they are.
func filled(text string) string {
	var b strings.Builder
	p := &printer{W: &b}
	var paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			p.Wrapped("", strings.Join(paragraph, " "))
		}
		paragraph = nil
	}
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimRight(line, "\n")
		if line != "" && line[0] != ' ' {
			paragraph = append(paragraph, line)
			if strings.HasSuffix(line, ":") { // a list follows
				flush()
			}
			continue
		}
		flush()
		p.Line("%s", line)
	}
	flush()
	return strings.TrimSpace(b.String())
}

// newHelp returns the command help, which shows what --help shows.
func newHelp() *cobra.Command {
	var manuals string
	help := &cobra.Command{
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
			if manuals != "" {
				return writeManuals(cmd.Root(), manuals)
			}
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(cmd.Root(), strings.Join(args, " "), args[0], "isoscale help")
			}
			about.InitDefaultHelpFlag() // as if it had been executed
			about.InitDefaultVersionFlag()
			return about.Help()
		},
	}
	help.Flags().StringVar(&manuals, "man", "", "write a page of the manual for each command to the new folder `DIR`")
	return help
}

// unknownCommand is the error of a command line that asks for a command that does not exist.
func unknownCommand(root *cobra.Command, asked, name, help string) error {
	text := fmt.Sprintf("unknown command %q", asked)
	if near := root.SuggestionsFor(name); len(near) > 0 {
		text += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return input.Errorf("%s\nRun '%s' for the commands.", text, help)
}
