package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/chart/quantile"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
)

// A Bill is what runs cost, in energy, money or a product of these with the time, over the number of processes.
type Bill struct {
	Name      string // of the curve
	Processes []float64
	Amounts   []float64 // above 0
}

// Add appends a run.
func (b *Bill) Add(processes, amount float64) {
	b.Processes, b.Amounts = append(b.Processes, processes), append(b.Amounts, amount)
}

// BillChart shows bills over the number of processes, and says where each is least. REQUIRES: every bill has an amount.
func BillChart(title, quantity, unit string, bills []Bill) *report.LineChart {
	var amounts, processes []float64
	for _, b := range bills {
		amounts, processes = append(amounts, b.Amounts...), append(processes, b.Processes...)
	}
	shown := Display(unit, amounts...)
	c := &report.LineChart{
		Title: title,
		X:     report.Axis{Title: "processes", Unit: report.Dimensionless, Log: Wide(processes)},
		Y:     report.Axis{Title: quantity, Unit: shown.Unit, Log: Wide(shown.All(amounts))},
	}
	var least []string
	for _, b := range bills {
		c.Series = append(c.Series, report.Series{Name: b.Name, Colour: b.Name, X: b.Processes,
			Y: shown.All(b.Amounts)})
		at := slices.Index(b.Amounts, slices.Min(b.Amounts))
		text := fmt.Sprintf("%.4g %s on %s", b.Amounts[at]*shown.Factor, shown.Unit,
			input.Plural(int(b.Processes[at]), "process"))
		same := each.Where(nil, b.Amounts, func(a float64) bool { return a-b.Amounts[at] <= 1e-9*b.Amounts[at] })
		if others := len(same) - 1; others > 0 {
			text += fmt.Sprintf(" and the same on %s", input.Plural(others, "other number"))
		}
		if len(bills) > 1 {
			text += " for " + b.Name
		}
		least = append(least, text)
	}
	c.Caption = "The least is " + strings.Join(least, ", ") + "."
	return c
}

// A Sample is a set of values of one kind, such as the waits of all ranks.
type Sample struct {
	Name   string
	Values []float64 // at least one
}

// steppedValues is the number of values up to which a distribution has a step for each; beyond it, it has a point for
// each per cent.
const steppedValues = 100

// DistributionChart shows, for each value, what percentage of its sample is at most as large: the empirical
// distribution function; of names what is counted. The values are drawn in a suitable unit.
func DistributionChart(title, quantity, unit, of string, samples []Sample) *report.LineChart {
	var all []float64
	for _, s := range samples {
		all = append(all, s.Values...)
	}
	shown := Display(unit, all...)
	none, whole := 0.0, 100.0
	c := &report.LineChart{
		Title: title,
		X:     report.Axis{Title: quantity, Unit: shown.Unit},
		Y:     report.Axis{Title: "share of " + of, Unit: "%", Min: &none, Max: &whole},
	}
	for _, s := range samples {
		sorted := slices.Sorted(slices.Values(s.Values))
		curve := report.Series{Name: s.Name, Plain: true}
		add := func(value, percent float64) {
			curve.X, curve.Y = append(curve.X, value*shown.Factor), append(curve.Y, percent)
		}
		if len(sorted) > steppedValues {
			for percent := range 101 {
				add(quantile.Of(sorted, percent), float64(percent))
			}
		} else {
			below := 0.0 // per cent of the values that are smaller
			for i, v := range sorted {
				if i+1 < len(sorted) && sorted[i+1] == v {
					continue
				}
				add(v, below)
				below = 100 * float64(i+1) / float64(len(sorted))
				add(v, below)
			}
		}
		c.Series = append(c.Series, curve)
	}
	return c
}

// A Pair is one quantity from two sources, both above 0.
type Pair struct {
	Group               string // pairs of the same group share a colour
	Reference, Computed float64
}

// apart returns the ratio of the larger to the smaller value.
func (p Pair) apart() float64 { return max(p.Computed/p.Reference, p.Reference/p.Computed) }

