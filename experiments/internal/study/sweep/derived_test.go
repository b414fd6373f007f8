package sweep

import (
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
)

// Six points have n1 n2 processes and cost 50 n1 + 10 n1 n2, by hand; columns may use
// outcomes and columns before them.
func TestDerived(t *testing.T) {
	s := create(t, sweeptest.Derived, 0)
	run(t, s, 2)
	table, err := s.Table()
	if err != nil {
		t.Fatal(err)
	}
	value := func(row int, name string) float64 {
		i, err := table.ResponseIndex(name)
		if err != nil {
			t.Fatal(err)
		}
		return table.Rows[row].Values[i]
	}
	for row, want := range []struct{ processes, cost, n2 float64 }{{1, 60, 1}, {3, 80, 3}, {2, 120, 1}, {6, 160, 3}, {4, 240, 1}, {12, 320, 3}} {
		if got := value(row, "processes"); got != want.processes {
			t.Errorf("row %d: %v processes, want %v", row, got, want.processes)
		}
		if got := value(row, "cost"); got != want.cost {
			t.Errorf("row %d: cost %v, want %v", row, got, want.cost)
		}
		if got := value(row, "per_cost"); math.Abs(got/(value(row, "achieved_speed")/want.cost)-1) > 1e-15 {
			t.Errorf("row %d: speed per cost %v", row, got)
		}
		if got := value(row, "both"); got != 2*want.cost+want.n2 {
			t.Errorf("row %d: both %v", row, got)
		}
	}
	if len(table.Factors) != 2 {
		t.Errorf("%d factors, want n1 and n2 alone", len(table.Factors))
	}
	again, err := Open(s.Dir.Path())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := again.Table(); err != nil {
		t.Error(err)
	}
}

func TestDerivedErrors(t *testing.T) {
	for _, tt := range []struct{ old, changed, want string }{
		{"cost: \"50*n1 + 10*n1*n2\"", "cost: 50*n3", `"50*n3": unknown name n3 (at character 4); expected one of achieved_speed, bytes`},
		{"n1*n2, cost", "time, cost", `"time": unknown name time (at character 1); expected one of n1, n2`},
		{"both: ", "time: ", "time is the name of another column"},
		{"both: ", "n1: ", "n1 is set by a factor"},
		{"n1*n2, cost", "n1/2, cost", "machine.nodes[0].count: found the number 0.5"},
		{"both: 2*cost + n2", "both: [1, 2]", "found no formula"},
	} {
		_, err := Read(sweeptest.File(t, strings.Replace(sweeptest.Derived, tt.old, tt.changed, 1)), nil)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.changed, err, tt.want)
		}
	}
}
