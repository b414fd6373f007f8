package throughput

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
)

// Job is a kind of job.
type Job struct {
	Rate float64 // runs per second: above 0, finite
	Ways []Way   // at least one
}

// Way is a way to run a job.
type Way struct {
	Partition int           // of the machine, from 0
	Nodes     int           // from 1; ways of more nodes than the partition has are not taken
	Time      units.Seconds // above 0, finite
}

// Plan is how a machine carries the most of a mix.
type Plan struct {
	// Multiple is the largest multiple of the rates of all jobs that the machine can
	// carry.
	Multiple float64
	Packings []Packing // that are used; each partition is idle for the rest of the time
}

// Packing is some jobs side by side on a partition.
type Packing struct {
	Partition int
	Share     float64 // of the time
	Running   []Running
}

// Running is how many jobs run in a way.
type Running struct {
	Job, Way int
	Count    int
}

const (
	maxNodes = 1 << 20 // of a partition: a knapsack has a state for each
	maxWays  = 1000    // of all jobs
)

// check returns an error for what is no mix on a machine.
func check(nodes []int, jobs []Job) error {
	if len(nodes) == 0 || len(jobs) == 0 {
		return fmt.Errorf("throughput: %d partitions and %d jobs; expected at least one of each", len(nodes), len(jobs))
	}
	for p, n := range nodes {
		if n < 1 || n > maxNodes {
			return fmt.Errorf("throughput: partition %d has %d nodes; expected 1 to %d", p, n, maxNodes)
		}
	}
	ways := 0
	for k, j := range jobs {
		// Written so that NaN fails.
		if !(j.Rate > 0 && j.Rate <= math.MaxFloat64) {
			return fmt.Errorf("throughput: job %d has the rate %g; expected a finite number above 0", k, j.Rate)
		}
		runs := false
		for w, x := range j.Ways {
			switch {
			case x.Partition < 0 || x.Partition >= len(nodes):
				return fmt.Errorf("throughput: way %d of job %d is on partition %d; expected 0 to %d", w, k, x.Partition, len(nodes)-1)
			case x.Nodes < 1:
				return fmt.Errorf("throughput: way %d of job %d has %d nodes; expected at least 1", w, k, x.Nodes)
			case !(x.Time > 0 && x.Time <= math.MaxFloat64):
				return fmt.Errorf("throughput: way %d of job %d takes %g s; expected a finite time above 0", w, k, float64(x.Time))
			}
			runs = runs || x.Nodes <= nodes[x.Partition]
		}
		if !runs {
			return fmt.Errorf("throughput: job %d fits on no partition; expected a way of fewer nodes", k)
		}
		ways += len(j.Ways)
	}
	if ways > maxWays {
		return fmt.Errorf("throughput: %d ways; expected at most %d", ways, maxWays)
	}
	return nil
}
