package charttest

import (
	"math"

	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
	"github.com/isoscale/isoscale/experiments/report"
)

// Document has a chart of each kind, with values that decimals cannot say exactly.
func Document() *report.Document {
	count := report.Axis{Title: "processes", Unit: "1", Log: true}
	time := report.Axis{Title: "time", Unit: "s", Log: true}
	var p, t, low, high []float64
	for v := 1.0; v <= 1024; v *= 2 {
		p = append(p, v)
		t, low, high = append(t, 100/v+0.1/3), append(low, 99/v), append(high, 110/v+0.1/3)
	}
	grid := report.Axis{Title: "a_%", Unit: "1", Min: new(1.0), Max: new(3.0)}
	nan := math.NaN()
	surface := report.Surface{Title: "Map & more", X: grid, Y: grid, Value: report.Axis{Title: "gain", Unit: "%", Min: new(-1.0), Max: new(2.0)},
		Values: [][]float64{{0, 1, 2. / 3}, {-1, nan, 2}, {0, 0.1, 0.2}},
		Layers: []report.Layer{{Name: "equal", Mark: report.MarkContours, Traces: []report.Trace{{Label: "1", X: []float64{1, 2, 3}, Y: []float64{3, 2, 1}}}},
			{Name: "steps", Mark: report.MarkArrows, Traces: []report.Trace{{X: []float64{1, 2}, Y: []float64{1, 3}}}},
			{Name: "best", Mark: report.MarkPoints, Traces: []report.Trace{{X: []float64{2}, Y: []float64{2}}}}}}
	space := report.Surface3D(surface)
	return &report.Document{Sections: []report.Section{{Blocks: []report.Block{
		&report.LineChart{Title: "Time over processes", Caption: "Three runs each.", X: count, Y: time,
			Series: []report.Series{{Name: "ideal", X: p, Y: low, Ideal: true, Plain: true}, {Name: "measured", X: p, Y: t, Low: low, High: high, Points: true, Colour: "m"},
				{Name: "law", X: p, Y: t, Plain: true, Colour: "m"}, {Name: "beyond", X: []float64{1024, 4096}, Y: []float64{0.13, 0.06}, Plain: true, Dashed: true}},
			Bands:   []report.Band{{Name: "95 %", X: p, Low: low, High: high, Colour: "m"}},
			Targets: []report.Target{{Label: "deadline", Y: 1}}, Points: []report.MarkedPoint{{Series: 1, X: 8, Y: 12.5, Label: "p = 8"}}},
		&report.BarChart{Title: "Shares", X: report.Axis{Title: "p", Unit: "1"}, Y: report.Axis{Title: "time", Unit: "s"}, Categories: []string{"1", "a long name of a system", "16"},
			Series: []report.BarSeries{{Name: "compute", Values: []float64{1, 0.5, 1. / 3}, Stack: "s"}, {Name: "wait", Values: []float64{0, 0.2, 0.3}, Stack: "s", Missing: []bool{true, false, false}}}},
		&report.BarChart{Title: "Sideways", Horizontal: true, X: report.Axis{Title: "p", Unit: "1"}, Y: report.Axis{Title: "gain", Unit: "%"}, Categories: []string{"1", "2"},
			Series: []report.BarSeries{{Name: "b", Values: []float64{-1.5, 0.5}}}},
		&report.ScatterChart{Title: "Costs", X: report.Axis{Title: "price", Unit: "EUR"}, Y: time,
			Series: []report.ScatterSeries{{Name: "front", StepAfter: true, Points: []report.ScatterPoint{{Name: "A", X: 1, Y: 2, Label: "best", Notes: "n"}, {Name: "B", X: 2.5, Y: 1. / 7}}}},
			Lines:  []report.ReferenceLine{{Label: "budget", At: 2, Vertical: true}}},
		&report.Tornado{Title: "Sensitivity", Value: report.Axis{Title: "time", Unit: "s"}, Base: 4, Low: "-10 %", High: "+10 %",
			Swings: []report.Swing{{Parameter: "latency", Low: 3.9, High: 4.1}, {Parameter: "nodes", Low: 5, High: 4.5}}},
		&report.HeatMap{Title: "Links", X: report.Axis{Title: "time", Unit: "s", Min: new(0.0), Max: new(3.0)}, Y: report.Axis{Title: "link", Unit: "1"},
			Value: report.Axis{Title: "use", Unit: "%", Min: new(0.0), Max: new(100.0)}, Columns: 3, Rows: []report.HeatRow{{Name: "up", Values: []float64{1. / 3, 0, 100}}, {Name: "down", Values: []float64{5, 5, 5}}}},
		&surface, &space, &report.Timeline{Title: "Who does what when", Data: TwoRanks().Encode(), Table: &report.Table{Title: "Path", Columns: []report.Column{{Title: "what"}}}},
		&report.Parallel{Title: "Choices", Marked: "best", Value: report.Axis{Title: "speedup", Unit: "1", Min: new(1.0), Max: new(8.0), Log: true},
			Axes:  []report.ParallelAxis{{Name: "r1", Levels: []string{"0", "1", "2"}}, {Name: "method", Levels: []string{"formula"}}, {Name: "r1", Levels: []string{"a", "b"}}},
			Lines: []report.ParallelLine{{At: []int{0, 0, 1}, Value: 4. / 3}, {At: []int{2, 0, 0}, Value: 8, Label: "size 4", Marked: true}}},
		&report.LineChart{Title: "Time over processes", X: count, Y: time, Series: []report.Series{{Name: "one", X: []float64{8}, Y: []float64{2}}}},
	}}}}
}

// TwoRanks is 10 s of two ranks. Rank 0 computes until 2, has overhead until 3 and
// computes until 10. Rank 1 computes until 1, waits until 5, is stopped until 6 and
// computes until 10. A message leaves rank 0 at 2 and arrives at rank 1 at 5, another
// leaves at 6, arrives at 7 and is received at 9. The critical path is rank 0 until 2,
// the first message, rank 1.
func TwoRanks() *timeline.Timeline {
	t := &timeline.Timeline{
		Ranks: 2, Tick: 0.1, End: 100, Spans: 7, Messages: 2, Names: []string{"a", "b"},
		Parts: []timeline.Part{{Name: "compute", Kind: timeline.Compute}, {Name: "overhead", Kind: timeline.Overhead},
			{Name: "wait", Kind: timeline.Wait}, {Name: "stopped", Kind: timeline.Stopped}},
		PathKinds: []string{"compute", "message"},
		SpanFirst: []uint32{0, 3, 7}, SpanEnd: []uint32{20, 30, 100, 10, 50, 60, 100}, SpanPart: []uint8{0, 1, 0, 0, 2, 3, 0},
		MessageFirst: []uint32{0, 2, 2}, MessageTo: []uint32{1, 1}, MessageLeaves: []uint32{20, 60}, MessageArrives: []uint32{50, 70},
		MessageReceived: []uint32{50, 90}, MessageSize: []float64{8, 1. / 3}, MessageTag: []int32{0, 0},
		PathFrom: []uint32{0, 20, 50}, PathUntil: []uint32{20, 50, 100}, PathRank: []uint32{0, 0, 1}, PathTo: []uint32{0, 1, 1}, PathKind: []uint8{0, 1, 0},
		Rows: 2, Columns: 10, RanksPerRow: 1, ColumnWidth: 1,
	}
	t.BinShare = make([]uint8, 2*10*3)
	for i := range 20 {
		t.BinShare[3*i] = 255
	}
	return t
}
