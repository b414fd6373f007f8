package command

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/answer/run"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/output"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/spf13/cobra"
)

// ranksInText is how many rows of ranks the text shows unless --ranks is given.
const ranksInText = 32

var (
	ranksByDefault = fmt.Sprintf("default up to %d in JSON, %d rows of like ones in text", watch.RanksShown, ranksInText)
	ranksUsage     = fmt.Sprintf("list every rank (%s)", ranksByDefault)
)

// segmentsInText is how many segments of the critical path the text shows.
const segmentsInText = 20

// newRun returns the command run, which simulates one scenario.
func newRun() *cobra.Command {
	var (
		overrides []input.Override
		asked     answerFlags
		matrix    string
		records   recordFlags
		options   run.Options
	)
	cmd := newCommand("run", exactArgs(1, "one scenario file"), func(cmd *cobra.Command, args []string) error {
		files, err := asked.Outputs(cmd, args, records.timeline, matrix, records.paraver)
		if err != nil {
			return err
		}
		s, super, err := scenario.Disk.ReadRunnable(args[0], overrides)
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
		options.Matrix, options.Report = matrix != "", asked.ReportWanted()
		if options.Timeline, options.Trace, err = records.Wanted(); err != nil {
			return err
		}
		find := func(ctx context.Context, _ input.Progress) (*run.Result, error) {
			r, err := run.Run(ctx, s, options)
			if err != nil {
				return nil, err
			}
			if !links {
				r.Links = nil // the report has them
			}
			if asked.JSON && len(r.Ranks) > watch.RanksShown && !allRanks {
				r.Ranks = nil
			}
			return r, errors.Join(files.Write(matrix, r.WriteMatrix), records.Write(files, &r.Record))
		}
		text := func(p *printer, r *run.Result) { printRun(p, r, allRanks) }
		return emitLong(cmd, files, asked, find, text, records.timeline, matrix, records.paraver, records.otf2)
	})
	addOverrides(cmd, &overrides, "workload.n=800")
	asked.AddLongTo(cmd)
	cmd.Flags().BoolVar(&options.AllRanks, "ranks", false, ranksUsage)
	cmd.Flags().BoolVar(&options.Links, "links", false,
		"show the traffic and utilisation of every link (network flow only)")
	cmd.Flags().StringVar(&options.Baseline, "baseline", "",
		"compare with the fastest `KIND` alone, process or node: speed-up, efficiency")
	cmd.Flags().BoolVar(&options.Efficiencies, "efficiencies", false,
		"simulate again on better networks: efficiencies of load balance, serialisation, transfer")
	cmd.Flags().BoolVar(&options.WhatIf, "what-if", false,
		"simulate again with one thing better at a time: what would help")
	cmd.Flags().BoolVar(&options.Sensitivities, "sensitivities", false,
		"show how the time depends on each latency, bandwidth, overhead and speed (not flow)")
	addOutput(cmd, &matrix, "matrix", "", "write the messages and bytes between each pair of ranks to `FILE`, as CSV")
	records.AddTo(cmd, &options.CriticalPath, &options.Waits)
	cmd.Flags().BoolVar(&options.Fingerprint, "fingerprint", false,
		"print a hash of the event sequence, for regression tests")
	return cmd
}

func printRun(p *printer, r *run.Result, allRanks bool) {
	p.Title(r.Headline())
	printHelp(p, r.Helps())
	var facts input.Facts
	facts.Add("time", units.Seconds(r.Makespan))
	if r.Work > 0 {
		facts.Add("work", units.Flops(r.Work))
		facts.Add("marked speed", units.FlopsPerSecond(r.MarkedSpeed))
		facts.Add("achieved speed", units.FlopsPerSecond(r.AchievedSpeed))
		facts.Add("speed-efficiency", efficiency(r.SpeedEfficiency))
	}
	if b := r.Baseline; b != nil {
		facts.Add("baseline", fmt.Sprintf("%v: %v", b, units.Seconds(b.Makespan)))
		facts.Add("speed-up", fmt.Sprintf("%.4g of %.4g", b.Speedup, r.MarkedSpeed/b.MarkedSpeed))
		facts.Add("efficiency", efficiency(b.Efficiency))
	}
	addEfficiencies(&facts, r.Efficiencies)
	messages := fmt.Sprintf("%d, %v", r.Messages, units.Bytes(r.Bytes))
	if r.Collectives > 0 {
		messages += fmt.Sprintf("; %s by laws or measured times, without messages", input.Plural(int(r.Collectives), "collective operation"))
	}
	facts.Add("messages", messages)
	cores, devices := r.Idle()
	facts.Add("cores", cores)
	facts.Add("devices", devices)
	if e := r.Energy; e != nil {
		facts.Add("energy", fmt.Sprintf("%v, %v on average", e.Total, e.MeanPower))
	}
	p.Facts(facts)
	if r.Fingerprint != "" {
		p.Line("fingerprint       %s", r.Fingerprint)
	}
	p.Line("")
	printCriticalPath(p, &r.Record)
	printEffects(p, r.WhatIf)
	printWaits(p, &r.Record)
	printSensitivities(p, r.Sensitivities, r.Makespan)
	printRanks(p, r.Ranks, allRanks)
	printLinks(p, r.Links)
	if r.Energy != nil {
		for _, text := range r.Energy.Assumed {
			p.Wrapped("estimate: ", text)
		}
	}
	p.Warnings(r.Warnings)
}

