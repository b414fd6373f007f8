package system

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// applicationError returns why the run of an application ended early: nil for one that
// did not, and for other programs.
func applicationError(p workloads.Program) error {
	if r, ok := p.(application.Run); ok && r.Err() != nil {
		return &input.Error{Msg: r.Err().Error(), Placed: true}
	}
	return nil
}

// workTolerance is how much of W the sum of what was computed may be off: sums of many
// terms have rounding errors.
const workTolerance = 1e-9

// workWarning compares the total work that an application declares with what it has
// computed; "" if they agree.
func (s *System) workWarning(p workloads.Program, declared units.Flops) string {
	r, ok := p.(application.Run)
	if !ok {
		return ""
	}
	want, of := declared, "its work"
	if s.Workload.Scaling == algorithm.Replicated {
		want, of = declared*units.Flops(p.Ranks()), fmt.Sprintf("its work on each of %d processes", p.Ranks())
	}
	did := r.Performed()
	if math.Abs(float64(did-want)) <= workTolerance*max(float64(want), float64(did)) {
		return ""
	}
	return fmt.Sprintf("application %s computes %v in all and %s is %v: speeds and efficiencies, which use the latter, are wrong unless the difference is meant (then say counts: false where it is computed)", s.Workload.Name, did, of, want)
}
