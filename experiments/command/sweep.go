package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/batch"
	"github.com/isoscale/isoscale/experiments/internal/study/findings"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
)

// newSweep returns the command sweep, which runs a study, with the commands of its shards.
func newSweep() *cobra.Command {
	var (
		overrides []input.Override
		out       string
		jobs      int
		shards    int
		engine    engineFlags
		asked     answerFlags
	)
	cmd := newCommand("sweep", exactArgs(1, "one plan file"), func(cmd *cobra.Command, args []string) error {
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
			jobs = runtime.GOMAXPROCS(0)
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
			p.Warnings = append(p.Warnings,
				fmt.Sprintf("--shards %d is ignored: the study in %s has %d shards already", shards, out, n))
		}
		start := time.Now()
		bar := newProgress(cmd.ErrOrStderr(), asked.Quiet)
		ctx := bar.Watch(cmd.Context())
		if engine.slurm() {
			err = engine.run(ctx, bar, out, s.Dir.Plan().Shards, s.Dir.Missing, func(dir string) []string {
				return []string{"sweep", "shard", dir, "--quiet"}
			})
		} else {
			err = s.Run(ctx, jobs, func(done, total int) { bar.Count(done, total, "points") })
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
		return emit(files, r, asked, printSweep)
	})
	f := cmd.Flags()
	f.StringVarP(&out, "out", "o", "", "store the results in `DIR`, which is created if needed (required)")
	addJobs(cmd, &jobs, "all cores")
	f.IntVar(&shards, "shards", 0,
		"divide a new study into `N` shards, each stored and submitted as a whole (default by the number of points)")
	engine.addTo(cmd, "run the points on")
	addOverrides(cmd, &overrides, "scenario.workload.n=800")
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

func printSweep(p *printer, r *findings.Result) {
	p.Title(r.Headline())
	for _, line := range r.Summary() {
		p.Wrapped("", line)
	}
	p.Warnings(r.Warnings)
	p.File(r.File)
}

// openStudy opens a results directory that a command names.
func openStudy(dir string) (*sweep.Study, error) {
	s, err := sweep.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, input.Errorf("%v", err)
	}
	return s, err
}

// oneStudy demands the results directory that a command is about.
var oneStudy = exactArgs(1, "one results directory")

// newStudyCommand returns the command of a page of help that works on the results directory of its first argument.
func newStudyCommand(page string, args cobra.PositionalArgs,
	do func(cmd *cobra.Command, s *sweep.Study, args []string) error) *cobra.Command {
	return newCommand(page, args, func(cmd *cobra.Command, args []string) error {
		s, err := openStudy(args[0])
		if err != nil {
			return err
		}
		return do(cmd, s, args)
	})
}

func newSweepShard() *cobra.Command {
	var jobs int
	var quiet bool
	args := cobra.RangeArgs(1, 2)
	cmd := newStudyCommand("sweep-shard", args, func(cmd *cobra.Command, s *sweep.Study, args []string) error {
		k, err := arrayIndex(cmd, args[1:], s.Dir.Plan().Shards, "shard")
		if err != nil {
			return err
		}
		if jobs == 0 {
			jobs = taskCPUs(os.Getenv)
		}
		bar := newProgress(cmd.ErrOrStderr(), quiet)
		ctx := bar.Watch(cmd.Context())
		total, done := s.Dir.Plan().PointsOf(k), 0
		noun := fmt.Sprintf("points of shard %d", k)
		bar.Count(0, total, noun)
		err = s.Shard(ctx, k, jobs, func(n int) { done += n; bar.Count(done, total, noun) })
		bar.End()
		return err
	})
	addJobs(cmd, &jobs, "SLURM_CPUS_PER_TASK, else 1")
	addLong(cmd, &quiet)
	return cmd
}

// arrayIndex returns the number K of a shard or task, below of, from the arguments or else
// from the environment.
func arrayIndex(cmd *cobra.Command, args []string, of int, noun string) (int, error) {
	bad := func(from, text string) error {
		return input.Errorf("%s %q is not a %s; expected a number from 0 to %d", from, text, noun, of-1)
	}
	if len(args) > 0 {
		k, err := strconv.Atoi(args[0])
		if err != nil || k < 0 || k >= of {
			return 0, bad(noun, args[0])
		}
		return k, nil
	}
	k, from, ok := batch.ShardIndex(os.Getenv)
	switch {
	case from == "":
		return 0, input.Errorf("no %s given; expected K, or an array index in the environment such as SLURM_ARRAY_TASK_ID\nRun '%s --help' for examples.", noun, cmd.CommandPath())
	case !ok || k >= of:
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
	return newStudyCommand("sweep-missing", oneStudy, func(cmd *cobra.Command, s *sweep.Study, _ []string) error {
		missing, err := s.Dir.Missing()
		if err != nil || len(missing) == 0 {
			return err
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), store.Ranges(missing))
		return err
	})
}

