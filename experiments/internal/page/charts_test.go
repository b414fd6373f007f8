package page

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/expect"
)

// The least of 3000, 2000 and 4000 J is on 2 processes; of two equal values of 2500 J, on both.
func TestBillChartSaysWhereTheLeastIs(t *testing.T) {
	bills := []Bill{{"a", []float64{1, 2, 16}, []float64{3000, 2000, 4000}}, {"b", []float64{1, 2}, []float64{2500, 2500}}}
	c := BillChart("Energy", "energy of a run", "J", bills)
	expect.Equal(t, c.Caption, "The least is 2 kJ on 2 processes for a, 2.5 kJ on 1 process and the same on 1 other number for b.", "caption")
	want := []float64{3, 2, 4}
	expect.That(t, slices.Equal(c.Series[0].Y, want) && c.Y.Unit == "kJ" && c.X.Log && !c.Y.Log,
		"%v %s; want %v kJ over logarithmic processes", c.Series[0].Y, c.Y.Unit, want)
	expect.Equal(t, BillChart("Cost", "cost of a run", "EUR", []Bill{{"a", []float64{1}, []float64{5}}}).Caption, "The least is 5 EUR on 1 process.", "caption")
	d := report.Document{Title: "t", Sections: []report.Section{{Heading: "h", Blocks: []report.Block{c}}}}
	expect.Success(t, d.Check())
}

// Of 1, 2, 2 and 5 ms a quarter is at most 1 ms, three quarters at most 2 ms, and all at most 5 ms: the curve jumps
// there. Of 0 to 999 s, k % are at most 10 k - 1 s.
func TestDistributionChart(t *testing.T) {
	few := []float64{0.002, 0.005, 0.001, 0.002}
	c := DistributionChart("Waits", "time", "s", "ranks", []Sample{{"wait", few}})
	got, want := c.Series[0].X, []float64{1, 1, 2, 2, 5, 5}
	expect.That(t, slices.Equal(got, want) && c.X.Unit == "ms", "times %v %s; want %v ms", got, c.X.Unit, want)
	expect.List(t, c.Series[0].Y, []float64{0, 25, 25, 75, 75, 100}, "shares")
	expect.That(t, few[0] == 0.002, "the values of the caller were sorted")
	var many []float64
	for i := range 1000 {
		many = append(many, float64(999-i))
	}
	c = DistributionChart("Waits", "time", "s", "ranks", []Sample{{"wait", many}})
	s := c.Series[0]
	expect.That(t, len(s.X) == 101 && s.X[0] == 0 && s.X[50] == 499 && s.Y[50] == 50 && s.X[100] == 999,
		"1000 values: %d points, from %v over %v (%v %%) to %v; want 101, from 0 over 499 (50 %%) to 999", len(s.X), s.X[0], s.X[50], s.Y[50], s.X[100])
	d := report.Document{Title: "t", Sections: []report.Section{{Heading: "h", Blocks: []report.Block{c}}}}
	expect.Success(t, d.Check())
}

// Pairs of one group are one series of points with measured times along x; the line of equal values goes from the least
// to the largest value of either source.
func TestParityChart(t *testing.T) {
	c := ParityChart("time", "s", "measured", "simulated", []Pair{{"A", 1, 1.5}, {"B", 10, 8}, {"A", 4, 4}})
	expect.That(t, c.Title == "Simulated over measured time" && c.X.Title == "measured time" &&
		c.Y.Title == "simulated time" && c.X.Unit == "s" && c.Y.Unit == "s",
		"title %q, axes %+v and %+v", c.Title, c.X, c.Y)
	// 8 instead of 10 is off by a factor of 1.25, 1.5 instead of 1 by one of 1.5.
	expect.Equal(t, c.Caption,
		"Points on the dashed line agree; above it, the simulated value is larger. Farthest from the line: A, 1.5 s instead of 1 s.", "caption")
	expect.Lacks(t, ParityChart("time", "s", "measured", "simulated", []Pair{{"A", 1, 1 + 1e-12}, {"A", 4, 4}}).Caption, "Farthest")
	expect.That(t, c.Square && c.X.Log && c.Y.Log, "the axes are not alike and logarithmic")
	want := []report.Series{
		{Name: "A", Points: true, X: []float64{1, 4}, Y: []float64{1.5, 4}},
		{Name: "B", Points: true, X: []float64{10}, Y: []float64{8}},
		{Name: "equal", Ideal: true, Plain: true, X: []float64{1, 10}, Y: []float64{1, 10}},
	}
	expect.That(t, slices.EqualFunc(c.Series, want, func(a, b report.Series) bool {
		return a.Name == b.Name && a.Points == b.Points && a.Ideal == b.Ideal && a.Plain == b.Plain && slices.Equal(a.X, b.X) && slices.Equal(a.Y, b.Y)
	}), "series %+v; want %+v", c.Series, want)
	d := report.Document{Title: "t", Sections: []report.Section{{Heading: "h", Blocks: []report.Block{c}}}}
	expect.Success(t, d.Check())
	expect.Equal(t, len(ParityChart("time", "s", "measured", "simulated", nil).Series), 0, "series without pairs")
}

