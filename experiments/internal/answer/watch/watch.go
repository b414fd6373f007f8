package watch

import (
	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
)

// pathLimit is the number of spans and messages up to which a picture has a critical
// path: it takes 12 bytes for each.
const pathLimit = 10_000_000

// Watch records what the pictures of a run show. It is a [sim.Observer].
type Watch struct {
	recorder *Recorder
	traffic  *Traffic
	path     *observe.CriticalPath // nil when there is too much
	told     int
}

var _ sim.Observer = (*Watch)(nil)

// New returns an observer of a run of that many ranks on a network, nil for a fabric.
func New(ranks int, n sim.Network) *Watch {
	return &Watch{recorder: NewRecorder(ranks), traffic: NewTraffic(ranks), path: observe.NewCriticalPath(ranks, n)}
}

// pathToo reports whether the path is to be told.
func (w *Watch) pathToo() bool {
	if w.told++; w.told > pathLimit {
		w.path = nil
	}
	return w.path != nil
}

func (w *Watch) Span(x sim.Span) {
	w.recorder.Span(x)
	if w.pathToo() {
		w.path.Span(x)
	}
}

func (w *Watch) Sent(x sim.Sent) {
	w.recorder.Sent(x)
	w.traffic.Sent(x)
	if w.pathToo() {
		w.path.Sent(x)
	}
}

func (w *Watch) Received(x sim.Received) {
	w.recorder.Received(x)
	if w.path != nil {
		w.path.Received(x)
	}
}

// Picture is what was recorded of a run.
type Picture struct {
	Timeline *timeline.Timeline
	Path     *observe.Path // nil for a very large run
	Traffic  *Traffic
}

// Picture returns the record of a run that has ended at that time. The names of the
// ranks and the use of links may be missing.
func (w *Watch) Picture(end units.Seconds, names []string, use *timeline.LinkUse) *Picture {
	p := &Picture{Traffic: w.traffic}
	if w.path != nil {
		p.Path = w.path.Path()
	}
	p.Timeline = w.recorder.Timeline(end, names, p.Path, use)
	return p
}
