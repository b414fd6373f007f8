package html

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/chart"
)

// sampleDocument resembles a real report: iso-solving and time splits for five
// systems. The curves follow E(N) = c N^2 / (N^2 + a p N + b p^2), a shape that
// rises towards c; the numbers mean nothing.
func sampleDocument() *chart.Document {
	systems := []string{"C2", "C4", "C8", "C16", "C32"}
	curves := chart.LineChart{
		Title:   "Speed-efficiency over problem size",
		Caption: "Each curve is one system. The rings are where a curve meets the target: the problem sizes that the scalability is computed from.",
		X:       chart.Axis{Title: "Problem size N", Unit: chart.Dimensionless, Log: true},
		Y:       chart.Axis{Title: "Speed-efficiency", Unit: chart.Dimensionless},
		Targets: []chart.Target{{Label: "target 0.3", Y: 0.3}},
	}
	table := chart.Table{
		Title:   "Systems",
		Caption: "Marked speed is the sum over all processors of a system.",
		Columns: []chart.Column{{Title: "System"}, {Title: "Processors", Numeric: true},
			{Title: "Marked speed", Unit: "Mflop/s", Numeric: true}, {Title: "Problem size N", Numeric: true},
			{Title: "Work", Unit: "Gflop", Numeric: true}, {Title: "Time", Unit: "s", Numeric: true},
			{Title: "Efficiency", Numeric: true}, {Title: "Nodes"}},
	}
	for i, name := range systems {
		p := math.Exp2(float64(i + 1))
		efficiency := func(n float64) float64 { return 0.52 * n * n / (n*n + 55*p*n + 300*p*p) }
		s := chart.Series{Name: name}
		for n := 64.0; n <= 8192; n *= math.Sqrt2 {
			s.X, s.Y = append(s.X, math.Round(n)), append(s.Y, efficiency(math.Round(n)))
		}
		curves.Series = append(curves.Series, s)
		n := 64.0
		for efficiency(n) < 0.3 {
			n++
		}
		curves.Points = append(curves.Points, chart.MarkedPoint{Series: i, X: n, Y: 0.3, Label: fmt.Sprintf("N = %g", n)})
		work := 2 * n * n * n / 3 / 1e9
		table.Rows = append(table.Rows, []string{name, chart.Number(p), chart.Number(40 * p), chart.Number(n),
			fmt.Sprintf("%.3g", work), fmt.Sprintf("%.3g", work*1e3/(40*p*0.3)), "0.300",
			fmt.Sprintf("1 server (1 CPU), %g blades", p-1)})
	}
	return &chart.Document{
		Title:    "Gaussian elimination on Sunwulf",
		Subtitle: "Isospeed-efficiency scalability from 2 to 32 processors at a target efficiency of 0.3",
		Lead: []string{
			"The pair scales, but each doubling costs more than the one before: to hold an efficiency of 0.3, the problem must grow by a little more than two each time the system doubles.",
			"Most of the lost time on the large systems is waiting for the broadcast of the pivot row. A faster network pays before faster nodes do.",
		},
		Facts: []chart.Fact{
			{Label: "Problem size on C32", Value: "N = 2 512", Note: "for efficiency 0.3"},
			{Label: "psi from C2 to C4", Value: "0.487", Note: "published: 0.483"},
			{Label: "psi from C16 to C32", Value: "0.462", Note: "published: 0.447"},
			{Label: "Waiting on C32", Value: "31 %", Note: "of the time of all ranks"},
		},
		Sections: []chart.Section{
			{Heading: "Efficiency", Text: []string{"How the efficiency rises with the problem size, and where it meets the target."},
				Blocks: []chart.Block{&curves, &table, &chart.Notes{Warning: true, Items: []string{
					"The problem size of C32 lies beyond the sizes that were measured in the paper.",
					"The memory of the server node holds N up to 2 900; larger sizes assume that it does not swap."}}}},
			{Heading: "Scalability", Blocks: []chart.Block{&chart.BarChart{
				Title: "Scalability psi between neighbouring systems", Caption: "1 is ideal.",
				X: chart.Axis{Title: "Pair of systems", Unit: chart.Dimensionless}, Y: chart.Axis{Title: "psi", Unit: chart.Dimensionless},
				Categories: []string{"C2 to C4", "C4 to C8", "C8 to C16", "C16 to C32"},
				Series: []chart.BarSeries{
					{Name: "ours", Values: []float64{0.4871, 0.4790, 0.4712, 0.4623}},
					{Name: "published", Values: []float64{0.4830, 0.4720, 0, 0.4470}, Missing: []bool{false, false, true, false}}},
			}, predicted()}},
			{Heading: "Where the time goes", Blocks: []chart.Block{timeSplit("Time per system", "System", systems, true),
				timeSplit("Time per rank on C32", "Rank", ranks(33), false), linkUse(12), hill(), (*chart.Surface3D)(bumps())}},
			{Heading: "What to buy", Blocks: []chart.Block{offers(300), swings(), choices()}},
			{Heading: "Parameters", Blocks: []chart.Block{&chart.Table{Title: "Parameters",
				Columns: []chart.Column{{Title: "Parameter"}, {Title: "Symbol"}, {Title: "Value", Numeric: true}, {Title: "Unit"}, {Title: "Source"}},
				Rows: [][]string{
					{"Latency", "L", "100", "µs", "measured with a ping-pong, median of 1000"},
					{"Bandwidth", "B", "94.1", "Mbit/s", "measured with 1 MB messages"},
					{"Send overhead", "o", "12", "µs", "assumed equal to the receive overhead"}}},
				&chart.Notes{Items: []string{"Times are simulated, not measured."}}}},
		},
		Provenance: []chart.Fact{
			{Label: "Version", Value: "isoscale 0.1.0"},
			{Label: "Study", Value: "sunwulf-gauss.yaml", Note: "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"},
			{Label: "Seed", Value: "1"},
		},
	}
}

