package search

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/internal/expect"
)

// grid is a design of 10 x 10 levels from 0 to 9, with its factors for an analysis.
func grid(t *testing.T, more string) (*design.Design, []analysis.Factor) {
	t.Helper()
	root, err := yamldoc.Parse("plan.yaml", []byte("factors: {a: {from: 0, to: 9}, b: {from: 0, to: 9}}\n"+more))
	expect.Success(t, err)
	var decoder yamldoc.Decoder
	var d *design.Design
	design.Record.Read(&decoder, root, &d)
	expect.Success(t, decoder.Err())
	var levels []analysis.Level
	for i := range 10 {
		levels = append(levels, analysis.Level{Value: float64(i)})
	}
	return d, []analysis.Factor{{Name: "a", Numeric: true, Levels: levels}, {Name: "b", Numeric: true, Levels: levels}}
}

// follow carries out a search of a function and returns the points in order.
func follow(h *History, d *design.Design, value func(levels []int) float64) []int {
	var all []int
	for points := h.Next(); points != nil; points = h.Next() {
		for _, p := range points {
			h.Add(p, value(d.Point(p).Levels))
			all = append(all, p)
		}
	}
	return all
}

// bowl has its minimum, 0, at (6, 3).
func bowl(levels []int) float64 {
	a, b := float64(levels[0]-6), float64(levels[1]-3)
	return float64(a*a) + float64(2*b*b)
}

// The minimum of a bowl on 100 configurations is among 15 points, and so is the maximum of the negative bowl. No
// configuration comes twice, and the model knows what was simulated.
func TestSearchOfABowl(t *testing.T) {
	d, factors := grid(t, "")
	for _, maximize := range []bool{false, true} {
		h := NewHistory(&Settings{Points: 15, Start: 8, Batch: 1, Criterion: Improvement}, d, factors, maximize)
		points := follow(h, d, func(levels []int) float64 {
			if maximize {
				return -bowl(levels)
			}
			return bowl(levels)
		})
		expect.That(t, slices.Contains(points, 63),
			"maximize %v: the best, point 63, is not among %v", maximize, points)
		expect.Equal(t, len(slices.Compact(slices.Sorted(slices.Values(points)))), 15, "different points")
		m := h.Model()
		p := m.At(points[0])
		expect.That(t, p.StdErr == 0 && p.Mean == h.Mean(0), "%+v is predicted of what was simulated with %v", p, h.Mean(0))
		next, improvement := h.Candidate(m)
		expect.That(t, next >= 0 && !slices.Contains(points, next) && improvement >= 0,
			"next would be %d with an improvement of %v", next, improvement)
	}
}

// Repetitions follow each other; one that fails does not count. If all fail the search still runs to its end.
func TestSearchAmongFailures(t *testing.T) {
	d, factors := grid(t, "repetitions: 2\n")
	settings := &Settings{Points: 7, Start: 3, Batch: 2, Criterion: Uncertainty, Noise: true}
	h := NewHistory(settings, d, factors, false)
	times := map[int]int{}
	for i, p := range follow(h, d, func([]int) float64 { return math.NaN() }) {
		expect.That(t, p%2 == i%2, "point %d is number %d", p, i)
		times[p/2]++
	}
	expect.That(t, len(times) == 7 && slices.Max(slices.Collect(maps.Values(times))) == 2 && !h.Known(0) && h.Model() == nil,
		"configurations %v, want 7 of two points each and no model", times)
	half := NewHistory(settings, d, factors, false)
	half.Add(0, math.Inf(1))
	half.Add(1, 5)
	expect.That(t, half.Mean(0) == 5, "the mean is %v, want that of the repetition with a value, 5", half.Mean(0))
}
