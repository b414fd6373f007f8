package sim_test

import (
	"context"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim"
)

// ran returns the result of a run that must not fail.
func ran(t expect.TB, c sim.Config) *sim.Result {
	t.Helper()
	return expect.Value(sim.Run(context.Background(), c))(t)
}
