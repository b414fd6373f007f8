package measuredreport

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/measured"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
)

// fewestRepeated is how many runs of a point a distribution needs: fewer are said by
// whiskers.
const fewestRepeated = 5

// repetitions shows how the runs of the points that were repeated often are distributed,
// relative to the time of their point so that points can be compared. It is empty if
// there are none.
func (r Answer) repetitions() []report.Section {
	var samples []page.Sample
	var widest *measured.Point
	var where string
	left := 0
	for s, p := range r.Points() {
		if p.Runs < fewestRepeated {
			continue
		}
		name := s.Label
		if p.Size > 0 {
			name += ", " + r.SizeName(p.Size)
		}
		if widest == nil || p.Spread() > widest.Spread() {
			widest, where = p, name
		}
		if len(samples) == mostCurves {
			left++
			continue
		}
		percent := make([]float64, len(p.Times))
		for i, t := range p.Times {
			percent[i] = 100 * t / p.Time
		}
		samples = append(samples, page.Sample{Name: name, Values: percent})
	}
	if len(samples) == 0 {
		return nil
	}
	c := page.DistributionChart("Distribution of repeated times", "time over the "+string(r.Options.Average)+" of its point", "%", "runs", samples)
	c.Caption = fmt.Sprintf("The widest is %s: its %d runs take from %.4g %% to %.4g %% of their %s.", where, widest.Runs, 100*widest.Min/widest.Time, 100*widest.Max/widest.Time, r.Options.Average)
	if left > 0 {
		c.Caption += fmt.Sprintf(" %s more in the table of points.", input.Plural(left, "point"))
	}
	return []report.Section{{
		Heading: "Repeated runs",
		Text:    []string{fmt.Sprintf("Points with at least %d runs: the share of the runs that take at most a time, relative to that of their point. A steep curve is a time that can be relied on, a tail to the right one that others disturb.", fewestRepeated)},
		Blocks:  []report.Block{c},
	}}
}
