package workloads_test

import (
	"testing"

	"github.com/isoscale/isoscale/workloads"
)

func TestKindString(t *testing.T) {
	for _, tt := range []struct {
		kind workloads.Kind
		want string
	}{
		{0, "Kind(0)"},
		{workloads.Compute, "compute"},
		{workloads.Delay, "delay"},
		{workloads.Send, "send"},
		{workloads.Isend, "isend"},
		{workloads.Recv, "recv"},
		{workloads.Irecv, "irecv"},
		{workloads.Sendrecv, "sendrecv"},
		{workloads.Wait, "wait"},
		{workloads.Waitall, "waitall"},
		{workloads.Measured, "measured"},
		{workloads.Trigger, "trigger"},
		{workloads.Await, "await"},
		{255, "Kind(255)"},
	} {
		if got := tt.kind.String(); got != tt.want {
			t.Errorf("kind %d is called %q, want %q", uint8(tt.kind), got, tt.want)
		}
	}
}

func TestCollectiveString(t *testing.T) {
	for _, tt := range []struct {
		op   workloads.Collective
		want string
	}{
		{0, "Collective(0)"},
		{workloads.Barrier, "barrier"},
		{workloads.Bcast, "bcast"},
		{workloads.Reduce, "reduce"},
		{workloads.Gather, "gather"},
		{workloads.Scatter, "scatter"},
		{workloads.Allreduce, "allreduce"},
		{workloads.Allgather, "allgather"},
		{workloads.Alltoall, "alltoall"},
		{workloads.ReduceScatter, "reducescatter"},
		{workloads.Scan, "scan"},
		{255, "Collective(255)"},
	} {
		if got := tt.op.String(); got != tt.want {
			t.Errorf("operation %d is called %q, want %q", uint8(tt.op), got, tt.want)
		}
	}
}
