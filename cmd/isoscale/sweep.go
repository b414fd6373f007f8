package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/batch"
	"github.com/isoscale/isoscale/experiments/sweep"
)

func newSweep() *cobra.Command {
	var (
		overrides overrideFlag
		out       string
		jobs      int
		shards    int
		engine    string
		options   batch.Options
		asJSON    bool
		quiet     bool
		report    string
	)
	cmd := &cobra.Command{
		Use:   "sweep PLAN",
		Short: "Carry out a study of many simulations",
		Long: `Carry out a study: a plan names a scenario and factors with their levels, and each
combination, or each sample of a Latin hypercube, is a point. Rows go to a results directory as they are
computed. Whatever ends the work, calling it again goes on where it was.

The points run on the cores of this computer, or with --engine slurm as a job
array of a cluster whose nodes see the directory under the same name. The
results are the same to the byte.

'isoscale report DIR' makes charts of the results, 'isoscale export DIR' a table.`,
		Example: `  isoscale sweep examples/hierarchy-sweep.yaml --out jin
  isoscale sweep examples/hierarchy-sweep.yaml --out jin --report jin.html
  isoscale sweep examples/sunwulf-sweep.yaml --out sunwulf --jobs 1
  isoscale sweep examples/sunwulf-sweep.yaml --out sunwulf --engine slurm --time 30`,
		Args: exactly(1, "one plan file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return &usageError{errors.New("--out is missing; expected the results directory"), "Run 'isoscale sweep --help' for examples."}
			}
			if err := output(report).check(args...); err != nil {
				return err
			}
			if jobs < 1 || shards < 0 {
				return &usageError{fmt.Errorf("--jobs %d --shards %d; expected at least 1 job and 0 or more shards", jobs, shards), ""}
			}
			if engine != "local" && engine != "slurm" {
				return &usageError{fmt.Errorf("unknown engine %q; expected local or slurm", engine), ""}
			}
			p, err := sweep.Read(args[0], overrides)
			if err != nil {
				return err
			}
			s, err := p.Create(out, shards)
			if err != nil {
				return err
			}
			if n := s.Dir.Plan().Shards; shards > 0 && n != shards {
				p.Warnings = append(p.Warnings, fmt.Sprintf("--shards %d: the study in %s has %d shards, and keeps them", shards, out, n))
			}
			start := time.Now()
			if engine == "slurm" {
				err = runSlurm(cmd.Context(), s, options, newProgress(cmd.ErrOrStderr(), quiet))
			} else {
				bar := newPace(cmd.ErrOrStderr(), quiet, "points")
				err = s.Run(cmd.Context(), jobs, func(x sweep.Progress) { bar.update(x.Done, x.Begun, x.Total) })
				bar.end()
			}
			if err != nil {
				return interrupted(err, out)
			}
			r, err := s.Finish(overrides, time.Since(start))
			if err != nil {
				return err
			}
			r.Warnings = append(p.Warnings, r.Warnings...)
			return emit(cmd, r, report, asJSON, printSweep)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&out, "out", "o", "", "the results `directory`; made if it is not there")
	f.IntVarP(&jobs, "jobs", "j", runtime.GOMAXPROCS(0), "`points` that are simulated at a time on this computer")
	f.IntVar(&shards, "shards", 0, "cut a new study into so many `parts` that are stored and submitted as one (default: by the number of points)")
	f.StringVar(&engine, "engine", "local", "where points run: `local` or slurm")
	f.StringVar(&options.Partition, "partition", "", "Slurm: `partition` of the tasks")
	f.StringVar(&options.Account, "account", "", "Slurm: `account` that is charged")
	f.StringVar(&options.Time, "time", "", "Slurm: `limit` of a task, as sbatch takes it")
	f.IntVar(&options.CPUs, "cpus", 1, "Slurm: `processors` of a task; it uses them all")
	f.IntVar(&options.Parallel, "parallel", 0, "Slurm: `tasks` that may run at the same time (default: no limit)")
	f.StringArrayVar(&options.Extra, "sbatch", nil, "Slurm: a further `argument` of sbatch (repeatable)")
	f.DurationVar(&options.Poll, "poll", 5*time.Second, "Slurm: `time` between two looks at the queue")
	overrides.addTo(cmd, "scenario.workload.n=800")
	f.BoolVar(&asJSON, "json", false, "print one JSON document and nothing else")
	f.StringVar(&report, "report", "", "write an HTML report to this `file`")
	f.BoolVarP(&quiet, "quiet", "q", false, "show no progress")
	cmd.AddCommand(newSweepShard(), newSweepMissing(), newSweepMerge(), newSweepManifest())
	return cmd
}

// interrupted adds to an interruption how to go on.
func interrupted(err error, out string) error {
	point := (*sweep.PointError)(nil)
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("interrupted; the rows so far are in %s, and the same command goes on", out)
	case errors.As(err, &point):
		return fmt.Errorf("%w; all other shards are complete: the same command on a computer with more memory does the rest, or a plan that excludes such points", err)
	}
	return err
}

// runSlurm has the missing shards computed by an array of Slurm.
func runSlurm(ctx context.Context, s *sweep.Study, o batch.Options, p *progress) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(s.Dir.Path())
	if err != nil {
		return err
	}
	said := ""
	err = batch.Slurm(ctx, batch.Work{
		Dir:     dir,
		Command: []string{self, "sweep", "shard", dir, "--quiet"},
		Missing: s.Dir.Missing,
		Shards:  s.Dir.Plan().Shards,
	}, o, func(x batch.Status) {
		text := fmt.Sprintf("job %d, round %d: %d waiting, %d running", x.Job, x.Round, x.Pending, x.Running)
		if x.Reason != "" {
			text += " (" + x.Reason + ")"
		}
		if x.Failed > 0 {
			text += fmt.Sprintf(", %d failed", x.Failed)
		}
		if x.Silent > 0 {
			text += fmt.Sprintf("; Slurm has not answered for %v", x.Silent.Round(time.Second))
		}
		if line := fmt.Sprintf("%d: %s", x.Done, text); line != said || p.terminal {
			said = line
			p.update(x.Done, s.Dir.Plan().Shards, text)
		}
	})
	p.end()
	return err
}

func printSweep(w io.Writer, r *sweep.Result, report string) error {
	p := &printer{w: w}
	p.wrapped("", r.Headline())
	p.line("")
	for _, line := range r.Summary() {
		p.wrapped("", line)
	}
	p.warnings(r.Warnings)
	p.file(r.File)
	p.file(report)
	return p.err
}
