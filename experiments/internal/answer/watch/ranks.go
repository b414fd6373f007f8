package watch

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/chart/quantile"
	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/energy"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// Rank is how one rank spent its time, in seconds.
type Rank struct {
	Rank     int     `json:"rank"`
	Node     string  `json:"node"`
	Finish   float64 `json:"finish_s"`
	Compute  float64 `json:"compute_s"`
	Overhead float64 `json:"overhead_s"`
	Wait     float64 `json:"wait_s"`
	Energy   float64 `json:"energy_j,omitempty"` // the rank's share, if the power of the nodes is known
}

// RanksOf returns how each rank of a run spent its time, with its node by name.
func RanksOf(r *sim.Result, node func(rank int) string) []Rank {
	ranks := make([]Rank, len(r.Ranks))
	for i, x := range r.Ranks {
		ranks[i] = Rank{
			Rank: i, Node: node(i),
			Finish: float64(x.Finish), Compute: float64(x.Compute), Overhead: float64(x.Overhead()), Wait: float64(x.Wait()),
		}
	}
	return ranks
}

// Spent adds up from the spans how ranks spend their time. It is a [sim.Observer].
type Spent []Rank

var _ sim.Observer = Spent(nil)

func (t Spent) Span(s sim.Span) {
	x, length := &t[s.Rank], float64(s.To-s.From)
	switch kindOf(s.Part) {
	case timeline.Compute:
		x.Compute += length
	case timeline.Overhead:
		x.Overhead += length
	default:
		x.Wait += length
	}
	x.Finish = float64(s.To)
}

func (Spent) Sent(sim.Sent) {}

func (Spent) Received(sim.Received) {}

// RanksShown is the number of ranks up to which a run lists every rank without being asked to.
const RanksShown = 4096

// chartedRanks is the largest number of bars in a chart of ranks.
const chartedRanks = 64

// listedRanks is the largest number of rows in a table of ranks.
const listedRanks = 4 * chartedRanks

// breakdownText explains the three parts of a rank's time.
const breakdownText = "Each bar is one rank, or the mean of neighbouring ranks where there are many, from the start " +
	"to the end of the run. Compute: the core computes. Overhead: the core starts the program or is delayed " +
	"otherwise, sends, receives or takes part in a collective operation of given cost. Wait: the core waits for " +
	"other ranks; in the chart this includes the time between the end of the rank and the end of the run."

// rankChart shows how each rank spent its time. With many ranks, each bar is the mean of
// neighbouring ones, the same number in each bar but the last.
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
	t := &report.Table{
		Title:   "Mean time per rank by cause",
		Columns: page.Columns("kind", "cause", "#time", "#share [%]"),
	}
	n := units.Seconds(len(r.Ranks))
	for _, c := range []struct {
		kind, cause string
		of          func(sim.RankResult) units.Seconds
	}{
		{"compute", "computation of the algorithm", func(x sim.RankResult) units.Seconds { return x.Compute }},
		{"overhead", "delays of given length, such as the start of the program", func(x sim.RankResult) units.Seconds { return x.Delay }},
		{"overhead", "sending", func(x sim.RankResult) units.Seconds { return x.SendOverhead }},
		{"overhead", "receiving", func(x sim.RankResult) units.Seconds { return x.RecvOverhead }},
		{"overhead", "collective operations of given cost", func(x sim.RankResult) units.Seconds { return x.CollectiveCost }},
		{"wait", "for a message to arrive", func(x sim.RankResult) units.Seconds { return x.WaitMessage }},
		{"wait", "for a rendezvous message to leave", func(x sim.RankResult) units.Seconds { return x.WaitSend }},
		{"wait", "for others to enter a collective operation", func(x sim.RankResult) units.Seconds { return x.WaitCollective }},
		{"wait", "for the end of the run", func(x sim.RankResult) units.Seconds { return r.Makespan - x.Finish }},
	} {
		time := each.Sum(r.Ranks, c.of)
		t.Rows = append(t.Rows,
			[]string{c.kind, c.cause, (time / n).String(), fmt.Sprintf("%.1f", float64(100*time/(n*r.Makespan)))})
	}
	return t
}

