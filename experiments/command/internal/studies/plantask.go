package studies

import (
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/command/internal/flags"
	"github.com/isoscale/isoscale/experiments/command/internal/terminal"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/buy/search"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/batch"
)

func newPlanTask() *cobra.Command {
	var (
		overrides flags.Overrides
		jobs      flags.Jobs
		out       string
		tasks     int
		quiet     bool
	)
	cmd := &cobra.Command{
		Use:   "task FILE [K]",
		Short: "Do a share of the simulations of a plan: the task of a job array",
		Long: `
Do the simulations of a plan together with other tasks, which share a directory.
Task K begins with its share of them, and then does what is still missing. Without
K, the number is taken from the environment, as in 'isoscale sweep shard'.

The exit status is 0 if the plan is answered. 'isoscale plan FILE --out DIR' then
prints the answer. A task can be killed at any time.`,
		Example: `  isoscale plan task buy.yaml 7 --out buy --tasks 8
  sbatch --array=0-7 --wrap 'isoscale plan task buy.yaml --out buy --tasks 8'`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return input.Errorf("--out is missing; expected the directory that the tasks share")
			}
			if tasks < 1 {
				return input.Errorf("--tasks %d; expected at least 1", tasks)
			}
			k, err := arrayIndex(cmd, args[1:], tasks, "task")
			if err != nil {
				return err
			}
			p, err := model.Read(args[0], overrides)
			if err != nil {
				return err
			}
			if jobs == 0 {
				jobs = flags.Jobs(taskCPUs(os.Getenv))
			}
			bar := terminal.NewProgress(cmd.ErrOrStderr(), quiet)
			_, err = search.Solve(bar.Watch(cmd.Context()), p, search.Options{Overrides: overrides, Jobs: int(jobs), Out: out, Crew: search.Crew{Member: k, Members: tasks}, Progress: bar.Step})
			bar.End()
			return err
		},
	}
	overrides.AddTo(cmd, "budget.power=30kW")
	cmd.Flags().StringVarP(&out, "out", "o", "", "the directory `DIR` of the simulations (required)")
	cmd.Flags().IntVar(&tasks, "tasks", 8, "the work is divided among `N` tasks")
	jobs.AddTo(cmd, "SLURM_CPUS_PER_TASK, else 1")
	flags.AddQuiet(cmd, &quiet)
	return cmd
}

// planOnSlurm does the simulations of a plan by a job array of Slurm.
func planOnSlurm(cmd *cobra.Command, file string, p *model.Plan, overrides flags.Overrides, out string, tasks int, engine engineFlags, quiet bool) error {
	if _, err := search.OpenFolder(out); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	command := []string{self, "plan", "task", file, "--out", dir, "--tasks", strconv.Itoa(tasks), "--quiet"}
	for _, x := range overrides {
		command = append(command, "--set", x.Path+"="+x.Value)
	}
	bar := terminal.NewProgress(cmd.ErrOrStderr(), quiet)
	err = engine.run(bar.Watch(cmd.Context()), batch.Work{Dir: dir, Command: command, Shards: tasks, Missing: func() ([]int, error) {
		done, err := search.Answered(p, overrides, dir)
		if done || err != nil {
			return nil, err
		}
		all := make([]int, tasks)
		for k := range all {
			all[k] = k
		}
		return all, nil
	}}, bar)
	bar.End()
	return err
}
