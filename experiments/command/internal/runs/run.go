package runs

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/command/internal/answer"
	"github.com/isoscale/isoscale/experiments/command/internal/flags"
	"github.com/isoscale/isoscale/experiments/command/internal/terminal"
	"github.com/isoscale/isoscale/experiments/internal/answer/run"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/observe"
)

// ranksInText is how many ranks the text shows unless --ranks is given.
const ranksInText = 32

var (
	ranksByDefault = fmt.Sprintf("default up to %d ranks in JSON, %d in text", watch.RanksShown, ranksInText)
	ranksUsage     = fmt.Sprintf("list every rank (%s)", ranksByDefault)
)

// segmentsInText is how many segments of the critical path the text shows.
const segmentsInText = 20

// NewRun returns the command run, which simulates one scenario.
func NewRun() *cobra.Command {
	var (
		overrides flags.Overrides
		asked     answer.Flags
		timeline  string
		matrix    string
		options   run.Options
	)
	cmd := &cobra.Command{
		Use:   "run SCENARIO",
		Short: "Simulate one scenario",
		Long: `
Simulate one scenario: one workload at one problem size on one system. Print the
time, the achieved speed, the speed-efficiency, and the time that every rank
spends on computation, communication overhead and waiting. A scenario can also
describe a super-program on a hierarchy of clusters, by its levels and tasks.`,
		Example: `  isoscale run examples/sunwulf-run.yaml
  isoscale run examples/sunwulf-run.yaml --set workload.n=800 --report run.html
  isoscale run examples/sunwulf-run.yaml --set network=ideal --json
  isoscale run examples/sunwulf-run.yaml --set network=flow --links
  isoscale run examples/sunwulf-run.yaml --timeline run.json --critical-path
  isoscale run examples/sunwulf-run.yaml --baseline process
  isoscale run examples/hierarchy.yaml --set 'levels=[64, 8]'`,
		Args: flags.ExactArgs(1, "one scenario file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := asked.Outputs(cmd, args, timeline, matrix)
			if err != nil {
				return err
			}
			s, super, err := scenario.ReadRunnable(args[0], overrides)
			if err != nil {
				return err
			}
			if super != nil {
				return runSuperProgram(cmd, super, overrides, files, asked)
			}
			if options.Links && !s.HasLinks() {
				return input.Errorf("--links: network %s does not model links; expected network flow, as with --set network=flow", s.Network.Kind.Name)
			}
			if err := files.Check(input.Files(s.Inputs)...); err != nil {
				return err
			}
			allRanks, links := options.AllRanks, options.Links
			options.Links = links || asked.ReportWanted() && s.HasLinks()
			options.Overrides, options.AllRanks = overrides, allRanks || asked.ReportWanted()
			options.Timeline, options.Matrix = timeline != "", matrix != ""
			options.Picture = asked.ReportWanted()
			bar := terminal.NewProgress(cmd.ErrOrStderr(), asked.Quiet)
			r, err := run.Run(bar.Watch(cmd.Context()), s, options)
			bar.End()
			if err != nil {
				return err
			}
			if err := asked.WriteReport(files, r); err != nil {
				return err
			}
			if err := files.Write(timeline, r.WriteTimeline); err != nil {
				return err
			}
			if err := files.Write(matrix, r.WriteMatrix); err != nil {
				return err
			}
			if !links {
				r.Links = nil
			}
			if asked.JSON {
				if len(r.Ranks) > watch.RanksShown && !allRanks {
					r.Ranks = nil
				}
				return asked.PrintJSON(files.Text(), r)
			}
			return printRun(files.Text(), r, allRanks, asked.Page, asked.Figures, timeline, matrix)
		},
	}
	overrides.AddTo(cmd, "workload.n=800")
	asked.AddLongTo(cmd)
	cmd.Flags().BoolVar(&options.AllRanks, "ranks", false, ranksUsage)
	flags.AddOutput(cmd, &timeline, "timeline", "", "write the activity of every rank to `FILE`, in the Chrome trace event format (opens in Perfetto)")
	cmd.Flags().BoolVar(&options.CriticalPath, "critical-path", false, "show the operations and messages that determine the makespan")
	cmd.Flags().BoolVar(&options.Links, "links", false, "show the traffic and utilisation of every link (network flow only)")
	cmd.Flags().StringVar(&options.Baseline, "baseline", "", "compare with the fastest `KIND` alone, process or node: speed-up, efficiency")
	flags.AddOutput(cmd, &matrix, "matrix", "", "write the messages and bytes between each pair of ranks to `FILE`, as CSV")
	cmd.Flags().BoolVar(&options.Fingerprint, "fingerprint", false, "print a hash of the event sequence, for regression tests")
	return cmd
}

