package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/input"
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

// reported is an answer that has a report.
type reported interface{ Report() *report.Document }

// answerFlags are the flags of commands with an answer that has a report.
type answerFlags struct {
	json, quiet bool
	report      string // file for the report; "" for none
}

func (f *answerFlags) addTo(cmd *cobra.Command) {
	addJSON(cmd, &f.json)
	addReport(cmd, &f.report)
}

// addLongTo adds the flags to a command that takes long.
func (f *answerFlags) addLongTo(cmd *cobra.Command) {
	f.addTo(cmd)
	addQuiet(cmd, &f.quiet)
}

// emit writes the report of an answer, if there is a file for it, and prints the
// answer as JSON or as text.
func emit[R reported](cmd *cobra.Command, r R, f answerFlags, text func(w io.Writer, r R, report string) error) error {
	if err := output(f.report).report(r); err != nil {
		return err
	}
	if f.json {
		return printJSON(cmd.OutOrStdout(), r)
	}
	return text(cmd.OutOrStdout(), r, f.report)
}

// emitLong is emit for an answer that takes long to find, with its progress.
func emitLong[R reported](cmd *cobra.Command, f answerFlags, find func(context.Context, input.Progress) (R, error), text func(w io.Writer, r R, report string) error) error {
	bar := newProgress(cmd.ErrOrStderr(), f.quiet)
	r, err := find(bar.watch(cmd.Context()), bar.step)
	bar.end()
	if err != nil {
		return err
	}
	return emit(cmd, r, f, text)
}

// output is a file that a command writes, "" for none.
type output string

// check reports before any work is done why the file could not be written, or
// should not: it is one of the inputs.
func (o output) check(inputs ...string) error {
	if o == "" {
		return nil
	}
	refuse := func(why any) error { return &usageError{fmt.Errorf("cannot write %s: %v", o, why), ""} }
	folder, err := os.Stat(filepath.Dir(string(o)))
	switch {
	case err != nil:
		return refuse(input.Reason(err))
	case !folder.IsDir():
		return refuse(filepath.Dir(string(o)) + " is not a directory")
	}
	info, err := os.Stat(string(o))
	if err != nil {
		return nil // it does not exist yet
	}
	if info.IsDir() {
		return refuse("it is a directory")
	}
	for _, in := range inputs {
		if other, err := os.Stat(in); err == nil && os.SameFile(info, other) {
			return refuse("it is the input")
		}
	}
	return nil
}

// write writes the file if there is one. The content is complete before the file
// is touched.
func (o output) write(content func(io.Writer) error) error {
	if o == "" {
		return nil
	}
	var b bytes.Buffer
	if err := content(&b); err != nil {
		return fmt.Errorf("%s: %w", o, err)
	}
	if err := os.WriteFile(string(o), b.Bytes(), 0o666); err != nil {
		return &usageError{fmt.Errorf("cannot write %s: %v", o, input.Reason(err)), ""}
	}
	return nil
}

// report writes the report of an answer.
func (o output) report(r reported) error {
	return o.write(func(w io.Writer) error { return html.Write(w, r.Report()) })
}

// stream writes a file whose content does not fit into memory: to another name
// first, so that the file is there whole or not at all.
func (o output) stream(content func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(string(o)), filepath.Base(string(o))+".*.tmp")
	if err != nil {
		return &usageError{fmt.Errorf("cannot write %s: %v", o, input.Reason(err)), ""}
	}
	err = errors.Join(content(f), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), string(o))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