// RankColumns are the columns of RankRows.
var RankColumns = page.Columns("#rank", "node", "#finish", "#compute", "#overhead", "#wait")

// RankRows returns at most most rows that say how ranks spent their time, and how many ranks the rows show. Neighbours
// whose rows would be the same share one, unless each is set.
func RankRows(ranks []Rank, most int, each bool) (rows [][]string, shown int) {
	for first := 0; first < len(ranks) && len(rows) < most; first = shown {
		row := ranks[first].row()
		for shown++; !each && shown < len(ranks) && slices.Equal(ranks[shown].row()[2:], row[2:]); shown++ {
		}
		if last := ranks[shown-1]; shown-first > 1 {
			row[0] = fmt.Sprintf("%d to %d", ranks[first].Rank, last.Rank)
			if last.Node != row[1] {
				row[1] += " to " + last.Node
			}
		}
		rows = append(rows, row)
	}
	return rows, shown
}

func (x *Rank) row() []string {
	row := []string{fmt.Sprint(x.Rank), x.Node}
	for _, t := range timesOfRanks {
		row = append(row, units.Seconds(t.of(*x)).String())
	}
	return row
}

// rankTable lists how ranks spent their time or, with many ranks, quantiles over all of them.
func rankTable(ranks []Rank) *report.Table {
	rows, shown := RankRows(ranks, listedRanks, false)
	if shown < len(ranks) {
		return quantileTable(ranks)
	}
	return &report.Table{Title: "Ranks", Columns: RankColumns, Rows: rows}
}

// rankSection shows how the ranks of a run spent their time: each rank or, with many ranks, means of
// neighbours, quantiles and a distribution. Causes stand before the table of ranks.
func rankSection(ranks []Rank, makespan float64, causes ...report.Block) report.Section {
	s := report.Section{
		Heading: "Where the time goes",
		Text:    []string{breakdownText},
		Blocks:  []report.Block{rankChart(ranks, makespan)},
	}
	if len(ranks) > chartedRanks {
		s.Blocks = append(s.Blocks, rankDistribution(ranks))
	}
	s.Blocks = append(s.Blocks, causes...)
	s.Blocks = append(s.Blocks, rankTable(ranks))
	return s
}

var timesOfRanks = []struct {
	name string
	of   func(Rank) float64
}{
	{"finish", func(x Rank) float64 { return x.Finish }},
	{"compute", func(x Rank) float64 { return x.Compute }},
	{"overhead", func(x Rank) float64 { return x.Overhead }},
	{"wait", func(x Rank) float64 { return x.Wait }},
}

// sortedTimes returns the times of all ranks under the names of timesOfRanks, each sorted by itself.
func sortedTimes(ranks []Rank) []page.Sample {
	samples := make([]page.Sample, len(timesOfRanks))
	for k, t := range timesOfRanks {
		values := each.Of(ranks, t.of)
		slices.Sort(values)
		samples[k] = page.Sample{Name: t.name, Values: values}
	}
	return samples
}

// rankDistribution shows which share of the ranks has which times at most.
func rankDistribution(ranks []Rank) *report.LineChart {
	samples := sortedTimes(ranks)
	waits := samples[3].Values
	samples = append(samples[1:], samples[0]) // the parts first, so that they have the colours of the bars
	c := page.DistributionChart("Distribution of the times of ranks", "time", "s", "ranks", samples)
	at := func(percent int) units.Seconds { return units.Seconds(quantile.Of(waits, percent)) }
	c.Caption = fmt.Sprintf("Each curve is over all %d ranks, sorted by its time. Half of the ranks wait for at "+
		"most %v, 95 %% for at most %v, all for at most %v.",
		len(ranks), at(50), at(95), at(100))
	return c
}

