package studies

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/command/internal/flags"
	"github.com/isoscale/isoscale/experiments/command/internal/terminal"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/batch"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
)

// openStudy opens a results directory that a command names.
func openStudy(dir string) (*sweep.Study, error) {
	s, err := sweep.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, input.Errorf("%v", err)
	}
	return s, err
}

func newSweepShard() *cobra.Command {
	var jobs flags.Jobs
	var quiet bool
	cmd := &cobra.Command{
		Use:   "shard DIR [K]",
		Short: "Compute one shard of a results directory: the task of a job array",
		Long: `
Compute shard K of a results directory, unless it is complete. The command needs
the directory and no other file. Without K, the number is taken from the
environment: SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX (Kubernetes),
PBS_ARRAY_INDEX or AWS_BATCH_JOB_ARRAY_INDEX. Where the indices of an array must
start from 0, ISOSCALE_SHARDS can list the shards, as in 7,25,38-39.

The exit status is 0 if the shard is complete. The command can be killed at any
time; rerun it to resume.`,
		Example: `  isoscale sweep shard jin 7
  sbatch --array=0-31 --wrap 'isoscale sweep shard /shared/jin'`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := openStudy(args[0])
			if err != nil {
				return err
			}
			k, err := arrayIndex(cmd, args[1:], s.Dir.Plan().Shards, "shard")
			if err != nil {
				return err
			}
			if jobs == 0 {
				jobs = flags.Jobs(taskCPUs(os.Getenv))
			}
			bar := terminal.NewProgress(cmd.ErrOrStderr(), quiet)
			ctx := bar.Watch(cmd.Context())
			total, done := s.Dir.Plan().PointsOf(k), 0
			noun := fmt.Sprintf("points of shard %d", k)
			bar.Count(0, total, noun)
			err = s.Shard(ctx, k, int(jobs), func(n int) { done += n; bar.Count(done, total, noun) })
			bar.End()
			return err
		},
	}
	jobs.AddTo(cmd, "SLURM_CPUS_PER_TASK, else 1")
	flags.AddQuiet(cmd, &quiet)
	return cmd
}

// arrayIndex takes K, one of so many shards or tasks, from the arguments, or else from the
// environment.
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
	return &cobra.Command{
		Use:   "missing DIR",
		Short: "Print the shards that are not complete, as in 7,25,38-39",
		Long: `
Print the shards of a results directory that are not complete, in the notation
of sbatch --array. Print nothing if the study is complete.`,
		Example: `  isoscale sweep missing jin
  sbatch --array=$(isoscale sweep missing /shared/jin) task.sh`,
		Args: flags.ExactArgs(1, "one results directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := openStudy(args[0])
			if err != nil {
				return err
			}
			missing, err := s.Dir.Missing()
			if err != nil || len(missing) == 0 {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), store.Ranges(missing))
			return err
		},
	}
}

func newSweepMerge() *cobra.Command {
	return &cobra.Command{
		Use:   "merge DIR",
		Short: "Merge complete shards into DIR/results.csv",
		Long: `
Merge the shards of a results directory into DIR/results.csv, in the order of
the points. If shards are missing, fail and list them.`,
		Example: "  isoscale sweep merge jin",
		Args:    flags.ExactArgs(1, "one results directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := openStudy(args[0])
			if err != nil {
				return err
			}
			path, err := s.Dir.Merge()
			if err != nil {
				return err
			}
			p := &terminal.Printer{W: cmd.OutOrStdout()}
			p.Line("wrote %s", path)
			return p.Err
		},
	}
}

func newSweepManifest() *cobra.Command {
	var o batch.ManifestOptions
	cmd := &cobra.Command{
		Use:   "manifest DIR",
		Short: "Print a Kubernetes Job that computes the missing shards",
		Long: `
Print the manifest of an indexed Kubernetes Job that computes the missing shards,
and of a volume claim for the directory. Copy the directory to the volume, fill
in the values that the comments in the manifest ask for, and apply it.`,
		Example: "  isoscale sweep manifest jin --image isoscale:0.1 | kubectl apply -f -",
		Args:    flags.ExactArgs(1, "one results directory"),
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
	f.StringVar(&o.Name, "name", "", "name the Job `NAME` (default isoscale)")
	f.StringVar(&o.Image, "image", "", "run the container image `IMAGE`, which must contain isoscale")
	f.StringVar(&o.Mount, "mount", "", "mount the volume at `PATH` (default /data)")
	f.IntVar(&o.Parallel, "parallel", 0, "run at most `N` pods at a time (default 8)")
	f.IntVar(&o.CPUs, "cpus", 0, "request `N` CPUs per pod (default 1)")
	f.StringVar(&o.Memory, "memory", "", "request `SIZE` of memory per pod, in the notation of Kubernetes (default 2Gi)")
	f.StringVar(&o.Storage, "storage", "", "request a volume of `SIZE`, in the notation of Kubernetes (default 10Gi)")
	return cmd
}
