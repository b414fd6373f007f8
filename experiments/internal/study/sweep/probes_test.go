package sweep

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
)

func TestBadProbes(t *testing.T) {
	for _, tt := range []struct{ probes, want string }{
		{"{a b: {time: 2 s}}", `"a b" is no name of a probe`},
		{"{a: {}}", "probe a changes nothing"},
		{"{a: 3}", "expected changes of the scenario by name"},
		{"{a: {'levels[0]': 2}}", "levels[0] is set by factor n"},
		{"{a: {tim: 2 s}}", "tim"},
		{"{a: {time: 2 m}}", "time"},
	} {
		_, err := Read(sweeptest.File(t, "scenario: {workload: super-program, levels: [1], tasks: [8], method: dispatch}\nfactors: {n: {path: 'levels[0]', values: [1, 2]}}\nprobes: "+tt.probes+"\n"), nil)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.probes, err, tt.want)
		}
	}
}
