package command

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/command/internal/flags"
	"github.com/isoscale/isoscale/experiments/internal/figure"
	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/experiments/internal/output"
)

// answerFlags are the flags of commands with an answer that has a report, of which a
// page is made, figures, or both.
type answerFlags struct {
	json, quiet bool
	page        string // file; "" for none
	title       string // in place of that of the answer; "" for that
	static      bool
	figures     string // folder; "" for none
	formats     formatsFlag
	charts      bool // in the JSON
}

// addTo adds the flags to a command.
func (f *answerFlags) addTo(cmd *cobra.Command) {
	flags.AddOutput(cmd, &f.page, "report", "", "write an HTML report to `FILE`")
	f.addWithoutReportTo(cmd)
}

// addLongTo adds the flags to a command that takes long.
func (f *answerFlags) addLongTo(cmd *cobra.Command) {
	f.addTo(cmd)
	flags.AddQuiet(cmd, &f.quiet)
}

// addWithoutReportTo adds the flags to a command that names the file of the report by
// one of its own.
func (f *answerFlags) addWithoutReportTo(cmd *cobra.Command) {
	flags.AddJSON(cmd, &f.json)
	f.formats = formatsFlag{"svg", "pdf"}
	cmd.Flags().StringVar(&f.title, "title", "", "write `TEXT` as the title of the report (default what the answer says)")
	cmd.Flags().BoolVar(&f.static, "static", false, "write the report without scripts: a small page, whose charts are drawings")
	cmd.Flags().StringVar(&f.figures, "figures", "", "write each chart of the report to a file in `DIR`, one column of a paper wide")
	cmd.Flags().Var(&f.formats, "format", "write figures as `LIST`: some of "+strings.Join(figure.Formats, ","))
	cmd.Flags().BoolVar(&f.charts, "charts", false, "add the data of all charts to the JSON")
}

// reportWanted reports whether anything is made of the report.
func (f *answerFlags) reportWanted() bool { return f.page != "" || f.figures != "" || f.charts }

// outputs returns what the command writes: the page, and the files with these names.
// They are checked against the files that it reads.
func (f *answerFlags) outputs(cmd *cobra.Command, read []string, names ...string) (*output.Files, error) {
	if f.title != "" && f.page == "" {
		return nil, input.Errorf("--title: no report is written; expected the name of its file too")
	}
	return outputs(cmd, f.json, read, append([]string{f.page}, names...)...)
}

// outputs returns the files that a command writes, "" for none, checked against the
// files that it reads. Only one output, or the JSON, can be standard output.
func outputs(cmd *cobra.Command, asJSON bool, read []string, names ...string) (*output.Files, error) {
	files := output.New(cmd.OutOrStdout(), names...)
	if asJSON && files.UseStdout() {
		return nil, input.Errorf("--json and the file %s: both are standard output; expected the name of a file", output.Stdout)
	}
	return files, files.Check(read...)
}
