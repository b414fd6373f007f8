package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/experiments/internal/answer/queue"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/each"
)

func newQueue() *cobra.Command {
	var (
		asked   answerFlags
		options queue.Options
		policy  string
		starts  string
	)
	cmd := newCommand("queue", exactArgs(1, "one log or YAML file"), func(cmd *cobra.Command, args []string) error {
		files, err := asked.Outputs(cmd, args, starts)
		if err != nil {
			return err
		}
		if cmd.Flags().Changed("policy") {
			options.Policy = policy
		}
		if cmd.Flags().Changed("nodes") && options.Nodes < 1 {
			return input.Errorf("--nodes %d; expected at least 1", options.Nodes)
		}
		find := func(ctx context.Context, _ input.Progress) (*queue.Result, error) {
			r, err := queue.Run(ctx, args[0], options)
			if err != nil {
				return nil, err
			}
			return r, files.Write(starts, r.WriteStarts)
		}
		return emitLong(cmd, files, asked, find,
			func(p *printer, r *queue.Result) { printQueue(p, r, starts) })
	})
	f := cmd.Flags()
	f.IntVar(&options.Nodes, "nodes", 0, "set the number of nodes of the machine to `N` (default as in the file)")
	addChoice(cmd, &policy, "policy", "", "start jobs by `POLICY`: WORDS",
		batchqueue.Policies()...).DefValue = "as in the file; easy for a log"
	addOutput(cmd, &starts, "starts", "", "write when each job is submitted, starts and ends to `FILE` as CSV")
	addOverrides(cmd, &options.Overrides, "queue.nodes=96")
	asked.AddLongTo(cmd)
	return cmd
}

func printQueue(p *printer, r *queue.Result, starts string) {
	p.Title(r.Headline())
	p.Facts(r.Facts())
	p.Line("")
	rows := [][]string{append([]string{r.GroupTitle()}, queue.GroupColumns...)}
	for _, g := range r.Groups {
		rows = append(rows, append([]string{shortened(g.Name)}, g.Cells()...))
	}
	p.Table(rows, ".rrrrr")
	p.List("left out: ", each.Of(r.LeftOut, queue.LeftOut.String))
	p.List("note: ", r.Notes)
	p.Warnings(r.Warnings)
	p.File(starts)
}