// ParityChart shows computed values over reference values, on equal logarithmic axes: equal values lie on the diagonal.
// reference and computed name the sources, as in "published" and "simulated"; unit is that of the quantity.
func ParityChart(quantity, unit, reference, computed string, pairs []Pair) *report.LineChart {
	c := &report.LineChart{
		Title:   fmt.Sprintf("%s over %s %s", input.Capitalized(computed), reference, quantity),
		X:       report.Axis{Title: reference + " " + quantity, Unit: unit, Log: true},
		Y:       report.Axis{Title: computed + " " + quantity, Unit: unit, Log: true},
		Square:  true,
		Caption: "Points on the dashed line agree; above it, the " + computed + " value is larger.",
	}
	index := make(map[string]int)
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range pairs {
		low, high = min(low, p.Reference, p.Computed), max(high, p.Reference, p.Computed)
		k, known := index[p.Group]
		if !known {
			k = len(c.Series)
			index[p.Group] = k
			c.Series = append(c.Series, report.Series{Name: p.Group, Points: true})
		}
		c.Series[k].X = append(c.Series[k].X, p.Reference)
		c.Series[k].Y = append(c.Series[k].Y, p.Computed)
	}
	if len(pairs) > 0 {
		worst := slices.MaxFunc(pairs, func(a, b Pair) int { return cmp.Compare(a.apart(), b.apart()) })
		behind := ""
		if unit != report.Dimensionless {
			behind = " " + unit
		}
		if got, want := input.Number(worst.Computed), input.Number(worst.Reference); got != want {
			c.Caption += fmt.Sprintf(" Farthest from the line: %s, %s%s instead of %s%s.", worst.Group, got, behind, want, behind)
		}
		c.Series = append(c.Series, report.Series{Name: "equal", Ideal: true, Plain: true, X: []float64{low, high},
			Y: []float64{low, high}})
	}
	return c
}

// Parts is how an average rank of a run spends its time, in seconds, from the start to the end of the run.
type Parts struct {
	Name                    string // distinguishes the run: a system, a number of processes
	Compute, Overhead, Wait float64
	At                      float64 // number in which the runs differ; 0 none

	Interval [2]float64 // 95 % interval of the time; 0 none
}

// Time returns the time of the run.
func (p Parts) Time() float64 { return p.Compute + p.Overhead + p.Wait }

// partsText explains the three parts.
const partsText = "Compute: the core computes. Overhead: the core starts the program or is delayed otherwise, sends, receives or takes part in a collective operation of given cost. Wait: the core waits for other ranks."

// TimeBars shows the mean time of a rank as a stack of its parts, with a bar for each run. over says in what the runs
// differ.
func TimeBars(title, over string, runs []Parts) *report.BarChart {
	times := each.Append(nil, runs, Parts.Time)
	shown := Display("s", times...)
	c := partBars(title, over, runs, func(p Parts, part float64) float64 { return part * shown.Factor })
	c.Y = report.Axis{Title: "mean time of a rank", Unit: shown.Unit}
	if slices.ContainsFunc(runs, func(p Parts) bool { return p.Interval[1] > 0 }) {
		top := &c.Series[len(c.Series)-1]
		for k, p := range runs {
			whole := c.Series[0].Values[k] + c.Series[1].Values[k] + top.Values[k]
			low, high := whole, whole
			if p.Interval[1] > 0 {
				low, high = min(whole, shown.Factor*p.Interval[0]), max(whole, shown.Factor*p.Interval[1])
			}
			top.Low, top.High = append(top.Low, low), append(top.High, high)
		}
		c.Caption += " Whiskers: 95 % intervals of the mean times over repetitions."
	}
	return c
}

// ShareBars is [TimeBars] with bars of equal height, for times that differ so much that the parts of the short ones
// could not be seen.
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
		if p.At > 0 {
			c.At = append(c.At, p.At)
		}
		for i, part := range []float64{p.Compute, p.Overhead, p.Wait} {
			c.Series[i].Values[k] = shown(p, part)
		}
	}
	return c
}

// computeShares says where computing has the largest and the smallest share of the time, followed by a space; "" for
// one run, or if nothing computes.
func computeShares(runs []Parts) string {
	share := func(p Parts) float64 { return 100 * p.Compute / max(p.Time(), 1e-300) }
	if len(runs) == 0 {
		return ""
	}
	byShare := func(a, b Parts) int { return cmp.Compare(share(a), share(b)) }
	most, least := slices.MaxFunc(runs, byShare), slices.MinFunc(runs, byShare)
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
