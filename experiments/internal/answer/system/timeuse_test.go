package system

import (
	"context"
	"math"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
)

// See exchange: of 16 s, both start for 2 s. The slow process then computes 10 s and waits
// 4 s, the fast one computes 2 s and waits 12 s. Each sends half of the bytes.
func TestTimeUseByHand(t *testing.T) {
	s := scenariotest.Scenario(t, exchange)
	sys, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	u, x, err := sys.TimeUse(context.Background(), s.Workload.N)
	if err != nil {
		t.Fatal(err)
	}
	want := TimeUse{Before: 2. / 16, Compute: 6. / 16, After: 8. / 16, Sender: 0, Sent: 0.5}
	if x.Makespan != 16 || math.Abs(u.Before-want.Before) > 1e-12 || math.Abs(u.Compute-want.Compute) > 1e-12 ||
		math.Abs(u.Between) > 1e-12 || math.Abs(u.After-want.After) > 1e-12 || u.Sender != 0 || u.Sent != 0.5 {
		t.Errorf("%+v in %v, want %+v in 16 s", *u, x.Makespan, want)
	}
}