func newSweepMerge() *cobra.Command {
	return newStudyCommand("sweep-merge", oneStudy, func(cmd *cobra.Command, s *sweep.Study, _ []string) error {
		path, err := s.Dir.Merge()
		if err == nil {
			_, err = fmt.Fprintln(cmd.OutOrStdout(), "wrote", path)
		}
		return err
	})
}

func newSweepManifest() *cobra.Command {
	var o batch.ManifestOptions
	cmd := newStudyCommand("sweep-manifest", oneStudy, func(cmd *cobra.Command, s *sweep.Study, _ []string) error {
		dir, err := filepath.Abs(s.Dir.Path())
		if err != nil {
			return err
		}
		if o.Shards, err = s.Dir.Missing(); err != nil {
			return err
		}
		if len(o.Shards) == 0 {
			return fmt.Errorf("%s: no shard is missing; expected a study that is not complete", s.Dir.Path())
		}
		o.Of = s.Dir.Plan().Shards
		if o.Mount == "" {
			o.Mount = "/data"
		}
		o.Command = []string{"isoscale", "sweep", "shard", o.Mount + "/" + filepath.Base(dir), "--quiet"}
		return batch.Manifest(cmd.OutOrStdout(), o)
	})
	f := cmd.Flags()
	f.StringVar(&o.Name, "name", "", "name the Job `NAME` (default isoscale)")
	f.StringVar(&o.Image, "image", "", "run the container image `IMAGE`, which must contain isoscale")
	f.StringVar(&o.Mount, "mount", "", "mount the volume at `PATH` (default /data)")
	f.IntVar(&o.Parallel, "parallel", 0, "run at most `N` pods at a time (default 8)")
	f.IntVar(&o.CPUs, "cpus", 0, "request `N` CPUs per pod (default 1)")
	f.StringVar(&o.Memory, "memory", "",
		"request `SIZE` of memory per pod, in the notation of Kubernetes (default 2Gi)")
	f.StringVar(&o.Storage, "storage", "", "request a volume of `SIZE`, in the notation of Kubernetes (default 10Gi)")
	return cmd
}

// engineFlags say where the simulations of a command run: on this computer, or as a job
// array of Slurm.
type engineFlags struct {
	engine  string
	options batch.Options
}

// addTo adds the flags. what says what is done on the engine: "run the points on".
func (e *engineFlags) addTo(cmd *cobra.Command, what string) {
	f := cmd.Flags()
	addChoice(cmd, &e.engine, "engine", "", what+" `ENGINE`: WORDS", "local", "slurm")
	f.StringVar(&e.options.Partition, "partition", "", "Slurm: submit to the partition `NAME`")
	f.StringVar(&e.options.Account, "account", "", "Slurm: charge the account `NAME`")
	f.StringVar(&e.options.Time, "time", "", "Slurm: limit each task to `TIME`, in the notation of sbatch")
	f.IntVar(&e.options.CPUs, "cpus", 1, "Slurm: use `N` processors per task")
	f.IntVar(&e.options.Parallel, "parallel", 0, "Slurm: run at most `N` tasks at a time (default no limit)")
	f.StringArrayVar(&e.options.Extra, "sbatch", nil, "Slurm: pass the argument `ARG` to sbatch (repeatable)")
	f.DurationVar(&e.options.Poll, "poll", 5*time.Second, "Slurm: check the queue every `TIME`")
}

func (e *engineFlags) slurm() bool { return e.engine == "slurm" }

// run does shards of a directory by a job array of Slurm, whose tasks call this program with
// the arguments for the directory, and shows its state.
func (e *engineFlags) run(ctx context.Context, bar *progress, dir string, shards int, missing func() ([]int, error),
	arguments func(dir string) []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	work := batch.Work{Dir: dir, Command: append([]string{self}, arguments(dir)...), Shards: shards, Missing: missing}
	return batch.Slurm(ctx, work, e.options, func(x batch.Status) {
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
		bar.Status(x.Done, work.Shards, text)
	})
}
