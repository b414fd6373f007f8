package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/buy/search"
	"github.com/isoscale/isoscale/experiments/internal/buy/words"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/units"
)

// planFlags are those of a plan and of its tasks.
type planFlags struct {
	overrides []input.Override
	jobs      int
	out       string
	tasks     int
}

// addTo adds the flags; by default jobs are as many as the words say.
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
	)
	cmd := newCommand("plan", exactArgs(1, "one plan file"), func(cmd *cobra.Command, args []string) error {
		files, err := asked.Outputs(cmd, args)
		switch {
		case err != nil:
			return err
		case engine.slurm() && f.out == "":
			return input.Errorf("--out is missing; expected, with --engine slurm, the directory that the tasks share")
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
				search.Options{Overrides: f.overrides, Jobs: f.jobs, Out: f.out, Progress: step})
			if f.out != "" && errors.Is(err, context.Canceled) {
				return words.Answer{}, fmt.Errorf("interrupted; the simulations so far are in %s; rerun the command to resume", f.out)
			}
			if err != nil {
				return words.Answer{}, err
			}
			return words.Of(r), nil
		}, printPlan)
	})
	f.addTo(cmd, "keep simulations in `DIR`, which is created if needed, and do only those that are missing",
		"Slurm: divide the work among `N` tasks", "all cores")
	engine.addTo(cmd, "simulate on")
	asked.AddLongTo(cmd)
	cmd.AddCommand(newPlanTask())
	return cmd
}

// rankingRows is how many designs the text shows.
const rankingRows = 12

func printPlan(p *printer, r words.Answer) {
	for _, text := range r.Summary() {
		p.Wrapped("", text)
	}
	p.Line("")
	p.Title(r.RankedInWords() + ":")
	best := r.Designs()
	shown := best[:min(len(best), rankingRows)]
	p.Table(designRows(r, shown), ".rrrrr.")
	if r.SharesMachines() {
		p.Section("mix: multiple of the runs of the plan that can be done in the hours of a year, jobs side by side; wait: mean of the jobs " +
			"of the mix.")
	}
	if n := len(best) - rankingRows; n > 0 {
		p.Line("and %d more designs, which --json and --report list", n)
	}
	p.Section("fronts: Pareto-optimal in time and price (P), in time and energy (E), in time, price and energy (3).")
	if excluded := r.ExcludedInWords(); len(excluded) > 0 {
		p.Section("Excluded:")
		for _, text := range excluded {
			p.Wrapped("  ", text)
		}
	}
	beyond, rows := false, [][]string(nil)
	for i, u := range r.Upgrades {
		if i == 0 || u.From != r.Upgrades[i-1].From {
			beyond = false
			p.Line("")
			p.Title("Upgrades of " + u.From + ", the most cost-effective first:")
			rows = [][]string{{"upgrade", "change", "cost", "faster", "per 10k " + r.Currency}}
		}
		mark := u.Direction
		if u.Hypothetical {
			mark = "(" + mark + ")"
		}
		if u.Beyond != "" {
			mark, beyond = mark+" *", true
		}
		rows = append(rows, []string{short(mark, 24), short(u.Change, 22), fmt.Sprintf("%.0f", u.Cost),
			model.Signed(model.Percent(u.Gain), 2) + " %", model.Signed(u.PerMoney(10000), 2) + " %"})
		if i+1 == len(r.Upgrades) || r.Upgrades[i+1].From != u.From {
			p.Table(rows, "..rrr")
			p.Line("(in brackets: hypothetical, at a cost in proportion to the change)")
			if beyond {
				p.Line("(*: exceeds the budget; --json and --report name the limit)")
			}
		}
	}
	p.List("", r.Certainty())
	if rows := leadRows(r); len(rows) > 1 {
		p.Line("")
		p.Title(fmt.Sprintf("Lead of the recommended machine with one figure %g %% lower or higher:",
			100*r.Robustness.Change))
		p.Table(rows, ".rr")
	}
	p.Warnings(r.Warnings)
}

// designRows shows designs by the time of the mix, or by how much of the mix they carry and
// how long jobs wait.
func designRows(r words.Answer, best []model.Candidate) [][]string {
	rows := [][]string{{"machine", "time", "rel", r.Currency, "power", "RU", "fronts"}}
	if r.SharesMachines() {
		rows = [][]string{{"machine", "mix", "wait", "rel", r.Currency, "power", "fronts"}}
	}
	for _, c := range best {
		relative, price, power := fmt.Sprintf("%.3f", c.Relative), fmt.Sprintf("%.0f",
			c.Price), units.Watts(c.Power).String()
		if r.SharesMachines() {
			rows = append(rows, []string{short(c.Name, 32), words.Times(*c.Throughput), words.MeanOnly(c.Wait),
				relative, price, power, frontMarks(c)})
			continue
		}
		rows = append(rows, []string{short(c.Name, 30), r.ScoreOf(c.Score), relative, price, power,
			fmt.Sprintf("%.4g", c.RackUnits), frontMarks(c)})
	}
	return rows
}

// leadRows shows the figures with the largest effect on the lead.
func leadRows(r words.Answer) [][]string {
	rows := [][]string{{"figure", "lower", "higher"}}
	for i, x := range r.Robustness.Parameters {
		if i == 8 || r.Lead == nil || !x.Matters() {
			break
		}
		low, high := r.Leads(&x)
		rows = append(rows, []string{short(x.Parameter, 48), low, high})
	}
	return rows
}

// frontMarks says which Pareto fronts a candidate is on.
func frontMarks(c model.Candidate) string {
	marks := ""
	for _, f := range c.Fronts {
		marks += map[string]string{"time-price": "P", "time-energy": "E", "time-price-energy": "3"}[f]
	}
	return marks
}

// short cuts a text that is too wide for its column.
func short(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return strings.TrimRight(string(runes[:most-2]), " ,") + ".."
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
		_, err = search.Solve(bar.Watch(cmd.Context()), p, search.Options{
			Overrides: f.overrides, Jobs: f.jobs, Out: f.out, Crew: search.Crew{Member: k,
				Members: f.tasks}, Progress: bar.Step,
		})
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
		all := make([]int, f.tasks)
		for k := range all {
			all[k] = k
		}
		return all, nil
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
