package watch

import (
	"context"
	"io"

	"github.com/isoscale/isoscale/experiments/internal/answer/sections"
	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
)

// Wanted says what to record of a run.
type Wanted struct {
	Timeline     bool // what [Record.WriteTimeline] writes
	CriticalPath bool
	Picture      bool // what a report shows
}

// Recording records a run. What is not wanted is nil.
type Recording struct {
	asked, watched context.Context
	stop           context.CancelFunc

	timeline *observe.Timeline
	quota    *Quota // with a timeline
	path     *observe.CriticalPath
	watch    *Watch
}

// Start begins to record a run of that many ranks on a network, nil for a fabric. The
// run takes the context of [Recording.Context], and Stop must be called after it.
func Start(ctx context.Context, ranks int, n sim.Network, o Wanted) *Recording {
	r := &Recording{asked: ctx}
	r.watched, r.stop = context.WithCancel(ctx)
	if o.Timeline {
		r.timeline = observe.NewTimeline(ranks, observe.DefaultTimelineLimit)
		r.quota = NewQuota(r.stop)
	}
	if o.CriticalPath {
		r.path = observe.NewCriticalPath(ranks, n)
	}
	if o.Picture {
		r.watch = New(ranks, n)
	}
	return r
}

// Context is that of the run. It ends when the run has far more than a timeline may have.
func (r *Recording) Context() context.Context { return r.watched }

// Stop releases the context of the run.
func (r *Recording) Stop() { r.stop() }

// Observer returns one observer for what is recorded and for others, or nil.
func (r *Recording) Observer(others ...sim.Observer) sim.Observer {
	all := others
	if r.timeline != nil {
		all = append(all, r.timeline, r.quota)
	}
	if r.path != nil {
		all = append(all, r.path)
	}
	if r.watch != nil {
		all = append(all, r.watch)
	}
	return observe.Tee(all...)
}

// Check returns the error of the run, or why it has no timeline although one was wanted.
func (r *Recording) Check(err error) error {
	refused := r.quota.Refusal(r.timeline)
	if refused != nil && (err == nil || r.watched.Err() != nil && r.asked.Err() == nil) {
		return refused
	}
	return err
}

// Facts are what is known of a run that has ended, beside what was recorded.
type Facts struct {
	End   units.Seconds
	Ranks int
	Name  func(rank int32) string
	// Links are those that messages share, and Use is their use over time; nil where
	// there are none, and where it was not recorded.
	Links *Links
	Use   *timeline.LinkUse
}

// Record returns what was recorded.
func (r *Recording) Record(f Facts) Record {
	x := Record{facts: f, timeline: r.timeline}
	if r.path != nil {
		x.path = r.path.Path()
	}
	if r.watch != nil {
		var names []string
		if f.Ranks <= sections.RanksShown {
			names = make([]string, f.Ranks)
			for i := range names {
				names[i] = f.Name(int32(i))
			}
		}
		x.picture = r.watch.Picture(f.End, names, f.Use)
	}
	return x
}

// Record is what was recorded of a run, as far as it was wanted. A result embeds it.
type Record struct {
	facts    Facts
	timeline *observe.Timeline
	path     *observe.Path
	picture  *Picture
}

// WriteTimeline writes the activity of every rank in the Chrome trace event format,
// which Perfetto opens. REQUIRES: a timeline was wanted.
func (x *Record) WriteTimeline(w io.Writer) error {
	return x.timeline.Write(w, func(rank int) string { return x.facts.Name(int32(rank)) })
}

// Path returns the critical path, nil if it was not wanted.
func (x *Record) Path() *observe.Path { return x.path }

// Picture returns what a report shows, nil if it was not wanted.
func (x *Record) Picture() *Picture { return x.picture }

// Timeline returns what the picture of the run is drawn from, in the binary form of
// docs/formats/timeline.md. REQUIRES: a picture was wanted.
func (x *Record) Timeline() []byte { return x.picture.Timeline.Encode() }

// Cause says in a sentence what limits the run, "" if that is not known: neither the
// critical path nor a picture was wanted, or the run is too large.
func (x *Record) Cause() string { return Sentence(x.Causes()) }

// Causes divides the critical path by cause, nil if that is not known.
func (x *Record) Causes() []Limit {
	path := x.path
	if path == nil && x.picture != nil {
		path = x.picture.Path
	}
	if path == nil {
		return nil
	}
	return Limits(path, x.facts.Links, x.facts.Name)
}
