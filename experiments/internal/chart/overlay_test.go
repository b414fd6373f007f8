package chart

import (
	stdcmp "cmp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/internal/expect"
)

var processes = Axis{Title: "processes", Unit: "1", Log: true}

func curves(unit string, series ...Series) *LineChart {
	return &LineChart{Title: "Time over processes", X: processes, Y: Axis{Title: "time", Unit: unit, Log: true}, Series: series}
}

// of names charts as a document does.
func of(name string, blocks ...Block) Result {
	return Result{name, Of(&Document{Sections: []Section{{Blocks: blocks}}})}
}

// overlaid lays results over each other, and fails unless all charts can be drawn.
func overlaid(t *testing.T, a, b Result) Overlay {
	t.Helper()
	o := expect.Value(Overlaid(a, b))(t)
	d := &Document{Title: "both", Sections: []Section{{Heading: "charts"}}}
	for _, c := range o.Charts() {
		d.Sections[0].Blocks = append(d.Sections[0].Blocks, c.Block)
		expect.That(t, Drawable(c.Block), "chart %s has nothing to draw", c.Name)
	}
	expect.Success(t, d.Check())
	return o
}

// The second result is in ms and has the point at 8 alone; the first that at 1. At 2 they
// are 4 s and 6000 ms, at 4 both are 2 s.
func TestRatioOfCurves(t *testing.T) {
	a := curves("s", Series{Name: "n = 1", X: []float64{1, 2, 4}, Y: []float64{8, 4, 2}})
	b := curves("ms", Series{Name: "n = 1", X: []float64{2, 4, 8}, Y: []float64{6000, 2000, 1500}})
	o := overlaid(t, of("fast", a), of("slow", b))
	expect.Need(t, len(o.Pairs) == 1 && o.Pairs[0].Both.Name == "time-over-processes" && o.Pairs[0].Ratio != nil &&
		o.Pairs[0].Ratio.Name == "time-over-processes-ratio",
		"%+v", o)
	both, ratio := o.Pairs[0].Both.Block.(*LineChart), o.Pairs[0].Ratio.Block.(*LineChart)
	want := []Series{
		{Name: "fast: n = 1", X: []float64{1, 2, 4}, Y: []float64{8, 4, 2}, Colour: "of n = 1", Entry: "n = 1"},
		{Name: "slow: n = 1", X: []float64{2, 4, 8}, Y: []float64{6, 2, 1.5}, Dashed: true, Colour: "of n = 1", Entry: "n = 1"},
		{Name: "dashed: slow", Ideal: true},
	}
	expect.Same(t, both.Series, want, "both")
	expect.Same(t, both.keys(), []string{"n = 1", "dashed: slow"}, "legend")
	expect.Same(t, ratio.Series, []Series{{Name: "n = 1", X: []float64{2, 4}, Y: []float64{1.5, 1}}}, "ratio")
	expect.That(t, ratio.Y == (Axis{Title: "slow / fast", Unit: "1", Log: true}) && ratio.X == processes && both.Y == a.Y,
		"axes %+v over %+v, and %+v", ratio.Y, ratio.X, both.Y)
	expect.Same(t, ratio.Targets, []Target{{Label: "equal", Y: 1}}, "targets")
	expect.Equal(t, both.Caption, "Dashed: slow. Without a ratio: 1 point only in fast, 1 point only in slow.", "caption")
	expect.Equal(t, ratio.Caption,
		"The value of slow divided by that of fast, at 2 points. Without a ratio: 1 point only in fast, 1 point only in slow.", "caption")
}

// A result and itself have the ratio 1 everywhere; the other way round it is the reciprocal,
// which is exact for powers of two.
func TestRatioOfEqualAndSwapped(t *testing.T) {
	a := of("a", curves("s", Series{Name: "n", X: []float64{1, 2, 3}, Y: []float64{0.1, 0.7, 1e-9}}))
	for _, y := range overlaid(t, a, Result{"b", a.Charts}).Pairs[0].Ratio.Block.(*LineChart).Series[0].Y {
		expect.That(t, y == 1, "ratio %v to itself", y)
	}
	x := []float64{1, 2, 4}
	c, d := of("c", curves("s", Series{Name: "n", X: x, Y: []float64{8, 4, 2}})), of("d", curves("s", Series{Name: "n", X: x, Y: []float64{16, 1, 2}}))
	there := overlaid(t, c, d).Pairs[0].Ratio.Block.(*LineChart).Series[0].Y
	back := overlaid(t, d, c).Pairs[0].Ratio.Block.(*LineChart).Series[0].Y
	for i := range there {
		expect.That(t, there[i]*back[i] == 1, "ratios %v and %v", there, back)
	}
}

