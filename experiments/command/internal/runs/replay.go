package runs

import (
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/command/internal/answer"
	"github.com/isoscale/isoscale/experiments/command/internal/flags"
	"github.com/isoscale/isoscale/experiments/command/internal/terminal"
	"github.com/isoscale/isoscale/experiments/internal/answer/replay"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/output"
	"github.com/isoscale/isoscale/model/units"
)

// hostsInText is how many hosts the text of a replay lists.
const hostsInText = 32

// NewReplay returns the command replay, which replays a trace.
func NewReplay() *cobra.Command {
	var (
		goal     replay.GOALOptions
		wanted   watch.Wanted
		allRanks bool
		ti       replay.TIOptions
		asked    answer.Flags
		timeline string
	)
	cmd := &cobra.Command{
		Use:   "replay (--goal FILE | --ti PATH --platform PLATFORM)",
		Short: "Replay a recorded or generated trace",
		Long: `
Replay a trace and print the time at which every rank finishes.

--goal replays a GOAL schedule, plain or compressed by gzip, under the LogGOPS
model. The network parameters are the latency L, the overhead o and the gap g in
ns, the gap G and the overhead O in ns per byte, and the size S of the largest
eager message in bytes.

--ti replays a time-independent trace, as SimGrid's SMPI records it, on a machine
with shared links. The trace is one merged file, a file that lists the trace of
each rank, or a directory of traces. The platform is a SimGrid platform file, a
machine file, or a machine of the catalogue. The hostfile has one line per rank
with the name of its host, or NAME:COUNT for several ranks. --cfg takes the keys
and values of SimGrid. The default network model is SMPI, as in smpirun.`,
		Example: `  isoscale replay --goal examples/ring.goal
  isoscale replay --goal examples/ring.goal --loggops L=1000,G=1 --json
  isoscale replay --goal examples/ring.goal --critical-path --report ring.html
  isoscale replay --goal examples/ring.goal --ranks
  isoscale replay --ti examples/ring.ti --platform examples/cluster.xml
  isoscale replay --ti examples/ring.ti --platform sunwulf --links
  isoscale replay --ti examples/ring.ti --platform sunwulf --critical-path
  isoscale replay --ti examples/ring.ti --platform sunwulf --cfg smpi/os:1e-6`,
		Args: flags.ExactArgs(0, "no argument but the flags"),
		RunE: func(cmd *cobra.Command, args []string) error {
			const hint = "\nRun 'isoscale replay --help' for examples."
			switch {
			case goal.Schedule == "" && ti.Trace == "":
				return input.Errorf("nothing to replay; expected --goal FILE or --ti PATH" + hint)
			case goal.Schedule != "" && ti.Trace != "":
				return input.Errorf("both --goal and --ti; expected one of them" + hint)
			case ti.Trace != "" && ti.Platform == "":
				return input.Errorf("--ti without a machine; expected --platform PLATFORM" + hint)
			case goal.Schedule != "":
				for _, flag := range []string{"np", "platform", "hostfile", "cfg", "links"} {
					if cmd.Flags().Changed(flag) {
						return input.Errorf("--%s requires --ti, not --goal"+hint, flag)
					}
				}
			case cmd.Flags().Changed("loggops"):
				return input.Errorf("--loggops requires --goal, not --ti" + hint)
			}
			files, err := asked.Outputs(cmd, []string{goal.Schedule, ti.Trace, ti.Platform, ti.Hostfile}, timeline)
			if err != nil {
				return err
			}
			wanted.Timeline, wanted.Picture = timeline != "", asked.ReportWanted()
			goal.Wanted, ti.Wanted = wanted, wanted
			goal.AllRanks, ti.AllRanks = allRanks, allRanks
			out := replayOutput{files, asked, timeline}
			bar := terminal.NewProgress(cmd.ErrOrStderr(), asked.Quiet)
			if goal.Schedule != "" {
				r, err := replay.GOAL(bar.Watch(cmd.Context()), goal)
				bar.End()
				if err != nil {
					return err
				}
				return out.write(r, r.Provenance.Inputs, func() error { return printGOAL(files.Text(), goal, r, asked.Page, asked.Figures, timeline) })
			}
			links := ti.Links
			ti.Links = links || asked.ReportWanted()
			r, err := replay.TI(bar.Watch(cmd.Context()), ti)
			bar.End()
			if err != nil {
				return err
			}
			if !links {
				r.Links = nil // the report has them
			}
			return out.write(r, r.Provenance.Inputs, func() error { return printTI(files.Text(), ti, r, asked.Page, asked.Figures, timeline) })
		},
	}
	cmd.Flags().StringVar(&goal.Schedule, "goal", "", "replay the GOAL schedule `FILE`")
	cmd.Flags().StringVar(&goal.Parameters, "loggops", "", "set network parameters to `LIST` (default L=2500,o=1500,g=1000,G=6,O=0,S=65535)")
	cmd.Flags().StringVar(&ti.Trace, "ti", "", "replay the time-independent trace `PATH`: a merged file, a list of files or a directory")
	cmd.Flags().IntVar(&ti.Ranks, "np", 0, "set the number of ranks to `N` (default as found in the trace)")
	cmd.Flags().StringVar(&ti.Platform, "platform", "", "replay on `PLATFORM`: a SimGrid platform (.xml), a machine file (.yaml) or a name of the catalogue")
	cmd.Flags().StringVar(&ti.Hostfile, "hostfile", "", "read the host of each rank from `FILE` (default one rank per core, in the order of the hosts)")
	cmd.Flags().StringArrayVar(&ti.Settings, "cfg", nil, "apply the SimGrid setting `KEY:VALUE`, as in smpi/allreduce:rdb (repeatable)")
	flags.AddOutput(cmd, &timeline, "timeline", "", "write the activity of every rank to `FILE`, in the Chrome trace event format (opens in Perfetto)")
	cmd.Flags().BoolVar(&wanted.CriticalPath, "critical-path", false, "show the operations and messages that determine the makespan")
	cmd.Flags().BoolVar(&ti.Links, "links", false, "show the traffic and utilisation of every link")
	cmd.Flags().BoolVar(&allRanks, "ranks", false, "list how every rank spends its time ("+ranksByDefault+"; with --goal when every host finishes)")
	asked.AddLongTo(cmd)
	return cmd
}

