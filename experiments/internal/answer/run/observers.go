package run

import (
	"fmt"
	"io"

	"github.com/isoscale/isoscale/experiments/internal/answer/sections"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
)

// observers record what is told of runs alone, and not of replays. A nil field is not
// recorded.
type observers struct {
	matrix      *observe.Matrix
	fingerprint *observe.Fingerprint
}

func newObservers(ranks int, o Options) observers {
	var x observers
	if o.Matrix {
		x.matrix = new(observe.Matrix)
	}
	if o.Fingerprint {
		x.fingerprint = observe.NewFingerprint(ranks)
	}
	return x
}

// list returns those that record.
func (x observers) list() []sim.Observer {
	var all []sim.Observer
	if x.matrix != nil {
		all = append(all, x.matrix)
	}
	if x.fingerprint != nil {
		all = append(all, x.fingerprint)
	}
	return all
}

// report stores the records in the result.
func (x observers) report(r *Result) {
	r.matrix = x.matrix
	if x.fingerprint != nil {
		r.Fingerprint = fmt.Sprintf("%016x", x.fingerprint.Sum())
	}
}

// facts are what a record needs of the result.
func (r *Result) facts() watch.Facts {
	f := watch.Facts{End: r.sim.Makespan, Ranks: len(r.sim.System.Speeds), Name: r.rankName}
	if t := r.sim.System.Transport; t.Last != nil {
		usage := t.Last.Usage(r.sim.Makespan)
		f.Links = &watch.Links{Platform: t.Platform, Place: t.Place(), Parameters: t.Parameters, Usage: usage}
		f.Use = sections.LinkUse(t.Platform, usage)
	}
	return f
}

// rankName returns the name of a rank, with its node.
func (r *Result) rankName(rank int32) string {
	_, node := r.sim.System.Placement.Node(int(rank))
	return fmt.Sprintf("rank %d (%s)", rank, node)
}

// WriteMatrix writes the messages and bytes between each pair of ranks as CSV.
// Options.Matrix must have been set.
func (r *Result) WriteMatrix(w io.Writer) error { return r.matrix.WriteCSV(w) }