// printHelp says what would help, if that was asked for.
func printHelp(p *printer, text string) {
	if text != "" {
		p.Wrapped("", text)
		p.Line("")
	}
}

// printEffects prints what each change would save, if that was asked for.
func printEffects(p *printer, effects []efficiencies.Effect) {
	if effects == nil {
		return
	}
	rows, none := efficiencies.EffectRows(effects)
	p.Table(append([][]string{{"with one change", "time", "saves"}}, rows...), ".rr")
	if none != "" {
		p.Wrapped("no effect: ", none)
	}
	p.Line("")
}

// costsInText are how many ranks the text charges with waits.
const costsInText = 5

// printWaits prints the wait states of a run, if they were asked for.
func printWaits(p *printer, r *watch.Record) {
	s := r.Waits
	if s == nil {
		return
	}
	if text := s.Says(r.Name); text != "" {
		p.Wrapped("", text)
	}
	for _, rows := range s.Tables(costsInText, r.Name) {
		p.Table(rows, ".rrrrr"[:len(rows[0])])
		p.Line("")
	}
	if more := len(s.Costs) - costsInText; more > 0 {
		p.Line("... and %d more ranks that caused waits; --json lists all", more)
		p.Line("")
	}
}

// printSensitivities prints the derivatives of the time, if they were asked for.
func printSensitivities(p *printer, s *efficiencies.Sensitivities, makespan float64) {
	if s == nil {
		return
	}
	for _, text := range s.Says(makespan) {
		p.Wrapped("", text)
	}
	shown, others := s.Largest()
	rows := append([][]string{{"parameter", "where", "value", "share", "1 % longer", "5 % longer"}}, shown.Rows()...)
	room, longest := textWidth, 0
	for i, row := range rows {
		longest = max(longest, utf8.RuneCountInString(row[0]))
		if i > 0 {
			row[1] = ""
		}
	}
	room -= longest + rowWidth(rows) - len("where")
	for i, x := range shown.Parameters {
		rows[i+1][1] = shortenMiddle(x.Where, max(room, 3))
	}
	p.Table(rows, "..rrrr")
	if others != "" {
		p.Line("... and %s; --json lists all", others)
	}
	p.Line("")
}

// addEfficiencies adds where the time goes, if that was asked for.
func addEfficiencies(facts *input.Facts, e *efficiencies.Efficiencies) {
	if e != nil {
		facts.Add("parallel efficiency", e.Line(efficiency))
		if line := e.ComputationLine(efficiency); line != "" {
			facts.Add("computation", line)
		}
	}
}

// printCriticalPath prints what limits a run and the beginning of its critical path, if there
// is one.
func printCriticalPath(p *printer, r *watch.Record) {
	if r.CriticalPath == nil {
		return
	}
	p.Wrapped("", r.Cause())
	if p.Err == nil {
		p.Err = r.CriticalPath.WriteText(p.W, segmentsInText)
	}
	p.Line("")
}

// printRanks prints where the time of ranks went: of the first ones, with like ones in one row, or of all.
func printRanks(p *printer, ranks []watch.Rank, all bool) {
	if len(ranks) == 0 {
		p.Line("--ranks shows how each rank spends its time.")
		return
	}
	most := ranksInText
	if all {
		most = len(ranks)
	}
	rows, shown := watch.RankRows(ranks, most, all)
	titles := each.Of(watch.RankColumns, func(c report.Column) string { return c.Title })
	p.Table(append([][]string{titles}, rows...), "r.rrrr")
	if more := len(ranks) - shown; more > 0 {
		p.Line("... and %d more; --ranks lists all", more)
	}
}

// sharesInText are the columns of the table of levels that fit in the text.
const sharesInText = 7

