package command

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/isoscale/isoscale/experiments/command/internal/flags"
	"github.com/isoscale/isoscale/experiments/command/internal/terminal"
	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/figure"
	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/experiments/internal/output"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/experiments/report/html"
)

// reportFlags say what is made of the report of an answer: a page, figures, or both.
type reportFlags struct {
	page    string // file; "" for none
	title   string // in place of that of the answer; "" for that
	static  bool
	figures string // folder; "" for none
	formats formatsFlag
	charts  bool // in the JSON
}

func (f *reportFlags) addTo(cmd *cobra.Command) {
	flags.AddOutput(cmd, &f.page, "report", "", "write an HTML report to `FILE`")
	f.addFiguresTo(cmd)
}

func (f *reportFlags) addFiguresTo(cmd *cobra.Command) {
	f.formats = formatsFlag{"svg", "pdf"}
	cmd.Flags().StringVar(&f.title, "title", "", "write `TEXT` as the title of the report (default what the answer says)")
	cmd.Flags().BoolVar(&f.static, "static", false, "write the report without scripts: a small page, whose charts are drawings")
	cmd.Flags().StringVar(&f.figures, "figures", "", "write each chart of the report to a file in `DIR`, one column of a paper wide")
	cmd.Flags().Var(&f.formats, "format", "write figures as `LIST`: some of "+strings.Join(figure.Formats, ","))
	cmd.Flags().BoolVar(&f.charts, "charts", false, "add the data of all charts to the JSON")
}

// wanted reports whether anything is made of the report.
func (f *reportFlags) wanted() bool { return f.page != "" || f.figures != "" || f.charts }

// outputs returns what the command writes: the page, and the files with these names.
// They are checked against the files that it reads.
func (f *reportFlags) outputs(cmd *cobra.Command, asJSON bool, read []string, names ...string) (*output.Files, error) {
	if f.title != "" && f.page == "" {
		return nil, input.Errorf("--title: no report is written; expected the name of its file too")
	}
	return outputs(cmd, asJSON, read, append([]string{f.page}, names...)...)
}

// document returns the report of an answer, with the title that was asked for.
func (f *reportFlags) document(r reported) *report.Document {
	d := r.Report()
	d.Title = cmp.Or(f.title, d.Title)
	return d
}

// write writes page and figures of an answer.
func (f *reportFlags) write(files *output.Files, r reported) error {
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

// writeFigures writes charts into a folder, which is created if needed.
func writeFigures(files *output.Files, folder string, charts []chart.Named, formats []string, style figure.Style) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, c := range charts {
		for _, format := range formats {
			name := filepath.Join(folder, c.Name+figure.Extension(format))
			if err := files.Add(name); err != nil {
				return err
			}
			if err := files.Write(name, func(w io.Writer) error { return figure.Write(w, c.Block, format, style) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// printJSON prints an answer as JSON: with its charts, if they are wanted.
func (f *reportFlags) printJSON(w io.Writer, r reported) error {
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

// withCharts returns the JSON of an answer with the data of its charts as its last
// field.
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
		return nil, fmt.Errorf("the answer is no object")
	}
	return slices.Concat(body, []byte(`,"charts":`), drawn, []byte("}")), nil
}

// formatsFlag is --format LIST.
type formatsFlag []string

var _ pflag.Value = (*formatsFlag)(nil)

func (f *formatsFlag) String() string { return strings.Join(*f, ",") }
func (f *formatsFlag) Type() string   { return "LIST" }

func (f *formatsFlag) Set(s string) error {
	formats, err := figure.ParseFormats(s)
	if err == nil {
		*f = formats
	}
	return err
}
