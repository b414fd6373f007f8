package run

import (
	"context"
	"fmt"
	"io"

	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/system"
	"github.com/isoscale/isoscale/experiments/internal/timeline"
	"github.com/isoscale/isoscale/experiments/internal/watch"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
)

// observers record a run. A nil field is not recorded.
type observers struct {
	timeline    *observe.Timeline
	quota       *watch.Quota // with a timeline
	path        *observe.CriticalPath
	matrix      *observe.Matrix
	fingerprint *observe.Fingerprint
	watch       *watch.Watch
}

func newObservers(stop context.CancelFunc, sys *system.System, o Options) observers {
	var x observers
	ranks := sys.Placement.Ranks()
	if o.Timeline {
		x.timeline = observe.NewTimeline(ranks, observe.DefaultTimelineLimit)
		x.quota = watch.NewQuota(stop)
	}
	if o.CriticalPath {
		x.path = observe.NewCriticalPath(ranks, sys.Transport.Network)
	}
	if o.Matrix {
		x.matrix = new(observe.Matrix)
	}
	if o.Fingerprint {
		x.fingerprint = observe.NewFingerprint(ranks)
	}
	if o.Picture {
		x.watch = watch.New(ranks, sys.Transport.Network)
	}
	return x
}

// observer returns one observer for all of them, or nil.
func (x observers) observer() sim.Observer {
	var all []sim.Observer
	if x.timeline != nil {
		all = append(all, x.timeline, x.quota)
	}
	if x.path != nil {
		all = append(all, x.path)
	}
	if x.matrix != nil {
		all = append(all, x.matrix)
	}
	if x.fingerprint != nil {
		all = append(all, x.fingerprint)
	}
	if x.watch != nil {
		all = append(all, x.watch)
	}
	return observe.Tee(all...)
}

// refusal returns why the run has no timeline although it was to be recorded, or nil.
func (x observers) refusal() error { return x.quota.Refusal(x.timeline) }

// report stores the records in the result.
func (x observers) report(r *Result) {
	r.timeline, r.matrix = x.timeline, x.matrix
	if x.path != nil {
		r.CriticalPath = x.path.Path()
		r.Limits = r.limits()
	}
	if x.watch != nil {
		r.picture = x.watch.Picture(r.sim.Makespan, r.rankNames(), r.linkUse())
	}
	if x.fingerprint != nil {
		r.Fingerprint = fmt.Sprintf("%016x", x.fingerprint.Sum())
	}
}

// WriteTimeline writes the activity of every rank in the Chrome trace event format,
// which Perfetto opens. Options.Timeline must have been set.
func (r *Result) WriteTimeline(w io.Writer) error {
	return r.timeline.Write(w, func(rank int) string { return r.rankName(int32(rank)) })
}

// rankName returns the name of a rank, with its node.
func (r *Result) rankName(rank int32) string {
	_, node := r.sim.System.Placement.Node(int(rank))
	return fmt.Sprintf("rank %d (%s)", rank, node)
}

// rankNames returns the names of the ranks, none of many.
func (r *Result) rankNames() []string {
	if n := len(r.sim.System.Speeds); n <= page.RanksShown {
		names := make([]string, n)
		for i := range names {
			names[i] = r.rankName(int32(i))
		}
		return names
	}
	return nil
}

// Timeline returns what the picture of the run is drawn from, in the binary form of
// docs/formats/timeline.md. Options.Picture must have been set.
func (r *Result) Timeline() []byte { return r.picture.Timeline.Encode() }

// Cause says in a sentence what limits the run, "" if that is not known.
// Options.Picture or Options.CriticalPath must have been set.
func (r *Result) Cause() string { return watch.Sentence(r.limits()) }

// limits divides the critical path by cause.
func (r *Result) limits() []watch.Limit {
	path := r.CriticalPath
	if path == nil && r.picture != nil {
		path = r.picture.Path
	}
	if path == nil {
		return nil
	}
	var links *watch.Links
	if t := r.sim.System.Transport; t.Last != nil {
		links = &watch.Links{Platform: t.Platform, Place: t.Place(), Parameters: t.Parameters, Usage: t.Last.Usage(r.sim.Makespan)}
	}
	return watch.Limits(path, links, r.rankName)
}

// linkUse returns the use of links over time, nil where it was not recorded.
func (r *Result) linkUse() *timeline.LinkUse {
	t := r.sim.System.Transport
	if t.Last == nil {
		return nil
	}
	return page.LinkUse(t.Platform, t.Last.Usage(r.sim.Makespan))
}

// WriteMatrix writes the messages and bytes between each pair of ranks as CSV.
// Options.Matrix must have been set.
func (r *Result) WriteMatrix(w io.Writer) error { return r.matrix.WriteCSV(w) }
