package export

import (
	"context"
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/answer/recording"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/workloads"
)

// Counts are what was exported.
type Counts struct {
	Ranks        int     `json:"ranks"`
	Operations   int64   `json:"operations"`
	Computations int64   `json:"computations"`
	Work         float64 `json:"work_flop"`
	Messages     int64   `json:"messages"`
	Bytes        float64 `json:"bytes"`
}

// add counts an operation of a run.
func (c *Counts) add(op *workloads.Op) {
	c.Operations++
	switch op.Kind {
	case workloads.Compute:
		c.Computations++
		c.Work += float64(op.Work)
	case workloads.Send, workloads.Isend:
		c.Messages++
		c.Bytes += float64(op.Size)
	}
}

// record simulates a scenario and passes what its processes do on to a sink, which
// sink makes for the system.
func record(ctx context.Context, s *scenario.Scenario, sys *system.System, sink recording.Sink) (*system.Simulation, error) {
	var recorder *recording.Recorder
	sys.Ranks, sys.Workers = false, 1
	sys.Program = func(p workloads.Program) workloads.Program {
		recorder = recording.New(p, sink)
		return recorder
	}
	x, err := sys.Simulate(ctx, s.Workload.N)
	if recorder != nil && recorder.Err() != nil {
		return nil, recorder.Err()
	}
	return x, err
}

// refuse is why a format cannot hold an operation of a rank.
func refuse(rank int, format string, args ...any) error {
	return input.Errorf("rank %d: %s", rank, fmt.Sprintf(format, args...))
}

// refuseMeasured is why no format can hold a collective operation of measured cost.
func refuseMeasured(rank int, op *workloads.Op) error {
	return refuse(rank, "%v has a measured cost, and neither format has an operation of a given time for several processes; expected an algorithm, as in --set workload.%v=%s",
		op.Collective, op.Collective, exampleAlgorithm(op.Collective))
}

// exampleAlgorithm is an algorithm for an operation.
func exampleAlgorithm(op workloads.Collective) string {
	if op == workloads.Barrier {
		return "dissemination"
	}
	return "binomial"
}
