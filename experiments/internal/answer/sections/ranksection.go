package sections

import (
	"fmt"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/chart/quantile"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
)

// RankSection shows how the ranks of a run spent their time: one by one or, where there
// are many, by means of neighbours, quantiles and their distribution. Causes stand before
// the table of ranks.
func RankSection(ranks []Rank, makespan float64, causes ...report.Block) report.Section {
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

// timesOfRanks are the times that a rank has.
var timesOfRanks = []struct {
	name string
	of   func(Rank) float64
}{
	{"finish", func(x Rank) float64 { return x.Finish }},
	{"compute", func(x Rank) float64 { return x.Compute }},
	{"overhead", func(x Rank) float64 { return x.Overhead }},
	{"wait", func(x Rank) float64 { return x.Wait }},
}

// rankDistribution shows which share of the ranks has which times at most.
func rankDistribution(ranks []Rank) *report.LineChart {
	samples := make([]page.Sample, len(timesOfRanks))
	for k, t := range timesOfRanks {
		values := make([]float64, len(ranks))
		for i, x := range ranks {
			values[i] = t.of(x)
		}
		slices.Sort(values)
		samples[k] = page.Sample{Name: t.name, Values: values}
	}
	waits := samples[3].Values
	samples = append(samples[1:], samples[0]) // the parts of a time have the colours of the bars
	c := page.DistributionChart("Distribution of the times of ranks", "time", "s", "ranks", samples)
	at := func(percent int) units.Seconds { return units.Seconds(quantile.Of(waits, percent)) }
	c.Caption = fmt.Sprintf("Each curve is over all %d ranks, sorted by its time. Half of the ranks wait for at most %v, 95 %% for at most %v, all for at most %v.", len(ranks), at(50), at(95), at(100))
	return c
}
