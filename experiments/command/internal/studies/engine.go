package studies

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/command/internal/flags"
	"github.com/isoscale/isoscale/experiments/command/internal/terminal"
	"github.com/isoscale/isoscale/experiments/internal/study/batch"
)

// engineFlags say where the simulations of a command run: on this computer, or as a job
// array of Slurm.
type engineFlags struct {
	engine  flags.Choice
	options batch.Options
}

// addTo adds the flags. what is done on the engine: "run the points on".
func (e *engineFlags) addTo(cmd *cobra.Command, what string) {
	e.engine = flags.OneOf("local", "slurm")
	f := cmd.Flags()
	f.Var(&e.engine, "engine", what+" `ENGINE`: "+e.engine.List())
	f.StringVar(&e.options.Partition, "partition", "", "Slurm: submit to the partition `NAME`")
	f.StringVar(&e.options.Account, "account", "", "Slurm: charge the account `NAME`")
	f.StringVar(&e.options.Time, "time", "", "Slurm: limit each task to `TIME`, in the notation of sbatch")
	f.IntVar(&e.options.CPUs, "cpus", 1, "Slurm: use `N` processors per task")
	f.IntVar(&e.options.Parallel, "parallel", 0, "Slurm: run at most `N` tasks at a time (default no limit)")
	f.StringArrayVar(&e.options.Extra, "sbatch", nil, "Slurm: pass the argument `ARG` to sbatch (repeatable)")
	f.DurationVar(&e.options.Poll, "poll", 5*time.Second, "Slurm: check the queue every `TIME`")
}

func (e *engineFlags) slurm() bool { return e.engine.String() == "slurm" }

// run does work by a job array of Slurm, and shows its state.
func (e *engineFlags) run(ctx context.Context, work batch.Work, bar *terminal.Progress) error {
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
