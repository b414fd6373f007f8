package batchqueue

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/chart/quantile"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// SlowdownThreshold is the least run time in the bounded slow-down: shorter jobs count as having it, so
// that very short jobs do not decide the mean [FeitelsonRudolph1998].
const SlowdownThreshold units.Seconds = 10

// Summary has the figures that centres ask for.
type Summary struct {
	Jobs int
	// Utilisation is the share of the node time of the makespan in which jobs ran.
	Utilisation float64
	MeanWait    units.Seconds
	// P95Wait is the shortest wait that at least 95 % of the jobs do not exceed.
	P95Wait units.Seconds
	// MeanBoundedSlowdown is the mean of (wait + run) / max(run, threshold), each at least 1.
	MeanBoundedSlowdown float64
	Makespan            units.Seconds // from the first submission to the last end
	Submitting          units.Seconds // from the first submission to the last
	Work                float64       // node time of the jobs, s
}

// Summarize summarizes jobs on a machine, given their starts. Without jobs all figures are 0.
func Summarize(nodes int, jobs []Job, starts []units.Seconds) Summary {
	s := Summary{Jobs: len(jobs)}
	if len(jobs) == 0 {
		return s
	}
	first, latest, last := jobs[0].Submit, jobs[0].Submit, units.Seconds(0)
	var wait, slowdown float64 // sums over the jobs
	waits := make([]units.Seconds, len(jobs))
	for i, j := range jobs {
		first, latest, last = min(first, j.Submit), max(latest, j.Submit), max(last, starts[i]+j.Run)
		waits[i] = starts[i] - j.Submit
		s.Work += float64(float64(j.Nodes) * float64(j.Run))
		wait += float64(waits[i])
		slowdown += math.Max(1, float64((waits[i]+j.Run)/max(j.Run, SlowdownThreshold)))
	}
	n := float64(len(jobs))
	s.Makespan, s.Submitting = last-first, latest-first
	s.Utilisation = s.Work / float64(float64(nodes)*float64(s.Makespan))
	s.MeanWait = units.Seconds(wait / n)
	slices.Sort(waits)
	s.P95Wait = quantile.Of(waits, 95)
	s.MeanBoundedSlowdown = slowdown / n
	return s
}

// Above returns the fraction of the waits that are longer than t, and the longest wait.
func Above(t units.Seconds, waits []units.Seconds) (part float64, longest units.Seconds) {
	n := 0
	for _, w := range waits {
		longest = max(longest, w)
		if w > t {
			n++
		}
	}
	return float64(n) / float64(max(len(waits), 1)), longest
}

// MostWaiting returns the largest number of jobs that wait at one time, including those that start when submitted.
func MostWaiting(jobs []Job, starts []units.Seconds) (most int) {
	submitted := each.Of(jobs, func(j Job) units.Seconds { return j.Submit })
	slices.Sort(submitted)
	started := slices.Sorted(slices.Values(starts))
	begun := 0
	for i, at := range submitted {
		for started[begun] < at {
			begun++
		}
		most = max(most, i+1-begun)
	}
	return most
}
