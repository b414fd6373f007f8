package run

import (
	"fmt"
	"io"

	"github.com/isoscale/isoscale/experiments/system"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
)

// observers is what a run records of itself; nil fields are not wanted.
type observers struct {
	timeline    *observe.Timeline
	path        *observe.CriticalPath
	matrix      *observe.Matrix
	fingerprint *observe.Fingerprint
}

func newObservers(sys *system.System, o Options) observers {
	var w observers
	ranks := sys.Placement.Ranks()
	if o.Timeline {
		w.timeline = observe.NewTimeline(ranks, observe.DefaultTimelineLimit)
	}
	if o.CriticalPath {
		w.path = observe.NewCriticalPath(ranks, sys.Transport.Network)
	}
	if o.Matrix {
		w.matrix = new(observe.Matrix)
	}
	if o.Fingerprint {
		w.fingerprint = observe.NewFingerprint(ranks)
	}
	return w
}

// observer returns what the engine shall tell, or nil.
func (w observers) observer() sim.Observer {
	var all []sim.Observer
	if w.timeline != nil {
		all = append(all, w.timeline)
	}
	if w.path != nil {
		all = append(all, w.path)
	}
	if w.matrix != nil {
		all = append(all, w.matrix)
	}
	if w.fingerprint != nil {
		all = append(all, w.fingerprint)
	}
	return observe.Tee(all...)
}

// report stores what was recorded.
func (w observers) report(r *Result) {
	r.timeline, r.matrix = w.timeline, w.matrix
	if w.path != nil {
		r.CriticalPath = w.path.Path()
	}
	if w.fingerprint != nil {
		r.Fingerprint = fmt.Sprintf("%016x", w.fingerprint.Sum())
	}
}

// WriteTimeline writes what every rank did in the Chrome trace event format,
// which Perfetto opens. The run must have been asked to record it.
func (r *Result) WriteTimeline(w io.Writer) error {
	return r.timeline.Write(w, func(rank int) string {
		_, node := r.sim.System.Placement.Node(rank)
		return fmt.Sprintf("rank %d (%s)", rank, node)
	})
}

// WriteMatrix writes who sent how many messages and bytes to whom, as CSV. The
// run must have been asked to record it.
func (r *Result) WriteMatrix(w io.Writer) error { return r.matrix.WriteCSV(w) }