// Whatever the colour groups of the results are, no curve of the one has the colour of a
// curve of the other, and those of the second alone are dashed. The ideal line of both is
// one; bands, marked points and targets stay with their curves.
func TestResultsAreToldApart(t *testing.T) {
	x := []float64{1, 2}
	sample := func(y float64) *LineChart {
		c := curves("s",
			Series{Name: "measured", X: x, Y: []float64{8, y}, Colour: "n"},
			Series{Name: "law", X: x, Y: []float64{8, y}, Colour: "n", Plain: true, Dashed: true},
			Series{Name: "ideal", X: x, Y: []float64{8, 4}, Plain: true, Ideal: true},
			Series{Name: "dots", X: x, Y: []float64{7, y}, Points: true},
			Series{Name: "published", X: x, Y: []float64{7, 6}, Points: true})
		c.Bands = []Band{{Name: "band", X: x, Low: []float64{7, 3}, High: []float64{9, 6}, Colour: "n"}}
		c.Points = []MarkedPoint{{Series: 3, X: 1, Y: 7, Label: "here"}}
		c.Targets = []Target{{Label: "goal", Y: 5}}
		return c
	}
	both := overlaid(t, of("a", sample(5)), of("b", sample(6))).Pairs[0].Both.Block.(*LineChart)
	var names, colours []string // a series without a group has a colour of its own
	for _, s := range both.Series {
		names, colours = append(names, s.Name), append(colours, stdcmp.Or(s.Colour, s.Name))
	}
	for _, b := range both.Bands {
		names, colours = append(names, b.Name), append(colours, stdcmp.Or(b.Colour, b.Name))
	}
	var first, second []string
	for i, name := range names {
		switch {
		case name == "ideal" || name == "published": // the same in both
			expect.That(t, both.Series[i].Ideal == (name == "ideal"), "the ideal line has a colour")
			continue
		case strings.HasPrefix(name, "a: "):
			first = append(first, colours[i])
		case strings.HasPrefix(name, "b: "):
			second = append(second, colours[i])
		default:
			t.Errorf("series %q", name)
		}
		if i < len(both.Series) {
			expect.Equal(t, both.Series[i].Dashed, name == "b: measured" || name == "b: law", "%s is dashed", name)
		}
	}
	expect.That(t, len(first) == 4 && len(second) == 4,
		"series %q; expected three and a band of each, and the ideal", names)
	// Groups, of which some lines are dashed, have colours of their own in each; the dots share one.
	for i, c := range first {
		expect.That(t, slices.Contains(second, c) == (i == 2), "colours %v of a, %v of b", first, second)
	}
	for i, want := range []string{"a: dots", "b: dots"} {
		p := both.Points[i]
		expect.That(t, names[p.Series] == want && p.Label == []string{"here", ""}[i], "point %q is on %q", p.Label, names[p.Series])
	}
	expect.That(t, len(both.Targets) == 1, "targets %v; expected the one that both have", both.Targets)
}

// Where the first is 0 there is no ratio; where the second is 0 it is 0, on a linear axis.
func TestRatioOfZeros(t *testing.T) {
	chart := func(y ...float64) *LineChart {
		return &LineChart{Title: "Waiting", X: processes, Y: Axis{Title: "wait", Unit: "s"}, Series: []Series{{Name: "n", X: []float64{1, 2, 3, 4}, Y: y}}}
	}
	ratio := overlaid(t, of("a", chart(0, 0, 2, 2)), of("b", chart(0, 1, 0, 4))).Pairs[0].Ratio.Block.(*LineChart)
	expect.Same(t, ratio.Series, []Series{{Name: "n", X: []float64{3, 4}, Y: []float64{0, 2}}}, "ratio")
	// From 0 to 2 with the line at 1 between, and 5 % on both sides.
	low, high := *ratio.Y.Min, *ratio.Y.Max
	expect.That(t, low == -0.1 && high == 2.1, "from %v to %v; expected -0.1 to 2.1", low, high)
	expect.Equal(t, ratio.Caption, "The value of b divided by that of a, at 2 points. Without a ratio: 2 points where a is 0, an x has several values or the ratio is out of range.", "caption")
}

