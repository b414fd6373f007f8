package laws

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/regression"
)

// A time of 10 - p s, but for 0.01 s, ends to hold at p = 10: there it would be 0. A
// chart to four times the largest p of 6 must draw neither law nor band beyond that,
// and no time below 0.
func TestLinesAndBandsEndWhereTheLawDoes(t *testing.T) {
	s := Subject{Outcome: "time", Unit: "s", Size: "processes", Points: "measured", Kind: regression.Time}
	for p := 1; p <= 6; p++ {
		s.Samples = append(s.Samples, regression.Sample{P: float64(p), Y: 10 - float64(p) + 0.01*float64(2*(p%2)-1)})
	}
	f := expect.Value(Fit(s))(t)
	got := f.Fits[0].Model
	expect.Need(t, got == "normal form", "the best law is %s", got)
	c := f.Blocks()[0].(*report.LineChart)
	drawn := 0
	for _, line := range c.Series {
		if !strings.HasPrefix(line.Name, "normal form") {
			continue
		}
		for _, p := range line.X {
			if drawn++; p > 10.1 {
				t.Errorf("%s is drawn at p = %g", line.Name, p)
			}
		}
	}
	b := c.Bands[0]
	expect.That(t, len(b.X) == drawn && drawn >= 20, "the band has %d points, the law %d", len(b.X), drawn)
	last := b.X[len(b.X)-1]
	expect.That(t, last >= 8 && last <= 10.1, "the band ends at %g, want just below 10", last)
	for i := range b.X {
		expect.That(t, b.Low[i] >= 0 && b.High[i] >= b.Low[i],
			"at p = %g the band is from %g to %g s", b.X[i], b.Low[i], b.High[i])
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
		strings.Contains(c.Caption, "misses left-out points by"),
		"%d series, %d bands, caption %q", len(c.Series), len(c.Bands), c.Caption)
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
	expect.That(t, strings.Contains(words[0], "the times over nodes is Amdahl's law") &&
		strings.Contains(words[0], "from 1 to 16"),
		"%q", words)
	m := f.Models()
	expect.That(t, len(m) != 0 && m[0].Model == "Amdahl" && m[0].From == 1 && m[0].To == 16 && m[0].CrossSMAPE <= 1e-7,
		"models %+v", m)
	f.Fits[0].Warnings = []string{"it is doubtful"}
	expect.List(t, f.InWords("the times")[1:], []string{"However, it is doubtful."}, "warnings")
}

func amdahlTimes(size string) Subject {
	s := Subject{Outcome: "time", Unit: "s", Size: size, Points: "measured", Kind: regression.Time}
	for _, p := range []float64{1, 2, 4, 8, 16} {
		s.Samples = append(s.Samples, regression.Sample{P: p, Y: 100 * (0.1 + 0.9/p)})
	}
	return s
}
