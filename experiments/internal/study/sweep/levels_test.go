package sweep

import (
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
)

func TestFormulaAloneHasNoOutcomesOfLevels(t *testing.T) {
	s := create(t, strings.Replace(sweeptest.Losses, "[formula, dispatch]", "[formula]", 1), 0)
	for _, o := range s.outcomes {
		if strings.HasSuffix(o.Name, "_1") {
			t.Errorf("outcome %s", o.Name)
		}
	}
}

func TestLossesOfPoints(t *testing.T) {
	s := create(t, sweeptest.Losses, 0)
	run(t, s, 2)
	lines := strings.Split(string(export(t, s)), "\n")
	header := strings.Split(lines[0], ",")
	cell := func(line, column string) string { return strings.Split(line, ",")[slices.Index(header, column)] }
	if got := cell(lines[1], "transfer_1 [s]") + cell(lines[1], "dispatch_wait_1 [s]"); got != "" {
		t.Errorf("the formula has times of SIs: %q", got)
	}
	if got := cell(lines[2], "lost_transfer_1"); !strings.HasPrefix(got, "0.66666666") || cell(lines[2], "transfer_1 [s]") != "2" {
		t.Errorf("dispatch loses %s to transfers of %s s, want 2/3 and 2", got, cell(lines[2], "transfer_1 [s]"))
	}
}