func ranks(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprint(i)
	}
	return out
}

func timeSplit(title, axis string, categories []string, horizontal bool) *chart.BarChart {
	c := &chart.BarChart{Title: title, Categories: categories, Horizontal: horizontal,
		X: chart.Axis{Title: axis, Unit: chart.Dimensionless}, Y: chart.Axis{Title: "Time", Unit: "s"},
		Series: []chart.BarSeries{{Name: "compute", Stack: "t"}, {Name: "overhead", Stack: "t"}, {Name: "wait", Stack: "t"}}}
	for i := range categories {
		wobble := math.Abs(math.Sin(float64(i + 1)))
		for k, v := range []float64{40 - 4*wobble, 3 + wobble, 8 + 3*wobble} {
			c.Series[k].Values = append(c.Series[k].Values, v)
		}
	}
	return c
}

// linkUse has names of many lengths, and waves that run through the links.
func linkUse(links int) *chart.HeatMap {
	c := &chart.HeatMap{Title: "Use of the links of C32", Caption: "The 12 of 66 links that cost most.",
		X: chart.Axis{Title: "Time", Unit: "s", Min: new(0.0), Max: new(51.7)}, Y: chart.Axis{Title: "Link", Unit: chart.Dimensionless},
		Value: chart.Axis{Title: "Capacity used", Unit: "%", Min: new(0.0), Max: new(100.0)}, Columns: 120}
	for i := range links {
		r := chart.HeatRow{Name: strings.Repeat("rack-", i) + "node.up"}
		for k := range c.Columns {
			r.Values = append(r.Values, math.Max(0, math.Round(1000*math.Sin(float64(k+5*i)/9))/10))
		}
		c.Rows = append(c.Rows, r)
	}
	return c
}

// predicted has a dashed curve beside measured points, and a logarithmic y axis.
func predicted() *chart.LineChart {
	c := &chart.LineChart{Title: "Time on C8: predicted and measured",
		X:      chart.Axis{Title: "Problem size N", Unit: chart.Dimensionless},
		Y:      chart.Axis{Title: "Time", Unit: "s", Log: true},
		Series: []chart.Series{{Name: "predicted", Dashed: true}, {Name: "measured", Points: true}}, Height: 320}
	for n := 200.0; n <= 2000; n += 200 {
		t := 2 * n * n * n / 3 / 96e6
		c.Series[0].X, c.Series[0].Y = append(c.Series[0].X, n), append(c.Series[0].Y, t)
		c.Series[1].X, c.Series[1].Y = append(c.Series[1].X, n), append(c.Series[1].Y, t*(1+0.1*math.Sin(n)))
	}
	return c
}