// rankShares are the percentages of ranks whose quantiles a table shows.
var rankShares = []int{0, 1, 5, 25, 50, 75, 95, 99, 100}

// quantileTable shows how the times of all ranks are distributed.
func quantileTable(ranks []Rank) *report.Table {
	t := &report.Table{
		Title: "Quantiles over all ranks",
		Caption: fmt.Sprintf("All %d ranks: the given share of them takes at most this time. Each column is sorted "+
			"by itself.", len(ranks)),
		Columns: page.Columns("#share of ranks [%]"),
	}
	t.Rows = each.Append(t.Rows, rankShares, func(share int) []string { return []string{fmt.Sprint(share)} })
	for _, c := range sortedTimes(ranks) {
		t.Columns = append(t.Columns, report.Column{Title: c.Name, Numeric: true})
		for i, share := range rankShares {
			t.Rows[i] = append(t.Rows[i], units.Seconds(quantile.Of(c.Values, share)).String())
		}
	}
	return t
}

// EnergySection divides the energy of a run by what it was drawn for.
func EnergySection(a *energy.Account) report.Section {
	t := &report.Table{
		Title:   "Energy by what draws it",
		Columns: page.Columns("drawn", "#energy", "#share [%]"),
	}
	for _, part := range []struct {
		what   string
		energy energy.Joules
	}{
		{"by idle nodes", a.Idle},
		{"by computations, above that", a.Compute},
		{"by sending, receiving and waiting, above that", a.Messages},
		{"by ports, cables and switches", a.Network},
		{"in all", a.Total},
	} {
		t.Rows = append(t.Rows, []string{part.what, part.energy.String(),
			fmt.Sprintf("%.1f", 100*float64(part.energy/max(a.Total, 1e-300)))})
	}
	s := report.Section{
		Heading: "Energy",
		Text: []string{fmt.Sprintf("The nodes that take part draw %v during the run, %v on average. "+
			"Nodes that do not take part and cooling are not included.", a.Total, a.MeanPower)},
		Blocks: []report.Block{t},
	}
	if len(a.Assumed) > 0 {
		s.Blocks = append(s.Blocks, &report.Notes{Items: a.Assumed})
	}
	return s
}

// NodeSummary says how many nodes of each type take part, and how many processes run on each if more
// than one, as in "1 server x 2, 3 blade", or on what devices, as in "2 gpu x 8 devices at bf16". Many
// types are counted, not named: "64 nodes of 64 types with 1024 processes".
func NodeSummary(p *topology.Placement) string {
	const most = 8 // types that are named
	var parts []string
	all, processes := 0, 0
	for i := 0; i < len(p.Blocks); {
		first, nodes := p.Blocks[i], 0
		for ; i < len(p.Blocks) && p.Blocks[i].Type == first.Type; i++ {
			nodes += p.Blocks[i].Nodes
			processes += p.Blocks[i].Nodes * p.Blocks[i].Processes
		}
		all += nodes
		part := fmt.Sprintf("%d %s", nodes, first.Type.Name)
		if first.Type.Name == "node" { // a frequent name where there is only one type
			part = input.Plural(nodes, "node")
		}
		switch {
		case first.OnDevices():
			part += fmt.Sprintf(" x %s at %s", input.Plural(first.Processes, "device"), first.Precision)
		case first.Processes > 1:
			part += fmt.Sprintf(" x %d", first.Processes)
		}
		if first.Threads > 1 && !first.OnDevices() {
			part += fmt.Sprintf(" (%d threads each)", first.Threads)
		}
		parts = append(parts, part)
	}
	if len(parts) > most {
		return fmt.Sprintf("%d nodes of %d types with %d processes", all, len(parts), processes)
	}
	return input.List(parts)
}

// InUse says how many of a machine's parts of some kind are in use, "" if all are.
func InUse(used, all int) string {
	if used == all {
		return ""
	}
	return fmt.Sprintf("%d of %d in use", used, all)
}
