package chart

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/expect"
)

// A name is made of the title, with a number where two would be the same.
func TestNamesOfCharts(t *testing.T) {
	var d Document
	for _, title := range []string{"Time over processes", "Map & more", "Map & more", "Time over processes"} {
		d.Sections = append(d.Sections, Section{Blocks: []Block{&Tornado{Title: title, Swings: make([]Swing, 1)}}})
	}
	expect.List(t, each.Of(Of(&d), func(c Named) string { return c.Name }),
		[]string{"time-over-processes", "map-more", "map-more-2", "time-over-processes-2"}, "names")
}

// Reading the CSV gives the numbers of a chart, bit by bit.
func TestCSVIsExact(t *testing.T) {
	rows := func(c Chart) [][]string {
		var text bytes.Buffer
		expect.Success(t, writeCSV(&text, c))
		all := expect.Value(csv.NewReader(&text).ReadAll())(t)
		return all
	}
	value := func(cell string) float64 {
		v := expect.Value(strconv.ParseFloat(cell, 64))(t)
		return v
	}
	lines := new(LineChart).samples()[0].Chart.(*LineChart)
	all := rows(lines)
	expect.List(t, all[0], []string{"kind", "series", "processes", "time [s]", "low", "high", "label"}, "head")
	next := 1
	for _, s := range lines.Series {
		for k := range s.X {
			row := all[next]
			if next++; row[1] != s.Name || value(row[2]) != s.X[k] || value(row[3]) != s.Y[k] || s.Low != nil && (value(row[4]) != s.Low[k] || value(row[5]) != s.High[k]) {
				t.Errorf("row %q; expected point %d of %s", row, k, s.Name)
			}
		}
	}
	n := len(all) - next
	expect.That(t, n == len(lines.Bands[0].X)+2, "%d rows after the series; expected the band, a point and a target", n)
	expect.Equal(t, value(rows(new(HeatMap).samples()[0].Chart)[1][3]), 1./3, "the first cell of the map")
	expect.Equal(t, len(rows(new(Surface).samples()[0].Chart)), 1+8+3+2+1, "rows of the surface, where of 9 points one has no value")
}

func TestVegaLite(t *testing.T) {
	for _, c := range samples() {
		var spec struct {
			Schema string `json:"$schema"`
			Data   struct{ Values []map[string]any }
			Mark   any
			Layer  []struct {
				Transform []struct{ Filter any }
			}
		}
		var text bytes.Buffer
		expect.Success(t, writeVega(&text, c.Block.(Chart), Style{Width: 240}))
		err := json.Unmarshal(text.Bytes(), &spec)
		expect.Need(t, err == nil, "%s: %v", c.Name, err)
		want := len(dataOf(c.Block.(Chart)).rows)
		if own, ok := c.Block.(Chart).vega()["data"].(object); ok {
			want = len(own["values"].([]object))
		}
		expect.That(t, len(spec.Data.Values) == want && (spec.Mark != nil || spec.Layer != nil) && spec.Schema != "",
			"%s: %d values, mark %v", c.Name, len(spec.Data.Values), spec.Mark)
		for i, l := range spec.Layer {
			for _, x := range l.Transform {
				if kept, ok := x.Filter.(map[string]any); ok && kept["equal"] != nil {
					rows := each.Where(nil, spec.Data.Values, func(row map[string]any) bool { return row[kept["field"].(string)] == kept["equal"] })
					expect.That(t, len(rows) > 0, "%s: layer %d has no %v", c.Name, i, kept["equal"])
				}
			}
		}
	}
}

