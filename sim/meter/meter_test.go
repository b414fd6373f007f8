package meter_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/meter"
)

func TestMeter(t *testing.T) {
	var m meter.Meter
	ctx := meter.With(context.Background(), &m)
	meter.From(ctx).Note(3, 1)
	meter.From(ctx).Note(4, units.Seconds(0.5)) // another simulation, which has not come as far
	expect.That(t, m.Events() == 7 && m.Time() == 0.5, "%d events at %v, want 7 at 0.5 s", m.Events(), m.Time())
	meter.From(context.Background()).Note(1, 1) // nobody looks
}

// A command reads the meter while simulations run and note their progress.
func Example() {
	var m meter.Meter
	ctx := meter.With(context.Background(), &m)
	simulate := func(ctx context.Context) { meter.From(ctx).Note(1000, 2.5) }
	simulate(ctx)
	simulate(ctx)
	fmt.Println(m.Events(), "events, now at", m.Time())
	// Output: 2000 events, now at 2.5 s
}