// A curve that steps from 1 to 2 at x = 2 has no single value there to divide: against one that steps from 3 to 4, the
// ratios are 3 and 2 beside the step. Against zeros there are points in common, but no ratio.
func TestRatioOfSteps(t *testing.T) {
	steps := func(y ...float64) *LineChart { return curves("s", Series{Name: "n", X: []float64{1, 2, 2, 3}, Y: y}) }
	a := of("a", steps(1, 1, 2, 2))
	ratio := overlaid(t, a, of("b", steps(3, 3, 4, 4))).Pairs[0].Ratio.Block.(*LineChart)
	expect.Same(t, ratio.Series, []Series{{Name: "n", X: []float64{1, 3}, Y: []float64{3, 2}}}, "ratio")
	zeros := curves("s", Series{Name: "n", X: []float64{1, 2}, Y: []float64{0, 0}})
	zeros.Y.Log = false
	p := overlaid(t, of("a", zeros), of("b", zeros)).Pairs[0]
	want := "Dashed: b. Without a ratio: 2 points where a is 0, an x has several values or the ratio is out of range."
	expect.That(t, p.Ratio == nil && p.Both.Block.(*LineChart).Caption == want,
		"ratio %v, caption %q", p.Ratio, p.Both.Block.(*LineChart).Caption)
}

// Without an x in common both are drawn, and there is no ratio.
func TestNoCommonPoint(t *testing.T) {
	o := overlaid(t, of("a", curves("s", Series{Name: "n", X: []float64{1}, Y: []float64{1}})), of("b", curves("s", Series{Name: "n", X: []float64{2}, Y: []float64{1}})))
	both := o.Pairs[0].Both.Block.(*LineChart)
	expect.That(t, o.Pairs[0].Ratio == nil && len(both.Series) == 3 && // two and the entry for what is dashed
		both.Caption == "Dashed: b. They have no point in common, so there is no ratio.",
		"%d series, ratio %v, caption %q", len(both.Series), o.Pairs[0].Ratio, both.Caption)
}

// Two systems are in both, C8 is in the second alone; the second has no published value for
// C4. In kB and B.
func TestRatioOfBars(t *testing.T) {
	chart := func(unit string, categories []string, series ...BarSeries) *BarChart {
		return &BarChart{Title: "Sizes", X: Axis{Title: "system", Unit: "1"}, Y: Axis{Title: "size", Unit: unit}, Categories: categories, Series: series}
	}
	a := chart("B", []string{"C2", "C4"}, BarSeries{Name: "simulated", Values: []float64{500, 2000}}, BarSeries{Name: "published", Values: []float64{1, 2}})
	b := chart("kB", []string{"C4", "C2", "C8"}, BarSeries{Name: "published", Values: []float64{0, 0.003, 1}, Missing: []bool{true, false, false}}, BarSeries{Name: "simulated", Values: []float64{1, 1, 1}})
	o := overlaid(t, of("a", a), of("b", b))
	both, ratio := o.Pairs[0].Both.Block.(*BarChart), o.Pairs[0].Ratio.Block.(*BarChart)
	want := []BarSeries{
		{Name: "a: simulated", Values: []float64{500, 2000, 0}, Missing: []bool{false, false, true}},
		{Name: "b: simulated", Values: []float64{1000, 1000, 1000}, Missing: []bool{false, false, false}},
		{Name: "a: published", Values: []float64{1, 2, 0}, Missing: []bool{false, false, true}},
		{Name: "b: published", Values: []float64{3, 0, 1000}, Missing: []bool{false, true, false}},
	}
	for i := range want { // bars of both have one colour, and the axis says which is which
		want[i].Entry = want[i/2*2].Name[len("a: "):]
		want[i].Colour = "of " + want[i].Entry
	}
	expect.Equal(t, both.X.Title, "system (left a, right b)", "title")
	expect.Same(t, both.keys(), []string{"simulated", "published"}, "legend")
	diff := cmp.Diff(want, both.Series)
	expect.That(t, diff == "" && slices.Equal(both.Categories, []string{"C2", "C4", "C8"}),
		"both of %q (-want +got):\n%s", both.Categories, diff)
	want = []BarSeries{
		{Name: "simulated", Values: []float64{2, 0.5, 0}, Missing: []bool{false, false, true}},
		{Name: "published", Values: []float64{3, 0, 0}, Missing: []bool{false, true, true}},
	}
	expect.Same(t, ratio.Series, want, "ratio")
}

