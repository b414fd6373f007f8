package chart

import (
	"math"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// What must stay does, in its order, and no more than so many are left.
func TestFew(t *testing.T) {
	for _, test := range []struct {
		items, n int
		stay     []int
		want     []int
	}{
		{3, 5, nil, []int{0, 1, 2}},
		{10, 3, nil, []int{0, 4, 9}},
		{10, 3, []int{7, 7, -1, 10}, []int{0, 7, 9}},
		{10, 1, []int{7, 2}, []int{2, 7}},
		{0, 4, nil, nil},
	} {
		expect.List(t, Few(test.items, test.n, test.stay...), test.want, "Few(%d, %d, %v)", test.items, test.n, test.stay)
	}
}

// What is not a number is neither the smallest nor the largest, and of equals the first is.
func TestEnds(t *testing.T) {
	nan := math.NaN()
	expect.List(t, Ends([]float64{nan, 3, 1, 9, 1, nan, 9}), []int{2, 3}, "the ends")
	expect.List(t, Ends([]float64{nan}), []int{-1, -1}, "the ends of nothing")
}

// Bars over numbers have these as numbers in data, whatever their labels say, also of two results
// together; in other units where these differ.
func TestBarsOverNumbersHaveNumbers(t *testing.T) {
	bars := func(unit string, categories []string, at ...float64) *BarChart {
		return &BarChart{Title: "Time", X: Axis{Title: "size", Unit: unit}, Y: Axis{Title: "time", Unit: "s"}, Categories: categories, At: at,
			Series: []BarSeries{{Name: "compute", Values: make([]float64, len(categories))}}}
	}
	c := bars("B", []string{"p = 1", "p = 16: 2 ms"}, 1, 16)
	d := dataOf(c)
	expect.That(t, d.numeric[0] && d.rows[0][0] == "1" && d.rows[1][0] == "16", "numbers %v: %q", d.numeric, d.rows)
	both, _, err := c.over(bars("kB", []string{"p = 1", "p = 2000"}, 0.001, 2), &comparison{names: [2]string{"a", "b"}})
	want := []float64{1, 16, 2000}
	expect.That(t, err == nil && slices.Equal(both.(*BarChart).At, want), "together %v, %v; want %v", both, err, want)
	both, _, err = c.over(bars("B", []string{"p = 2"}), &comparison{names: [2]string{"a", "b"}})
	expect.That(t, err == nil && both.(*BarChart).At == nil,
		"with texts in the second result: %v, %v; want none", both, err)
}
