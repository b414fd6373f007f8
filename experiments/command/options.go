package command

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/command/internal/flags"
	"github.com/isoscale/isoscale/experiments/command/internal/terminal"
	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/experiments/internal/output"
	"github.com/isoscale/isoscale/experiments/report"
)

// outputs returns the files that a command writes, "" for none, checked against the
// files that it reads. Only one output, or the JSON, can be standard output.
func outputs(cmd *cobra.Command, asJSON bool, read []string, names ...string) (*output.Files, error) {
	files := output.New(cmd.OutOrStdout(), names...)
	if asJSON && files.UseStdout() {
		return nil, input.Errorf("--json and the file %s: both are standard output; expected the name of a file", output.Stdout)
	}
	return files, files.Check(read...)
}

// reported is an answer that has a report.
type reported interface{ Report() *report.Document }

// answerFlags are the flags of commands with an answer that has a report.
type answerFlags struct {
	json, quiet bool
	report      reportFlags
}

func (f *answerFlags) addTo(cmd *cobra.Command) {
	flags.AddJSON(cmd, &f.json)
	f.report.addTo(cmd)
}

// addLongTo adds the flags to a command that takes long.
func (f *answerFlags) addLongTo(cmd *cobra.Command) {
	f.addTo(cmd)
	flags.AddQuiet(cmd, &f.quiet)
}

// outputs returns what the command writes, checked against the files that it reads.
func (f *answerFlags) outputs(cmd *cobra.Command, read []string) (*output.Files, error) {
	return f.report.outputs(cmd, f.json, read)
}

// emit writes the report of an answer, if there is a file for it, and prints the
// answer as JSON or as text.
func emit[R reported](files *output.Files, r R, f answerFlags, text func(w io.Writer, r R, report string) error) error {
	if err := f.report.write(files, r); err != nil {
		return err
	}
	if f.json {
		return f.report.printJSON(files.Text(), r)
	}
	if err := text(files.Text(), r, f.report.page); err != nil {
		return err
	}
	p := &terminal.Printer{W: files.Text()}
	p.File(f.report.figures)
	return p.Err
}

// emitLong is emit for an answer that takes long to find, with its progress.
func emitLong[R reported](cmd *cobra.Command, files *output.Files, f answerFlags, find func(context.Context, input.Progress) (R, error), text func(w io.Writer, r R, report string) error) error {
	bar := terminal.NewProgress(cmd.ErrOrStderr(), f.quiet)
	r, err := find(bar.Watch(cmd.Context()), bar.Step)
	bar.End()
	if err != nil {
		return err
	}
	return emit(files, r, f, text)
}