// replayed is the outcome of a replay.
type replayed interface {
	answer.Reported
	WriteTimeline(io.Writer) error
}

// replayOutput is what a replay writes beside its result.
type replayOutput struct {
	files    *output.Files
	asked    answer.Flags
	timeline string // file; "" for none
}

// write writes the files, and the result as JSON or by text.
func (o *replayOutput) write(r replayed, inputs []input.Input, text func() error) error {
	if err := o.files.Check(input.Files(inputs)...); err != nil {
		return err
	}
	if err := o.asked.WriteReport(o.files, r); err != nil {
		return err
	}
	if err := o.files.Write(o.timeline, r.WriteTimeline); err != nil {
		return err
	}
	if !o.asked.JSON {
		return text()
	}
	return o.asked.PrintJSON(o.files.Text(), r)
}

func printTI(w io.Writer, o replay.TIOptions, r *replay.TIResult, files ...string) error {
	p := &terminal.Printer{W: w}
	p.Wrapped("", fmt.Sprintf("%s on %s", o.Trace, o.Platform))
	p.Line("")
	facts := [][2]string{
		{"makespan", units.Seconds(r.Makespan).String()},
		{"ranks", fmt.Sprint(len(r.Finish))},
		{"messages", fmt.Sprintf("%d, %v", r.Messages, units.Bytes(r.Bytes))},
	}
	if idle := r.IdleCores(); idle != "" {
		facts = append(facts, [2]string{"cores", idle})
	}
	p.Facts(facts)
	p.Line("")
	printCriticalPath(p, r.CriticalPath, r.Cause)
	printRanks(p, r.Ranks, o.AllRanks)
	printLinks(p, r.Links)
	p.Warnings(r.Warnings)
	for _, n := range r.Notes {
		p.Wrapped("note: ", n)
	}
	for _, f := range files {
		p.File(f)
	}
	return p.Err
}

func printGOAL(w io.Writer, o replay.GOALOptions, r *replay.GOALResult, files ...string) error {
	p := &terminal.Printer{W: w}
	p.Line("%s under LogGOPS, %s", o.Schedule, r.Parameters)
	p.Line("")
	p.Facts([][2]string{
		{"makespan", fmt.Sprintf("%d ns (%v)", r.Makespan, units.Seconds(float64(r.Makespan)*math.Pow(10, -9)))},
		{"messages", fmt.Sprint(r.Messages)},
	})
	p.Line("")
	printCriticalPath(p, r.CriticalPath, r.Cause)
	if o.AllRanks {
		printRanks(p, r.Ranks, true)
	} else {
		printHosts(p, r)
	}
	p.Warnings(r.Warnings)
	for _, f := range files {
		p.File(f)
	}
	return p.Err
}

// printHosts prints when hosts finish.
func printHosts(p *terminal.Printer, r *replay.GOALResult) {
	rows := [][]string{{"host", "finish"}}
	for i, t := range r.HostFinish {
		if i == hostsInText {
			break
		}
		rows = append(rows, []string{fmt.Sprint(i), fmt.Sprintf("%d ns", t)})
	}
	p.Table(rows, "rr")
	if more := len(r.HostFinish) - hostsInText; more > 0 {
		p.Line("... and %d more; --json lists all", more)
	}
}
