package batchqueue

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
)

// Job is a job as it is submitted.
type Job struct {
	Submit   units.Seconds // from 0 to MaxTime
	Nodes    int           // from 1 to those of the machine
	Run      units.Seconds // what it takes: above 0, at most MaxTime
	Estimate units.Seconds // of Run, as the queue knows it: above 0, at most MaxTime
}

// MaxTime is the longest time of a job, some 30 000 years. Sums of such times are
// finite.
const MaxTime units.Seconds = 1e12

// JobError is a job that cannot be simulated.
type JobError struct {
	Index    int // in the slice of jobs
	What     string
	Expected string
}

func (e *JobError) Error() string {
	return fmt.Sprintf("job %d: %s; expected %s", e.Index, e.What, e.Expected)
}

// check returns an error for the first job that a machine cannot run.
func check(nodes int, jobs []Job) error {
	if nodes < 1 || nodes > MaxNodes {
		return fmt.Errorf("batchqueue: %d nodes; expected 1 to %d", nodes, MaxNodes)
	}
	if len(jobs) > math.MaxInt32 {
		return fmt.Errorf("batchqueue: %d jobs; expected at most %d", len(jobs), math.MaxInt32)
	}
	for i, j := range jobs {
		// Written so that NaN fails.
		switch {
		case j.Nodes < 1 || j.Nodes > nodes:
			return &JobError{i, fmt.Sprintf("%d nodes", j.Nodes), fmt.Sprintf("1 to %d", nodes)}
		case !(j.Submit >= 0 && j.Submit <= MaxTime):
			return &JobError{i, fmt.Sprintf("submitted at %g s", j.Submit), fmt.Sprintf("0 to %g s", MaxTime)}
		case !(j.Run > 0 && j.Run <= MaxTime):
			return &JobError{i, fmt.Sprintf("a run time of %g s", j.Run), fmt.Sprintf("above 0 and at most %g s", MaxTime)}
		case !(j.Estimate > 0 && j.Estimate <= MaxTime):
			return &JobError{i, fmt.Sprintf("an estimate of %g s", j.Estimate), fmt.Sprintf("above 0 and at most %g s", MaxTime)}
		}
	}
	return nil
}

// MaxNodes is the largest machine.
const MaxNodes = 1 << 30
