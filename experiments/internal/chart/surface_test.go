package chart

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

func (*Surface) samples() []Sample {
	side := Axis{Title: "a_%", Unit: "1", Min: new(1.0), Max: new(3.0)}
	gain := Axis{Title: "gain", Unit: "%", Min: new(-1.0), Max: new(2.0)}
	return []Sample{
		{Chart: &Surface{Title: "Map & more", Caption: "A hole.", X: side, XLog2: true, Y: side, Value: gain, Values: [][]float64{{0, 1, 2. / 3}, {-1, math.NaN(), 2}, {0, 0.1, 0.2}},
			Layers: []Layer{{Name: "equal", Mark: MarkContours, Traces: []Trace{{Label: "1", X: []float64{1, 2, 3}, Y: []float64{3, 2, 1}}}},
				{Name: "steps", Mark: MarkArrows, Traces: []Trace{{X: []float64{1, 2}, Y: []float64{1, 3}}}},
				{Name: "best", Mark: MarkPoints, Traces: []Trace{{X: []float64{2}, Y: []float64{2}}}}}}},
		{Chart: &Surface{Title: "Difference", X: side, XNames: []string{"hockney", "flow"}, Y: side, YLog2: true, Value: gain, Values: [][]float64{{0, 1. / 3}, {-1, 2}}, Diverging: true, Height: 300}},
		// The second of three columns from 0 to 4 is at 2.
		{&Surface{Title: "Gain", X: Axis{Title: "r1", Unit: Dimensionless, Min: new(0.0), Max: new(4.0)}, Y: Axis{Title: "<b>r2</b>", Unit: "s", Min: new(1.0), Max: new(3.0)},
			Value: Axis{Title: "U", Unit: "%", Log: true, Min: new(0.01), Max: new(9.0)}, Values: [][]float64{{1, 2, 3}, {4, 0.0525, 6}, {7, 8, math.NaN()}},
			Half:   [][]float64{{0, 0, 0}, {0, 0.0025, math.NaN()}, {0, 0, 0}},
			YNames: []string{"low", "<i>mid</i>", "high"}},
			[]float64{1, 1}, "r1: 2 <b>r2</b> (s): <i>mid</i> U (%) 0.0525 \u00b1 0.0025"},
	}
}

// The heads of arrows turn the same way, so that one path of all has no holes where two
// overlap.
func TestHeadsTurnTheSameWay(t *testing.T) {
	for _, end := range []point{{10, 0}, {0, 10}, {-10, 0}, {0, -10}, {7, -7}} {
		head := arrowHead([]point{{0, 0}, end}, 5, 2)
		a, b, c := head[0], head[1], head[2]
		turn := (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x)
		expect.That(t, turn > 0,
			"the head of an arrow to %v has corners %v, with twice the area %v; expected a positive one", end, head, turn)
	}
}

// Coordinates 10, 11 and 12 that are logarithms to the base 2 are shown as 1024, 2048
// and 4096: on the axes, in space and in the data tables, for a point between two, at
// 11.5, as 2^11.5 = 2896.31. They are in this order also where the first row lacks the smallest.
func TestLogarithmicCoordinatesAreShownAsQuantities(t *testing.T) {
	ten, twelve, zero, one := 10.0, 12.0, 0.0, 1.0
	c := &Surface{
		Title: "T", X: Axis{Title: "nodes", Unit: Dimensionless, Min: &ten, Max: &twelve}, XLog2: true,
		Y:      Axis{Title: "share", Unit: Dimensionless, Min: &zero, Max: &one},
		Value:  Axis{Title: "time", Unit: "s", Min: &zero, Max: &one},
		Values: [][]float64{{math.NaN(), 0.5, 1}, {0, 0.5, 1}},
		Layers: []Layer{{Name: "path", Mark: MarkPath, Traces: []Trace{{X: []float64{10, 11.5}, Y: []float64{0, 1}}}}},
	}
	want := []string{"1024", "2048", "4096"}
	space := Surface3D(*c)
	expect.List(t, space.flat().columns(), want, "in space")
	tables := Tables(c)
	var got []string
	for _, column := range tables[0].Columns[1:] {
		got = append(got, column.Title)
	}
	expect.That(t, slices.Equal(got, want), "columns %q", got)
	rows := tables[1].Rows
	expect.That(t, rows[0][0] == "1024" && rows[1][0] == "2896.31" && rows[1][1] == "1", "path %q", rows)
}