// hill is a surface with every kind of mark, up to the edges.
func hill() *chart.Surface {
	x := chart.Axis{Title: "r1 = log2 of subclusters", Unit: chart.Dimensionless, Min: new(0.0), Max: new(9.0)}
	c := &chart.Surface{Title: "Speedup by configuration", Caption: "Contours, lines of equal size, the way up.", X: x, Y: x,
		Value: chart.Axis{Title: "log2 of the speedup", Unit: chart.Dimensionless, Min: new(0.0), Max: new(18.0)}}
	c.Y.Title = "r2 = log2 of nodes in each"
	arrows := chart.Layer{Name: "gradient", Mark: chart.MarkArrows}
	for i := range 10 {
		var row []float64
		for k := range 10 {
			row = append(row, float64(i+k))
			arrows.Traces = append(arrows.Traces, chart.Trace{X: []float64{float64(k), float64(k) + 0.4}, Y: []float64{float64(i), float64(i) + 0.2}})
		}
		c.Values = append(c.Values, row)
	}
	contours := chart.Layer{Name: "equal speedup", Mark: chart.MarkContours}
	for r := 1.0; r < 18; r++ {
		from := math.Max(0, r-9)
		contours.Traces = append(contours.Traces, chart.Trace{Label: fmt.Sprintf("%.2f", r), X: []float64{from, r / 2, r - from}, Y: []float64{r - from, r / 2, from}})
	}
	c.Layers = []chart.Layer{contours, {Name: "equal size", Mark: chart.MarkDashes, Traces: []chart.Trace{{Label: "9", X: []float64{0, 9}, Y: []float64{9, 0}}}},
		{Name: "optimal path", Mark: chart.MarkPath, Traces: []chart.Trace{{Label: "", X: []float64{0, 0, 9, 9}, Y: []float64{0, 4, 4, 9}}}}, arrows,
		{Name: "best of a size", Mark: chart.MarkPoints, Traces: []chart.Trace{{Label: "corner", X: []float64{9}, Y: []float64{9}}}}}
	return c
}

// bumps is a surface with two tops, one of them cut by points without a value,
// and every kind of mark.
func bumps() *chart.Surface {
	c := &chart.Surface{Title: "Speedup in space", Caption: "Two tops; one lies beyond what the budget allows.",
		X:     chart.Axis{Title: "r1 = log2 of subclusters", Unit: chart.Dimensionless, Min: new(0.0), Max: new(9.0)},
		Y:     chart.Axis{Title: "Network latency", Unit: "us", Min: new(1.0), Max: new(19.0)},
		Value: chart.Axis{Title: "Speedup", Unit: chart.Dimensionless, Min: new(0.0), Max: new(10.0)}}
	for i := range 10 {
		var row []float64
		for k := range 10 {
			bump := func(x, y, width float64) float64 {
				return math.Exp(-(math.Pow(float64(k)-x, 2) + math.Pow(float64(i)-y, 2)) / width)
			}
			v := 1 + 8*bump(3, 3, 6) + 6*bump(7, 6, 4)
			if i+k > 15 {
				v = math.NaN()
			}
			row = append(row, v)
		}
		c.Values = append(c.Values, row)
	}
	ring := chart.Trace{Label: "5"}
	for a := 0.0; a <= 2*math.Pi+0.01; a += math.Pi / 12 {
		ring.X, ring.Y = append(ring.X, 3+1.7*math.Cos(a)), append(ring.Y, 7+3.4*math.Sin(a))
	}
	arrows := chart.Layer{Name: "gradient", Mark: chart.MarkArrows}
	for k := 0.0; k < 9; k++ {
		arrows.Traces = append(arrows.Traces, chart.Trace{X: []float64{k, k + 0.7}, Y: []float64{2, 3}})
	}
	c.Layers = []chart.Layer{{Name: "equal speedup", Mark: chart.MarkContours, Traces: []chart.Trace{ring}},
		{Name: "equal size", Mark: chart.MarkDashes, Traces: []chart.Trace{{Label: "", X: []float64{0, 9}, Y: []float64{19, 1}}}},
		{Name: "growth path", Mark: chart.MarkPath, Traces: []chart.Trace{{Label: "", X: []float64{0, 0, 3, 7, 9}, Y: []float64{1, 4, 7, 13, 19}}}}, arrows,
		{Name: "best of a size", Mark: chart.MarkPoints, Traces: []chart.Trace{{Label: "top", X: []float64{3, 7}, Y: []float64{7, 13}}}}}
	return c
}

