package observe

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// Tee returns an observer that passes every event to all of the given ones, in this
// order. Nil observers are omitted. If all are nil the result is nil, so that the
// engine need not report events.
func Tee(observers ...sim.Observer) sim.Observer {
	var t tee
	for _, o := range observers {
		if o != nil {
			t = append(t, o)
		}
	}
	switch len(t) {
	case 0:
		return nil
	case 1:
		return t[0]
	}
	return t
}

type tee []sim.Observer

func (t tee) Span(rank int32, p sim.Part, from, to units.Seconds) {
	for _, o := range t {
		o.Span(rank, p, from, to)
	}
}

func (t tee) Sent(rank int32, order uint32, to, tag int32, size units.Bytes, at units.Seconds) {
	for _, o := range t {
		o.Sent(rank, order, to, tag, size, at)
	}
}

func (t tee) Received(rank, from int32, order uint32, at units.Seconds) {
	for _, o := range t {
		o.Received(rank, from, order, at)
	}
}
