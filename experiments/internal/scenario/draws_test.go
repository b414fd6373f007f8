package scenario

import (
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/expect"
)

// What is drawn depends on parameters: an imbalance, a deviation or a spread of 0 draws
// nothing. Super-programs draw where their SIs scatter and are dispatched.
func TestDraws(t *testing.T) {
	for _, tt := range []struct {
		fields string
		draws  bool
	}{
		{"workload: {name: pattern, n: 2, compute: 1 Mflop, imbalance: 0.5}", true},
		{"workload: {name: pattern, n: 2, compute: 1 Mflop}", false},
		{"workload: {name: pattern, n: 2, imbalance: 0.5}", false},
		{"workload: {name: pattern, n: 2, shape: random-pairs}", true},
		{"workload: {name: hpl, n: 200, deviation: 0.1}", true},
		{"workload: {name: hpl, n: 200}", false},
		{"workload: {name: taskfarm, n: 20}", true},
		{"workload: {name: taskfarm, n: 20, spread: 0}", false},
		{"workload: {name: taskfarm, n: 20, spread: 0, tail: 0.1}", true},
		{"workload: {name: cg, n: 16}", false},
		{"method: formula\nimbalance: [0]\nscatter: 0", false},
		{"method: dispatch\nscatter: 0.5", true},
		{"method: dispatch\nscatter: 0", false},
	} {
		text := "machine: sunwulf\nnodes: {blade: 4}\nnetwork: ideal\n" + tt.fields
		if tt.fields[0] == 'm' {
			text = "workload: super-program\nlevels: [4]\ntasks: [16]\n" + tt.fields
		}
		root := expect.Value(yamldoc.Parse("case.yaml", []byte(text)))(t)
		c := expect.Value(NewTemplate(root, nil).Case(1))(t)
		expect.Equal(t, c.Draws(), tt.draws, "%s: draws", tt.fields)
	}
}