// offers are configurations scattered over cost and time, with their front.
func offers(n int) *chart.ScatterChart {
	c := &chart.ScatterChart{Title: "Cost and time of the offers", Caption: "The front is what no other offer beats in both.",
		X: chart.Axis{Title: "Cost", Unit: "kEUR", Log: true}, Y: chart.Axis{Title: "Time of the workload", Unit: "h", Log: true},
		Series: []chart.ScatterSeries{{Name: "dominated", Faint: true}, {Name: "beyond the budget"}, {Name: "Pareto front", StepAfter: true}},
		Lines:  []chart.ReferenceLine{{Label: "budget", At: 400, Vertical: true}, {Label: "deadline", At: 30, Vertical: false}}}
	for i := range n {
		cost := 50 * math.Exp2(4*math.Mod(float64(i)*0.6180339887, 1))
		p := chart.ScatterPoint{Name: fmt.Sprintf("offer %d", i), X: cost, Y: 3000 / cost * (1.1 + 3*math.Mod(float64(i)*0.4142135624, 1)), Notes: "32 nodes, fat tree"}
		series := &c.Series[0]
		if cost > 400 {
			series = &c.Series[1]
		}
		series.Points = append(series.Points, p)
	}
	for i := range 9 {
		cost := 50 * math.Exp2(float64(i)/2)
		p := chart.ScatterPoint{Name: fmt.Sprintf("front %d", i), X: cost, Y: 3000 / cost, Notes: "blades, flat network"}
		if i == 6 {
			p.X, p.Label = 390, "recommended"
		}
		if i == 5 {
			p.Label = "runner-up"
		}
		if i == 8 {
			p.Label = "fastest of all"
		}
		c.Series[2].Points = append(c.Series[2].Points, p)
	}
	return c
}

// crowdedDocument has what strains a layout: nine long names in a legend, long
// numbers at the end of an axis, tall bars with their values, and maps of seven
// decades with named levels.
func crowdedDocument() *chart.Document {
	laws := &chart.LineChart{Title: "Laws", X: chart.Axis{Title: "Processes", Unit: chart.Dimensionless, Log: true}, Y: chart.Axis{Title: "Speedup", Unit: chart.Dimensionless}}
	for k := range 4 {
		law := []string{"Amdahl", "Gustafson", "universal scalability law", "normal form of two terms"}[k]
		measured, fitted, beyond := chart.Series{Name: law + ", measured", Points: true, Colour: law}, chart.Series{Name: law, Plain: true, Colour: law}, chart.Series{Name: law + ", extrapolated", Plain: true, Dashed: true, Colour: law}
		for p := 1.0; p <= 64; p *= 2 {
			y := p / (1 + 0.01*float64(k+1)*(p-1))
			if p <= 16 {
				measured.X, measured.Y = append(measured.X, p), append(measured.Y, y*1.03)
				fitted.X, fitted.Y = append(fitted.X, p), append(fitted.Y, y)
			}
			if p >= 16 {
				beyond.X, beyond.Y = append(beyond.X, p), append(beyond.Y, y)
			}
		}
		laws.Series = append(laws.Series, measured, fitted, beyond)
	}
	last := laws.Series[2]
	laws.Bands = []chart.Band{{Name: "Amdahl, 95 % of the predictions", X: last.X, Colour: "Amdahl", Low: scaledBy(last.Y, 0.9), High: scaledBy(last.Y, 1.1)}}
	cost := &chart.ScatterChart{Title: "Costs", X: chart.Axis{Title: "Cost", Unit: "EUR"}, Y: chart.Axis{Title: "Time", Unit: "s"}, Series: []chart.ScatterSeries{{Name: "offers"}}}
	for k := range 10 {
		cost.Series[0].Points = append(cost.Series[0].Points, chart.ScatterPoint{X: 20000 * float64(k+1), Y: float64(10 - k)})
	}
	return &chart.Document{Title: "Crowded", Sections: []chart.Section{{Heading: "Charts", Blocks: []chart.Block{laws, cost,
		&chart.BarChart{Title: "Bars", X: chart.Axis{Title: "System", Unit: chart.Dimensionless}, Y: chart.Axis{Title: "Speed-efficiency", Unit: chart.Dimensionless},
			Categories: []string{"C2", "C4", "C8"}, Series: []chart.BarSeries{{Name: "up", Values: []float64{1, 0.987, 1}}}},
		&chart.BarChart{Title: "Bars down", X: chart.Axis{Title: "System", Unit: chart.Dimensionless}, Y: chart.Axis{Title: "Change", Unit: "s"}, Horizontal: true,
			Categories: []string{"C2", "C4", "C8"}, Series: []chart.BarSeries{{Name: "down", Values: []float64{1, -0.987, -1}}}},
		&chart.HeatMap{Title: "Decades", X: chart.Axis{Title: "Time", Unit: "s", Min: new(0.0), Max: new(3.0)}, Y: chart.Axis{Title: "Link", Unit: chart.Dimensionless},
			Value:   chart.Axis{Title: "Messages", Unit: "1/s", Log: true, Min: new(1.0), Max: new(1e7)},
			Columns: 3, Rows: []chart.HeatRow{{Name: "up", Values: []float64{1, 1e3, 1e7}}, {Name: "down", Values: []float64{0, 10, 1e5}}}},
		decades(), (*chart.Surface3D)(decades())}}}}
}

