package sweep

import (
	"slices"
	"strings"
	"testing"
)

// 8 and 12.5 SIs; the second is simulated as 13, 4 % more. So times are not those
// of the same work, nor of the work that the plan asks for.
func TestWorkOfSuperProgramsIsTold(t *testing.T) {
	s := create(t, `scenario: {workload: super-program, levels: [2], tasks: [8], method: dispatch}
factors:
  tasks: {path: "tasks[0]", values: [8, 12.5]}
objective: {minimize: time}
`, 0)
	run(t, s, 1)
	r, err := Of(s, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"at 1 point the plan asks for parts of SIs; furthest off is tasks = 12.5, where 12.5 SIs are simulated as 13 whole ones, which changes the work by +4 %",
		"The times of points are not compared: their work differs",
	} {
		if !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, want) }) {
			t.Errorf("no warning %q in %q", want, r.Warnings)
		}
	}
}
