package meter_test

import (
	"context"
	"fmt"

	"github.com/isoscale/isoscale/sim/meter"
)

// A command looks at the meter while simulations run, which note what they do.
func Example() {
	var m meter.Meter
	ctx := meter.With(context.Background(), &m)
	simulate := func(ctx context.Context) { meter.From(ctx).Note(1000, 2.5) }
	simulate(ctx)
	simulate(ctx)
	fmt.Println(m.Events(), "events, now at", m.Time())
	// Output: 2000 events, now at 2.5 s
}
