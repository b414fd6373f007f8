package chart

import (
	"math"

	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
)

// sample has a chart of each kind, with values that decimals cannot say exactly.
func sample() *Document {
	count := Axis{Title: "processes", Unit: "1", Log: true}
	time := Axis{Title: "time", Unit: "s", Log: true}
	var p, t, low, high []float64
	for v := 1.0; v <= 1024; v *= 2 {
		p = append(p, v)
		t, low, high = append(t, 100/v+0.1/3), append(low, 99/v), append(high, 110/v+0.1/3)
	}
	grid := Axis{Title: "a_%", Unit: "1", Min: new(1.0), Max: new(3.0)}
	nan := math.NaN()
	surface := Surface{Title: "Map & more", X: grid, Y: grid, Value: Axis{Title: "gain", Unit: "%", Min: new(-1.0), Max: new(2.0)},
		Values: [][]float64{{0, 1, 2. / 3}, {-1, nan, 2}, {0, 0.1, 0.2}},
		Layers: []Layer{{Name: "equal", Mark: MarkContours, Traces: []Trace{{Label: "1", X: []float64{1, 2, 3}, Y: []float64{3, 2, 1}}}},
			{Name: "steps", Mark: MarkArrows, Traces: []Trace{{X: []float64{1, 2}, Y: []float64{1, 3}}}},
			{Name: "best", Mark: MarkPoints, Traces: []Trace{{X: []float64{2}, Y: []float64{2}}}}}}
	space := Surface3D(surface)
	return &Document{Sections: []Section{{Blocks: []Block{
		&LineChart{Title: "Time over processes", Caption: "Three runs each.", X: count, Y: time,
			Series: []Series{{Name: "ideal", X: p, Y: low, Ideal: true, Plain: true}, {Name: "measured", X: p, Y: t, Low: low, High: high, Points: true, Colour: "m"},
				{Name: "law", X: p, Y: t, Plain: true, Colour: "m"}, {Name: "beyond", X: []float64{1024, 4096}, Y: []float64{0.13, 0.06}, Plain: true, Dashed: true}},
			Bands:   []Band{{Name: "95 %", X: p, Low: low, High: high, Colour: "m"}},
			Targets: []Target{{Label: "deadline", Y: 1}}, Points: []MarkedPoint{{Series: 1, X: 8, Y: 12.5, Label: "p = 8"}}},
		&BarChart{Title: "Shares", X: Axis{Title: "p", Unit: "1"}, Y: Axis{Title: "time", Unit: "s"}, Categories: []string{"1", "a long name of a system", "16"},
			Series: []BarSeries{{Name: "compute", Values: []float64{1, 0.5, 1. / 3}, Stack: "s"}, {Name: "wait", Values: []float64{0, 0.2, 0.3}, Stack: "s", Missing: []bool{true, false, false}}}},
		&BarChart{Title: "Sideways", Horizontal: true, X: Axis{Title: "p", Unit: "1"}, Y: Axis{Title: "gain", Unit: "%"}, Categories: []string{"1", "2"},
			Series: []BarSeries{{Name: "b", Values: []float64{-1.5, 0.5}, Low: []float64{-2, 0.5}, High: []float64{-1, 0.75}}}},
		&ScatterChart{Title: "Costs", X: Axis{Title: "price", Unit: "EUR"}, Y: time,
			Series: []ScatterSeries{{Name: "front", StepAfter: true, Points: []ScatterPoint{{Name: "A", X: 1, Y: 2, Label: "best", Notes: "n"}, {Name: "B", X: 2.5, Y: 1. / 7}}}},
			Lines:  []ReferenceLine{{Label: "budget", At: 2, Vertical: true}}},
		&Tornado{Title: "Sensitivity", Value: Axis{Title: "time", Unit: "s"}, Base: 4, Low: "-10 %", High: "+10 %",
			Swings: []Swing{{Parameter: "latency", Low: 3.9, High: 4.1}, {Parameter: "nodes", Low: 5, High: 4.5}}},
		&HeatMap{Title: "Links", X: Axis{Title: "time", Unit: "s", Min: new(0.0), Max: new(3.0)}, Y: Axis{Title: "link", Unit: "1"},
			Value: Axis{Title: "use", Unit: "%", Min: new(0.0), Max: new(100.0)}, Columns: 3, Rows: []HeatRow{{Name: "up", Values: []float64{1. / 3, 0, 100}}, {Name: "down", Values: []float64{5, 5, 5}}}},
		&surface, &space, &Timeline{Title: "Who does what when", Data: TwoRanks().Encode(), Table: &Table{Title: "Path", Columns: []Column{{Title: "what"}}}},
		&Parallel{Title: "Choices", Marked: "best", Value: Axis{Title: "speedup", Unit: "1", Min: new(1.0), Max: new(8.0), Log: true},
			Axes:  []ParallelAxis{{Name: "r1", Levels: []string{"0", "1", "2"}}, {Name: "method", Levels: []string{"formula"}}, {Name: "r1", Levels: []string{"a", "b"}}},
			Lines: []ParallelLine{{At: []int{0, 0, 1}, Value: 4. / 3}, {At: []int{2, 0, 0}, Value: 8, Label: "size 4", Marked: true}}},
		&LineChart{Title: "Time over processes", X: count, Y: time, Series: []Series{{Name: "one", X: []float64{8}, Y: []float64{2}}}},
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