// runSuperProgram computes a super-program. It has no ranks, so of the flags of
// run only --json, --report and --set apply.
func runSuperProgram(cmd *cobra.Command, s *scenario.SuperProgram, overrides []input.Override, files *output.Files,
	asked answerFlags) error {
	for _, name := range []string{"ranks", "timeline", "critical-path", "links", "matrix", "fingerprint", "efficiencies", "what-if", "waits", "sensitivities", "paraver", "otf2"} {
		if cmd.Flags().Changed(name) {
			return input.Errorf("--%s: a super-program has levels and no ranks; expected a scenario with a machine, or only --set, --json and --report", name)
		}
	}
	if err := files.Check(input.Files(s.Inputs)...); err != nil {
		return err
	}
	return emitLong(cmd, files, asked, func(ctx context.Context, _ input.Progress) (*run.SuperResult, error) {
		return run.SuperProgram(ctx, s, overrides)
	}, printSuperProgram)
}

func printSuperProgram(p *printer, r *run.SuperResult) {
	p.Title(r.Headline())
	p.Facts(input.Facts{
		{Name: "time", Value: units.Seconds(r.Time).String()},
		{Name: "work", Value: units.Seconds(r.Work).String() + " on one node"},
		{Name: "nodes", Value: fmt.Sprintf("%.0f", r.Nodes)},
		{Name: "speedup", Value: fmt.Sprintf("%.6g", r.Speedup)},
		{Name: "log2(speedup)", Value: fmt.Sprintf("%.6g", r.Log2Speedup)},
		{Name: "efficiency", Value: efficiency(r.Efficiency)},
	})
	p.Line("")
	p.Wrapped("", r.Why())
	p.Line("Shares of the time of all processors, busy and lost by cause:")
	p.Line("")
	titles, rows := r.LevelTable()
	table := [][]string{titles[:sharesInText]}
	table = each.Append(table, rows, func(row []string) []string { return row[:sharesInText] })
	p.Table(table, strings.Repeat("r", sharesInText))
	p.Warnings(r.Warnings)
}

const (
	linksInText = 20 // how many links the text shows
	leastName   = 24 // columns that the name of a link gets before a figure is left out
)

// linkColumns are the figures of a link in the order of the table. Those with a
// rank are left out where names need the room, the lowest rank first.
var linkColumns = []struct {
	title string
	rank  int // 0: never left out
	cell  func(watch.Link) string
}{
	{"messages", 2, func(l watch.Link) string { return fmt.Sprint(l.Messages) }},
	{"bytes", 3, func(l watch.Link) string { return units.Bytes(l.Bytes).String() }},
	{"busy", 1, func(l watch.Link) string { return units.Seconds(l.Busy).String() }},
	{"mean", 0, func(l watch.Link) string { return fmt.Sprintf("%.1f %%", 100*l.Mean) }},
	{"peak", 0, func(l watch.Link) string { return fmt.Sprintf("%.1f %%", 100*l.Peak) }},
	{"lost", 0, func(l watch.Link) string { return units.Seconds(l.Lost).String() }},
}

// printLinks prints the use of links, if there are any.
func printLinks(p *printer, links []watch.Link) {
	if len(links) == 0 {
		return
	}
	shown := links[:min(len(links), linksInText)]
	longest := each.Max(len("link"), shown, func(l watch.Link) int { return utf8.RuneCountInString(l.Link) })
	var rows [][]string
	align := ""
	for dropped := 0; ; dropped++ {
		rows, align = linkRows(shown, dropped)
		room := textWidth - rowWidth(rows)
		if room < min(longest, leastName) && dropped < 3 {
			continue
		}
		for i, l := range shown {
			rows[i+1][0] = shortenMiddle(l.Link, max(room, 3))
		}
		break
	}
	p.Line("")
	p.Table(rows, align)
	if more := len(links) - linksInText; more > 0 {
		p.Line("... and %d more; --json lists all", more)
	}
	p.Wrapped("", "mean, peak: utilisation; lost: total additional time of messages and computations because they "+
		"shared the link.")
}

// linkRows returns the table without the columns of the given rank and below, and
// without the names of the links.
func linkRows(links []watch.Link, dropped int) (rows [][]string, align string) {
	rows = make([][]string, len(links)+1)
	rows[0] = []string{"link"}
	for i := range links {
		rows[i+1] = []string{""}
	}
	align = "."
	for _, c := range linkColumns {
		if 0 < c.rank && c.rank <= dropped {
			continue
		}
		rows[0] = append(rows[0], c.title)
		for i, l := range links {
			rows[i+1] = append(rows[i+1], c.cell(l))
		}
		align += "r"
	}
	return rows, align
}

// rowWidth returns how wide a table is without its first column.
func rowWidth(rows [][]string) int {
	sum := 0
	for i := 1; i < len(rows[0]); i++ {
		sum += 2 + each.Max(0, rows, func(row []string) int { return utf8.RuneCountInString(row[i]) })
	}
	return sum
}

// shortenMiddle cuts a text to n characters, at least 3. The end of the name of a
// link, such as its direction, tells as much as its beginning.
func shortenMiddle(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	head := n / 2
	return string(r[:head]) + "…" + string(r[len(r)-(n-1-head):])
}
