package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/paper"
	"github.com/isoscale/isoscale/internal/each"
)

func newPaper() *cobra.Command {
	var asked answerFlags
	names := each.Append(nil, paper.Sources(), func(s paper.Source) string { return s.Name })
	cmd := newCommand("paper", nil, func(cmd *cobra.Command, args []string) error {
		files, err := asked.Outputs(cmd, nil)
		if err != nil {
			return err
		}
		sources, err := paper.Find(args)
		if _, ok := errors.AsType[*paper.UnknownNameError](err); ok {
			return input.Errorf("%v\nRun '%s --help' for the papers.", err, cmd.CommandPath())
		}
		if err != nil {
			return err
		}
		return emitLong(cmd, files, asked,
			func(ctx context.Context, step input.Progress) (*paper.Result, error) {
				return paper.Reproduce(ctx, sources, step)
			}, printPapers)
	})
	cmd.Long = strings.Replace(cmd.Long, "PAPERS", strings.Join(names, ", "), 1)
	cmd.ValidArgs = append(names, "all")
	asked.AddLongTo(cmd)
	return cmd
}

func printPapers(p *printer, r *paper.Result) {
	for i, x := range r.Papers {
		if i > 0 {
			p.Line("")
		}
		p.Title(x.Name + ": " + x.Title)
		printTables(p, x)
		printFigures(p, x)
		printReasons(p, x)
	}
	p.Line("")
	p.Line("exact: rounds to the printed digits; round: within the rounding of the inputs,")
	p.Line("or a unit of the last digit off. Deviations are ours/paper - 1. Misprints,")
	p.Line("parameters and single cells: --report or --json.")
}

// printTables prints a line for each table and way to a value.
func printTables(p *printer, x *paper.Paper) {
	rows := [][]string{{"table", "how", "cells", "exact", "round", "differ", "rms %", "worst %"}}
	p.Table(append(rows, x.Summary().Rows...), "..rrrrrr")
	if len(x.Claims) > 0 {
		p.Line("claims checked: %d, of which hold: %d", len(x.Claims), x.Holding())
	}
}

// printFigures names the figures that a report has.
func printFigures(p *printer, x *paper.Paper) {
	ids := each.Append(nil, x.Figures, func(f paper.Figure) string { return f.ID })
	if len(ids) > 0 {
		p.Wrapped("figures (--report): ", strings.Join(ids, ", "))
	}
}

// printReasons prints why cells differ and claims do not hold.
func printReasons(p *printer, x *paper.Paper) {
	for i := range x.Tables {
		t := &x.Tables[i]
		reasons := each.Append(nil, t.Differences(), paper.Difference.String)
		if t.Tally("").Differ > 0 {
			reasons = append(reasons, t.Notes...)
		}
		if len(reasons) == 0 {
			continue
		}
		p.Section(t.ID + " differs:")
		for _, reason := range reasons {
			p.Wrapped("  ", reason)
		}
	}
	for _, c := range x.Claims {
		if !c.Holds {
			p.List("  ",
				[]string{fmt.Sprintf("%s: %s: stated %s, found %s. %s", c.Where, c.What, c.Paper, c.Ours, c.Note)})
		}
	}
}
