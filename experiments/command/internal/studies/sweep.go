package studies

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/command/internal/flags"
	"github.com/isoscale/isoscale/experiments/command/internal/terminal"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/batch"
	"github.com/isoscale/isoscale/experiments/internal/study/findings"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
)

// NewSweep returns the command sweep, which runs a study, and those of its shards.
func NewSweep() *cobra.Command {
	var (
		overrides flags.Overrides
		out       string
		jobs      flags.Jobs
		shards    int
		engine    engineFlags
		asked     flags.Answer
	)
	cmd := &cobra.Command{
		Use:   "sweep PLAN",
		Short: "Run a study of many simulations",
		Long: `
Run a study. Its plan has a scenario and factors with their levels. Each
combination of levels, or each sample of a Latin hypercube, is a point: one
simulation. The rows are stored in a results directory as they are computed. If
the study is interrupted, rerun the command to resume.

Where points take long, a plan may search: simulate some of the points, then
those that a prediction from the results so far chooses.

The points run on the cores of this computer or, with --engine slurm, as a job
array on a cluster whose nodes see the directory under the same path. The
results are identical to the byte.

'isoscale report DIR' draws charts of the results. 'isoscale export DIR' prints
a table.`,
		Example: `  isoscale sweep examples/hierarchy-sweep.yaml --out jin
  isoscale sweep examples/hierarchy-sweep.yaml --out jin --report jin.html
  isoscale sweep examples/sunwulf-sweep.yaml --out sunwulf --jobs 1
  isoscale sweep examples/search-sweep.yaml --out search --report search.html
  isoscale sweep examples/sunwulf-sweep.yaml --out sw --engine slurm --time 30`,
		Args: flags.ExactArgs(1, "one plan file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return input.Errorf("--out is missing; expected the results directory\nRun 'isoscale sweep --help' for examples.")
			}
			files, err := asked.Outputs(cmd, args)
			if err != nil {
				return err
			}
			if shards < 0 {
				return input.Errorf("--shards %d; expected at least 1, or 0 for the default", shards)
			}
			if jobs == 0 {
				jobs = flags.Jobs(runtime.GOMAXPROCS(0))
			}
			p, err := sweep.Read(args[0], overrides)
			if err != nil {
				return err
			}
			if err := files.Check(p.Files()...); err != nil {
				return err
			}
			s, err := p.Create(out, shards)
			if err != nil {
				return err
			}
			if err := files.Check(); err != nil { // the report may be a file of the directory
				return err
			}
			if n := s.Dir.Plan().Shards; shards > 0 && n != shards {
				p.Warnings = append(p.Warnings, fmt.Sprintf("--shards %d is ignored: the study in %s has %d shards already", shards, out, n))
			}
			start := time.Now()
			bar := terminal.NewProgress(cmd.ErrOrStderr(), asked.Quiet)
			ctx := bar.Watch(cmd.Context())
			if engine.slurm() {
				err = runSlurm(ctx, s, engine, bar)
			} else {
				err = s.Run(ctx, int(jobs), func(done, total int) { bar.Count(done, total, "points") })
			}
			bar.End()
			if err != nil {
				return interrupted(err, out)
			}
			r, err := findings.Of(s, overrides, time.Since(start))
			if err != nil {
				return err
			}
			r.Warnings = slices.Insert(r.Warnings, 0, p.Warnings...) // a list, if an empty one
			return flags.Emit(files, r, asked, printSweep)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&out, "out", "o", "", "store the results in `DIR`, which is created if needed (required)")
	jobs.AddTo(cmd, "all cores")
	f.IntVar(&shards, "shards", 0, "divide a new study into `N` shards, each stored and submitted as one (default by the number of points)")
	engine.addTo(cmd, "run the points on")
	overrides.AddTo(cmd, "scenario.workload.n=800")
	asked.AddLongTo(cmd)
	cmd.AddCommand(newSweepShard(), newSweepMissing(), newSweepMerge(), newSweepManifest())
	return cmd
}

// interrupted adds to an error how to resume or complete the study.
func interrupted(err error, out string) error {
	point := (*sweep.PointError)(nil)
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("interrupted; the results so far are in %s; rerun the command to resume", out)
	case errors.As(err, &point):
		return fmt.Errorf("%w; all other shards are complete; rerun the command on a computer with more memory, or lower limits.memory of the plan for a new study", err)
	}
	return err
}

// runSlurm computes the missing shards by a job array of Slurm.
func runSlurm(ctx context.Context, s *sweep.Study, engine engineFlags, bar *terminal.Progress) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(s.Dir.Path())
	if err != nil {
		return err
	}
	return engine.run(ctx, batch.Work{
		Dir:     dir,
		Command: []string{self, "sweep", "shard", dir, "--quiet"},
		Missing: s.Dir.Missing,
		Shards:  s.Dir.Plan().Shards,
	}, bar)
}

func printSweep(p *terminal.Printer, r *findings.Result) {
	p.Wrapped("", r.Headline())
	p.Line("")
	for _, line := range r.Summary() {
		p.Wrapped("", line)
	}
	p.Warnings(r.Warnings)
	p.File(r.File)
}
