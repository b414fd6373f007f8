package command

import (
	"bytes"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/answer/otf2"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/output"
)

// traceFlags are those of commands that write what they simulate as a trace.
type traceFlags struct{ paraver, otf2 string }

func (f *traceFlags) AddTo(cmd *cobra.Command) {
	addOutput(cmd, &f.paraver, "paraver", "", "write the run to `FILE` as a trace of Paraver (.prv), with names beside it (.pcf, .row)")
	cmd.Flags().StringVar(&f.otf2, "otf2", "", "write the run as an archive of OTF2 to the new folder `DIR` (Vampir, Scalasca)")
}

// Wanted reports whether there is a trace to write, and an error if its folder is in use.
func (f *traceFlags) Wanted() (bool, error) {
	if f.otf2 == "" {
		return f.paraver != "", nil
	}
	if err := otf2.CheckFolder(f.otf2); err != nil {
		return false, input.Errorf("--otf2: %v", err)
	}
	return true, nil
}

// Write writes the traces of a run.
func (f *traceFlags) Write(files *output.Files, r *watch.Record) error {
	err := files.Write(f.paraver, r.WriteParaver)
	if stem, ok := strings.CutSuffix(f.paraver, ".prv"); ok && err == nil {
		var states, rows bytes.Buffer
		err = errors.Join(r.WriteParaverNames(&states, &rows), os.WriteFile(stem+".pcf", states.Bytes(), 0o666),
			os.WriteFile(stem+".row", rows.Bytes(), 0o666))
	}
	if f.otf2 != "" {
		err = errors.Join(err, r.WriteOTF2(f.otf2))
	}
	return err
}