// What Vega-Lite would do otherwise: pile all bars of a category in the order of names, join what was measured apart,
// put names of rows in the order of letters, and list reference lines among the series.
func TestVegaLiteDrawsWhatFiguresDo(t *testing.T) {
	one := Axis{Title: "x", Unit: Dimensionless}
	// A pile starts at 2, has 3 and then 1; another has 5: bars from 2 to 5, 5 to 6 and 0 to 5, in two lanes.
	bars := &BarChart{Title: "T", X: one, Y: one, Categories: []string{"c"}, Series: []BarSeries{
		{Name: "z", Values: []float64{2}, Stack: "a", Offset: true}, {Name: "y", Values: []float64{3}, Stack: "a"},
		{Name: "x", Values: []float64{1}, Stack: "a"}, {Name: "w", Values: []float64{5}, Stack: "b"}}}
	row := func(series string, value json.Number, from, to float64, lane int) object {
		return object{"c0": "c", "c1": series, "c2": value, "from": from, "to": to, "lane": lane}
	}
	want := []object{{"c0": "c", "c1": "z", "c2": json.Number("2")}, row("y", "3", 2, 5, 0), row("x", "1", 5, 6, 0), row("w", "5", 0, 5, 1)}
	expect.Same(t, bars.vega()["data"], any(object{"values": want}), "bars")

	lines := &LineChart{Title: "T", X: one, Y: one, Points: []MarkedPoint{{}},
		Series: []Series{{Name: "law", Plain: true}, {Name: "measured", Points: true}, {Name: "ideal", Ideal: true}, {Name: "runs"}}}
	expect.Says(t, string(expect.Value(json.Marshal(lines.vega()))(t)), `"oneOf":["law","ideal","runs"]}}]`, `"oneOf":["measured","runs"]}}]`,
		`"equal":"point"`, `"domain":["law","measured","ideal","runs"]`, `"test":{"field":"c1","oneOf":["ideal"]}`)

	rows := &Surface{X: Axis{Min: new(0.0), Max: new(1.0)}, Y: Axis{Min: new(0.0), Max: new(1.0)}, YNames: []string{"10 us", "2 us"}, Values: Grid{{1, 2}, {3, 4}}}
	expect.Same(t, rows.vega()["encoding"].(object)["y"].(object)["sort"], any([]string{"2 us", "10 us"}), "rows from the top down")

	swings := &Tornado{Value: one, Base: 4, Low: "-", High: "+", Swings: []Swing{{Parameter: "latency", Low: 3, High: 6}}}
	expect.Says(t, string(expect.Value(json.Marshal(swings.vega()))(t)), `"x":{"field":"c3"`, `"x2":{"datum":4}`, `"isValid(datum.c1)"`)

	both := []ReferenceLine{{Vertical: true}, {}}
	points := (&ScatterChart{X: one, Y: one, Lines: both}).vega()["layer"].([]any)
	for k, drawn := range []string{"isValid(datum.c2) && isValid(datum.c3)", "!isValid(datum.c3)", "!isValid(datum.c2)"} {
		expect.Same(t, points[k].(object)["transform"], any([]any{object{"filter": drawn}}), "rows of a layer")
	}
}

func TestChange(t *testing.T) {
	lines := func() Named { return Named{"lines", new(LineChart).samples()[0].Chart} }
	c := lines()
	got := expect.Value(Change{X: "linear", Series: []string{"measured", "law"}}.Apply(c))(t)
	b := got.Block.(*LineChart)
	expect.That(t, !b.X.Log && b.Y.Log && len(b.Series) == 2 && len(b.Bands) == 0 && b.Points[0].Series == 0,
		"got %+v", b)
	expect.Same(t, lines().Block, c.Block, "the chart of the caller changed")
	expect.Refusal((Change{Series: []string{"nobody"}}).Apply(c))(t, `"nobody"; expected some of ideal, measured`)
	_, err := (Change{X: "log"}).Apply(Named{"bars", new(BarChart).samples()[0].Chart})
	expect.That(t, err != nil, "bars have a logarithmic axis")
}

func TestReadBadCharts(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                                     "it has no charts",
		`{"charts":[{"name":"a","kind":"pie"}]}`: `kind is "pie"; expected bars, map, lines, `,
		`{"charts":[{"name":"a","kind":"lines","chart":{"colour":1}}]}`:    `unknown field "colour"`,
		`{"charts":[{"name":"a","kind":"lines","chart":{"title":"T"}}]}`:   "title is missing",
		`{"charts":[{"name":"a","kind":"surface","chart":{"title":"T"}}]}`: "grid",
		`[`: "unexpected EOF",
	} {
		expect.Refusal(Read(strings.NewReader(text)))(t, want)
	}
}

// What is equal but for rounding is not told as the one extreme.
func TestFindingsOfTies(t *testing.T) {
	side := Axis{Title: "x", Unit: Dimensionless, Min: new(0.0), Max: new(1.0)}
	value := Axis{Title: "v", Unit: Dimensionless}
	near := 3 * (1 - 1e-13)
	for want, c := range map[string]Chart{
		"a moves the result most, from 1 to 4; base: 2":                 &Tornado{Base: 2, Swings: []Swing{{Parameter: "a", Low: 1, High: 4}, {Parameter: "b", Low: 1, High: 3}}},
		"a moves the result as much as any other, from 1 to 4; base: 2": &Tornado{Base: 2, Swings: []Swing{{Parameter: "a", Low: 1, High: 4}, {Parameter: "b", Low: 1, High: 1 + near}}},
		"v is largest at x 1, x 0: 3":                                   &Surface{X: side, Y: side, Value: value, Values: Grid{{1, 3}, {2, math.NaN()}}},
		"v is largest at x 1, x 0 and 1 place more: 3":                  &Surface{X: side, Y: side, Value: value, Values: Grid{{1, 3}, {near, math.NaN()}}},
		"v: the largest is 3, of a":                                     &HeatMap{Value: value, Columns: 2, Rows: []HeatRow{{Name: "a", Values: []float64{1, 3}}, {Name: "b", Values: []float64{2, 1}}}},
		"v: the largest is 3, of row 1":                                 &HeatMap{Value: value, Columns: 2, Rows: []HeatRow{{Values: []float64{1, 3}}, {Values: []float64{2, 1}}}},
		"v: the largest is 3, of a and 1 row more":                      &HeatMap{Value: value, Columns: 2, Rows: []HeatRow{{Name: "a", Values: []float64{1, 3}}, {Name: "b", Values: []float64{near, 1}}}},
	} {
		got := strings.Join(c.finding(), "; ")
		expect.That(t, got == want, "%q, want %q", got, want)
	}
}
