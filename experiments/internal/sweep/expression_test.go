package sweep

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/sweep/sweeptest"
)

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
	s := create(t, sweeptest.Costs, 0)
	run(t, s, 1)
	if header := strings.SplitN(string(export(t, s)), "\n", 2)[0]; !strings.Contains(header, "cost [EUR]") || strings.Contains(header, "speedup/cost") {
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

func TestBadExpressions(t *testing.T) {
	for text, want := range map[string]string{
		"objective: {maximize: speedup/price}":     `price`,
		"objective: {maximize: speedup/, size: n}": `speedup/`,
		"objective: {minimize: tim}":               `tim`,
		"objective: {size: nodes*n3}":              `n3`,
	} {
		_, err := Read(sweeptest.File(t, sweeptest.Costs+text+"\n"), nil)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "plan.yaml:6:") {
			t.Errorf("%s: %v, want a problem with %s at its place", text, err, want)
		}
	}
	if _, err := Read(sweeptest.File(t, strings.Replace(sweeptest.Costs, "formula: ", "formulas: ", 1)), nil); err == nil || !strings.Contains(err.Error(), `unknown key "formulas"`) {
		t.Error(err)
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
