package answer

import (
	"cmp"
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/command/internal/terminal"
	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/output"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/experiments/report/html"
)

// Reported is an answer that has a report.
type Reported interface{ Report() *report.Document }

// Emit writes the report of an answer, if there is a file for it, and prints the
// answer as JSON or as text.
func Emit[R Reported](files *output.Files, r R, f Flags, text func(w io.Writer, r R, report string) error) error {
	if err := f.WriteReport(files, r); err != nil {
		return err
	}
	if f.JSON {
		return f.PrintJSON(files.Text(), r)
	}
	if err := text(files.Text(), r, f.Page); err != nil {
		return err
	}
	p := &terminal.Printer{W: files.Text()}
	p.File(f.Figures)
	return p.Err
}

// EmitLong is Emit for an answer that takes long to find, with its progress.
func EmitLong[R Reported](cmd *cobra.Command, files *output.Files, f Flags, find func(context.Context, input.Progress) (R, error), text func(w io.Writer, r R, report string) error) error {
	bar := terminal.NewProgress(cmd.ErrOrStderr(), f.Quiet)
	r, err := find(bar.Watch(cmd.Context()), bar.Step)
	bar.End()
	if err != nil {
		return err
	}
	return Emit(files, r, f, text)
}

// document returns the report of an answer, with the title that was asked for.
func (f *Flags) document(r Reported) *report.Document {
	d := r.Report()
	d.Title = cmp.Or(f.title, d.Title)
	return d
}

// WriteReport writes page and figures of an answer.
func (f *Flags) WriteReport(files *output.Files, r Reported) error {
	if f.Page == "" && f.Figures == "" {
		return nil
	}
	d := f.document(r)
	err := files.Write(f.Page, func(w io.Writer) error {
		if f.static {
			return html.WriteStatic(w, d)
		}
		return html.Write(w, d)
	})
	if err != nil || f.Figures == "" {
		return err
	}
	if err := d.Check(); err != nil {
		return err
	}
	return WriteFigures(files, f.Figures, chart.Of(d), f.formats, chart.PaperColumn())
}

// PrintJSON prints an answer as JSON: with its charts, if they are wanted.
func (f *Flags) PrintJSON(w io.Writer, r Reported) error {
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
