package waits

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// Says names the rank that caused most of the waits for late ranks, and returns "" if none did.
func (s *States) Says(name func(rank int32) string) string {
	if len(s.Costs) == 0 {
		return ""
	}
	all, most := each.Sum(s.Costs, func(c Cost) float64 { return c.Total }), s.Costs[0]
	return fmt.Sprintf("All ranks together wait %v for late ranks. No rank causes more of this than %s: %v, of "+
		"which %v because it computes longer.", input.Rounded(all), name(int32(most.Rank)), input.Rounded(most.Total),
		input.Rounded(most.Compute))
}

// Tables returns rows, below a head, of the classes, the calls and at most most delay costs, the largest first.
func (s *States) Tables(most int, name func(rank int32) string) (tables [][][]string) {
	for _, x := range []struct {
		head string
		list []Share
	}{{"wait state", s.Classes}, {"call that waits", s.Calls}} {
		rows := [][]string{{x.head, "mean", "share [%]"}}
		for _, y := range x.list {
			rows = append(rows, []string{y.Name, units.Seconds(y.Mean).String(), fmt.Sprintf("%.1f", 100*y.Share)})
		}
		tables = append(tables, rows)
	}
	if s.Hidden != nil {
		tables = append(tables, [][]string{{"work of streams", "share [%]"}, {"for which no rank waits", fmt.Sprintf("%.1f", 100**s.Hidden)}})
	}
	costs := [][]string{{"waits caused by", "in all", "computing", "overhead", "transfer", "indirect"}}
	for _, c := range s.Costs[:min(most, len(s.Costs))] {
		times := []units.Seconds{units.Seconds(c.Total), units.Seconds(c.Compute), units.Seconds(c.Overhead),
			units.Seconds(c.Transfer), units.Seconds(c.Indirect)}
		costs = append(costs, each.Append([]string{name(int32(c.Rank))}, times, units.Seconds.String))
	}
	return slices.DeleteFunc(append(tables, costs), func(rows [][]string) bool { return len(rows) == 1 })
}

// listedCosts is the largest number of ranks that a report lists.
const listedCosts = 64

func (s *States) Section(name func(rank int32) string) report.Section {
	x := report.Section{Heading: "Wait states", Text: []string{"How long ranks wait on average, the share of the " +
		"run's time, and which ranks cause it: such a rank computes longer than those that wait for it, is busy " +
		"with messages longer, or waits longer for messages that nobody sent late; indirect: through waits of ranks " +
		"in between."}}
	if text := s.Says(name); text != "" {
		x.Text = append([]string{text}, x.Text...)
	}
	for _, rows := range s.Tables(listedCosts, name) {
		heads := each.Append([]string{rows[0][0]}, rows[0][1:], func(head string) string { return "#" + head })
		x.Blocks = append(x.Blocks, &report.Table{Title: input.Capitalized(rows[0][0]), Columns: page.Columns(heads...), Rows: rows[1:]})
	}
	if n := len(s.Costs); n > listedCosts {
		x.Blocks[len(x.Blocks)-1].(*report.Table).Caption = fmt.Sprintf("%d of %d ranks that caused waits.", listedCosts, n)
	}
	return x
}
