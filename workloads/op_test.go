package workloads_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
)

// list is a program of one rank: what is left of its operations.
type list struct{ ops []workloads.Op }

func (l *list) Ranks() int { return 1 }

func (l *list) Next(_ int, op *workloads.Op) bool {
	if len(l.ops) == 0 {
		return false
	}
	*op, l.ops = l.ops[0], l.ops[1:]
	return true
}

// Computations get traffic in proportion to their work; a message keeps its size.
func TestInMemory(t *testing.T) {
	p := workloads.InMemory{Program: &list{[]workloads.Op{
		{Kind: workloads.Compute, Work: 10}, {Kind: workloads.Send, Size: 3}, {Kind: workloads.Compute},
	}}, BytesPerFlop: 0.5}
	var got []workloads.Op
	for op := (workloads.Op{}); p.Next(0, &op); op = (workloads.Op{}) {
		got = append(got, op)
	}
	want := []workloads.Op{
		{Kind: workloads.Compute, Work: 10, Size: 5}, {Kind: workloads.Send, Size: 3}, {Kind: workloads.Compute},
	}
	d := cmp.Diff(want, got)
	expect.That(t, d == "", "%v", d)
}

func TestKindString(t *testing.T) {
	for _, tt := range []struct {
		kind workloads.Kind
		want string
	}{
		{0, "Kind(0)"},
		{workloads.Compute, "compute"},
		{workloads.Begin, "begin"},
		{workloads.Begin + 1, "Kind(17)"},
	} {
		expect.Equal(t, tt.kind.String(), tt.want, "kind %d is called", uint8(tt.kind))
	}
}

func TestCollectiveString(t *testing.T) {
	for _, tt := range []struct {
		op   workloads.Collective
		want string
	}{
		{0, "Collective(0)"},
		{workloads.Barrier, "barrier"},
		{workloads.Scan, "scan"},
		{255, "Collective(255)"},
	} {
		expect.Equal(t, tt.op.String(), tt.want, "operation %d is called", uint8(tt.op))
	}
}
