package main

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments"
	"github.com/isoscale/isoscale/model/units"
)

// hostsInText is how many hosts the text of a replay lists.
const hostsInText = 32

func newReplay() *cobra.Command {
	var (
		goal    string
		loggops string
		asJSON  bool
	)
	cmd := &cobra.Command{
		Use:   "replay --goal FILE",
		Short: "Replay a recorded or generated schedule",
		Long: `Replay a GOAL schedule (plain text or gzipped) under the LogGOPS model: for each
host, its operations and what they wait for. Prints when every host finishes.

The parameters of the network are given in nanoseconds: latency L, overhead o,
gap g, gap per byte G, overhead per byte O, and the largest eager message S in
bytes. Those not given are L=2500,o=1500,g=1000,G=6,O=0,S=65535.`,
		Example: `  isoscale replay --goal examples/ring.goal
  isoscale replay --goal examples/ring.goal --loggops L=1000,G=1 --json`,
		Args: exactly(0, "no argument but --goal FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if goal == "" {
				return &usageError{errors.New("nothing to replay; expected --goal FILE"), "Run 'isoscale replay --help' for examples."}
			}
			r, err := experiments.ReplayGOAL(cmd.Context(), goal, loggops)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), r)
			}
			return printGOAL(cmd.OutOrStdout(), goal, r)
		},
	}
	cmd.Flags().StringVar(&goal, "goal", "", "the GOAL schedule, a `file`")
	cmd.Flags().StringVar(&loggops, "loggops", "", "network `parameters`, as in L=2500,o=1500,g=1000,G=6,O=0,S=65535")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document and nothing else")
	return cmd
}

func printGOAL(w io.Writer, path string, r *experiments.GOALResult) error {
	p := &printer{w: w}
	p.line("%s under LogGOPS, %s", path, r.Parameters)
	p.line("")
	ns := func(n int64) string { return fmt.Sprintf("%d ns", n) }
	p.facts([][2]string{
		{"makespan", fmt.Sprintf("%s (%v)", ns(int64(r.Makespan)), units.Seconds(float64(r.Makespan)*math.Pow(10, -9)))},
		{"messages", fmt.Sprint(r.Messages)},
	})
	p.line("")
	rows := [][]string{{"host", "finish"}}
	for i, t := range r.HostFinish {
		if i == hostsInText {
			break
		}
		rows = append(rows, []string{fmt.Sprint(i), ns(int64(t))})
	}
	p.table(rows, "rr")
	if more := len(r.HostFinish) - hostsInText; more > 0 {
		p.line("... and %d more; --json lists all", more)
	}
	p.warnings(r.Warnings)
	return p.err
}
