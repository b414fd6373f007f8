package findings

import (
	"io"
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/experiments/report/html"
)

// A bowl on a grid of 100 has its minimum among 15, from whatever start, and the rest is
// predicted.
func TestSearchFindsTheBest(t *testing.T) {
	for _, seed := range []string{"1", "2", "3", "4", "5"} {
		r := drawn(t, sweeptest.Bowl+"search: {points: 15, start: 8}\nseed: "+seed+"\n")
		if r.Best == nil || r.Best.Value != 0 || r.Search.FoundAs < 1 || r.Search.FoundAs > 15 {
			t.Errorf("seed %s: best %+v, search %+v", seed, r.Best, r.Search)
			continue
		}
		x := r.Search.Surrogate
		if x == nil || x.Check == nil || x.Check.Explained < 0.9 || x.Check.Of != 15 || x.Next == nil {
			t.Errorf("seed %s: surrogate %+v", seed, x)
		}
		// The prediction of each configuration is within four standard errors of what it is.
		for _, row := range r.predictions().Rows {
			a, b := float64(row.Levels[0])-6, float64(row.Levels[1])-3
			if value := a*a + 2*b*b; math.Abs(row.Values[0]-value) > 4*row.Values[1]+0.01 {
				t.Errorf("seed %s: r1 = %d, r2 = %d is %g, predicted %g, standard error %g", seed, row.Levels[0], row.Levels[1], value, row.Values[0], row.Values[1])
			}
		}
		if err := html.Write(io.Discard, r.Report()); err != nil {
			t.Error(err)
		}
	}
}

// With further factors the maps of predictions have sliders.
func TestSearchSlices(t *testing.T) {
	r := drawn(t, sweeptest.Gauss+"search: {points: 30}\n")
	found := false
	for _, block := range r.searchSection().Blocks {
		if s, ok := block.(*report.Slices); ok {
			found = true
			for i, m := range s.Surfaces {
				if m == nil || len(m.Layers) != 2 {
					t.Errorf("map %d is %+v; expected contours and simulated configurations", i, m)
				}
			}
		}
	}
	if !found {
		t.Error("no sliders; expected some for four factors")
	}
	if err := html.Write(io.Discard, r.Report()); err != nil {
		t.Error(err)
	}
}

// Speeds over decades are predicted by their logarithm, a factor without order by equal
// and different; the objective can be changed afterwards.
func TestSearchOfOtherKinds(t *testing.T) {
	text := strings.Replace(sweeptest.Gauss, "from: 20, to: 50, step: 10", "powers_of_two: {from: 8, to: 256}", 1)
	text = strings.Replace(text, "values: [100 Mbit/s, 1 Gbit/s]", "values: [100 Mbit/s, 1 Gbit/s], labels: [slow, fast]", 1) +
		"search: {points: 24}\nobjective: {maximize: achieved_speed}\n"
	r := drawn(t, text)
	if x := r.Search.Surrogate; x == nil || !x.Logarithm || len(x.LengthScales) != 4 {
		t.Errorf("surrogate %+v; expected one of the logarithm over 4 factors", x)
	}
	if err := html.Write(io.Discard, r.Report()); err != nil {
		t.Error(err)
	}
	if err := r.Study.Aim("", "time", "", ""); err != nil {
		t.Fatal(err)
	}
	if r, err := Of(r.Study, nil, 0); err != nil || r.Search.Surrogate == nil || r.Objective.Response != "time" {
		t.Errorf("by time: %v, %+v", err, r)
	}
}
