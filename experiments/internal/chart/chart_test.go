package chart

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/expect"
)

func samples() []Named { return Of(sample()) }

// A name is made of the title, with a number where two would be the same.
func TestNamesOfCharts(t *testing.T) {
	var d Document
	for _, title := range []string{"Time over processes", "Map & more", "Map & more", "Time over processes"} {
		d.Sections = append(d.Sections, Section{Blocks: []Block{&Tornado{Title: title, Swings: make([]Swing, 1)}}})
	}
	expect.List(t, each.Of(Of(&d), func(c Named) string { return c.Name }),
		[]string{"time-over-processes", "map-more", "map-more-2", "time-over-processes-2"}, "names")
	for _, kind := range Kinds() {
		expect.That(t, slices.Contains(each.Of(samples(), Named.Kind), kind), "sample has no chart of the kind %q", kind)
	}
}

// Reading the CSV gives the numbers of a chart, bit by bit.
func TestCSVIsExact(t *testing.T) {
	charts := samples()
	rows := func(i int) [][]string {
		var text bytes.Buffer
		expect.Success(t, writeCSV(&text, charts[i].Block.(Chart)))
		all := expect.Value(csv.NewReader(&text).ReadAll())(t)
		return all
	}
	value := func(cell string) float64 {
		v := expect.Value(strconv.ParseFloat(cell, 64))(t)
		return v
	}
	lines := charts[0].Block.(*LineChart)
	all := rows(0)
	want := []string{"kind", "series", "processes", "time [s]", "low", "high", "label"}
	expect.That(t, slices.Equal(all[0], want), "head is %q; expected %q", all[0], want)
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
	expect.That(t, n == len(lines.Bands[0].X)+2,
		"%d rows after the series; expected the band, a point and a target", n)
	expect.Equal(t, value(rows(5)[1][3]), 1./3, "the first cell of the map")
	expect.Equal(t, len(rows(6)), 1+8+3+2+1, "rows of the surface, where of 9 points one has no value")
}

func TestVegaLite(t *testing.T) {
	for _, c := range samples() {
		var spec struct {
			Schema string `json:"$schema"`
			Data   struct{ Values []map[string]any }
			Mark   any
			Layer  []any
		}
		var text bytes.Buffer
		expect.Success(t, writeVega(&text, c.Block.(Chart), 240))
		err := json.Unmarshal(text.Bytes(), &spec)
		expect.Need(t, err == nil, "%s: %v", c.Name, err)
		want := len(dataOf(c.Block.(Chart)).rows)
		if p, ok := c.Block.(*Parallel); ok { // where a line crosses an axis
			want = len(p.Lines) * (len(p.Axes) + 1)
		}
		expect.That(t, len(spec.Data.Values) == want && (spec.Mark != nil || spec.Layer != nil) && spec.Schema != "",
			"%s: %d values, mark %v", c.Name, len(spec.Data.Values), spec.Mark)
	}
}

func TestChange(t *testing.T) {
	c := samples()[0]
	got := expect.Value(Change{X: "linear", Series: []string{"measured", "law"}}.Apply(c))(t)
	b := got.Block.(*LineChart)
	expect.That(t, !b.X.Log && b.Y.Log && len(b.Series) == 2 && len(b.Bands) == 0 && b.Points[0].Series == 0,
		"got %+v", b)
	expect.Same(t, samples()[0].Block, c.Block, "the chart of the caller changed")
	expect.Refusal((Change{Series: []string{"nobody"}}).Apply(c))(t, `"nobody"; expected some of ideal, measured`)
	_, err := (Change{X: "log"}).Apply(samples()[1])
	expect.That(t, err != nil, "bars have a logarithmic axis")
}

func TestReadBadCharts(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                                     "it has no charts",
		`{"charts":[{"name":"a","kind":"pie"}]}`: `kind is "pie"; expected lines, bars, points, `,
		`{"charts":[{"name":"a","kind":"lines","chart":{"colour":1}}]}`:    `unknown field "colour"`,
		`{"charts":[{"name":"a","kind":"lines","chart":{"title":"T"}}]}`:   "title is missing",
		`{"charts":[{"name":"a","kind":"surface","chart":{"title":"T"}}]}`: "grid",
		`[`: "unexpected EOF",
	} {
		_, err := Read(strings.NewReader(text))
		expect.That(t, err != nil && strings.Contains(err.Error(), want),
			"%s: error is %v; expected %q", text, err, want)
	}
}