func scaledBy(values []float64, factor float64) []float64 {
	out := make([]float64, len(values))
	for k, v := range values {
		out[k] = factor * v
	}
	return out
}

// decades is a map of 1e-5 to 1e2 on a logarithmic scale, with named columns.
func decades() *chart.Surface {
	c := &chart.Surface{Title: "Seven decades", X: chart.Axis{Title: "network.algorithm", Unit: chart.Dimensionless, Min: new(0.0), Max: new(2.0)},
		Y:      chart.Axis{Title: "Latency", Unit: "us", Min: new(1.0), Max: new(3.0)},
		Value:  chart.Axis{Title: "achieved_speed", Unit: "flop/s", Log: true, Min: new(1e-5), Max: new(100.0)},
		XNames: []string{"hockney", "loggp", "max-min flow"}, Values: [][]float64{{1e-5, 1e-3, 0.1}, {4.087e-5, 6.94, 100}, {1e-2, 1, 10}},
		Layers: []chart.Layer{{Name: "best", Mark: chart.MarkPoints, Traces: []chart.Trace{{Label: "top", X: []float64{2}, Y: []float64{2}}}}}}
	return c
}

// choices has 54 configurations of four factors, one of them with long names.
func choices() *chart.Parallel {
	c := &chart.Parallel{Title: "Choices", Caption: "Of each size the fastest.", Marked: "best of each size",
		Value: chart.Axis{Title: "Speedup", Unit: chart.Dimensionless, Min: new(1.0), Max: new(36.0)},
		Axes: []chart.ParallelAxis{{Name: "r1", Levels: []string{"0", "1", "2"}}, {Name: "r2", Levels: []string{"0", "1", "2"}},
			{Name: "network", Levels: []string{"hockney", "max-min flow between groups"}}, {Name: "r3", Levels: []string{"0", "1", "2"}}}}
	for i := range 54 {
		at := []int{i % 3, i / 3 % 3, i / 27, i / 9 % 3}
		v := math.Exp2(float64(at[0]+at[1]+at[3])-0.2*float64(at[0]*at[0]+at[2])) * 0.9
		c.Lines = append(c.Lines, chart.ParallelLine{At: at, Value: max(1, v), Marked: at[0] == 0 && at[2] == 0 && at[1] >= at[3] && at[1]-at[3] < 2})
	}
	slices.SortStableFunc(c.Lines, func(a, b chart.ParallelLine) int { return cmp.Compare(a.Value, b.Value) })
	return c
}

func swings() *chart.Tornado {
	return &chart.Tornado{Title: "What the time of the workload depends on", Caption: "Each parameter alone is changed by a tenth.",
		Value: chart.Axis{Title: "Time of the workload", Unit: "h"}, Base: 7.7, Low: "-10 %", High: "+10 %",
		Swings: []chart.Swing{
			{Parameter: "network latency", Low: 7.65, High: 7.75, LowNote: "9 us", HighNote: "11 us"},
			{Parameter: "marked speed of a node", Low: 8.52, High: 7.03, LowNote: "36 Mflop/s", HighNote: "44 Mflop/s"},
			{Parameter: "bandwidth of the network between the racks", Low: 7.9, High: 7.55, LowNote: "90 MB/s", HighNote: "110 MB/s"},
			{Parameter: "processes per node", Low: 7.95, High: 7.85, LowNote: "9", HighNote: "11"},
			{Parameter: "energy price", Low: 7.7, High: 7.7, LowNote: "0.27 EUR", HighNote: "0.33 EUR"}}}
}
