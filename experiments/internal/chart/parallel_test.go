package chart

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The table has all lines, and the axes of both renderings are one.
func TestParallelAxesOfThePage(t *testing.T) {
	c := &Parallel{Title: "T", Marked: "best", Value: Axis{Title: "speedup", Unit: "1", Min: new(1.0), Max: new(1000.0), Log: true},
		Axes:  []ParallelAxis{{Name: "r", Levels: []string{"0", "1"}}, {Name: "r", Levels: []string{"a"}}},
		Lines: []ParallelLine{{At: []int{0, 0}, Value: 10}, {At: []int{1, 0}, Value: 1000, Label: "size 2", Marked: true}}}
	form := formOf(c)
	if scale := form.Option.VisualMap[0]; scale.Min != 0 || scale.Max != 3 || !strings.Contains(fmt.Sprint(form.Own), "r (2)") {
		t.Errorf("%+v", form)
	}
	ticks := c.scale(340, func(string) float64 { return 22 }).Ticks
	for _, want := range []float64{1, 10, 100, 1000} {
		if !slices.ContainsFunc(ticks, func(tick Tick) bool { return tick.At == want }) {
			t.Errorf("no tick at %v: %v", want, ticks)
		}
	}
	rows := Tables(c)[0].Rows
	if len(rows) != 2 || !slices.Equal(rows[0], []string{"0", "a", "10", "", ""}) || !slices.Equal(rows[1], []string{"1", "a", "1000", "size 2", "best"}) {
		t.Errorf("rows %q", rows)
	}
}
