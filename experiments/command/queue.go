package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/command/internal/flags"
	"github.com/isoscale/isoscale/experiments/command/internal/terminal"
	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/experiments/internal/answer/queue"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

func newQueue() *cobra.Command {
	var (
		asked     flags.Answer
		overrides flags.Overrides
		nodes     int
		policy    = flags.OneOf(batchqueue.Policies()...)
		starts    string
	)
	cmd := &cobra.Command{
		Use:   "queue (LOG.swf | FILE.yaml)",
		Short: "Simulate how long jobs wait on a machine",
		Long: `
Simulate the queue of a batch system and print how long jobs wait: for a log in
the Standard Workload Format, plain or compressed by gzip, or for a mix of jobs
that arrive at random, from a YAML file.

Of a log, the requested processors and times count where they are given, else
the allocated processors and the run times. One processor is one node. Jobs
without a size or a run time, and those larger than the machine, are left out
and counted.

The policies are first come first served (fcfs), EASY backfilling with a
reservation for the head of the queue (easy), and conservative backfilling with
a reservation for each job (conservative). Jobs that run longer than requested
are not ended. For all rules see docs/models/queue.md.`,
		Example: `  isoscale queue examples/queue-log.swf --nodes 16
  isoscale queue examples/queue-log.swf --nodes 24 --policy fcfs --json
  isoscale queue examples/queue-log.swf --nodes 16 --starts starts.csv
  isoscale queue examples/queue-mix.yaml --report queue.html
  isoscale queue examples/queue-mix.yaml --nodes 96 --set seed=2`,
		Args: flags.ExactArgs(1, "one log or YAML file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := asked.Outputs(cmd, args, starts)
			if err != nil {
				return err
			}
			o := queue.Options{Nodes: nodes, Overrides: overrides}
			if cmd.Flags().Changed("policy") {
				o.Policy = policy.String()
			}
			if cmd.Flags().Changed("nodes") && nodes < 1 {
				return input.Errorf("--nodes %d; expected at least 1", nodes)
			}
			find := func(ctx context.Context, _ input.Progress) (*queue.Result, error) {
				r, err := queue.Run(ctx, args[0], o)
				if err != nil {
					return nil, err
				}
				return r, files.Write(starts, r.WriteStarts)
			}
			return flags.EmitLong(cmd, files, asked, find,
				func(p *terminal.Printer, r *queue.Result) { printQueue(p, r, starts) })
		},
	}
	f := cmd.Flags()
	f.IntVar(&nodes, "nodes", 0, "set the number of nodes of the machine to `N` (default as in the file)")
	f.VarPF(&policy, "policy", "", "start jobs by `POLICY`: "+policy.List()).DefValue = "as in the file; easy for a log"
	flags.AddOutput(cmd, &starts, "starts", "", "write when each job is submitted, starts and ends to `FILE` as CSV")
	overrides.AddTo(cmd, "queue.nodes=96")
	asked.AddLongTo(cmd)
	return cmd
}

func printQueue(p *terminal.Printer, r *queue.Result, starts string) {
	p.Wrapped("", r.Headline())
	p.Line("")
	var facts terminal.Facts
	for _, f := range r.Facts() {
		facts.Add(f.Name, f.Value, f.Note)
	}
	p.Facts(facts)
	p.Line("")
	rows := [][]string{append([]string{r.GroupTitle()}, queue.GroupColumns...)}
	for _, g := range r.Groups {
		rows = append(rows, append([]string{shortened(g.Name)}, g.Cells()...))
	}
	p.Table(rows, ".rrrrr")
	if len(r.LeftOut) > 0 {
		p.Line("")
	}
	for _, l := range r.LeftOut {
		p.Wrapped("left out: ", l.String())
	}
	if len(r.Notes()) > 0 {
		p.Line("")
	}
	for _, n := range r.Notes() {
		p.Wrapped("note: ", n)
	}
	p.Warnings(r.Warnings)
	p.File(starts)
}
