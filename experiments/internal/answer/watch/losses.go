package watch

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// losses divide the time of all ranks into computation and losses, as the efficiencies of the POP methodology do. T is
// the time of the run, C_mean the mean computation of a rank, C_max that of the rank that computes most, and P the
// computation on the critical path:
//
//	computation    C_mean / T                  load balance C_mean/C_max times communication efficiency C_max/T
//	imbalance      (C_max - C_mean) / T        gone if all ranks computed alike
//	serialisation  (P - C_max) / T, at least 0 gone if no computation waited for that of another rank
//	transfer       the rest                    gone if messages and the cores' part in them cost nothing
//
// They add up to 1. POP measures the transfer by a run on an ideal network, where another path may be critical. Here
// transfer is what this run's path has of it, and waits for a receiver that computes count as serialisation: so the
// loss is not named after the efficiency.
type losses struct {
	computation, imbalance, serialisation, transfer float64

	path   float64 // P / T
	memory float64 // the share of P that memory limits
	most   int32   // the rank that computes most, of equal ones the first
}

// lossesOf divides the time of a run, given the causes on its critical path.
func lossesOf(r *sim.Result, limits []Limit) losses {
	var x losses
	if r.Makespan == 0 || len(r.Ranks) == 0 {
		return x
	}
	sum, longest := units.Seconds(0), units.Seconds(0)
	for i := range r.Ranks {
		computed := r.Ranks[i].Useful()
		sum += computed
		if computed > longest {
			x.most, longest = int32(i), computed
		}
	}
	for _, l := range limits {
		switch l.Cause {
		case computation:
			x.path += l.Share
		case byMemory:
			x.path += l.Share
			x.memory = l.Share
		}
	}
	if x.path > 0 {
		x.memory /= x.path
	}
	most := float64(longest / r.Makespan)
	x.computation = float64(sum / units.Seconds(len(r.Ranks)) / r.Makespan)
	x.imbalance = max(0, most-x.computation)
	x.serialisation = max(0, x.path-most)
	x.transfer = max(0, 1-x.computation-x.imbalance-x.serialisation)
	return x
}

// says returns what limits a run: computation if ranks compute for at least half of the time, else the
// largest loss (of equal ones, the first of imbalance, serialisation and transfer).
func (x losses) says(limits []Limit, name func(rank int32) string) string {
	most := x.computation + x.imbalance
	switch largest := max(x.imbalance, x.serialisation, x.transfer); {
	case x.computation >= 0.5 && x.memory >= 0.5:
		return fmt.Sprintf("Memory bandwidth limits the run: ranks compute for %s of the time on average, and memory limits %s of the "+
			"computation on the critical path.", percent(x.computation), percent(x.memory)) + x.loss(largest)
	case x.computation >= 0.5:
		return fmt.Sprintf("Computation limits the run: ranks compute for %s of the time on average.",
			percent(x.computation)) + x.loss(largest)
	case x.imbalance == largest:
		return fmt.Sprintf("Load imbalance limits the run: %s computes for %s of the time, the average rank for %s.",
			name(x.most), percent(most), percent(x.computation))
	case x.serialisation == largest:
		return fmt.Sprintf("Waits for computations of others limit the run: computations that follow one another are %s of the critical "+
			"path, and no rank computes for more than %s of the time.", percent(x.path), percent(most))
	}
	return sentence(limits)
}

// loss names the largest loss of a run that computes for at least half of the time, "" below 1 %.
func (x losses) loss(largest float64) string {
	name := "messages and their handling"
	switch {
	case largest < 0.01:
		return ""
	case x.imbalance == largest:
		name = "load imbalance"
	case x.serialisation == largest:
		name = "waiting for computations of others"
	}
	return fmt.Sprintf(" The largest loss is %s, %s of the time.", name, percent(largest))
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }
