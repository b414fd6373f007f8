package iso

import (
	"context"
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
)

// curvePoints is how many sizes the efficiency curve of a system is drawn from.
const curvePoints = 20

// simulateAround simulates sizes from a tenth of the solution to nearly twice it.
func (d *detail) simulateAround(ctx context.Context, r scenario.SizeRange) error {
	for i := range curvePoints {
		n := int(math.Round(float64(d.solution.N) * (0.1 + 1.7*float64(i)/(curvePoints-1))))
		if n < r.From || n > r.To {
			continue
		}
		if _, err := d.curve.At(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// refine looks at all sizes simulated so far. If the target is reached before the
// solution, the first such crossing becomes the solution.
func (d *detail) refine(ctx context.Context, target float64) error {
	all := d.curve.Points()
	for i := 1; i < len(all) && all[i].N < d.solution.N; i++ {
		if below(all[i-1], target) && !below(all[i], target) {
			var err error
			d.solution, err = d.curve.Between(ctx, target, all[i-1], all[i])
			return err
		}
	}
	return nil
}

// warnMonotony tells where the efficiency falls although the problem grows.
func (d *detail) warnMonotony(target float64) {
	all := d.curve.Points()
	var worst float64
	var from, to *system.Simulation
	crossings := 0
	for i := 1; i < len(all); i++ {
		if fall := all[i-1].SpeedEfficiency - all[i].SpeedEfficiency; fall > worst {
			worst, from, to = fall, all[i-1], all[i]
		}
		if below(all[i-1], target) != below(all[i], target) {
			crossings++
		}
	}
	if worst <= 1e-12 {
		return
	}
	text := fmt.Sprintf("%s: speed-efficiency is not monotone in n: it falls from %.5f at n = %d to %.5f at n = %d",
		d.name, from.SpeedEfficiency, from.N, to.SpeedEfficiency, to.N)
	if crossings > 1 {
		text += fmt.Sprintf("; it crosses the target %d times, and the first rise through it, n = %d, is used", crossings, d.solution.N)
	}
	d.warn(text)
}

func below(x *system.Simulation, target float64) bool { return x.SpeedEfficiency < target }
