package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/answer/export"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/output"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/model/units"
)

// tiFiles are the names of the files of an export for SimGrid.
type tiFiles struct {
	dir, trace, list, hostfile, cfg, platform string
}

func newTIFiles(dir, platform string) tiFiles {
	f := tiFiles{dir, filepath.Join(dir, "trace.ti"), filepath.Join(dir, "list"), filepath.Join(dir, "hostfile"),
		filepath.Join(dir, "cfg"), platform}
	if platform == "" {
		f.platform = filepath.Join(dir, "platform.xml")
	}
	return f
}

// traceFlags are the flags of the command trace.
type traceFlags struct {
	overrides          []input.Override
	ti, platform, goal string
	collectives        string
	asJSON, quiet      bool
}

// newTrace returns the command trace, which writes a scenario for other simulators.
func newTrace() *cobra.Command {
	var f traceFlags
	cmd := newCommand("trace", exactArgs(1, "one scenario file"), func(cmd *cobra.Command, args []string) error {
		if err := f.check(); err != nil {
			return err
		}
		return f.run(cmd, args[0])
	})
	addOverrides(cmd, &f.overrides, "network=flow")
	addJSON(cmd, &f.asJSON)
	addLong(cmd, &f.quiet)
	addOutput(cmd, &f.ti, "ti", "", "write a time-independent trace and what belongs to it to the directory `DIR`")
	addOutput(cmd, &f.platform, "platform", "",
		"with --ti: write the machine as a SimGrid platform to `FILE` (default DIR/platform.xml)")
	addChoice(cmd, &f.collectives, "collectives", "",
		"with --ti: write collective operations as WORDS ones of SMPI where it has them", "messages", "native")
	addOutput(cmd, &f.goal, "goal", "", "write a GOAL schedule to `FILE`")
	return cmd
}

// check refuses flags that do not belong together.
func (f *traceFlags) check() error {
	const hint = "\nRun 'isoscale trace --help' for examples."
	switch {
	case f.ti == "" && f.goal == "":
		return input.Errorf("nothing to write; expected --ti DIR or --goal FILE" + hint)
	case f.ti != "" && f.goal != "":
		return input.Errorf("both --ti and --goal, which are for different network models; expected one of them" + hint)
	case f.ti == output.Stdout:
		return input.Errorf("--ti -: a directory is written; expected its name" + hint)
	case f.platform != "" && f.ti == "":
		return input.Errorf("--platform requires --ti" + hint)
	case f.collectives == "native" && f.ti == "":
		return input.Errorf("--collectives native requires --ti: GOAL has messages only" + hint)
	}
	return nil
}

func (f *traceFlags) run(cmd *cobra.Command, file string) error {
	s, super, err := scenario.Disk.ReadRunnable(file, f.overrides)
	if err != nil {
		return err
	}
	if super != nil {
		return input.Errorf("%s: a super-program has levels and no processes that could be traced; expected a scenario with a machine", file)
	}
	read := append(input.Files(s.Inputs), file)
	if f.goal != "" {
		return f.writeGOAL(cmd, s, read)
	}
	return f.writeTI(cmd, s, read)
}

func (f *traceFlags) writeGOAL(cmd *cobra.Command, s *scenario.Scenario, read []string) error {
	files, err := outputsOf(cmd, f.asJSON, read, f.goal)
	if err != nil {
		return err
	}
	r, err := writeTrace(cmd, f.quiet, files, f.goal, func(ctx context.Context, w io.Writer) (*export.GOALResult, error) {
		return export.GOAL(ctx, s, f.overrides, w)
	})
	if err != nil {
		return err
	}
	return printAs(files.Text(), f.asJSON, r, func(p *printer) { printTraceGOAL(p, r, f.goal) })
}

