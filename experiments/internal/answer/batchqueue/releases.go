package batchqueue

import (
	"iter"
	"slices"
	"sort"

	"github.com/isoscale/isoscale/model/units"
)

// releases are the expected ends of the running jobs, in the order of their times and
// then of the jobs. They are kept in runs of bounded length with their sums, so that
// even with a hundred thousand running jobs a change costs little.
type releases struct {
	runs []*releaseRun
}

// releaseRun is a part of the releases, never empty.
type releaseRun struct {
	all   []release
	nodes int // of all
}

// release is an expected end.
type release struct {
	at    units.Seconds
	job   int32
	nodes int32
}

// longestRun is how many releases a run holds before it is divided.
const longestRun = 512

// before reports whether r comes before the release of a job at a time.
func (r release) before(at units.Seconds, job int32) bool {
	return r.at < at || r.at == at && r.job < job
}

// find returns the place of the release of a job: its run and its index there. A
// release that comes last of all has its place at the end of the last run.
func (r *releases) find(at units.Seconds, job int32) (run, index int) {
	run = sort.Search(len(r.runs), func(i int) bool {
		all := r.runs[i].all
		return !all[len(all)-1].before(at, job)
	})
	run = max(min(run, len(r.runs)-1), 0)
	all := r.runs[run].all
	return run, sort.Search(len(all), func(i int) bool { return !all[i].before(at, job) })
}

func (r *releases) add(at units.Seconds, job int32, nodes int) {
	e := release{at, job, int32(nodes)}
	if len(r.runs) == 0 {
		r.runs = append(r.runs, &releaseRun{all: []release{e}, nodes: nodes})
		return
	}
	i, k := r.find(at, job)
	run := r.runs[i]
	run.all = slices.Insert(run.all, k, e)
	run.nodes += nodes
	if len(run.all) > longestRun {
		half := &releaseRun{all: slices.Clone(run.all[longestRun/2:])}
		for _, e := range half.all {
			half.nodes += int(e.nodes)
		}
		run.all = run.all[:longestRun/2]
		run.nodes -= half.nodes
		r.runs = slices.Insert(r.runs, i+1, half)
	}
}

// remove removes a release, which must be there.
func (r *releases) remove(at units.Seconds, job int32) {
	i, k := r.find(at, job)
	run := r.runs[i]
	run.nodes -= int(run.all[k].nodes)
	run.all = slices.Delete(run.all, k, k+1)
	if len(run.all) == 0 {
		r.runs = slices.Delete(r.runs, i, i+1)
	}
}

// enough returns the earliest time, from now on, by which so many nodes are released,
// and how many are released by then: with all releases of that time.
func (r *releases) enough(nodes int, now units.Seconds) (at units.Seconds, released int) {
	i := 0
	for ; i < len(r.runs)-1 && released+r.runs[i].nodes < nodes; i++ {
		released += r.runs[i].nodes
	}
	for ; i < len(r.runs); i++ {
		for _, e := range r.runs[i].all {
			if released >= nodes && e.at > at {
				return at, released
			}
			at = max(e.at, now)
			released += int(e.nodes)
		}
	}
	return at, released
}

// all returns the releases in their order.
func (r *releases) all() iter.Seq[release] {
	return func(yield func(release) bool) {
		for _, run := range r.runs {
			for _, e := range run.all {
				if !yield(e) {
					return
				}
			}
		}
	}
}
