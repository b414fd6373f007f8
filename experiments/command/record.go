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

// recordFlags are the flags of commands that write what they record of a run.
type recordFlags struct{ timeline, paraver, otf2 string }

// AddTo adds the flags, and those of what is shown of the record.
func (f *recordFlags) AddTo(cmd *cobra.Command, criticalPath, waits *bool) {
	addOutput(cmd, &f.timeline, "timeline", "",
		"write the activity of every rank to `FILE`, in the Chrome trace event format (opens in Perfetto)")
	addOutput(cmd, &f.paraver, "paraver", "", "write the run to `FILE` as a trace of Paraver (.prv), with names beside it (.pcf, .row)")
	cmd.Flags().StringVar(&f.otf2, "otf2", "", "write the run as an archive of OTF2 to the new folder `DIR` (Vampir, Scalasca)")
	cmd.Flags().BoolVar(criticalPath, "critical-path", false,
		"show the operations and messages that determine the makespan")
	cmd.Flags().BoolVar(waits, "waits", false, "divide the waits of ranks by cause, and say which ranks caused them")
}

func (f *recordFlags) names() []string { return []string{f.timeline, f.paraver, f.otf2} }

// Wanted reports whether there are a timeline and a trace to write, and an error if the folder of the trace is in use.
func (f *recordFlags) Wanted() (timeline, trace bool, err error) {
	if f.otf2 != "" {
		if err := otf2.CheckFolder(f.otf2); err != nil {
			return false, false, input.Errorf("--otf2: %v", err)
		}
	}
	return f.timeline != "", f.paraver != "" || f.otf2 != "", nil
}

// Write writes the timeline and the traces of a run.
func (f *recordFlags) Write(files *output.Files, r *watch.Record) error {
	err := errors.Join(files.Write(f.timeline, r.WriteTimeline), files.Write(f.paraver, r.WriteParaver))
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