// The top part has whiskers for the whole time, of no length where a time has no interval.
func TestTimesHaveWhiskers(t *testing.T) {
	c := TimeBars("Times", "processes", []Parts{{"p = 1", 8, 1, 1, 1, [2]float64{9, 11}}, {"p = 2", 3, 0, 1, 2, [2]float64{}}})
	wait := c.Series[2]
	expect.Same(t, [][]float64{wait.Low, wait.High}, [][]float64{{9, 4}, {11, 4}}, "whiskers")
	expect.That(t, strings.HasSuffix(c.Caption, " Whiskers: 95 % intervals of the mean times over repetitions."), "%s", c.Caption)
}

// A rank that computes 8 s, has 1 s of overhead and waits 1 s makes a bar of 10 s, one with a hundredth of each a bar
// of 0.1 s; both have the same shares, 80, 10 and 10 %. One that computes 3 s and waits 1 s has 75, 0 and 25 %.
func TestPartsStackToTheTime(t *testing.T) {
	runs := []Parts{{"p = 1", 8, 1, 1, 1, [2]float64{}}, {"p = 100", 0.08, 0.01, 0.01, 100, [2]float64{}}, {"p = 2", 3, 0, 1, 2, [2]float64{}}}
	times, shares := TimeBars("Times", "processes", runs), ShareBars("Shares", "processes", runs)
	for k, time := range []float64{10, 0.1, 4} {
		high, percent := 0.0, 0.0
		for i := range times.Series {
			high += times.Series[i].Values[k]
			percent += shares.Series[i].Values[k]
		}
		expect.That(t, math.Abs(high-time) <= 1e-12 && math.Abs(percent-100) <= 1e-12,
			"%s: a bar of %v s and %v %%; want %v s and 100 %%", runs[k].Name, high, percent, time)
	}
	for i, want := range []float64{75, 0, 25} {
		expect.Equal(t, shares.Series[i].Values[2], want, "%s of p = 2", shares.Series[i].Name)
	}
	expect.Equal(t, shares.Categories[1], "p = 100: 100 ms", "bar")
	want := []float64{1, 100, 2}
	expect.That(t, slices.Equal(times.At, want) && slices.Equal(shares.At, want),
		"bars are at %v and %v processes; want %v", times.At, shares.At, want)
	expect.Equal(t, times.Caption, "Computing takes 80.0 % of the time of p = 1 and 75.0 % of that of p = 2. "+partsText, "caption")
	expect.Equal(t, TimeBars("Times", "processes", runs[:2]).Caption, "Computing takes 80.0 % of the time of each run. "+partsText, "caption")
	// Times below a thousandth of a second are shown with a prefix.
	c := TimeBars("Times", "processes", []Parts{{"p", 2e-6, 1e-6, 1e-6, 0, [2]float64{}}})
	expect.That(t, c.Y.Unit == "us" && math.Abs(c.Series[0].Values[0]-2) <= 1e-12,
		"%v %s; want 2 us", c.Series[0].Values[0], c.Y.Unit)
}
