package command

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/units"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// value is a flag whose text a function reads. kind is what help shows for its value where its
// description names none.
type value struct {
	text, kind string
	read       func(text string) error
}

var _ pflag.Value = (*value)(nil)

func (v *value) String() string { return v.text }

func (v *value) Type() string { return v.kind }

func (v *value) Set(text string) error {
	if err := v.read(text); err != nil {
		return err
	}
	v.text = text
	return nil
}

// addOverrides adds --set PATH=VALUE. example is an override of a file that the command takes.
func addOverrides(cmd *cobra.Command, to *[]input.Override, example string) {
	read := func(text string) error {
		path, value, ok := strings.Cut(text, "=")
		if !ok || path == "" {
			return errors.New("expected path=value, such as workload.n=800")
		}
		*to = append(*to, input.Override{Path: path, Value: value})
		return nil
	}
	cmd.Flags().Var(&value{kind: "PATH=VALUE", read: read}, "set",
		"override a field of the file, as in "+example+" (repeatable)")
}

// addJobs adds --jobs N, the number of simulations at a time; 0 stands for the default, which preset names.
func addJobs(cmd *cobra.Command, to *int, preset string) {
	read := func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return errors.New("expected a number of simulations at a time, or 0 for the default")
		}
		*to = n
		return nil
	}
	cmd.Flags().VarPF(&value{"0", "N", read}, "jobs", "j",
		"run `N` simulations at a time; the results do not depend on N").DefValue = preset
}

// addChoice adds a flag whose value is one of several words; the first is the default. WORDS in its
// description stands for them.
func addChoice(cmd *cobra.Command, to *string, name, short, usage string, known ...string) *pflag.Flag {
	list := input.Joined(known, "or")
	*to = known[0]
	read := func(text string) error {
		if !slices.Contains(known, text) {
			return errors.New("expected " + list)
		}
		*to = text
		return nil
	}
	return cmd.Flags().VarPF(&value{known[0], "WORD", read}, name, short, strings.Replace(usage, "WORDS", list, 1))
}

func addJSON(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print one JSON document and nothing else")
}

// addLong adds the flags of what takes long: --quiet, and --memory SIZE, which holds for the process.
func addLong(cmd *cobra.Command, quiet *bool) {
	cmd.Flags().BoolVarP(quiet, "quiet", "q", false, "show no progress")
	read := func(text string) error {
		size, err := units.Size.Parse(text)
		if err != nil || !(size >= leastMemory) {
			return fmt.Errorf("expected a size of at least %v, such as 4 GB", leastMemory)
		}
		fault.SetBudget(size)
		return nil
	}
	cmd.Flags().Var(&value{kind: "SIZE", read: read}, "memory",
		"stop when simulations need more than `SIZE` of memory (default half of what is free)")
}

// leastMemory is the least memory that --memory takes.
const leastMemory = 16 * units.MB

// addOutput adds a flag that names a file to write.
func addOutput(cmd *cobra.Command, file *string, name, short, usage string) {
	read := func(text string) error {
		if text == "" { // a variable of a script that is not set
			return errors.New("expected the name of a file, or - for standard output")
		}
		*file = text
		return nil
	}
	cmd.Flags().VarP(&value{*file, "FILE", read}, name, short, usage)
}

// addFormats adds --format LIST, the formats of figures.
func addFormats(cmd *cobra.Command, to *[]string) {
	*to = []string{"svg", "pdf"}
	read := func(text string) error {
		formats, err := chart.ParseFormats(text)
		if err == nil {
			*to = formats
		}
		return err
	}
	cmd.Flags().Var(&value{strings.Join(*to, ","), "LIST", read}, "format",
		"write figures as `LIST`: some of "+strings.Join(chart.Formats(), ","))
}

// lengths are units of length in points.
var lengths = map[string]float64{"mm": chart.Millimetre, "cm": 10 * chart.Millimetre, "in": 72, "pt": 1}

// addLength adds a flag with a length of at least so many points. preset is the present value of to, in words.
func addLength(cmd *cobra.Command, to *float64, name, preset string, least float64, usage string) {
	read := func(text string) error {
		for unit, points := range lengths {
			number, ok := strings.CutSuffix(text, unit)
			if !ok {
				continue
			}
			v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
			if err != nil || !(v*points >= least && v*points <= 10000) {
				return fmt.Errorf("expected a length from %g pt to 10000 pt", least)
			}
			*to = v * points
			return nil
		}
		return errors.New("expected a length in mm, cm, in or pt, such as 84mm")
	}
	cmd.Flags().Var(&value{preset, "LENGTH", read}, name, usage)
}

// atMostOneArg demands at most one argument; what says what it is.
func atMostOneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= 1 {
			return nil
		}
		return exactArgs(1, "at most one "+what)(cmd, args)
	}
}

// exactArgs demands n arguments; what says what they are.
func exactArgs(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return input.Errorf("%[1]s takes %[2]s, got %[3]d arguments\nRun '%[1]s --help' for examples.", cmd.CommandPath(), what, len(args))
	}
}
