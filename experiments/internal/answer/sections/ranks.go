package sections

import (
	"fmt"
	"github.com/isoscale/isoscale/experiments/internal/page"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// Rank is how one rank spent its time, in seconds.
type Rank struct {
	Rank     int     `json:"rank"`
	Node     string  `json:"node"`
	Finish   float64 `json:"finish_s"`
	Compute  float64 `json:"compute_s"`
	Overhead float64 `json:"overhead_s"`
	Wait     float64 `json:"wait_s"`
	Energy   float64 `json:"energy_j,omitempty"` // what the rank bears, if the power of the nodes is known
}

// RanksShown is the number of ranks up to which a run lists every rank without
// being asked to.
const RanksShown = 4096

// chartedRanks is how many bars a chart of ranks has at most.
const chartedRanks = 64

// listedRanks is how many ranks a table lists one by one.
const listedRanks = 4 * chartedRanks

// breakdownText explains the three parts of a rank's time.
const breakdownText = "Each bar is one rank, or the mean of neighbouring ranks where there are many, from the start to the end of the run. Compute: the core computes. " +
	"Overhead: the core starts the program, sends, receives or takes part in a collective operation of given cost. " +
	"Wait: the core waits for other ranks; in the chart this includes the time between the end of the rank and the end of the run."

// rankChart shows how each rank spent its time. Where there are many, each bar is the
// mean of neighbouring ranks, as many in each but the last.
func rankChart(ranks []Rank, makespan float64) *report.BarChart {
	each := max(1, (len(ranks)+chartedRanks-1)/chartedRanks)
	bars := (len(ranks) + each - 1) / each
	c := &report.BarChart{
		Title:      "Time of each rank",
		X:          report.Axis{Title: "rank", Unit: report.Dimensionless},
		Y:          report.Axis{Title: "time", Unit: "s"},
		Categories: make([]string, bars),
	}
	parts := page.BreakdownSeries(bars)
	for i := range bars {
		first, end := i*each, min((i+1)*each, len(ranks))
		c.Categories[i] = fmt.Sprint(first)
		for _, x := range ranks[first:end] {
			parts[0].Values[i] += x.Compute
			parts[1].Values[i] += x.Overhead
			parts[2].Values[i] += x.Wait + makespan - x.Finish
		}
		for k := range parts {
			parts[k].Values[i] /= float64(end - first)
		}
	}
	c.Series = parts
	if each > 1 {
		c.Title, c.X.Title = "Mean time of neighbouring ranks", "first rank"
		c.Caption = fmt.Sprintf("All %d ranks: each bar is the mean of %d neighbouring ones.", len(ranks), each)
		if last := len(ranks) % each; last > 0 {
			c.Caption += fmt.Sprintf(" The last bar has %s.", input.Plural(last, "rank"))
		}
	}
	return c
}

// CauseTable splits the mean time of a rank by cause.
func CauseTable(r *sim.Result) *report.Table {
	var sum sim.Breakdown
	var after units.Seconds
	for _, x := range r.Ranks {
		sum.Compute += x.Compute
		sum.Delay += x.Delay
		sum.SendOverhead += x.SendOverhead
		sum.RecvOverhead += x.RecvOverhead
		sum.CollectiveCost += x.CollectiveCost
		sum.WaitMessage += x.WaitMessage
		sum.WaitSend += x.WaitSend
		sum.WaitCollective += x.WaitCollective
		after += r.Makespan - x.Finish
	}
	t := &report.Table{
		Title:   "Mean time per rank by cause",
		Columns: []report.Column{{Title: "kind"}, {Title: "cause"}, {Title: "time", Numeric: true}, {Title: "share", Unit: "%", Numeric: true}},
	}
	n := units.Seconds(len(r.Ranks))
	for _, c := range []struct {
		kind, cause string
		time        units.Seconds
	}{
		{"compute", "computation of the algorithm", sum.Compute},
		{"overhead", "delays of given length, such as starting the program", sum.Delay},
		{"overhead", "sending", sum.SendOverhead},
		{"overhead", "receiving", sum.RecvOverhead},
		{"overhead", "collective operations of given cost", sum.CollectiveCost},
		{"wait", "for a message to arrive", sum.WaitMessage},
		{"wait", "for a rendezvous message to leave", sum.WaitSend},
		{"wait", "for others to enter a collective operation", sum.WaitCollective},
		{"wait", "for the end of the run", after},
	} {
		t.Rows = append(t.Rows, []string{c.kind, c.cause, (c.time / n).String(), fmt.Sprintf("%.1f", float64(100*c.time/(n*r.Makespan)))})
	}
	return t
}

// rankTable lists how each rank spent its time, or quantiles over all ranks where
// there are many.
func rankTable(ranks []Rank) *report.Table {
	if len(ranks) > listedRanks {
		return quantileTable(ranks)
	}
	t := &report.Table{
		Title: "Ranks",
		Columns: []report.Column{
			{Title: "rank", Numeric: true}, {Title: "node"}, {Title: "finish", Numeric: true},
			{Title: "compute", Numeric: true}, {Title: "overhead", Numeric: true}, {Title: "wait", Numeric: true},
		},
	}
	for _, x := range ranks {
		t.Rows = append(t.Rows, []string{fmt.Sprint(x.Rank), x.Node, units.Seconds(x.Finish).String(),
			units.Seconds(x.Compute).String(), units.Seconds(x.Overhead).String(), units.Seconds(x.Wait).String()})
	}
	return t
}
