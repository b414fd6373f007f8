package findings

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/effects"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
	"github.com/isoscale/isoscale/internal/expect"
)

// The shipped sweep under dispatch with all times multiplied: every speedup is the same to the last bit, and so are the
// optimum, growth, its misses and the statements about the factors.
func TestUnitOfTimeChangesNothing(t *testing.T) {
	expect.Long(t, "simulates a study again and again")
	analysed := func(k float64) *Result {
		seconds := func(t float64) string { return fmt.Sprintf("%v s", t*k) }
		p := expect.Value(sweep.Read("../../../../examples/hierarchy-sweep.yaml", []input.Override{
			{Path: "scenario.method", Value: "dispatch"},
			{Path: "scenario.time", Value: seconds(1)},
			{Path: "scenario.dispatch[0].time", Value: seconds(0.1)},
			{Path: "scenario.dispatch[0].latency", Value: seconds(0.05)},
			{Path: "scenario.dispatch[1].time", Value: seconds(0.001)},
			{Path: "scenario.dispatch[1].latency", Value: seconds(0.005)},
		}))(t)
		s := expect.Value(p.Create(t.TempDir()+"/out", 0))(t)
		expect.Success(t, s.Run(t.Context(), 1, nil))
		return expect.Value(Of(s, nil, 0))(t)
	}
	want := analysed(1)
	equal := cmp.Comparer(func(a, b analysis.Number) bool { return a == b || !a.Exists() && !b.Exists() })
	for _, k := range []float64{1. / 7, 1000, 0.001, 3} {
		got := analysed(k)
		d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Result{}, Loss{}, LimitsAt{}, effects.LevelEffect{}, analysis.Update{}), equal, cmpopts.IgnoreFields(Result{}, "Evidence", "Directory", "File", "Provenance"))
		expect.That(t, d == "", "times multiplied by %v (-before +after):\n%s", k, d)
		for j, response := range want.Table.Responses {
			factor := 1.0
			if response.Unit == "s" {
				factor = k
			}
			for i, row := range want.Table.Rows {
				a, b := row.Values[j], got.Table.Rows[i].Values[j]
				expect.That(t, (factor != 1 || a == b) && math.Abs(b-a*factor) <= 1e-15*math.Abs(b),
					"times multiplied by %v: %s of row %d is %v, was %v", k, response.Name, i, b, a)
			}
		}
	}
}
