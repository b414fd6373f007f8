package chart

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

func (*Parallel) samples() []Sample {
	return []Sample{
		// From the lowest of three levels to the only one of the next axis, half way: a quarter up.
		{&Parallel{Title: "Choices", Caption: "Of two.", Marked: "best", Least: true, Height: 400, Value: Axis{Title: "speedup", Unit: "1", Min: new(1.0), Max: new(8.0), Log: true},
			Axes:  []ParallelAxis{{Name: "r1", Levels: []string{"0", "1", "2"}}, {Name: "<b>method</b>", Levels: []string{"formula"}}, {Name: "r1", Levels: []string{"a", "b"}}},
			Lines: []ParallelLine{{At: []int{0, 0, 1}, Value: 4. / 3}, {At: []int{2, 0, 0}, Value: 8, Label: "size 4", Marked: true}}},
			[]float64{0.5, 0.25}, "r1 0 <b>method</b> formula r1 (2) b speedup 1.33333"},
	}
}

// The table has all lines, and the axes of both renderings are one.
func TestParallelAxesOfThePage(t *testing.T) {
	c := &Parallel{Title: "T", Marked: "best", Value: Axis{Title: "speedup", Unit: "1", Min: new(1.0), Max: new(1000.0), Log: true},
		Axes:  []ParallelAxis{{Name: "r", Levels: []string{"0", "1"}}, {Name: "r", Levels: []string{"a"}}},
		Lines: []ParallelLine{{At: []int{0, 0}, Value: 10}, {At: []int{1, 0}, Value: 1000, Label: "size 2", Marked: true}}}
	form := formOf(c)
	scale := form.Option.VisualMap[0]
	expect.That(t, scale.Min == 0 && scale.Max == 3 && strings.Contains(fmt.Sprint(form.Own), "r (2)"), "%+v", form)
	ticks := c.Value.bounded(340, func(string) float64 { return 22 }).Ticks
	for _, want := range []float64{1, 10, 100, 1000} {
		expect.That(t, slices.ContainsFunc(ticks, func(tick Tick) bool { return tick.At == want }),
			"no tick at %v: %v", want, ticks)
	}
	rows := Tables(c)[0].Rows
	expect.That(t, len(rows) == 2 && slices.Equal(rows[0], []string{"0", "a", "10", "", ""}) &&
		slices.Equal(rows[1], []string{"1", "a", "1000", "size 2", "best"}),
		"rows %q", rows)
	crossings := c.vega()["data"].(object)["values"].([]object)
	expect.Equal(t, len(crossings), len(c.Lines)*(len(c.Axes)+1), "crossings of lines and axes")
}
