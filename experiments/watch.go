package experiments

import (
	"fmt"
	"io"

	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
)

// watch is what a run records of itself; nil fields are not wanted.
type watch struct {
	timeline    *observe.Timeline
	path        *observe.CriticalPath
	matrix      *observe.Matrix
	fingerprint *observe.Fingerprint
}

func newWatch(sys *system, o RunOptions) watch {
	var w watch
	ranks := sys.placement.Ranks()
	if o.Timeline {
		w.timeline = observe.NewTimeline(ranks, observe.DefaultTimelineLimit)
	}
	if o.CriticalPath {
		w.path = observe.NewCriticalPath(ranks, sys.carriage.network)
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
func (w watch) observer() sim.Observer {
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
func (w watch) report(r *RunResult) {
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
func (r *RunResult) WriteTimeline(w io.Writer) error {
	return r.timeline.Write(w, func(rank int) string {
		_, node := r.system.placement.Node(rank)
		return fmt.Sprintf("rank %d (%s)", rank, node)
	})
}

// WriteMatrix writes who sent how many messages and bytes to whom, as CSV. The
// run must have been asked to record it.
func (r *RunResult) WriteMatrix(w io.Writer) error { return r.matrix.WriteCSV(w) }
