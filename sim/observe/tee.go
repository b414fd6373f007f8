package observe

import "github.com/isoscale/isoscale/sim"

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

// Map returns a tee of of(x) for each observer x. With it, a run with streams treats each by its kind.
func (t tee) Map(of func(sim.Observer) sim.Observer) sim.Observer {
	all := make(tee, len(t))
	for i, o := range t {
		all[i] = of(o)
	}
	return all
}

func (t tee) Span(x sim.Span) {
	for _, o := range t {
		o.Span(x)
	}
}

func (t tee) Sent(x sim.Sent) {
	for _, o := range t {
		o.Sent(x)
	}
}

func (t tee) Received(x sim.Received) {
	for _, o := range t {
		o.Received(x)
	}
}
