package measured

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// A superlative says of how many steps it speaks: those without a result may be harder.
func TestHardestStepSaysOfHowMany(t *testing.T) {
	step := func(from, to string, psi float64) Step { return Step{From: from, To: to, Psi: psi} }
	none := make([]Step, 7)
	three := []Step{step("a", "b", 2.5), step("b", "c", 2), step("c", "d", 3)}
	for _, c := range []struct {
		name       string
		steps      []Step
		says, note string
	}{
		{"all", three,
			"The hardest step: psi = 2.000 from b to c; the easiest: psi = 3.000 from c to d.", "b to c, of 3 steps"},
		{"3 of 10", append(three[:3:3], none...),
			"The hardest step of the 3 of 10 that have a result: psi = 2.000 from b to c; the easiest: psi = 3.000 from c to d.",
			"b to c, of the 3 of 10 steps that have a result"},
		{"one", three[1:2], "psi = 2.000 from b to c.", "b to c"},
		{"1 of 8", append(three[1:2:2], none...), "psi = 2.000 from b to c. No result for 7 of 8 steps.",
			"b to c, the only one of 8 steps that has a result"},
		{"none", none, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := saySteps(c.steps)
			expect.That(t, got == c.says, "%q", got)
			note := ""
			for _, m := range Metrics() {
				if m.Steps && note == "" {
					r := &Result{Scaling: []Scaling{{Metric: m.Name, Title: m.Title, Steps: c.steps}}}
					for _, f := range r.facts() {
						if strings.HasSuffix(f.Label, "hardest step") {
							note = f.Note
							expect.That(t, f.Value == "psi = 2.000", "value %q", f.Value)
						}
					}
				}
			}
			expect.That(t, note == c.note, "the fact says %q", note)
		})
	}
}
