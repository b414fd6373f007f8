package iso

import (
	"context"
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/model/scalability"
)

// readTrend reads the problem size off a polynomial through sampled sizes, as the
// papers do. Where that is not possible the size is 0, and a warning gives the reason.
func (d *detail) readTrend(ctx context.Context, s *scenario.Study) error {
	var samples []scalability.Sample
	for i := range s.Trend.Points {
		// From 0.3 to 1.7 times the solution: the papers sample 100 to 500 around 310.
		n := int(math.Round(float64(d.solution.N) * (0.3 + 1.4*float64(i)/float64(s.Trend.Points-1))))
		n = min(max(n, s.Sizes.From), s.Sizes.To)
		if len(samples) > 0 && samples[len(samples)-1].N == float64(n) {
			continue
		}
		x, err := d.curve.At(ctx, n)
		if err != nil {
			return err
		}
		samples = append(samples, scalability.Sample{N: float64(n), Efficiency: x.SpeedEfficiency})
	}
	line, err := scalability.FitTrend(s.Trend.Degree, samples)
	if err != nil {
		d.warn(fmt.Sprintf("%s: no trend line: %v", d.name, err))
		return nil
	}
	reading, err := line.ReadOff(s.Target)
	if err != nil {
		d.warn(fmt.Sprintf("%s: nothing to read off the trend line: %v", d.name, err))
		return nil
	}
	if reading.Warning != "" {
		d.warn(fmt.Sprintf("%s: trend line: %v", d.name, reading.Warning))
	}
	d.nTrend = reading.N
	return nil
}
