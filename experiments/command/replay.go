package command

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/answer/replay"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/units"
)

// hostsInText is how many hosts the text of a replay lists.
const hostsInText = 32

// replayFlags are the flags of the command replay.
type replayFlags struct {
	goal    replay.GOALOptions
	both    replay.Asked
	ti      replay.TIOptions
	asked   answerFlags
	records recordFlags
}

// newReplay returns the command replay, which replays a trace.
func newReplay() *cobra.Command {
	var r replayFlags
	cmd := newCommand("replay", exactArgs(0, "no argument but the flags"), func(cmd *cobra.Command, args []string) error {
		if err := r.check(cmd); err != nil {
			return err
		}
		return r.run(cmd)
	})
	cmd.Flags().StringVar(&r.goal.Schedule, "goal", "", "replay the GOAL schedule `FILE`")
	cmd.Flags().StringVar(&r.goal.Parameters, "loggops", "",
		"set network parameters to `LIST` (default L=2500,o=1500,g=1000,G=6,O=0,S=65535)")
	cmd.Flags().StringVar(&r.ti.Trace, "ti", "",
		"replay the time-independent trace `PATH`: a merged file, a list of files or a directory")
	cmd.Flags().StringVar(&r.ti.Recorded, "trace", "", "replay the trace `FILE` of Paraver (.prv, .prv.gz) or of OTF2 (.otf2)")
	cmd.Flags().StringVar(&r.ti.Speed, "recorded-speed", "",
		"take `SPEED` for that of the cores on which --trace was recorded (default that of the first host)")
	cmd.Flags().IntVar(&r.ti.Ranks, "np", 0, "set the number of ranks to `N` (default as found in the trace)")
	cmd.Flags().StringVar(&r.ti.Platform, "platform", "",
		"replay on `PLATFORM`: a SimGrid platform (.xml), a machine file (.yaml) or a name of the catalogue")
	cmd.Flags().StringVar(&r.ti.Hostfile, "hostfile", "",
		"read the host of each rank from `FILE` (default one rank per core, in the order of the hosts)")
	cmd.Flags().StringVar(&r.ti.Order, "rank-order", "",
		"assign the ranks to these places in `ORDER`: block, cyclic, by-group or greedy (default block)")
	cmd.Flags().StringArrayVar(&r.ti.Settings, "cfg", nil,
		"apply the SimGrid setting `KEY:VALUE`, as in smpi/allreduce:rdb (repeatable)")
	r.records.AddTo(cmd, &r.both.CriticalPath, &r.both.Waits)
	cmd.Flags().BoolVar(&r.both.Efficiencies, "efficiencies", false,
		"replay again on better networks: efficiencies of load balance, serialisation, transfer")
	cmd.Flags().BoolVar(&r.both.WhatIf, "what-if", false,
		"replay again with one thing better at a time: what would help")
	cmd.Flags().BoolVar(&r.goal.Sensitivities, "sensitivities", false,
		"show how the time depends on L, o, g, G, O and computations (--goal only)")
	cmd.Flags().BoolVar(&r.ti.Links, "links", false, "show the traffic and utilisation of every link")
	cmd.Flags().BoolVar(&r.both.AllRanks, "ranks", false,
		"list how every rank spends its time ("+ranksByDefault+"; with --goal when every host finishes)")
	r.asked.AddLongTo(cmd)
	return cmd
}

// check refuses flags that do not belong together.
func (r *replayFlags) check(cmd *cobra.Command) error {
	const hint = "\nRun 'isoscale replay --help' for examples."
	switch {
	case r.goal.Schedule == "" && r.ti.Trace == "" && r.ti.Recorded == "":
		return input.Errorf("nothing to replay; expected --goal FILE, --ti PATH or --trace FILE" + hint)
	case r.goal.Schedule != "" && r.ti.Trace != "":
		return input.Errorf("both --goal and --ti; expected one of them" + hint)
	case r.ti.Recorded != "" && (r.goal.Schedule != "" || r.ti.Trace != ""):
		return input.Errorf("--trace and another trace; expected one of them" + hint)
	case r.goal.Schedule == "" && r.ti.Platform == "":
		given := "--ti"
		if r.ti.Recorded != "" {
			given = "--trace"
		}
		return input.Errorf("%s without a machine; expected --platform PLATFORM"+hint, given)
	case cmd.Flags().Changed("np") && r.ti.Trace == "":
		return input.Errorf("--np requires --ti: other traces have their number of ranks" + hint)
	case r.goal.Sensitivities && r.goal.Schedule == "":
		return input.Errorf("--sensitivities requires --goal: on a platform messages share links; expected --what-if, which replays again" + hint)
	case r.goal.Schedule != "":
		for _, flag := range []string{"platform", "hostfile", "rank-order", "cfg", "links"} {
			if cmd.Flags().Changed(flag) {
				return input.Errorf("--%s requires --ti or --trace, not --goal"+hint, flag)
			}
		}
	case cmd.Flags().Changed("loggops"):
		return input.Errorf("--loggops requires --goal" + hint)
	}
	if r.ti.Recorded == "" && r.ti.Speed != "" {
		return input.Errorf("--recorded-speed requires --trace" + hint)
	}
	return nil
}

