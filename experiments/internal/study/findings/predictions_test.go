package findings

import (
	"testing"
)

// Where most points fail the search goes on.
func TestSearchAmongFailures(t *testing.T) {
	r := finished(t, `scenario: {workload: super-program, levels: [1], tasks: [n1 - 2], imbalance: [1]}
factors:
  n: {path: "levels[0]", values: [1, 2, 3, 4]}
  tasks: {path: "tasks[0]", values: [n1 - 2, n1 - 3, n1 + 1]}
search: {points: 12, start: 4}
`)
	if r.Failed != 5 || r.Best == nil || r.Search.Simulated != 12 || r.Search.Surrogate.Next != nil {
		t.Errorf("failed %d, best %v, search %+v", r.Failed, r.Best, r.Search)
	}
}
