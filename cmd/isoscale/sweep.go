package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/batch"
	"github.com/isoscale/isoscale/experiments/store"
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
			if other := (*store.PlanError)(nil); errors.As(err, &other) {
				return &usageError{err, ""}
			}
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
			return present(cmd, r, report, asJSON, printSweep)
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

// openStudy opens a results directory that a command names.
func openStudy(dir string) (*sweep.Study, error) {
	s, err := sweep.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &usageError{err, ""}
	}
	return s, err
}

func newSweepShard() *cobra.Command {
	var jobs int
	var quiet bool
	cmd := &cobra.Command{
		Use:   "shard DIR [K]",
		Short: "Compute one shard of a results directory: the task of a job array",
		Long: `Compute shard K of a results directory, or nothing if it is complete. Needs the
directory and no other file. Without K, the number comes from the environment:
SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX (Kubernetes), PBS_ARRAY_INDEX or
AWS_BATCH_JOB_ARRAY_INDEX; where an index can only count from 0, ISOSCALE_SHARDS
may list the shards, as in 7,25,38-39.

Exit status 0: the shard is complete. Killed at any moment, it goes on from there
when it is started again.`,
		Example: `  isoscale sweep shard jin 7
  sbatch --array=0-31 --wrap 'isoscale sweep shard /shared/jin'`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := openStudy(args[0])
			if err != nil {
				return err
			}
			k, err := shardNumber(args[1:], s.Dir.Plan().Shards)
			if err != nil {
				return err
			}
			if jobs == 0 {
				jobs = taskCPUs(os.Getenv)
			}
			bar := newPace(cmd.ErrOrStderr(), quiet, fmt.Sprintf("points of shard %d", k))
			total, done := s.Dir.Plan().PointsOf(k), 0
			bar.update(0, 0, total)
			err = s.Shard(cmd.Context(), k, jobs, func(n int) { done += n; bar.update(done, 0, total) })
			bar.end()
			return err
		},
	}
	cmd.Flags().IntVarP(&jobs, "jobs", "j", 0, "`points` that are simulated at a time (default: SLURM_CPUS_PER_TASK, or 1)")
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "show no progress")
	return cmd
}

// shardNumber takes K from the arguments, or else from the environment.
func shardNumber(args []string, shards int) (int, error) {
	bad := func(from, text string) error {
		return &usageError{fmt.Errorf("%s %q names no shard; expected a number from 0 to %d", from, text, shards-1), ""}
	}
	if len(args) > 0 {
		k, err := strconv.Atoi(args[0])
		if err != nil || k < 0 || k >= shards {
			return 0, bad("shard", args[0])
		}
		return k, nil
	}
	k, from, ok := batch.ShardIndex(os.Getenv)
	switch {
	case from == "":
		return 0, &usageError{errors.New("no shard; expected K, or an array task's SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX"), "Run 'isoscale sweep shard --help' for examples."}
	case !ok || k >= shards:
		return 0, bad(from, os.Getenv(from))
	}
	return k, nil
}

// taskCPUs is how many processors an array task has.
func taskCPUs(getenv func(string) string) int {
	if n, err := strconv.Atoi(getenv("SLURM_CPUS_PER_TASK")); err == nil && n > 0 {
		return n
	}
	return 1
}

func newSweepMissing() *cobra.Command {
	return &cobra.Command{
		Use:   "missing DIR",
		Short: "Print the shards that are not complete, as in 7,25,38-39",
		Long: `Print the shards of a results directory that are not complete, in the notation of
sbatch --array; nothing if the study is complete.`,
		Example: `  isoscale sweep missing jin
  sbatch --array=$(isoscale sweep missing /shared/jin) task.sh`,
		Args: exactly(1, "one results directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := openStudy(args[0])
			if err != nil {
				return err
			}
			missing, err := s.Dir.Missing()
			if err != nil || len(missing) == 0 {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), sweep.Ranges(missing))
			return err
		},
	}
}

func newSweepMerge() *cobra.Command {
	return &cobra.Command{
		Use:   "merge DIR",
		Short: "Merge complete shards into DIR/results.csv",
		Long: `Merge the shards of a results directory into results.csv in it, in the order of
the points. Without every shard it fails and names those that are missing.`,
		Example: "  isoscale sweep merge jin",
		Args:    exactly(1, "one results directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := openStudy(args[0])
			if err != nil {
				return err
			}
			path, err := s.Dir.Merge()
			if err != nil {
				return err
			}
			p := &printer{w: cmd.OutOrStdout()}
			p.line("wrote %s", path)
			return p.err
		},
	}
}

