package flags

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

// Overrides collects --set PATH=VALUE.
type Overrides []input.Override

var _ pflag.Value = (*Overrides)(nil)

// String is empty: there is no default.
func (o *Overrides) String() string { return "" }

// Type returns what help shows for the value.
func (o *Overrides) Type() string { return "PATH=VALUE" }

// Set adds an override, written as PATH=VALUE.
func (o *Overrides) Set(s string) error {
	path, value, ok := strings.Cut(s, "=")
	if !ok || path == "" {
		return fmt.Errorf("expected path=value, such as workload.n=800")
	}
	*o = append(*o, input.Override{Path: path, Value: value})
	return nil
}

// AddTo adds the flag to a command. example is an override of a file that it takes.
func (o *Overrides) AddTo(cmd *cobra.Command, example string) {
	cmd.Flags().Var(o, "set", "override a field of the file, as in "+example+" (repeatable)")
}

// Jobs is --jobs N, the number of simulations at a time; 0 stands for the default.
type Jobs int

var _ pflag.Value = (*Jobs)(nil)

// String returns the number.
func (j *Jobs) String() string { return strconv.Itoa(int(*j)) }

// Type returns what help shows for the value.
func (j *Jobs) Type() string { return "N" }

// Set takes a number, at least 0.
func (j *Jobs) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return errors.New("expected a number of simulations at a time, or 0 for the default")
	}
	*j = Jobs(n)
	return nil
}

// AddTo adds the flag to a command. preset says what the default is.
func (j *Jobs) AddTo(cmd *cobra.Command, preset string) {
	cmd.Flags().VarPF(j, "jobs", "j", "run `N` simulations at a time; the results do not depend on N").DefValue = preset
}

// Choice is a flag with one of several words as its value. Its first word is the default.
type Choice struct {
	value string
	known []string
}

var _ pflag.Value = (*Choice)(nil)

// OneOf returns a flag with one of these words.
func OneOf(known ...string) Choice { return Choice{known[0], known} }

// String returns the word that was chosen.
func (c *Choice) String() string { return c.value }

// Type returns what help shows for the value.
func (c *Choice) Type() string { return "WORD" }

// Set takes one of the words.
func (c *Choice) Set(s string) error {
	if !slices.Contains(c.known, s) {
		return errors.New("expected " + c.List())
	}
	c.value = s
	return nil
}

// List names the words, as in "mean, median or min".
func (c *Choice) List() string {
	last := len(c.known) - 1
	return strings.Join(c.known[:last], ", ") + " or " + c.known[last]
}

// AddJSON adds --json.
func AddJSON(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print one JSON document and nothing else")
}

// AddQuiet adds --quiet.
func AddQuiet(cmd *cobra.Command, quiet *bool) {
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

// AddOutput adds a flag that names a file to write.
func AddOutput(cmd *cobra.Command, file *string, name, short, usage string) {
	cmd.Flags().VarP((*fileFlag)(file), name, short, usage)
}

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
