package paper

import (
	"context"
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/scenario/dispatch"
	"github.com/isoscale/isoscale/model/units"
)

// jinDispatchFit are the parameters of the simulated cluster of section 6, fitted
// to the measured column of Table II (the tests of experiments/internal/scenario/dispatch repeat the
// fit; docs/models/spm.md says how well the parameters are determined). The unit of
// time is that of a product of two building blocks (BBs) on one PC.
var jinDispatchFit = []Parameter{
	{"delay", 44, "BB times", "of a product of large blocks on a remote subcluster, both ways"},
	{"trunk", 12, "BB times", "of the data of such a product on the link that subclusters share"},
	{"fetch", 4.5625, "BB times", "of the data of a BB product through the interface of a remote PC"},
}

// jinDispatch runs the multiplication of section 6 on x subclusters of y PCs: 64
// products of large blocks, each 64 products of BBs, dispatched dynamically, one at
// a time to a subcluster and, as printed, four at a time to a PC. It returns the
// speedup over one PC.
func jinDispatch(ctx context.Context, x, y int) (float64, error) {
	delay, trunk, fetch := jinDispatchFit[0].Value, jinDispatchFit[1].Value, jinDispatchFit[2].Value
	level1, level2 := dispatch.Ideal(x, 1), dispatch.Ideal(y, 4)
	level1.Latency, level1.Operands, level1.Trunk = units.Seconds(delay/2), 1, units.BytesPerSecond(1/trunk)
	level2.Operands, level2.Bandwidth = 1, units.BytesPerSecond(1/fetch)
	r, err := dispatch.Run(ctx, dispatch.Config{
		Machine: dispatch.Machine{level1, level2},
		Work:    dispatch.Work{SIs: []int{64, 64}, Time: 1},
	})
	if err != nil {
		return 0, fmt.Errorf("paper: table II on %d x %d: %w", x, y, err)
	}
	return r.Speedup(), nil
}
