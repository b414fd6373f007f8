package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/output"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/experiments/report/html"
	"github.com/spf13/cobra"
)

// answerFlags has the flags of commands whose answer has a report. A page is made of the
// report, or figures, or both.
type answerFlags struct {
	JSON, Quiet bool
	Page        string // file of the report; "" for none
	Figures     string // folder; "" for none

	title   string // replaces that of the answer, unless it is ""
	static  bool
	formats []string
	charts  bool // the JSON has the charts
}

// AddTo adds the flags to a command.
func (f *answerFlags) AddTo(cmd *cobra.Command) {
	addOutput(cmd, &f.Page, "report", "", "write an HTML report to `FILE`")
	f.AddWithoutReportTo(cmd)
}

// AddLongTo adds the flags to a command that takes long.
func (f *answerFlags) AddLongTo(cmd *cobra.Command) {
	f.AddTo(cmd)
	addLong(cmd, &f.Quiet)
}

// AddWithoutReportTo adds the flags to a command that has a flag of its own for the file
// of the report.
func (f *answerFlags) AddWithoutReportTo(cmd *cobra.Command) {
	addJSON(cmd, &f.JSON)
	cmd.Flags().StringVar(&f.title, "title", "",
		"write `TEXT` as the title of the report (default that of the answer)")
	cmd.Flags().BoolVar(&f.static, "static", false,
		"write the report without scripts: a small page, whose charts are drawings")
	cmd.Flags().StringVar(&f.Figures, "figures", "",
		"write each chart of the report to a file in `DIR`, one column of a paper wide")
	addFormats(cmd, &f.formats)
	cmd.Flags().BoolVar(&f.charts, "charts", false, "add the data of all charts to the JSON")
}

// ReportWanted reports whether anything is made of the report.
func (f *answerFlags) ReportWanted() bool { return f.Page != "" || f.Figures != "" || f.charts }

// Outputs returns what the command writes: the page, and the files with these names.
// They are checked against the files that it reads.
func (f *answerFlags) Outputs(cmd *cobra.Command, read []string, names ...string) (*output.Files, error) {
	if f.title != "" && f.Page == "" {
		return nil, input.Errorf("--title: no report is written; expected the name of its file too")
	}
	return outputsOf(cmd, f.JSON, read, append([]string{f.Page}, names...)...)
}

// outputsOf returns the files that a command writes, "" for none, checked against the
// files that it reads. Only one output, or the JSON, can be standard output.
func outputsOf(cmd *cobra.Command, asJSON bool, read []string, names ...string) (*output.Files, error) {
	files := output.New(cmd.OutOrStdout(), store.Holds, names...)
	if asJSON && files.UseStdout() {
		return nil, input.Errorf("--json and the file %s: both are standard output; expected the name of a file", output.Stdout)
	}
	return files, files.Check(read...)
}

// reported is an answer that has a report.
type reported interface{ Report() *report.Document }

// emit writes the report of an answer, if there is a file for it, and prints the answer as JSON,
// or as text with the names of what was written: the report, and others.
func emit[R reported](files *output.Files, r R, f answerFlags, text func(p *printer, r R), others ...string) error {
	if err := f.writeReport(files, r); err != nil {
		return err
	}
	if f.JSON {
		return f.printJSON(files.Text(), r)
	}
	p := &printer{W: files.Text()}
	text(p, r)
	for _, name := range append([]string{f.Page, f.Figures}, others...) {
		p.File(name)
	}
	return p.Err
}

// emitLong is emit for an answer that takes long to find, with its progress.
func emitLong[R reported](cmd *cobra.Command, files *output.Files, f answerFlags,
	find func(context.Context, input.Progress) (R, error),
	text func(p *printer, r R), others ...string) error {
	bar := newProgress(cmd.ErrOrStderr(), f.Quiet)
	r, err := find(bar.Watch(cmd.Context()), bar.Step)
	bar.End()
	if err != nil {
		return err
	}
	return emit(files, r, f, text, others...)
}

// document returns the report of an answer. A title that was asked for replaces the answer, which follows it.
func (f *answerFlags) document(r reported) *report.Document {
	d := r.Report()
	if f.title != "" {
		d.Title, d.Lead = f.title, append([]string{f.title}, d.Lead...)
	}
	return d
}

// writeReport writes the page and the figures of an answer, as far as they are wanted.
func (f *answerFlags) writeReport(files *output.Files, r reported) error {
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
	return writeFigures(files, f.Figures, chart.Of(d), f.formats, chart.PaperColumn())
}

// printJSON prints an answer as JSON: with its charts, if they are wanted.
func (f *answerFlags) printJSON(w io.Writer, r reported) error {
	if !f.charts {
		return printJSON(w, r)
	}
	d := f.document(r)
	if err := d.Check(); err != nil {
		return err
	}
	all, err := withCharts(r, chart.Of(d))
	if err != nil {
		return err
	}
	return printJSON(w, all)
}

// writeFigures writes charts into a folder, which is created if needed.
func writeFigures(files *output.Files, folder string, charts []chart.Named, formats []string, style chart.Style) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, c := range charts {
		for _, format := range formats {
			name := filepath.Join(folder, c.Name+chart.Extension(format))
			if err := files.Add(name); err != nil {
				return err
			}
			write := func(w io.Writer) error { return chart.Write(w, c.Block, format, style) }
			if err := files.Write(name, write); err != nil {
				return err
			}
		}
	}
	return nil
}

// withCharts returns the JSON of an answer with the data of its charts as its last field.
func withCharts(r any, charts []chart.Named) (json.RawMessage, error) {
	answer, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	drawn, err := json.Marshal(charts)
	if err != nil {
		return nil, err
	}
	body, ok := bytes.CutSuffix(answer, []byte("}"))
	if !ok {
		return nil, fmt.Errorf("the answer is not an object")
	}
	return slices.Concat(body, []byte(`,"charts":`), drawn, []byte("}")), nil
}
