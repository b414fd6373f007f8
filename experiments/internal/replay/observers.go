package replay

import (
	"context"
	"fmt"
	"io"

	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/watch"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
)

// observers record a replay. A nil field is not recorded.
type observers struct {
	timeline *observe.Timeline
	quota    *watch.Quota // with a timeline
	path     *observe.CriticalPath
	watch    *watch.Watch
}

func newObservers(stop context.CancelFunc, ranks int, o TIOptions) observers {
	var x observers
	if o.Timeline {
		x.timeline = observe.NewTimeline(ranks, observe.DefaultTimelineLimit)
		x.quota = watch.NewQuota(stop)
	}
	if o.CriticalPath {
		x.path = observe.NewCriticalPath(ranks, nil)
	}
	if o.Picture {
		x.watch = watch.New(ranks, nil)
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
	if x.watch != nil {
		all = append(all, x.watch)
	}
	return observe.Tee(all...)
}

// refusal returns why the run has no timeline although it was to be recorded, or nil.
func (x observers) refusal() error { return x.quota.Refusal(x.timeline) }

// report stores the records in the result.
func (x observers) report(r *TIResult) {
	r.replay.timeline = x.timeline
	if x.path != nil {
		r.CriticalPath = x.path.Path()
		r.Limits = r.limits()
	}
	if x.watch == nil {
		return
	}
	var names []string
	if n := len(r.replay.place); n <= page.RanksShown {
		names = make([]string, n)
		for i := range names {
			names[i] = r.replay.rankName(int32(i))
		}
	}
	r.replay.picture = x.watch.Picture(units.Seconds(r.Makespan), names, page.LinkUse(r.replay.platform, r.replay.links.Usage))
}

// rankName returns the name of a rank, with its host.
func (x *tiReplay) rankName(rank int32) string {
	return fmt.Sprintf("rank %d (%s)", rank, x.platform.Hosts[x.place[rank]].Name)
}

// WriteTimeline writes the activity of every rank in the Chrome trace event format,
// which Perfetto opens. TIOptions.Timeline must have been set.
func (r *TIResult) WriteTimeline(w io.Writer) error {
	return r.replay.timeline.Write(w, func(rank int) string { return r.replay.rankName(int32(rank)) })
}

// Cause says in a sentence what limits the replay, "" if that is not known.
func (r *TIResult) Cause() string { return watch.Sentence(r.limits()) }

// limits divides the critical path by cause.
func (r *TIResult) limits() []watch.Limit {
	path := r.CriticalPath
	if path == nil && r.replay.picture != nil {
		path = r.replay.picture.Path
	}
	if path == nil {
		return nil
	}
	return watch.Limits(path, r.replay.links, r.replay.rankName)
}
