package meter

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/isoscale/isoscale/model/units"
)

// Meter counts what simulations have done. Its methods may be called from
// several goroutines at once. The zero value is ready; on a nil Meter, Note does
// nothing.
type Meter struct {
	events atomic.Int64
	time   atomic.Uint64 // bits of the float64
}

// Note adds the events of a simulation since its last call, and notes its time.
func (m *Meter) Note(events int64, at units.Seconds) {
	if m == nil {
		return
	}
	m.events.Add(events)
	m.time.Store(math.Float64bits(float64(at)))
}

// Events returns how many events all simulations have dealt with.
func (m *Meter) Events() int64 { return m.events.Load() }

// Time returns the simulated time of the simulation that was noted last.
func (m *Meter) Time() units.Seconds { return units.Seconds(math.Float64frombits(m.time.Load())) }

type key struct{}

// With returns a context in which simulations note what they do on m.
func With(ctx context.Context, m *Meter) context.Context { return context.WithValue(ctx, key{}, m) }

// From returns the meter of a context, or nil.
func From(ctx context.Context) *Meter {
	m, _ := ctx.Value(key{}).(*Meter)
	return m
}
