package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/output"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/experiments/report/html"
)

// printJSON writes one JSON document.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// outputs returns the files that a command writes, "" for none, checked against the
// files that it reads. Only one output, or the JSON, can be standard output.
func outputs(cmd *cobra.Command, asJSON bool, read []string, names ...string) (*output.Files, error) {
	files := output.New(cmd.OutOrStdout(), names...)
	if asJSON && files.UseStdout() {
		return nil, &usageError{fmt.Errorf("--json and the file %s: both are standard output; expected the name of a file", output.Stdout), ""}
	}
	return files, files.Check(read...)
}

// reported is an answer that has a report.
type reported interface{ Report() *report.Document }

// writeReport writes the report of an answer, if there is a file for it.
func writeReport(files *output.Files, name string, r reported) error {
	return files.Write(name, func(w io.Writer) error { return html.Write(w, r.Report()) })
}

// emit writes the report of an answer, if there is a file for it, and prints the
// answer as JSON or as text.
func emit[R reported](files *output.Files, r R, report string, asJSON bool, text func(w io.Writer, r R, report string) error) error {
	if err := writeReport(files, report, r); err != nil {
		return err
	}
	if asJSON {
		return printJSON(files.Text(), r)
	}
	return text(files.Text(), r, report)
}
