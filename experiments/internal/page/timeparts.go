package page

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
)

// Parts is how a rank of a run spends its time on average, in seconds, from the start to
// the end of the run.
type Parts struct {
	Name                    string // of the run, among others: a system, a number of processes
	Compute, Overhead, Wait float64
}

// Time is that of the run.
func (p Parts) Time() float64 { return p.Compute + p.Overhead + p.Wait }

// partsText explains the three parts.
const partsText = "Compute: the core computes. Overhead: the core starts the program, sends, receives or takes part in a collective operation of given cost. Wait: the core waits for other ranks."

// TimeBars shows the mean time of a rank as a stack of its parts, a bar for each run, as
// high as its time. Over says what the runs differ in.
func TimeBars(title, over string, runs []Parts) *report.BarChart {
	var times []float64
	for _, p := range runs {
		times = append(times, p.Time())
	}
	shown := Display("s", times...)
	c := partBars(title, over, runs, func(p Parts, part float64) float64 { return part * shown.Factor })
	c.Y = report.Axis{Title: "mean time of a rank", Unit: shown.Unit}
	return c
}

// ShareBars is [TimeBars] with bars of equal height, for times so far apart that the
// parts of the short ones could not be seen.
func ShareBars(title, over string, runs []Parts) *report.BarChart {
	c := partBars(title, over, runs, func(p Parts, part float64) float64 { return 100 * part / max(p.Time(), 1e-300) })
	whole := 100.0
	c.Y = report.Axis{Title: "share of the run's time", Unit: "%", Max: &whole}
	for k, p := range runs {
		c.Categories[k] = fmt.Sprintf("%s: %v", p.Name, input.Rounded(p.Time()))
	}
	return c
}

func partBars(title, over string, runs []Parts, shown func(p Parts, part float64) float64) *report.BarChart {
	c := &report.BarChart{
		Title: title, Caption: computeShares(runs) + partsText,
		X:      report.Axis{Title: over, Unit: report.Dimensionless},
		Series: BreakdownSeries(len(runs)),
	}
	for k, p := range runs {
		c.Categories = append(c.Categories, p.Name)
		for i, part := range []float64{p.Compute, p.Overhead, p.Wait} {
			c.Series[i].Values[k] = shown(p, part)
		}
	}
	return c
}

// computeShares says where computing has the largest and the smallest share of the time,
// with a space behind it; "" for one run, or where nothing computes.
func computeShares(runs []Parts) string {
	share := func(p Parts) float64 { return 100 * p.Compute / max(p.Time(), 1e-300) }
	if len(runs) == 0 {
		return ""
	}
	most, least := runs[0], runs[0]
	for _, p := range runs {
		if share(p) > share(most) {
			most = p
		}
		if share(p) < share(least) {
			least = p
		}
	}
	switch high, low := fmt.Sprintf("%.1f", share(most)), fmt.Sprintf("%.1f", share(least)); {
	case len(runs) == 1 || share(most) == 0:
		return ""
	case high == low:
		return fmt.Sprintf("Computing takes %s %% of the time of each run. ", high)
	default:
		return fmt.Sprintf("Computing takes %s %% of the time of %s and %s %% of that of %s. ", high, most.Name, low, least.Name)
	}
}

// BreakdownSeries returns the empty stacked series compute, overhead, wait.
func BreakdownSeries(n int) []report.BarSeries {
	const pile = "time"
	return []report.BarSeries{
		{Name: "compute", Values: make([]float64, n), Stack: pile},
		{Name: "overhead", Values: make([]float64, n), Stack: pile},
		{Name: "wait", Values: make([]float64, n), Stack: pile},
	}
}
