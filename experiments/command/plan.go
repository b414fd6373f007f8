package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/buy/search"
	"github.com/isoscale/isoscale/experiments/internal/buy/words"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/each"
)

// planFlags are the flags of a plan and of its tasks.
type planFlags struct {
	overrides []input.Override
	jobs      int
	out       string
	tasks     int
}

// addTo adds the flags, with the words for out and tasks, and for the default of jobs.
func (f *planFlags) addTo(cmd *cobra.Command, out, tasks, jobs string) {
	addOverrides(cmd, &f.overrides, "budget.power=30kW")
	cmd.Flags().StringVarP(&f.out, "out", "o", "", out)
	cmd.Flags().IntVar(&f.tasks, "tasks", 8, tasks)
	addJobs(cmd, &f.jobs, jobs)
}

func (f *planFlags) check() error {
	if f.tasks < 1 {
		return input.Errorf("--tasks %d; expected at least 1", f.tasks)
	}
	return nil
}

// newPlan returns the command plan, which says which cluster to buy.
func newPlan() *cobra.Command {
	var (
		f      planFlags
		engine engineFlags
		asked  answerFlags
		quick  bool

		explained system.Explained
	)
	cmd := newCommand("plan", exactArgs(1, "one plan file"), func(cmd *cobra.Command, args []string) error {
		files, err := asked.Outputs(cmd, args)
		switch {
		case err != nil:
			return err
		case engine.slurm() && f.out == "":
			return input.Errorf("--out is missing; expected, with --engine slurm, the directory that the tasks share")
		case engine.slurm() && quick:
			return input.Errorf("--quick with --engine slurm; expected one of them: tasks answer the whole plan")
		}
		if err := f.check(); err != nil {
			return err
		}
		p, err := model.Read(args[0], f.overrides)
		if err != nil {
			return err
		}
		if err := files.Check(input.Files(p.Inputs)...); err != nil {
			return err
		}
		if engine.slurm() {
			if err := planOnSlurm(cmd, args[0], p, f, engine, asked.Quiet); err != nil {
				return err
			}
		}
		return emitLong(cmd, files, asked, func(ctx context.Context, step input.Progress) (words.Answer, error) {
			r, err := search.Solve(ctx, p,
				search.Options{Overrides: f.overrides, Jobs: f.jobs, Out: f.out, Quick: quick, Explained: explained, Progress: step})
			if f.out != "" && errors.Is(err, context.Canceled) {
				return words.Answer{}, fmt.Errorf("interrupted; the simulations so far are in %s; rerun the command to resume", f.out)
			}
			if err != nil {
				return words.Answer{}, err
			}
			return words.Of(r), nil
		}, printPlan)
	})
	f.addTo(cmd, "keep simulations in `DIR`, which is created if needed, and run only the missing ones",
		"Slurm: divide the work among `N` tasks", "all cores")
	engine.addTo(cmd, "simulate on")
	cmd.Flags().BoolVar(&quick, "quick", false, "stop after the ranking")
	addExplained(cmd, &explained)
	asked.AddLongTo(cmd)
	cmd.AddCommand(newPlanTask())
	return cmd
}

// answerLines is how many lines the answer of a plan has at most; reports and JSON have all.
const answerLines = 25

func printPlan(p *printer, r words.Answer) {
	p.Brief(r.Brief(), answerLines-1)
	p.Line("Everything, with tables and sources: --report FILE.html, or --json.")
}

func newPlanTask() *cobra.Command {
	var f planFlags
	var quiet bool
	cmd := newCommand("plan-task", cobra.RangeArgs(1, 2), func(cmd *cobra.Command, args []string) error {
		if f.out == "" {
			return input.Errorf("--out is missing; expected the directory that the tasks share")
		}
		if err := f.check(); err != nil {
			return err
		}
		k, err := arrayIndex(cmd, args[1:], f.tasks, "task")
		if err != nil {
			return err
		}
		p, err := model.Read(args[0], f.overrides)
		if err != nil {
			return err
		}
		if f.jobs == 0 {
			f.jobs = taskCPUs(os.Getenv)
		}
		bar := newProgress(cmd.ErrOrStderr(), quiet)
		crew := search.Crew{Member: k, Members: f.tasks}
		_, err = search.Solve(bar.Watch(cmd.Context()), p,
			search.Options{Overrides: f.overrides, Jobs: f.jobs, Out: f.out, Crew: crew, Progress: bar.Step})
		bar.End()
		return err
	})
	f.addTo(cmd, "the directory `DIR` of the simulations (required)", "the work is divided among `N` tasks",
		"SLURM_CPUS_PER_TASK, else 1")
	addLong(cmd, &quiet)
	return cmd
}

// planOnSlurm does the simulations of a plan by a job array of Slurm.
func planOnSlurm(cmd *cobra.Command, file string, p *model.Plan, f planFlags, engine engineFlags, quiet bool) error {
	if _, err := search.OpenFolder(f.out); err != nil {
		return err
	}
	bar := newProgress(cmd.ErrOrStderr(), quiet)
	err := engine.run(bar.Watch(cmd.Context()), bar, f.out, f.tasks, func() ([]int, error) {
		done, err := search.Answered(p, f.overrides, f.out)
		if done || err != nil {
			return nil, err
		}
		return each.Ascending(f.tasks), nil
	}, func(dir string) []string {
		command := []string{"plan", "task", file, "--out", dir, "--tasks", strconv.Itoa(f.tasks), "--quiet"}
		for _, x := range f.overrides {
			command = append(command, "--set", x.Path+"="+x.Value)
		}
		return command
	})
	bar.End()
	return err
}