// The data table has every point of a contour, and the head of an arrow is as long, in
// parts of the longest, as the arrow, but no less than shows its direction.
func TestSurfaceDataAndHeads(t *testing.T) {
	span := Axis{Title: "x", Unit: Dimensionless, Min: new(0.0), Max: new(2.0)}
	c := &Surface{Title: "Grid", X: span, Y: span, Value: span, Values: [][]float64{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}}, Layers: []Layer{
		{Name: "equal", Mark: MarkContours, Traces: []Trace{{Label: "0.5", X: []float64{0.5, 0.75, 0}, Y: []float64{0, 0.25, 0.5}}}},
		{Name: "gradient", Mark: MarkArrows, Traces: []Trace{
			{X: []float64{0, 0.4}, Y: []float64{0, 0}}, {X: []float64{1, 1}, Y: []float64{1, 1.2}}, {X: []float64{1, 1.01}, Y: []float64{0, 0}},
		}},
	}}
	tables := Tables(c)
	rows := tables[1].Rows
	expect.That(t, len(rows) == 3 && slices.Equal(rows[1], []string{"0.5", "0.75", "0.25"}),
		"the contour has the data %v, want its 3 points", rows)
	heads := c.heads(&c.Layers[1])
	for i, want := range []float64{1, 0.5, 0.3} { // the last is the smallest of all
		expect.Near(t, heads[i], want, 1e-12, "the head of arrow %d", i+1)
	}
}

// A scale of colours has ticks at 1, 2 or 5 times a power of ten with prefixes, in drawings and on
// pages, and not the ends of the data with six digits.
func TestColourScaleHasRoundTicks(t *testing.T) {
	side := Axis{Title: "x", Unit: Dimensionless, Min: new(0.0), Max: new(1.0)}
	round := regexp.MustCompile(`^[125]0{0,2} [GT]flop$`)
	c := &Surface{Title: "Work", X: side, Y: side, Values: Grid{{1.57134e9, 2e10}, {3e10, 7.21643e11}},
		Value: Axis{Title: "work", Unit: "flop", Log: true, Min: new(1.57134e9), Max: new(7.21643e11)}}
	scale := formOf(c).Option.VisualMap[0]
	expect.That(t, len(scale.Ticks) >= 2 && slices.Equal(scale.Text, []string{"", "work, logarithmic"}),
		"on a page it has ticks %v and text %q", scale.Ticks, scale.Text)
	for _, tick := range scale.Ticks {
		expect.That(t, round.MatchString(tick.Label) && tick.At >= math.Log10(1.57e9) &&
			tick.At <= math.Log10(7.22e11),
			"on a page it has the tick %v", tick)
	}
	drawn, ticks := write(t, Named{"work", c}, "svg", PaperColumn()), 0
	for _, m := range regexp.MustCompile(`>([^<]*)</text>`).FindAllStringSubmatch(drawn, -1) {
		expect.Lacks(t, m[1], "e9", "e11")
		if round.MatchString(m[1]) {
			ticks++
		}
	}
	expect.That(t, ticks >= 2, "drawn with %d ticks; expected two or more", ticks)
	// Ends that are not round have no labels: 0 to 16.311 has 0, 5, 10 and 15.
	c.Value = Axis{Title: "speedup", Unit: Dimensionless, Min: new(0.0), Max: new(16.311)}
	drawn = write(t, Named{"work", c}, "svg", PaperColumn())
	expect.That(t, strings.Contains(drawn, ">15</text>") && !strings.Contains(drawn, "16.311</text>"),
		"a scale to 16.311 has no tick at 15, or has its end")
}