// Two bars of one name are two, each compared with its own.
func TestBarsOfOneName(t *testing.T) {
	chart := func(values ...float64) *BarChart {
		return &BarChart{Title: "Links", X: Axis{Title: "link", Unit: "1"}, Y: Axis{Title: "time", Unit: "s"}, Categories: []string{"up", "up"}, Series: []BarSeries{{Name: "lost", Values: values}}}
	}
	ratio := overlaid(t, of("a", chart(1, 2)), of("b", chart(3, 8))).Pairs[0].Ratio.Block.(*BarChart)
	expect.Same(t, ratio.Series, []BarSeries{{Name: "lost", Values: []float64{3, 4}, Missing: []bool{false, false}}}, "ratio")
	expect.Same(t, dataOf(chart(1, 2)).rows, [][]string{{"up", "lost", "1"}, {"up (2)", "lost", "2"}}, "data")
}

// The piles of the two results stay two piles.
func TestPilesStayApart(t *testing.T) {
	chart := &BarChart{Title: "Parts", X: Axis{Title: "system", Unit: "1"}, Y: Axis{Title: "time", Unit: "s"}, Categories: []string{"C2"},
		Series: []BarSeries{{Name: "compute", Values: []float64{3}, Stack: "t"}, {Name: "wait", Values: []float64{1}, Stack: "t"}}}
	var got []string
	for _, s := range overlaid(t, of("a", chart), of("b", chart)).Pairs[0].Both.Block.(*BarChart).Series {
		got = append(got, s.Name+" on "+s.Stack)
	}
	want := []string{"a: compute on a: t", "a: wait on a: t", "b: compute on b: t", "b: wait on b: t"}
	expect.That(t, slices.Equal(got, want), "%q, want %q", got, want)
}

func TestOverlaidRefuses(t *testing.T) {
	s := Series{Name: "n", X: []float64{1}, Y: []float64{1}}
	time := of("a", curves("s", s))
	other := curves("s", s)
	other.X.Title = "nodes"
	for _, c := range []struct {
		b    Result
		want string
	}{
		{of("b", curves("EUR", s)), `chart time-over-processes: the y axis is "time (s)" in a and "time (EUR)" in b; expected the same quantity`},
		{of("b", other), `chart time-over-processes: the x axis is "processes" in a and "nodes" in b; expected the same quantity`},
		{of("b", &LineChart{Title: "Other", X: processes, Y: processes, Series: []Series{s}}),
			"a and b have no chart of curves or bars in common. Not in both: time-over-processes is in a alone; other is in b alone."},
	} {
		_, err := Overlaid(time, c.b)
		expect.That(t, err != nil && err.Error() == c.want, "%v, want %s", err, c.want)
	}
}

// What cannot be compared is left out, and said to be.
func TestOverlayNotes(t *testing.T) {
	s := Series{Name: "n", X: []float64{1}, Y: []float64{1}}
	tornado := &Tornado{Title: "Tornado", Value: Axis{Title: "t", Unit: "s"}, Base: 2, Low: "-", High: "+", Swings: []Swing{{Parameter: "latency", Low: 1, High: 3}}}
	o := overlaid(t, of("a", curves("s", s), tornado), of("b", tornado, curves("s", s), &LineChart{Title: "Other", X: processes, Y: processes, Series: []Series{s}}))
	want := []string{"No curves or bars to compare: tornado.", "Not in both: other is in b alone."}
	expect.That(t, len(o.Pairs) == 1 && slices.Equal(o.Notes, want),
		"%d pairs, %q; want %q", len(o.Pairs), o.Notes, want)
}

func TestConvert(t *testing.T) {
	for _, c := range []struct {
		from, to string
		factor   float64
		ok       bool
	}{
		{"1", "1", 1, true}, {"EUR", "EUR", 1, true}, {"%", "%", 1, true}, {"s", "ms", 1000, true}, {"GB", "MB", 1000, true},
		{"Mflop/s", "Gflop/s", 0.001, true}, {"MB/s", "B/s", 1e6, true}, {"kW", "W", 1000, true},
		{"s", "B", 0, false}, {"s", "1", 0, false}, {"flop", "flop/s", 0, false}, {"EUR", "USD", 0, false},
	} {
		f, ok := convert(c.from, c.to)
		expect.That(t, f == c.factor && ok == c.ok,
			"%s to %s: %v, %v; want %v, %v", c.from, c.to, f, ok, c.factor, c.ok)
	}
}
