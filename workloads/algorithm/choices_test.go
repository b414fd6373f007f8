package algorithm_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// TestChoices has a cost of its own for each operation, to tell them apart.
func TestChoices(t *testing.T) {
	scatter, bcast, gather := measured(workloads.Scatter, 1), measured(workloads.Bcast, 2), measured(workloads.Gather, 3)
	barrier := measured(workloads.Barrier, 4)
	for _, tt := range []struct {
		name      string
		got, want []collective.Choice
	}{
		{"gauss", algorithm.Gauss{Bcast: bcast, Barrier: barrier}.Choices(), []collective.Choice{bcast, barrier}},
		{"matmul", algorithm.MatMul{Scatter: scatter, Bcast: bcast, Gather: gather}.Choices(), []collective.Choice{scatter, bcast, gather}},
		{"collective", algorithm.Collective{Choice: gather}.Choices(), []collective.Choice{gather}},
	} {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s: choices differ (-want +got):\n%s", tt.name, diff)
		}
	}
}