func (r *replayFlags) run(cmd *cobra.Command) error {
	files, err := r.asked.Outputs(cmd, []string{r.goal.Schedule, r.ti.Trace, r.ti.Recorded, r.ti.Platform, r.ti.Hostfile},
		r.records.timeline, r.records.paraver)
	if err != nil {
		return err
	}
	if r.both.Timeline, r.both.Trace, err = r.records.Wanted(); err != nil {
		return err
	}
	r.both.Picture = r.asked.ReportWanted()
	r.goal.Asked, r.ti.Asked = r.both, r.both
	// written writes what belongs to an answer and is checked with what it was read from.
	written := func(x *watch.Record, from input.Provenance) error {
		if err := files.Check(input.Files(from.Inputs)...); err != nil {
			return err
		}
		return r.records.Write(files, x)
	}
	if r.goal.Schedule != "" {
		return emitLong(cmd, files, r.asked,
			func(ctx context.Context, _ input.Progress) (*replay.GOALResult, error) {
				x, err := replay.GOAL(ctx, r.goal)
				if err != nil {
					return nil, err
				}
				return x, written(&x.Record, x.Provenance)
			}, func(p *printer, x *replay.GOALResult) { printGOAL(p, r.goal, x) }, r.records.names()...)
	}
	links := r.ti.Links
	r.ti.Links = links || r.asked.ReportWanted()
	return emitLong(cmd, files, r.asked,
		func(ctx context.Context, _ input.Progress) (*replay.TIResult, error) {
			x, err := replay.TI(ctx, r.ti)
			if err != nil {
				return nil, err
			}
			if !links {
				x.Links = nil // the report has them
			}
			return x, written(&x.Record, x.Provenance)
		}, func(p *printer, x *replay.TIResult) { printTI(p, r.ti, x) }, r.records.names()...)
}

func printTI(p *printer, o replay.TIOptions, r *replay.TIResult) {
	p.Title(cmp.Or(o.Recorded, o.Trace) + " on " + o.Platform)
	printHelp(p, efficiencies.Helps(r.WhatIf, r.Efficiencies))
	var facts input.Facts
	facts.Add("makespan", units.Seconds(r.Makespan))
	addEfficiencies(&facts, r.Efficiencies)
	facts.Add("ranks", len(r.Finish))
	facts.Add("messages", fmt.Sprintf("%d, %v", r.Messages, units.Bytes(r.Bytes)))
	facts.Add("cores", r.IdleCores())
	p.Facts(facts)
	p.Line("")
	printCriticalPath(p, &r.Record)
	printEffects(p, r.WhatIf)
	printWaits(p, &r.Record)
	printRanks(p, r.Ranks, o.AllRanks)
	printLinks(p, r.Links)
	p.Warnings(r.Warnings)
	for _, n := range r.Notes {
		p.Wrapped("note: ", n)
	}
}

func printGOAL(p *printer, o replay.GOALOptions, r *replay.GOALResult) {
	p.Title(o.Schedule + " under LogGOPS, " + r.Parameters)
	printHelp(p, efficiencies.Helps(r.WhatIf, r.Efficiencies))
	var facts input.Facts
	facts.Add("makespan", fmt.Sprintf("%d ns", r.Makespan),
		units.Seconds(float64(r.Makespan)*math.Pow(10, -9)).String())
	addEfficiencies(&facts, r.Efficiencies)
	facts.Add("messages", r.Messages)
	if r.CriticalPath != nil && r.Cores > 1 {
		facts.Add("hosts", fmt.Sprintf("%d with %d cores, numbered host by host as ranks of the critical path", len(r.HostFinish), r.Cores))
	}
	p.Facts(facts)
	p.Line("")
	printCriticalPath(p, &r.Record)
	printEffects(p, r.WhatIf)
	printWaits(p, &r.Record)
	printSensitivities(p, r.Sensitivities, float64(r.Makespan)/1e9)
	if o.AllRanks {
		printRanks(p, r.Ranks, true)
	} else {
		printHosts(p, r)
	}
	p.Warnings(r.Warnings)
}

// printHosts prints when hosts finish.
func printHosts(p *printer, r *replay.GOALResult) {
	rows := [][]string{{"host", "finish"}}
	for i, t := range r.HostFinish[:min(len(r.HostFinish), hostsInText)] {
		rows = append(rows, []string{fmt.Sprint(i), fmt.Sprintf("%d ns", t)})
	}
	p.Table(rows, "rr")
	if more := len(r.HostFinish) - hostsInText; more > 0 {
		p.Line("... and %d more; --json lists all", more)
	}
}
