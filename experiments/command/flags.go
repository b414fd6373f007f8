package command

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// overrideFlag collects --set PATH=VALUE.
type overrideFlag []input.Override

var _ pflag.Value = (*overrideFlag)(nil)

// String is empty: there is no default.
func (o *overrideFlag) String() string { return "" }

// Type returns what help shows for the value.
func (o *overrideFlag) Type() string { return "PATH=VALUE" }

// Set adds an override, written as PATH=VALUE.
func (o *overrideFlag) Set(s string) error {
	path, value, ok := strings.Cut(s, "=")
	if !ok || path == "" {
		return fmt.Errorf("expected path=value, such as workload.n=800")
	}
	*o = append(*o, input.Override{Path: path, Value: value})
	return nil
}

// AddTo adds the flag to a command. example is an override of a file that it takes.
func (o *overrideFlag) AddTo(cmd *cobra.Command, example string) {
	cmd.Flags().Var(o, "set", "override a field of the file, as in "+example+" (repeatable)")
}

// jobsFlag is --jobs N, the number of simulations at a time; 0 stands for the default.
type jobsFlag int

var _ pflag.Value = (*jobsFlag)(nil)

// String returns the number.
func (j *jobsFlag) String() string { return strconv.Itoa(int(*j)) }

// Type returns what help shows for the value.
func (j *jobsFlag) Type() string { return "N" }

// Set takes a number, at least 0.
func (j *jobsFlag) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return errors.New("expected a number of simulations at a time, or 0 for the default")
	}
	*j = jobsFlag(n)
	return nil
}

// AddTo adds the flag to a command. preset says what the default is.
func (j *jobsFlag) AddTo(cmd *cobra.Command, preset string) {
	cmd.Flags().VarPF(j, "jobs", "j", "run `N` simulations at a time; the results do not depend on N").DefValue = preset
}

// choiceFlag is a flag with one of several words as its value. Its first word is the default.
type choiceFlag struct {
	value string
	known []string
}

var _ pflag.Value = (*choiceFlag)(nil)

// oneOf returns a flag with one of these words.
func oneOf(known ...string) choiceFlag { return choiceFlag{known[0], known} }

// String returns the word that was chosen.
func (c *choiceFlag) String() string { return c.value }

// Type returns what help shows for the value.
func (c *choiceFlag) Type() string { return "WORD" }

// Set takes one of the words.
func (c *choiceFlag) Set(s string) error {
	if !slices.Contains(c.known, s) {
		return errors.New("expected " + c.List())
	}
	c.value = s
	return nil
}

// List names the words, as in "mean, median or min".
func (c *choiceFlag) List() string {
	last := len(c.known) - 1
	return strings.Join(c.known[:last], ", ") + " or " + c.known[last]
}

// addJSON adds --json.
func addJSON(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print one JSON document and nothing else")
}

// addQuiet adds --quiet.
func addQuiet(cmd *cobra.Command, quiet *bool) {
	cmd.Flags().BoolVarP(quiet, "quiet", "q", false, "show no progress")
}

// fileFlag is the name of a file that a command writes.
type fileFlag string

var _ pflag.Value = (*fileFlag)(nil)

func (f *fileFlag) String() string { return string(*f) }
func (f *fileFlag) Type() string   { return "FILE" }

func (f *fileFlag) Set(s string) error {
	if s == "" { // a variable of a script that is not set
		return errors.New("expected the name of a file, or - for standard output")
	}
	*f = fileFlag(s)
	return nil
}

// addOutput adds a flag that names a file to write.
func addOutput(cmd *cobra.Command, file *string, name, short, usage string) {
	cmd.Flags().VarP((*fileFlag)(file), name, short, usage)
}

// atMostOneArg demands no more than one argument and says what it is.
func atMostOneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= 1 {
			return nil
		}
		return exactArgs(1, "at most one "+what)(cmd, args)
	}
}

// exactArgs demands n arguments and says what they are.
func exactArgs(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return input.Errorf("%[1]s takes %[2]s, got %[3]d arguments\nRun '%[1]s --help' for examples.", cmd.CommandPath(), what, len(args))
	}
}
