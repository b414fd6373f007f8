package answer

import (
	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/command/internal/flags"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/output"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

// Flags are the flags of commands with an answer that has a report, of which a
// page is made, figures, or both.
type Flags struct {
	JSON, Quiet bool
	Page        string // file of the report; "" for none
	Figures     string // folder; "" for none

	title   string // in place of that of the answer; "" for that
	static  bool
	formats Formats
	charts  bool // in the JSON
}

// AddTo adds the flags to a command.
func (f *Flags) AddTo(cmd *cobra.Command) {
	flags.AddOutput(cmd, &f.Page, "report", "", "write an HTML report to `FILE`")
	f.AddWithoutReportTo(cmd)
}

// AddLongTo adds the flags to a command that takes long.
func (f *Flags) AddLongTo(cmd *cobra.Command) {
	f.AddTo(cmd)
	flags.AddQuiet(cmd, &f.Quiet)
}

// AddWithoutReportTo adds the flags to a command that names the file of the report by
// one of its own.
func (f *Flags) AddWithoutReportTo(cmd *cobra.Command) {
	flags.AddJSON(cmd, &f.JSON)
	cmd.Flags().StringVar(&f.title, "title", "", "write `TEXT` as the title of the report (default what the answer says)")
	cmd.Flags().BoolVar(&f.static, "static", false, "write the report without scripts: a small page, whose charts are drawings")
	cmd.Flags().StringVar(&f.Figures, "figures", "", "write each chart of the report to a file in `DIR`, one column of a paper wide")
	f.formats.AddTo(cmd)
	cmd.Flags().BoolVar(&f.charts, "charts", false, "add the data of all charts to the JSON")
}

// ReportWanted reports whether anything is made of the report.
func (f *Flags) ReportWanted() bool { return f.Page != "" || f.Figures != "" || f.charts }

// Outputs returns what the command writes: the page, and the files with these names.
// They are checked against the files that it reads.
func (f *Flags) Outputs(cmd *cobra.Command, read []string, names ...string) (*output.Files, error) {
	if f.title != "" && f.Page == "" {
		return nil, input.Errorf("--title: no report is written; expected the name of its file too")
	}
	return Outputs(cmd, f.JSON, read, append([]string{f.Page}, names...)...)
}

// Outputs returns the files that a command writes, "" for none, checked against the
// files that it reads. Only one output, or the JSON, can be standard output.
func Outputs(cmd *cobra.Command, asJSON bool, read []string, names ...string) (*output.Files, error) {
	files := output.New(cmd.OutOrStdout(), store.Holds, names...)
	if asJSON && files.UseStdout() {
		return nil, input.Errorf("--json and the file %s: both are standard output; expected the name of a file", output.Stdout)
	}
	return files, files.Check(read...)
}
