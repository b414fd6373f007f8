package chart

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// flawed is a document with one block that has one fault.
func flawed(b Block) *Document {
	return &Document{Title: "D", Sections: []Section{{Heading: "S", Blocks: []Block{b}}}}
}

// spoilt makes documents of a block that is right but for a change.
func spoilt[B Block](block func() B) func(change func(B)) *Document {
	return func(change func(B)) *Document {
		b := block()
		change(b)
		return flawed(b)
	}
}

func TestCheckRefuses(t *testing.T) {
	one, two := []float64{1}, []float64{1, 2}
	span := func(title, unit string, to float64) Axis {
		return Axis{Title: title, Unit: unit, Min: new(0.0), Max: &to}
	}
	n, seconds := Axis{Title: "N", Unit: "1"}, Axis{Title: "t", Unit: "s"}
	line := spoilt(func() *LineChart {
		return &LineChart{Title: "T", X: n, Y: seconds, Series: []Series{{Name: "C2", X: []float64{1, 2}, Y: []float64{1, 2}}}}
	})
	bar := spoilt(func() *BarChart {
		return &BarChart{Title: "T", X: n, Y: seconds, Categories: []string{"a", "b"}, Series: []BarSeries{{Name: "ours", Values: []float64{1, 2}}}}
	})
	heat := spoilt(func() *HeatMap {
		return &HeatMap{Title: "T", X: span("t", "s", 1), Y: Axis{Title: "link", Unit: "1"}, Value: span("used", "%", 100),
			Columns: 2, Rows: []HeatRow{{"up", []float64{1, 2}}}}
	})
	grid := func() *Surface {
		return &Surface{Title: "T", X: span("a", "1", 1), Y: span("b", "1", 1), Value: span("u", "1", 1), Values: [][]float64{{0, 1}, {1, 0}}}
	}
	surface := spoilt(func() *Surface {
		c := grid()
		c.Layers = []Layer{{Name: "way", Mark: MarkArrows, Traces: []Trace{{Label: "up", X: []float64{0, 1}, Y: []float64{0, 1.5}}}}}
		return c
	})
	space := spoilt(func() *Surface3D { return (*Surface3D)(grid()) })
	sliced := spoilt(func() *Slices {
		return &Slices{Title: "T", Variables: []Variable{{"r3", []string{"0", "1"}}}, Surfaces: []*Surface{grid(), nil}, Start: []int{0}}
	})
	scatter := spoilt(func() *ScatterChart {
		return &ScatterChart{Title: "T", X: Axis{Title: "cost", Unit: "EUR"}, Y: seconds,
			Series: []ScatterSeries{{Name: "front", Points: []ScatterPoint{{Name: "C2", X: 1, Y: 2}}}}, Lines: []ReferenceLine{{"budget", 1, true}}}
	})
	tornado := spoilt(func() *Tornado {
		return &Tornado{Title: "T", Value: seconds, Base: 2, Low: "-10 %", High: "+10 %", Swings: []Swing{{Parameter: "latency", Low: 1, High: 3}}}
	})
	parallel := spoilt(func() *Parallel {
		return &Parallel{Title: "T", Marked: "best", Value: span("t", "s", 2),
			Axes:  []ParallelAxis{{Name: "r1", Levels: []string{"0"}}, {Name: "r2", Levels: []string{"0", "1"}}},
			Lines: []ParallelLine{{At: []int{0, 1}, Value: 1, Label: "all", Marked: true}}}
	})
	for _, test := range []struct {
		name string
		doc  *Document
		want string
	}{
		{"part taken up again", &Document{Title: "D", Sections: []Section{{Heading: "1", Part: "A"}, {Heading: "2"}, {Heading: "3", Part: "A"}}}, `report: section "3": part "A" is not contiguous; expected its sections one after another`},
		{"space span", space(func(c *Surface3D) { c.X.Max = nil }), `report: section "S": chart "T": x axis does not say what it spans; expected both bounds and a linear scale`},
		{"no grid in space", space(func(c *Surface3D) { c.Values = c.Values[:1] }), `report: section "S": chart "T": grid is too small; expected at least 2 rows of 2 values`},
		{"slices without variables", sliced(func(c *Slices) { c.Variables = nil }), `report: section "S": slices "T": has no variables; expected at least 1`},
		{"slices of one level", sliced(func(c *Slices) { c.Variables[0].Levels = []string{"0"}; c.Surfaces = c.Surfaces[:1] }), `report: section "S": slices "T": variable 1 "r3": has 1 levels; expected at least 2`},
		{"too few slices", sliced(func(c *Slices) { c.Surfaces = c.Surfaces[:1] }), `report: section "S": slices "T": has 1 maps; expected 2, one for each combination of levels`},
		{"start of slices", sliced(func(c *Slices) { c.Start[0] = 2 }), `report: section "S": slices "T": variable 1 "r3": starts at level 2; expected an index into its 2 levels`},
		{"no slice at the start", sliced(func(c *Slices) { c.Start[0] = 1 }), `report: section "S": slices "T": has no map at the start`},
		{"slice", sliced(func(c *Slices) { c.Surfaces[0].Title = "" }), `report: section "S": slices "T": chart: title is missing`},
		{"scatter on log", scatter(func(c *ScatterChart) { c.X.Log, c.Series[0].Points[0].X = true, 0 }), `report: section "S": chart "T": series 1 "front": point 1 "C2": x is 0; expected a number above 0, because the axis is logarithmic`},
		{"step", scatter(func(c *ScatterChart) { c.Series[0].StepAfter, c.Series[0].StepBefore = true, true }), `report: section "S": chart "T": series 1 "front": steps after and before its points; expected one of them`},
		{"line label", scatter(func(c *ScatterChart) { c.Lines[0].Label = "" }), `report: section "S": chart "T": line 1: label is missing`},
		{"horizontal line on log", scatter(func(c *ScatterChart) { c.Y.Log = true; c.Lines[0] = ReferenceLine{"goal", -1, false} }), `report: section "S": chart "T": line 1 "goal": y is -1; expected a number above 0, because the axis is logarithmic`},
		{"tornado title", tornado(func(c *Tornado) { c.Title = "" }), `report: section "S": chart: title is missing`},
		{"tornado height", tornado(func(c *Tornado) { c.Height = -1 }), `report: section "S": chart "T": height is -1; expected pixels, or 0 for a default`},
		{"tornado unit", tornado(func(c *Tornado) { c.Value.Unit = "" }), `report: section "S": chart "T": value: unit is missing; expected a unit, or "1" where there is none`},
		{"tornado on log", tornado(func(c *Tornado) { c.Value.Log = true }), `report: section "S": chart "T": value is logarithmic, where bars to both sides do not compare; expected a linear axis`},
		{"tornado change", tornado(func(c *Tornado) { c.High = "" }), `report: section "S": chart "T": high is missing`},
		{"swing", tornado(func(c *Tornado) { c.Swings[0].Low = math.Inf(1) }), `report: section "S": chart "T": swing 1 "latency": low is +Inf; expected a finite number`},
		{"swing parameter", tornado(func(c *Tornado) { c.Swings[0].Parameter = "" }), `report: section "S": chart "T": swing 1: parameter is missing`},
		{"one parallel axis", parallel(func(c *Parallel) { c.Axes, c.Lines = c.Axes[:1], nil }), `report: section "S": chart "T": has 1 axes; expected at least 2`},
		{"parallel axis without levels", parallel(func(c *Parallel) { c.Axes[1].Levels, c.Lines = nil, nil }), `report: section "S": chart "T": axis 2 "r2": has no levels; expected at least 1`},
		{"parallel value", parallel(func(c *Parallel) { c.Value.Max = nil }), `report: section "S": chart "T": value does not say what it spans; expected both bounds`},
		{"level of no axis", parallel(func(c *Parallel) { c.Lines[0].At = []int{0} }), `report: section "S": chart "T": line 1 "all": has 1 levels; expected 2, one for each axis`},
		{"level off its axis", parallel(func(c *Parallel) { c.Lines[0].At[1] = 2 }), `report: section "S": chart "T": line 1 "all": at[1] is 2; expected an index into the 2 levels of the axis`},
		{"value off its axis", parallel(func(c *Parallel) { c.Lines[0].Value = 3 }), `report: section "S": chart "T": line 1 "all": value is 3; expected 0 to 2`},
		{"unnamed mark", parallel(func(c *Parallel) { c.Marked = "" }), `report: section "S": chart "T": line 1 "all": is marked, and the chart does not say what marked lines are`},
		{"nil document", nil, `report: document is nil`},
		{"no title", &Document{}, `report: title is missing`},
		{"no heading", &Document{Title: "D", Sections: []Section{{}}}, `report: section 1: heading is missing`},
		{"nil block", flawed(nil), `report: section "S": block 1 is nil`},
		{"row length", heat(func(c *HeatMap) { c.Columns = 3 }), `report: section "S": chart "T": row 1 "up": has 2 values; expected 3, one for each column`},
		{"columns", heat(func(c *HeatMap) { c.Columns, c.Rows = -1, nil }), `report: section "S": chart "T": has -1 columns; expected 0 or more`},
		{"heat map span", heat(func(c *HeatMap) { c.X.Max = nil }), `report: section "S": chart "T": x axis does not say what it spans; expected both bounds and a linear scale`},
		{"heat map on log", heat(func(c *HeatMap) { c.Y.Log = true }), `report: section "S": chart "T": y axis shows rows; expected no bounds and no logarithmic scale`},
		{"colour span", heat(func(c *HeatMap) { c.Value.Min = nil }), `report: section "S": chart "T": value does not say what it spans; expected both bounds`},
		{"minus on log colours", heat(func(c *HeatMap) { c.Value.Log, c.Value.Min = true, new(1.0); c.Rows[0].Values[0] = -1 }), `report: section "S": chart "T": row 1 "up": value[0] is -1; expected a number above 0, because the axis is logarithmic`},
		{"colour bounds on log", heat(func(c *HeatMap) { c.Value.Log = true }), `report: section "S": chart "T": value: min is 0; expected a number above 0, because the axis is logarithmic`},
		{"colour bounds", heat(func(c *HeatMap) { c.Value.Max = new(0.0) }), `report: section "S": chart "T": value: min 0 is not below max 0`},
		{"surface span", surface(func(c *Surface) { c.Y.Min = nil }), `report: section "S": chart "T": y axis does not say what it spans; expected both bounds and a linear scale`},
		{"surface on log", surface(func(c *Surface) { c.X.Log = true; c.X.Min = new(0.1) }), `report: section "S": chart "T": x axis does not say what it spans; expected both bounds and a linear scale`},
		{"surface colours", surface(func(c *Surface) { c.Value.Max = nil }), `report: section "S": chart "T": value does not say what it spans; expected both bounds`},
		{"zero on log colours", surface(func(c *Surface) {
			c.Value.Log, c.Value.Min = true, new(0.5)
			c.Values[1][0] = 0.5
			c.Values[0][1] = 0.5
			c.Values[1][1] = 1
		}), `report: section "S": chart "T": row 1: value[0] is 0; expected a number above 0, because the axis is logarithmic`},
		{"zero on log heights", space(func(c *Surface3D) {
			c.Value.Log, c.Value.Min = true, new(0.5)
			c.Values[0][0], c.Values[1][1] = 1, 1
			c.Values[1][0] = -3
		}), `report: section "S": chart "T": row 2: value[0] is -3; expected a number above 0, because the axis is logarithmic`},
		{"column names", surface(func(c *Surface) { c.XNames = []string{"a"} }), `report: section "S": chart "T": has 1 names of columns; expected 2`},
		{"row names", space(func(c *Surface3D) { c.YNames = []string{"a", "b", "c"} }), `report: section "S": chart "T": has 3 names of rows; expected 2`},
		{"no grid", surface(func(c *Surface) { c.Values = nil }), `report: section "S": chart "T": grid is too small; expected at least 2 rows of 2 values`},
		{"narrow grid", surface(func(c *Surface) { c.Values = [][]float64{{1}, {2}} }), `report: section "S": chart "T": grid is too small; expected at least 2 rows of 2 values`},
		{"ragged grid", surface(func(c *Surface) { c.Values[1] = one }), `report: section "S": chart "T": row 2: has 1 values; expected 2, as many as the first row`},
		{"mark", surface(func(c *Surface) { c.Layers[0].Mark = 5 }), `report: section "S": chart "T": layer 1 "way": mark is 5; expected MarkContours, MarkDashes, MarkArrows, MarkPath or MarkPoints`},
		{"trace lengths", surface(func(c *Surface) { c.Layers[0].Traces[0].X = one }), `report: section "S": chart "T": layer 1 "way": trace 1 "up": has 1 x values and 2 y values; expected equal numbers`},
		{"arrow", surface(func(c *Surface) { c.Layers[0].Traces[0] = Trace{"up", one, one} }), `report: section "S": chart "T": layer 1 "way": trace 1 "up": has 1 points; expected the 2 ends of an arrow`},
		{"off the grid", surface(func(c *Surface) { c.Layers[0].Traces[0].Y[1] = 1.6 }), `report: section "S": chart "T": layer 1 "way": trace 1 "up": point 2 (1, 1.6) is off the grid`},
		{"NaN", line(func(c *LineChart) { c.Series[0].Y[1] = math.NaN() }), `report: section "S": chart "T": series 1 "C2": y[1] is NaN; expected a finite number`},
		{"huge", line(func(c *LineChart) { c.Series[0].Y[0] = -2e30 }), `report: section "S": chart "T": series 1 "C2": y[0] is -2e+30; expected a magnitude of at most 1e+30: take a larger unit`},
		{"tiny on log", line(func(c *LineChart) { c.X.Log = true; c.Series[0].X[0] = 1e-12 }), `report: section "S": chart "T": series 1 "C2": x[0] is 1e-12; expected at least 1e-09 on a logarithmic axis: take a smaller unit`},
		{"lengths", line(func(c *LineChart) { c.Series[0].Y = one }), `report: section "S": chart "T": series 1 "C2": has 2 x values and 1 y values; expected equal numbers`},
		{"style", line(func(c *LineChart) { c.Series[0].Points, c.Series[0].Dashed = true, true }), `report: section "S": chart "T": series 1 "C2": has points only, and a line that is plain or dashed; expected one of them`},
		{"band lengths", line(func(c *LineChart) { c.Bands = []Band{{"b", two, two, one, ""}} }), `report: section "S": chart "T": band 1 "b": has 2 x values, 2 low and 1 high values; expected equal numbers`},
		{"band order", line(func(c *LineChart) { c.Bands = []Band{{"b", []float64{2, 1}, two, two, ""}} }), `report: section "S": chart "T": band 1 "b": x[1] is 1, below the one before; expected x values that do not decrease`},
		{"band upside down", line(func(c *LineChart) { c.Bands = []Band{{"b", one, []float64{3}, one, ""}} }), `report: section "S": chart "T": band 1 "b": low[0] is 3, above high[0], 1`},
		{"band on log", line(func(c *LineChart) { c.Y.Log = true; c.Bands = []Band{{"b", one, []float64{0}, one, ""}} }), `report: section "S": chart "T": band 1 "b": low[0] is 0; expected a number above 0, because the axis is logarithmic`},
		{"zero on log", line(func(c *LineChart) { c.X.Log = true; c.Series[0].X[0] = 0 }), `report: section "S": chart "T": series 1 "C2": x[0] is 0; expected a number above 0, because the axis is logarithmic`},
		{"target label", line(func(c *LineChart) { c.Targets = []Target{{"", 1}} }), `report: section "S": chart "T": target 1: label is missing`},
		{"point series", line(func(c *LineChart) { c.Points = []MarkedPoint{{1, 1, 1, "p"}} }), `report: section "S": chart "T": point 1 "p": series index is 1; expected an index into the 1 series`},
		{"chart title", line(func(c *LineChart) { c.Title = "" }), `report: section "S": chart: title is missing`},
		{"axis title", line(func(c *LineChart) { c.X.Title = "" }), `report: section "S": chart "T": x axis: title is missing`},
		{"axis unit", line(func(c *LineChart) { c.Y.Unit = "" }), `report: section "S": chart "T": y axis: unit is missing; expected a unit, or "1" where there is none`},
		{"axis bounds", line(func(c *LineChart) { c.Y.Min, c.Y.Max = &two[1], &two[0] }), `report: section "S": chart "T": y axis: min 2 is not below max 1`},
		{"height", line(func(c *LineChart) { c.Height = -1 }), `report: section "S": chart "T": height is -1; expected pixels, or 0 for a default`},
		{"bar lengths", bar(func(c *BarChart) { c.Series[0].Values = one }), `report: section "S": chart "T": series 1 "ours": has 1 values; expected 2, one for each category`},
		{"missing marks", bar(func(c *BarChart) { c.Series[0].Missing = []bool{true} }), `report: section "S": chart "T": series 1 "ours": has 1 missing marks; expected none or 2`},
		{"bar offset", bar(func(c *BarChart) { c.Series[0].Offset = true }), `report: section "S": chart "T": series 1 "ours": is an offset without a stack; expected the stack of the series that it moves`},
		{"bars on log", bar(func(c *BarChart) { c.Y.Log = true }), `report: section "S": chart "T": y axis is logarithmic, where the length of a bar means nothing; expected a linear axis, or a LineChart of Points`},
		{"bar x bounds", bar(func(c *BarChart) { c.X.Max = &one[0] }), `report: section "S": chart "T": x axis shows categories; expected no bounds and no logarithmic scale`},
		{"table row", flawed(&Table{Title: "T", Columns: []Column{{Title: "c"}}, Rows: [][]string{{"a"}, {}}}), `report: section "S": table "T": row 2 has 0 cells; expected 1, one for each column`},
		{"one size", flawed(&Table{Title: "T", Columns: []Column{{Title: "c", Sizes: []string{"large"}}}}), `report: section "S": table "T": column 1: has 1 sizes; expected 2 to 5, or none`},
		{"table size", flawed(&Table{Title: "T", Columns: []Column{{Title: "c"}, {Title: "d", Sizes: []string{"small", "large"}}}, Rows: [][]string{{"+2 %", "+2 % large"}, {"huge", "+9 % huge"}}}), `report: section "S": table "T": row 2: cell 2 is "+9 % huge"; expected a text that ends in one of small, large`},
		{"table column", flawed(&Table{Title: "T", Columns: []Column{{}}}), `report: section "S": table "T": column 1: title is missing`},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.doc.Check()
			expect.That(t, err != nil && err.Error() == test.want, "got  %v\nwant %s", err, test.want)
		})
	}
}

func TestCheckRefusesNothing(t *testing.T) {
	blocks := []Block{(*Slices)(nil), (*Table)(nil), (*Network)(nil), (*Notes)(nil)}
	for _, k := range kinds {
		blocks = append(blocks, reflect.Zero(k.of).Interface().(Block))
	}
	for _, b := range blocks {
		want := fmt.Sprintf(`report: section "S": block is a nil %s`, strings.Replace(fmt.Sprintf("%T", b), "chart.", "", 1))
		err := flawed(b).Check()
		expect.That(t, err != nil && err.Error() == want, "got  %v\nwant %s", err, want)
	}
}

func TestCheckReportsEveryProblem(t *testing.T) {
	err := (&Document{Sections: []Section{{}, {Heading: "S", Blocks: []Block{&Table{}}}}}).Check()
	got := strings.Count(err.Error(), "missing")
	expect.That(t, got == 3, "got %d problems, expected 3: document title, heading, table title:\n%v", got, err)
}
