package sweep

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
)

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