func (f *traceFlags) writeTI(cmd *cobra.Command, s *scenario.Scenario, read []string) error {
	names := newTIFiles(f.ti, f.platform)
	if err := os.MkdirAll(f.ti, 0o777); err != nil {
		return &output.Error{Name: f.ti, Err: input.Reason(err)}
	}
	files, err := outputsOf(cmd, f.asJSON, read, names.trace, names.list, names.hostfile, names.cfg, names.platform)
	if err != nil {
		return err
	}
	r, err := writeTrace(cmd, f.quiet, files, names.trace, func(ctx context.Context, w io.Writer) (*export.TIResult, error) {
		return export.TI(ctx, s, f.overrides, f.collectives == "native", w)
	})
	if err != nil {
		return err
	}
	if err := names.write(files, r); err != nil {
		return err
	}
	return printAs(files.Text(), f.asJSON, r, func(p *printer) { printTraceTI(p, r, names) })
}

// writeTrace writes a trace to a file while it shows the progress.
func writeTrace[R any](cmd *cobra.Command, quiet bool, files *output.Files, name string,
	write func(ctx context.Context, w io.Writer) (R, error),
) (r R, err error) {
	bar := newProgress(cmd.ErrOrStderr(), quiet)
	defer bar.End()
	err = files.Write(name, func(w io.Writer) (err error) {
		r, err = write(bar.Watch(cmd.Context()), w)
		return err
	})
	return r, err
}

// write writes what belongs to a trace.
func (f tiFiles) write(files *output.Files, r *export.TIResult) error {
	return errors.Join(
		files.Write(f.list, func(w io.Writer) error {
			_, err := fmt.Fprintln(w, filepath.Base(f.trace))
			return err
		}),
		files.Write(f.hostfile, r.WriteHostfile),
		files.Write(f.cfg, func(w io.Writer) error {
			_, err := fmt.Fprintln(w, "--cfg="+strings.Join(r.Settings, "\n--cfg="))
			return err
		}),
		files.Write(f.platform, r.WritePlatform),
	)
}

func printTraceTI(p *printer, r *export.TIResult, f tiFiles) {
	facts := countFacts(r.Makespan, r.Counts)
	if c := r.Collectives; c != nil {
		facts.Add("collective calls", fmt.Sprintf("%d of %d as those of SMPI, the others as messages", c.Native,
			c.Native+c.Messages))
	}
	p.Facts(facts)
	p.Section("In SimGrid:")
	platform := f.platform
	if rel, err := filepath.Rel(f.dir, f.platform); err == nil {
		platform = rel
	}
	p.Line("  cd %s", shellQuoted(f.dir))
	p.Line("  smpirun -np %d -platform %s -hostfile hostfile -replay list $(cat cfg)", r.Ranks,
		shellQuoted(filepath.ToSlash(platform)))
	p.Line("")
	p.Line("with the options in %s:", f.cfg)
	for _, s := range r.Settings {
		p.Line("  --cfg=%s", shellQuoted(s)) // however long: it is to be copied
	}
	p.Warnings(r.Warnings)
	p.Files(f.trace, f.list, f.hostfile, f.cfg, f.platform)
}

func printTraceGOAL(p *printer, r *export.GOALResult, file string) {
	p.Facts(countFacts(r.Makespan, r.Counts))
	if r.Parameters != "" {
		p.Line("")
		p.Line("isoscale replay --goal %s --loggops %s", shellQuoted(file), r.Parameters)
	}
	p.Warnings(r.Warnings)
	p.File(file)
}

func countFacts(makespan float64, c export.Counts) (facts input.Facts) {
	facts.Add("time", units.Seconds(makespan))
	facts.Add("processes", c.Ranks)
	facts.Add("operations", c.Operations)
	facts.Add("messages", fmt.Sprintf("%d, %v", c.Messages, units.Bytes(c.Bytes)))
	facts.Add("computations", fmt.Sprintf("%d, %v", c.Computations, units.Flops(c.Work)))
	return facts
}

// shellQuoted returns a word that a POSIX shell takes as s.
func shellQuoted(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			strings.ContainsRune("-_./,:=+@%", c))
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