// Two contours from below to above lie side by side, and a path crosses them where each would
// have its label, 5/12 of the way. The labels move: neither covers the other, the path or a ring.
func TestLabelsOfContoursCoverNothing(t *testing.T) {
	side := Axis{Title: "x", Unit: Dimensionless, Min: new(0.0), Max: new(4.0)}
	upright := func(label string, x float64) Trace {
		tr := Trace{Label: label}
		for k := range 13 {
			tr.X, tr.Y = append(tr.X, x), append(tr.Y, float64(k)/3)
		}
		return tr
	}
	c := &Surface{Title: "Map", X: side, Y: side, Value: side, Values: make(Grid, 5), Layers: []Layer{
		{Name: "equal", Mark: MarkContours, Traces: []Trace{upright("1.25", 2), upright("1.26", 2.05)}},
		{Name: "best", Mark: MarkPath, Traces: []Trace{{X: []float64{0, 4}, Y: []float64{5. / 3, 5. / 3}}}},
		{Name: "rings", Mark: MarkPoints, Traces: []Trace{{X: []float64{2, 2}, Y: []float64{1, 3}}}},
	}}
	for k := range c.Values {
		c.Values[k] = make([]float64, 5)
	}
	style := PaperColumn()
	drawn := write(t, Named{"map", c}, "svg", style)
	number := func(text string) float64 { return parsed(text) }
	path := regexp.MustCompile(`stroke="`+style.theme().series[0].Hex()+`"[^>]* d="M([0-9.]+) ([0-9.]+)h`).FindAllStringSubmatch(drawn, -1)
	expect.Need(t, len(path) == 2, "the path is drawn %d times, want 2: in the legend and in the map", len(path))
	y, height := number(path[1][2]), style.Size
	var boxes []box
	for _, label := range []string{"1.25", "1.26"} {
		m := regexp.MustCompile(`<text x="([0-9.]+)" y="([0-9.]+)"[^>]*>` + label + `</text>`).FindStringSubmatch(drawn)
		expect.Need(t, m != nil, "%s is not written", label)
		at, base, half := number(m[1]), number(m[2]), measure(label, height)/2
		b := box{at - half, base - 0.7*height, at + half, base}
		expect.That(t, b.top >= y || y >= b.bottom, "%s at %v covers the path at %v", label, b, y)
		expect.That(t, !slices.ContainsFunc(boxes, b.overlaps), "%s at %v covers the other label", label, b)
		boxes = append(boxes, b)
	}
}

// Rows of the grid have the ends of their intervals, which are empty where there is none and on other marks.
func TestIntervalsOfASurface(t *testing.T) {
	end := 1.0
	c := &Surface{Title: "s", X: Axis{Title: "x", Unit: Dimensionless, Min: new(0.0), Max: &end}, Y: Axis{Title: "y", Unit: Dimensionless, Min: new(0.0), Max: &end},
		Value: Axis{Title: "v", Unit: "s", Min: new(0.0), Max: new(4.0)}, Values: Grid{{1, 2}, {3, math.NaN()}}, Half: Grid{{0.5, math.NaN()}, {1, math.NaN()}},
		Layers: []Layer{{Name: "rings", Mark: MarkPoints, Traces: []Trace{{X: []float64{1}, Y: []float64{0}}}}}}
	expect.Equal(t, problemsOf(c), "[]", "problems")
	d := dataOf(c)
	expect.Same(t, d.columns, []string{"kind", "label", "x", "y", "v [s]", "low", "high"}, "columns")
	expect.Same(t, d.rows, [][]string{{"grid", "", "0", "0", "1", "0.5", "1.5"}, {"grid", "", "1", "0", "2", "", ""},
		{"grid", "", "0", "1", "3", "2", "4"}, {"rings", "", "1", "0", "", "", ""}}, "rows")
	c.Layers[0].Name = "grid" // as the kind of the values
	expect.Equal(t, dataOf(c).rows[3][0], "grid (2)", "kind of a layer")
	c.Half[0][0] = -0.5
	expect.Says(t, problemsOf(c), "row 1: has a half interval below 0")
	c.Half = c.Half[:1]
	expect.Says(t, problemsOf(c), "half intervals in other rows")
}
