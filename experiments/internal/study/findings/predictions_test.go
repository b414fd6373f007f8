package findings

import (
	"bytes"
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/experiments/report/html"
	"github.com/isoscale/isoscale/internal/expect"
)

// A bowl on a grid of 100 has its minimum among 15 points, whatever the start, and the rest is predicted.
func TestSearchFindsTheBest(t *testing.T) {
	for _, seed := range []string{"1", "2", "3", "4", "5"} {
		r := drawn(t, sweeptest.Bowl+"search: {points: 15, start: 8}\nseed: "+seed+"\n")
		expect.Need(t, r.Best != nil && r.Best.Value == 0 && r.Search.FoundAs >= 1 && r.Search.FoundAs <= 15,
			"seed %s: best %+v, search %+v", seed, r.Best, r.Search)
		x := r.Search.Surrogate
		expect.That(t, x != nil && x.Check != nil && x.Check.Explained >= 0.9 && x.Check.Of == 15 && x.Next != nil,
			"seed %s: surrogate %+v", seed, x)
		// Each prediction is within four standard errors of the true value.
		means, errors := r.predictions()
		for i, one := range means.List {
			a, b := float64(one.Levels[0])-6, float64(one.Levels[1])-3
			value := a*a + 2*b*b
			expect.That(t, math.Abs(one.Mean-value) <= 4*errors.List[i].Mean+0.01,
				"seed %s: r1 = %d, r2 = %d is %g, predicted %g, standard error %g", seed, one.Levels[0], one.Levels[1], value, one.Mean, errors.List[i].Mean)
		}
		expect.Success(t, html.Write(io.Discard, r.Report()))
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
				expect.That(t, m != nil && len(m.Layers) == 2,
					"map %d is %+v; expected contours and simulated configurations", i, m)
			}
		}
	}
	expect.That(t, found, "no sliders; expected some for four factors")
	expect.Success(t, html.Write(io.Discard, r.Report()))
}

// Speeds over decades are predicted by their logarithm, and levels of a factor without order count as equal or
// different; the objective can be changed afterwards.
func TestSearchOfOtherKinds(t *testing.T) {
	text := strings.Replace(sweeptest.Gauss, "from: 20, to: 50, step: 10", "powers_of_two: {from: 8, to: 256}", 1)
	text = strings.Replace(text, "values: [100 Mbit/s, 1 Gbit/s]", "values: [100 Mbit/s, 1 Gbit/s], labels: [slow, fast]", 1) +
		"search: {points: 24}\nobjective: {maximize: achieved_speed}\n"
	r := drawn(t, text)
	x := r.Search.Surrogate
	expect.That(t, x != nil && x.Logarithm && len(x.LengthScales) == 4,
		"surrogate %+v; expected one of the logarithm over 4 factors", x)
	expect.Success(t, html.Write(io.Discard, r.Report()))
	expect.Success(t, r.Study.Aim("", "time", "", ""))
	by := expect.Value(Of(r.Study, nil, 0))(t)
	expect.That(t, by.Search.Surrogate != nil && by.Objective.Response == "time", "by time: %+v", by)
}

// The table of predictions has all configurations; those with a place were simulated, and their predictions are their
// results.
func TestExportPredictions(t *testing.T) {
	s := done(t, sweeptest.Bowl+"search: {points: 15}\n")
	var b bytes.Buffer
	expect.Success(t, ExportPredictions(s, &b, "csv"))
	rows, err := csv.NewReader(&b).ReadAll()
	expect.Success(t, err)
	expect.List(t, rows[0], []string{"point", "r1", "r2", "simulated", "predicted_bowl", "standard_error"}, "columns")
	var places []int
	for i, row := range rows[1:] {
		var cells [6]float64
		for k, text := range row {
			if text != "" {
				cells[k] = expect.Value(strconv.ParseFloat(text, 64))(t)
			}
		}
		value := (cells[1]-6)*(cells[1]-6) + 2*(cells[2]-3)*(cells[2]-3)
		expect.That(t, cells[0] == float64(i), "row %d is of point %v", i, cells[0])
		if row[3] != "" {
			places = append(places, int(cells[3]))
			expect.That(t, cells[4] == value && cells[5] == 0,
				"point %d was simulated with %v, predicted %v and standard error %v", i, value, cells[4], cells[5])
		}
	}
	slices.Sort(places)
	expect.That(t, len(rows) == 101 && len(places) == 15 && places[0] == 1 && places[14] == 15,
		"%d rows, places %v; expected 100 and 1 to 15", len(rows)-1, places)
	all := created(t, sweeptest.Bowl, 0)
	expect.Failure(t, ExportPredictions(all, &b, "csv"), "no search")
}
