package findings

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
)

// A column without a value at a point fails that point alone.
func TestDerivedWithoutValue(t *testing.T) {
	r := finished(t, strings.Replace(sweeptest.Derived, "2*cost + n2", "1/(n1 - 2)", 1))
	if r.Failed != 2 {
		t.Errorf("%d points failed, want the two with n1 = 2", r.Failed)
	}
}

func TestObjectiveIsAnExpression(t *testing.T) {
	r := finished(t, sweeptest.Costs+"objective: {maximize: speedup/cost, size: n1*n2}\n")
	// n1 n2/(50 n1 + 10 n1 n2) = n2/(50 + 10 n2), which grows with n2: 4/90 for every n1.
	if r.Best == nil || r.Best.Value < 4./90*(1-1e-12) || r.Best.Value > 4./90*(1+1e-12) || r.Best.Levels["n2"] != "4" || r.Best.Tied != 2 {
		t.Fatalf("best %+v, want 4/90 at n2 = 4 for three n1", r.Best)
	}
	var sizes []float64
	for _, o := range r.Growth {
		sizes = append(sizes, o.Size)
	}
	if len(sizes) != 5 || sizes[0] != 1 || sizes[4] != 16 {
		t.Errorf("sizes %v, want 1, 2, 4, 8 and 16", sizes)
	}
	if text := r.Summary()[0]; !strings.Contains(text, "The largest speedup/cost is 0.0444444") {
		t.Error(text)
	}
	// The rows are the same whatever the objective is, and the column has its unit.
	s := done(t, sweeptest.Costs+"objective: {maximize: speedup/cost, size: n1*n2}\n")
	var rows strings.Builder
	if err := s.Export(&rows, "csv", false); err != nil {
		t.Fatal(err)
	}
	if header, _, _ := strings.Cut(rows.String(), "\n"); !strings.Contains(header, "cost [EUR]") || strings.Contains(header, "speedup/cost") {
		t.Error(header)
	}
	if err := s.Aim("", "cost/speedup", "nodes", ""); err != nil {
		t.Fatal(err)
	}
	if r, err := Of(s, nil, 0); err != nil || r.Best.Value < 90./4*(1-1e-12) || r.Best.Value > 90./4*(1+1e-12) {
		t.Errorf("%v %v, want 90/4", r.Best, err)
	}
	// Without the table, too.
	r, err := Of(s, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := r.Best.Value
	r.Reference, r.Best, r.Failed = nil, nil, 0
	if err := r.scan(); err != nil || r.Best == nil || r.Best.Value != want {
		t.Errorf("scanned %+v, %v, want %v", r.Best, err, want)
	}
}

// A derived field is set in its unit.
func TestDerivedFieldWithAUnit(t *testing.T) {
	r := finished(t, `scenario: {workload: super-program, levels: [1], tasks: [4], imbalance: [0]}
factors: {ms: [1, 2, 5]}
derived: {time: {formula: 2*ms, unit: ms}}
objective: {minimize: time, size: nodes}
`)
	if r.Reference.Value != 4*2e-3 || r.Reference.Levels["ms"] != "1" {
		t.Errorf("%+v, want 4 SIs of 2 ms", r.Reference)
	}
}

// The best is the best mean, not the luckiest run, and the walk is compared with the
// best there is.
func TestBestIsOfMeans(t *testing.T) {
	r := finished(t, `scenario:
  machine: sunwulf
  nodes: {blade: 4}
  network: ideal
  workload: {name: pattern, n: 4, compute: 1 Mflop, imbalance: 0.9}
repetitions: 6
objective: {minimize: time}
factors: {workload.imbalance: [0.5, 0.9], nodes.blade: [2, 4]}
`)
	if len(r.Growth) != 2 {
		t.Fatalf("%d sizes", len(r.Growth))
	}
	best := min(r.Growth[0].Value, r.Growth[1].Value)
	if r.Reference.Value != best || r.Reference.StdErr == nil {
		t.Errorf("best %v, and the growth table has %v", r.Reference, best)
	}
}

func TestOnly(t *testing.T) {
	s := done(t, sweeptest.Gauss)
	if err := s.Only([]string{"bandwidth=1 Gbit/s"}); err == nil {
		t.Error("a level in another unit is taken")
	}
	if err := s.Only([]string{"bandwidth=1000", "n=30"}); err != nil {
		t.Fatal(err)
	}
	r, err := Of(s, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Best.Levels["n"]; got != "30" {
		t.Errorf("best at n = %s, want only 30", got)
	}
	if n := len(r.Table.Rows); n != 96/4/2 {
		t.Errorf("%d rows, want 12", n)
	}
	for _, bad := range []string{"colour=red", "n=31", "n"} {
		if err := s.Only([]string{bad}); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestFailedPointIsTold(t *testing.T) {
	r := finished(t, `scenario: {workload: super-program, levels: [1], tasks: [n1 - 2], imbalance: [1]}
factors:
  n: {path: "levels[0]", values: [2, 4]}
  tasks: {path: "tasks[0]", values: [4, n1 - 2]}
`)
	if r.Failed != 1 || r.Best == nil || len(r.Warnings) == 0 {
		t.Errorf("failed %d, best %v, warnings %q", r.Failed, r.Best, r.Warnings)
	}
}

// Six points cost 60, 80, 120, 160, 240 and 320.
func TestObjectiveIsDerived(t *testing.T) {
	r := finished(t, sweeptest.Derived)
	if r.Objective.Response != "per_cost" || r.Best == nil || len(r.Growth) != 6 || r.Growth[5].Size != 320 {
		t.Errorf("objective %+v, best %+v, growth %+v", r.Objective, r.Best, r.Growth)
	}
}
