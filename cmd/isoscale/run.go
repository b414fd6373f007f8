package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments"
	"github.com/isoscale/isoscale/model/units"
)

// ranksInText is how many ranks the text shows unless --ranks is given.
const ranksInText = 32

func newRun() *cobra.Command {
	var (
		overrides overrideFlag
		asJSON    bool
		report    string
		allRanks  bool
	)
	cmd := &cobra.Command{
		Use:   "run SCENARIO",
		Short: "Simulate one scenario",
		Long: `Simulate one scenario: one workload at one problem size on one system.
Prints the time, the achieved speed, the speed-efficiency and where the time of
every rank went.`,
		Example: `  isoscale run examples/sunwulf-run.yaml
  isoscale run examples/sunwulf-run.yaml --set workload.n=800 --report run.html
  isoscale run examples/sunwulf-run.yaml --set network=ideal --json`,
		Args: exactly(1, "one scenario file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := experiments.ReadScenario(args[0], overrides)
			if err != nil {
				return err
			}
			r, err := experiments.Run(cmd.Context(), s, experiments.RunOptions{Overrides: overrides, AllRanks: allRanks || report != ""})
			if err != nil {
				return err
			}
			if report != "" {
				if err := writeReport(report, r.WriteReport); err != nil {
					return err
				}
			}
			if asJSON {
				if len(r.Ranks) > experiments.RanksShown && !allRanks {
					r.Ranks = nil
				}
				return printJSON(cmd.OutOrStdout(), r)
			}
			return printRun(cmd.OutOrStdout(), r, allRanks, report)
		},
	}
	overrides.addTo(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document and nothing else")
	cmd.Flags().StringVar(&report, "report", "", "write an HTML report to this `file`")
	cmd.Flags().BoolVar(&allRanks, "ranks", false, fmt.Sprintf("list every rank (default: in JSON up to %d ranks, in text %d)", experiments.RanksShown, ranksInText))
	return cmd
}

func printRun(w io.Writer, r *experiments.RunResult, allRanks bool, report string) error {
	p := &printer{w: w}
	p.line("%s", r.Headline())
	p.line("")
	p.facts([][2]string{
		{"time", units.Seconds(r.Makespan).String()},
		{"work", units.Flops(r.Work).String()},
		{"marked speed", units.FlopsPerSecond(r.MarkedSpeed).String()},
		{"achieved speed", units.FlopsPerSecond(r.AchievedSpeed).String()},
		{"speed-efficiency", fmt.Sprintf("%.4f", r.SpeedEfficiency)},
		{"messages", fmt.Sprintf("%d, %v; measured collectives: %d", r.Messages, units.Bytes(r.Bytes), r.Collectives)},
	})
	p.line("")
	if len(r.Ranks) == 0 {
		p.line("--ranks shows where the time of each rank went.")
		p.warnings(r.Warnings)
		return p.err
	}
	rows := [][]string{{"rank", "node", "finish", "compute", "overhead", "wait"}}
	shown := r.Ranks
	if len(shown) > ranksInText && !allRanks {
		shown = shown[:ranksInText]
	}
	for _, x := range shown {
		rows = append(rows, []string{fmt.Sprint(x.Rank), x.Node,
			units.Seconds(x.Finish).String(), units.Seconds(x.Compute).String(), units.Seconds(x.Overhead).String(), units.Seconds(x.Wait).String()})
	}
	p.table(rows, "r.rrrr")
	if more := len(r.Ranks) - len(shown); more > 0 {
		p.line("... and %d more; --ranks lists all", more)
	}
	p.warnings(r.Warnings)
	p.report(report)
	return p.err
}
