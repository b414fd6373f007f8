package run

import (
	"fmt"
	"io"

	"github.com/isoscale/isoscale/experiments/internal/system"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
)

// observers record a run. A nil field is not recorded.
type observers struct {
	timeline    *observe.Timeline
	path        *observe.CriticalPath
	matrix      *observe.Matrix
	fingerprint *observe.Fingerprint
}

func newObservers(sys *system.System, o Options) observers {
	var x observers
	ranks := sys.Placement.Ranks()
	if o.Timeline {
		x.timeline = observe.NewTimeline(ranks, observe.DefaultTimelineLimit)
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
	return x
}

// observer returns one observer for all of them, or nil.
func (x observers) observer() sim.Observer {
	var all []sim.Observer
	if x.timeline != nil {
		all = append(all, x.timeline)
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
	return observe.Tee(all...)
}

// report stores the records in the result.
func (x observers) report(r *Result) {
	r.timeline, r.matrix = x.timeline, x.matrix
	if x.path != nil {
		r.CriticalPath = x.path.Path()
	}
	if x.fingerprint != nil {
		r.Fingerprint = fmt.Sprintf("%016x", x.fingerprint.Sum())
	}
}

// WriteTimeline writes the activity of every rank in the Chrome trace event format,
// which Perfetto opens. Options.Timeline must have been set.
func (r *Result) WriteTimeline(w io.Writer) error {
	return r.timeline.Write(w, func(rank int) string {
		_, node := r.sim.System.Placement.Node(rank)
		return fmt.Sprintf("rank %d (%s)", rank, node)
	})
}

// WriteMatrix writes the messages and bytes between each pair of ranks as CSV.
// Options.Matrix must have been set.
func (r *Result) WriteMatrix(w io.Writer) error { return r.matrix.WriteCSV(w) }
