package command

import (
	"cmp"
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/command/internal/terminal"
	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/figure"
	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/experiments/internal/output"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/experiments/report/html"
)

// reported is an answer that has a report.
type reported interface{ Report() *report.Document }

// emit writes the report of an answer, if there is a file for it, and prints the
// answer as JSON or as text.
func emit[R reported](files *output.Files, r R, f answerFlags, text func(w io.Writer, r R, report string) error) error {
	if err := f.writeReport(files, r); err != nil {
		return err
	}
	if f.json {
		return f.printJSON(files.Text(), r)
	}
	if err := text(files.Text(), r, f.page); err != nil {
		return err
	}
	p := &terminal.Printer{W: files.Text()}
	p.File(f.figures)
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

// document returns the report of an answer, with the title that was asked for.
func (f *answerFlags) document(r reported) *report.Document {
	d := r.Report()
	d.Title = cmp.Or(f.title, d.Title)
	return d
}

// writeReport writes page and figures of an answer.
func (f *answerFlags) writeReport(files *output.Files, r reported) error {
	if f.page == "" && f.figures == "" {
		return nil
	}
	d := f.document(r)
	err := files.Write(f.page, func(w io.Writer) error {
		if f.static {
			return html.WriteStatic(w, d)
		}
		return html.Write(w, d)
	})
	if err != nil || f.figures == "" {
		return err
	}
	if err := d.Check(); err != nil {
		return err
	}
	return writeFigures(files, f.figures, chart.Of(d), f.formats, figure.Column())
}

// printJSON prints an answer as JSON: with its charts, if they are wanted.
func (f *answerFlags) printJSON(w io.Writer, r reported) error {
	if !f.charts {
		return terminal.PrintJSON(w, r)
	}
	d := f.document(r)
	if err := d.Check(); err != nil {
		return err
	}
	all, err := withCharts(r, chart.Of(d))
	if err != nil {
		return err
	}
	return terminal.PrintJSON(w, all)
}
