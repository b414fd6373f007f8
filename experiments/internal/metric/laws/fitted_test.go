package laws

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/regression"
)

// A time of 10 - p s, but for 0.01 s, would be 0 at p = 10. Laws are drawn over their points; beyond these there is
// only a prediction, with a band above 0. The caption says how far the prediction reaches, or why there is none.
func TestLawsEndWhereTheirPointsDo(t *testing.T) {
	s := Subject{Outcome: "time", Unit: "s", Size: "processes", Points: "measured", Kind: regression.Time}
	for p := 1; p <= 6; p++ {
		s.Samples = append(s.Samples, regression.Sample{P: float64(p), Y: 10 - float64(p) + 0.01*float64(2*(p%2)-1)})
	}
	falls, exact := expect.Value(Fit(s))(t), expect.Value(Fit(amdahlTimes("processes")))(t)
	expect.Equal(t, falls.Fits[0].Model, "normal form", "the best law")
	for _, tt := range []struct {
		f          *Fitted
		last, most float64 // of the points and of what may be drawn
		says       string
	}{
		{falls, 6, 10, "eyond 6 processes"},
		{exact, 16, 64, "Beyond 16 processes, up to 64, time is predicted by (90 + 10 p)/p, "},
	} {
		c := tt.f.Blocks()[0].(*report.LineChart)
		furthest, drawn := 0.0, 0
		for _, line := range c.Series {
			for _, p := range line.X {
				furthest = max(furthest, p)
				expect.That(t, p <= tt.last+1e-9 || line.Dashed, "%s is drawn at p = %g", line.Name, p)
			}
		}
		for _, b := range c.Bands {
			for i := range b.X {
				drawn++
				expect.That(t, b.Low[i] >= 0 && b.High[i] >= b.Low[i], "at p = %g the band is from %g to %g s", b.X[i], b.Low[i], b.High[i])
			}
		}
		expect.That(t, furthest <= tt.most+1e-9 && drawn >= 20 && strings.Contains(c.Caption, tt.says),
			"drawn to %g; %d points of bands; %s", furthest, drawn, c.Caption)
	}
}

// Times that go up and down by a factor of four follow no law: none is drawn, the chart
// says so, and the sentence names no law as one that predicts.
func TestLawsThatMissAreNotDrawn(t *testing.T) {
	s := Subject{Outcome: "time", Unit: "s", Size: "processes", Points: "measured", Kind: regression.Time}
	for k, y := range []float64{40, 10, 45, 9, 38, 11, 42} {
		s.Samples = append(s.Samples, regression.Sample{P: float64(int(1) << k), Y: y})
	}
	f := expect.Value(Fit(s))(t)
	c := f.Blocks()[0].(*report.LineChart)
	expect.That(t, len(c.Series) == 1 && len(c.Bands) == 0 &&
		strings.Contains(c.Caption, "No law describes the points. Not drawn: ") &&
		strings.Contains(c.Caption, "misses left-out points by") &&
		strings.Contains(c.Caption, "Nothing is predicted beyond 64 processes: the best form misses the largest sizes by "),
		"%d series, %d bands, caption %q", len(c.Series), len(c.Bands), c.Caption)
	f.Beyond = &regression.Forecast{}
	expect.Says(t, f.beyondInWords(), "beyond 64 processes: no form predicts the largest sizes from the smaller ones")
	words := f.InWords("the times")
	expect.That(t, strings.HasPrefix(words[0], "No scaling law"), "%q", words)
	rows := f.Blocks()[1].(*report.Table).Rows
	for i := 1; i < len(rows); i++ {
		var a, b float64
		expect.Value(fmt.Sscan(rows[i-1][2], &a))(t)
		_, err := fmt.Sscan(rows[i][2], &b)
		expect.That(t, err == nil && b >= a, "%v is listed before %v", rows[i-1], rows[i])
	}
}

// T = 100 (0.1 + 0.9/p) is Amdahl's law with f = 0.1, without any error.
func TestTheLawOfExactTimesIsNamed(t *testing.T) {
	f := expect.Value(Fit(amdahlTimes("nodes")))(t)
	words := f.InWords("the times")
	expect.Says(t, words[0], "the times over nodes is Amdahl's law", "from 1 to 16")
	m := f.Models()
	expect.That(t, len(m) != 0 && m[0].Model == "Amdahl" && m[0].From == 1 && m[0].To == 16 && m[0].CrossSMAPE <= 1e-7,
		"models %+v", m)
	f.Fits[0].Warnings = []string{"it is doubtful"}
	expect.That(t, f.InWords("the times")[1] == "However, it is doubtful.", "warnings: %v", f.InWords("the times"))
}

func amdahlTimes(size string) Subject {
	s := Subject{Outcome: "time", Unit: "s", Size: size, Points: "measured", Kind: regression.Time}
	for _, p := range []float64{1, 2, 4, 8, 16} {
		s.Samples = append(s.Samples, regression.Sample{P: p, Y: 100 * (0.1 + 0.9/p)})
	}
	return s
}