func printRun(w io.Writer, r *run.Result, allRanks bool, files ...string) error {
	p := &terminal.Printer{W: w}
	p.Wrapped("", r.Headline())
	p.Line("")
	facts := [][2]string{{"time", units.Seconds(r.Makespan).String()}}
	if r.Work > 0 {
		facts = append(facts, [][2]string{
			{"work", units.Flops(r.Work).String()},
			{"marked speed", units.FlopsPerSecond(r.MarkedSpeed).String()},
			{"achieved speed", units.FlopsPerSecond(r.AchievedSpeed).String()},
			{"speed-efficiency", efficiency(r.SpeedEfficiency)},
		}...)
	}
	if b := r.Baseline; b != nil {
		facts = append(facts, [][2]string{
			{"baseline", fmt.Sprintf("%v: %v", b, units.Seconds(b.Makespan))},
			{"speed-up", fmt.Sprintf("%.4g of %.4g", b.Speedup, r.MarkedSpeed/b.MarkedSpeed)},
			{"efficiency", efficiency(b.Efficiency)},
		}...)
	}
	facts = append(facts, [2]string{"messages", fmt.Sprintf("%d, %v; measured collectives: %d", r.Messages, units.Bytes(r.Bytes), r.Collectives)})
	cores, devices := r.Idle()
	if cores != "" {
		facts = append(facts, [2]string{"cores", cores})
	}
	if devices != "" {
		facts = append(facts, [2]string{"devices", devices})
	}
	if e := r.Energy; e != nil {
		facts = append(facts, [2]string{"energy", fmt.Sprintf("%v, %v on average", e.Total, e.MeanPower)})
	}
	p.Facts(facts)
	if r.Fingerprint != "" {
		p.Line("fingerprint       %s", r.Fingerprint)
	}
	p.Line("")
	printCriticalPath(p, r.CriticalPath, r.Cause)
	printRanks(p, r.Ranks, allRanks)
	printLinks(p, r.Links)
	if r.Energy != nil {
		printEstimates(p, r.Energy.Assumed)
	}
	p.Warnings(r.Warnings)
	for _, f := range files {
		p.File(f)
	}
	return p.Err
}

// printCriticalPath prints what limits a run and the beginning of its critical path, if there
// is one.
func printCriticalPath(p *terminal.Printer, path *observe.Path, cause func() string) {
	if path == nil {
		return
	}
	p.Wrapped("", cause())
	if p.Err == nil {
		p.Err = path.WriteText(p.W, segmentsInText)
	}
	p.Line("")
}

// printEstimates prints what was assumed where the description of the machine says nothing.
func printEstimates(p *terminal.Printer, assumed []string) {
	for _, text := range assumed {
		p.Wrapped("estimate: ", text)
	}
}

// printRanks prints where the time of the first ranks went, or of all.
func printRanks(p *terminal.Printer, ranks []watch.Rank, all bool) {
	if len(ranks) == 0 {
		p.Line("--ranks shows how each rank spends its time.")
		return
	}
	shown := ranks
	if len(shown) > ranksInText && !all {
		shown = shown[:ranksInText]
	}
	rows := [][]string{{"rank", "node", "finish", "compute", "overhead", "wait"}}
	for _, x := range shown {
		rows = append(rows, []string{fmt.Sprint(x.Rank), x.Node,
			units.Seconds(x.Finish).String(), units.Seconds(x.Compute).String(), units.Seconds(x.Overhead).String(), units.Seconds(x.Wait).String()})
	}
	p.Table(rows, "r.rrrr")
	if more := len(ranks) - len(shown); more > 0 {
		p.Line("... and %d more; --ranks lists all", more)
	}
}
