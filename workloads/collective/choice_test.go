package collective_test

import (
	"testing"

	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

func TestValidateChoice(t *testing.T) {
	bcast := lookup(t, workloads.Bcast, "flat")
	for _, tt := range []struct {
		name   string
		choice collective.Choice
		want   string
	}{
		{"algorithm", collective.Choice{Operation: workloads.Bcast, Algorithm: bcast}, ""},
		{"cost", collective.Choice{Operation: workloads.Alltoall, Cost: &collective.Cost{}}, ""},
		{"operation 0", collective.Choice{Cost: &collective.Cost{}}, "unknown operation Collective(0)"},
		{"operation 99", collective.Choice{Operation: 99, Cost: &collective.Cost{}}, "unknown operation Collective(99)"},
		{"nothing", collective.Choice{Operation: workloads.Bcast}, "choice for bcast: nothing chosen"},
		{"both", collective.Choice{Operation: workloads.Bcast, Algorithm: bcast, Cost: &collective.Cost{}}, "choice for bcast: both an algorithm and a measured cost"},
		{"other operation", collective.Choice{Operation: workloads.Reduce, Algorithm: bcast}, `choice for reduce: algorithm "flat" is one for bcast`},
		{"bad cost", collective.Choice{Operation: workloads.Bcast, Cost: &collective.Cost{Base: -1}}, "choice for bcast: cost: base is -1 s"},
	} {
		t.Run(tt.name, func(t *testing.T) { verdict(t, tt.choice.Validate(), tt.want) })
	}
}
