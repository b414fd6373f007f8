package collective_test

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

func TestValidateChoice(t *testing.T) {
	bcast := lookup(t, workloads.Bcast, "flat")
	mpich := expect.Value(collective.LookupRules("mpich"))(t)
	onlyBcast := collective.NewRules("only", []collective.Rule{unlimited(workloads.Bcast, "flat")})
	for _, tt := range []struct {
		name   string
		choice collective.Choice
		want   string
	}{
		{"algorithm", collective.Choice{Operation: workloads.Bcast, Algorithm: bcast}, ""},
		{"cost", collective.Choice{Operation: workloads.Alltoall, Cost: &collective.Cost{}}, ""},
		{"operation 0", collective.Choice{Cost: &collective.Cost{}}, "unknown operation Collective(0)"},
		{"operation 99", collective.Choice{Operation: 99, Cost: &collective.Cost{}}, "unknown operation Collective(99)"},
		{"operation after the last", collective.Choice{Operation: workloads.Scan + 1, Cost: &collective.Cost{}}, "unknown operation Collective(11)"},
		{"rules", collective.Choice{Operation: workloads.Scan, Rules: mpich}, ""},
		{"rules for another operation", collective.Choice{Operation: workloads.Scan, Rules: onlyBcast}, "choice for scan: rules only have nothing for it"},
		{"algorithm and rules", collective.Choice{Operation: workloads.Bcast, Algorithm: bcast, Rules: mpich}, "choice for bcast: both an algorithm and rules"},
		{"rules and cost", collective.Choice{Operation: workloads.Bcast, Rules: mpich, Cost: &collective.Cost{}}, "choice for bcast: both rules and a measured cost"},
		{"divides blocks", collective.Choice{Operation: workloads.Gather, Algorithm: divider{lookup(t, workloads.Gather, "flat")}}, `choice for gather: algorithm "flat" cuts one block into pieces`},
		{"nothing", collective.Choice{Operation: workloads.Bcast}, "choice for bcast: nothing chosen"},
		{"both", collective.Choice{Operation: workloads.Bcast, Algorithm: bcast, Cost: &collective.Cost{}}, "choice for bcast: both an algorithm and a measured cost"},
		{"other operation", collective.Choice{Operation: workloads.Reduce, Algorithm: bcast}, `choice for reduce: algorithm "flat" is one for bcast`},
		{"bad cost", collective.Choice{Operation: workloads.Bcast, Cost: &collective.Cost{Base: -1}}, "choice for bcast: cost: base is -1 s"},
	} {
		t.Run(tt.name, func(t *testing.T) { expect.Outcome(t, tt.choice.Validate(), tt.want) })
	}
}

// divider makes an algorithm claim that it cuts its data.
type divider struct{ collective.Algorithm }

func (divider) Pieces(collective.Call, units.Bytes) int { return 2 }

// unlimited returns the rule that an operation is always carried out in one way.
func unlimited(op workloads.Collective, algorithm string) collective.Rule {
	return collective.Rule{
		Operation: op, MaxProcesses: collective.AnyProcesses, MaxBytes: collective.AnyBytes, Algorithm: algorithm,
	}
}

// Every operation has a default, which is valid.
func TestDefaultChoices(t *testing.T) {
	for op := workloads.Barrier; op <= workloads.Scan; op++ {
		ch := collective.Default(op)
		expect.That(t, ch.Operation == op && ch.Algorithm != nil, "default for %v is %+v", op, ch)
		expect.Outcome(t, ch.Validate(), "")
	}
}