func newSweepManifest() *cobra.Command {
	var o batch.ManifestOptions
	cmd := &cobra.Command{
		Use:   "manifest DIR",
		Short: "Print a Kubernetes Job that computes the missing shards",
		Long: `Print the manifest of an indexed Kubernetes Job that computes the missing shards,
and of a volume claim for the directory. Copy the directory to the volume, fill
in what the comments in the manifest ask for, and apply it.`,
		Example: "  isoscale sweep manifest jin --image registry.example.org/isoscale:0.1 | kubectl apply -f -",
		Args:    exactly(1, "one results directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := openStudy(args[0])
			if err != nil {
				return err
			}
			if o.Shards, err = s.Dir.Missing(); err != nil {
				return err
			}
			if len(o.Shards) == 0 {
				return fmt.Errorf("%s: no shard is missing; expected a study that is not complete", args[0])
			}
			o.Of = s.Dir.Plan().Shards
			if o.Mount == "" {
				o.Mount = "/data"
			}
			dir, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			o.Command = []string{"isoscale", "sweep", "shard", o.Mount + "/" + filepath.Base(dir), "--quiet"}
			return batch.Manifest(cmd.OutOrStdout(), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Name, "name", "", "`name` of the Job (default: isoscale)")
	f.StringVar(&o.Image, "image", "", "container `image` with isoscale in it")
	f.StringVar(&o.Mount, "mount", "", "`path` of the volume in the image (default: /data)")
	f.IntVar(&o.Parallel, "parallel", 0, "`pods` at the same time (default: 8, or fewer shards)")
	f.IntVar(&o.CPUs, "cpus", 0, "`processors` of a pod (default: 1)")
	f.StringVar(&o.Memory, "memory", "", "`memory` of a pod, as Kubernetes writes it (default: 2Gi)")
	f.StringVar(&o.Storage, "storage", "", "`size` of the volume, as Kubernetes writes it (default: 10Gi)")
	return cmd
}

func newExport() *cobra.Command {
	var (
		format     string
		file       string
		provenance bool
	)
	cmd := &cobra.Command{
		Use:   "export DIR",
		Short: "Print the results of a study as CSV or JSON lines",
		Long: `Print the rows of a complete study in the order of its points, as CSV with units
in the header or as JSON lines. Nothing in them depends on when, where or in how
many parts they were computed, unless --provenance adds it.`,
		Example: `  isoscale export jin --out jin.csv
  isoscale export jin --format jsonl --provenance`,
		Args: exactly(1, "one results directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "csv" && format != "jsonl" {
				return &usageError{fmt.Errorf("unknown format %q; expected csv or jsonl", format), ""}
			}
			if err := output(file).check(); err != nil {
				return err
			}
			s, err := openStudy(args[0])
			if err != nil {
				return err
			}
			if file == "" {
				return s.Export(cmd.OutOrStdout(), format, provenance)
			}
			return output(file).stream(func(w io.Writer) error { return s.Export(w, format, provenance) })
		},
	}
	cmd.Flags().StringVarP(&format, "format", "f", "csv", "`csv` or jsonl")
	cmd.Flags().StringVarP(&file, "out", "o", "", "write to this `file` instead of standard output")
	cmd.Flags().BoolVar(&provenance, "provenance", false, "add who computed each row, when, and how long it took")
	return cmd
}

func newReport() *cobra.Command {
	var (
		file               string
		maximize, minimize string
		size               string
		only               []string
		over               string
		asJSON             bool
	)
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "Analyse the results of a study and write an HTML report",
		Long: `Analyse the stored results of a study: the best configuration of every size and the
way to grow, main effects and interactions, what the result is sensitive to, and
how it scales. Prints the answer and writes the charts to an HTML file.`,
		Example: `  isoscale report jin
  isoscale report jin --out jin.html --maximize efficiency
  isoscale report jin --only r1=3 --json
  isoscale report jin --over r2,r1 --out turned.html
  isoscale report jin --json`,
		Args: exactly(1, "one results directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := openStudy(args[0])
			if err != nil {
				return err
			}
			if file == "" && !asJSON {
				file = filepath.Join(args[0], "report.html")
			}
			if err := output(file).check(); err != nil {
				return err
			}
			err = errors.Join(s.Aim(maximize, minimize, size), s.Only(only))
			if over != "" {
				x, y, _ := strings.Cut(over, ",")
				err = errors.Join(err, s.Over(x, y))
			}
			if err != nil {
				return &usageError{err, ""}
			}
			r, err := s.Finish(nil, 0)
			if err != nil {
				return err
			}
			return present(cmd, r, file, asJSON, printSweep)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&file, "out", "o", "", "write the report to this `file` (default: DIR/report.html)")
	f.StringVar(&maximize, "maximize", "", "look for the largest value of this `outcome` instead of the plan's objective")
	f.StringVar(&minimize, "minimize", "", "look for the smallest value of this `outcome`")
	f.StringVar(&size, "size", "", "`outcome` or numeric factor that says how large a configuration is")
	f.StringVar(&over, "over", "", "the map shows these two `factors`, as in --over latency,bandwidth (default: the two strongest)")
	f.StringArrayVar(&only, "only", nil, "look at the points with one level of a factor only, as in --only `network=flow` (repeatable)")
	f.BoolVar(&asJSON, "json", false, "print one JSON document and nothing else")
	return cmd
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
