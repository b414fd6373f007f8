package dispatch

import (
	"github.com/isoscale/isoscale/model/sharing"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/kernel"
)

// trunks is the hot model beside the processes: all capacities that transfers
// share.
type trunks struct {
	system  *sharing.System
	arrived []*kernel.Event // by flow
	ended   []sharing.Flow
}

var _ kernel.Model = (*trunks)(nil)

// carry moves bytes over a shared capacity, at the bound of the node's own
// interface at most, and returns when they have arrived.
func (t *trunks) carry(k *kernel.Kernel, p *kernel.Process, over sharing.Resource, size units.Bytes, bound units.BytesPerSecond) {
	f := t.system.Start(p.Now(), sharing.Demand{
		Amount: float64(size), Penalty: 1, Bound: float64(bound),
		Uses: []sharing.Use{{Resource: over, Weight: 1}},
	})
	for len(t.arrived) <= int(f) {
		t.arrived = append(t.arrived, nil)
	}
	arrived := k.NewEvent("transfer")
	t.arrived[f] = arrived
	p.Wait(arrived)
}

// Next returns when the next transfer ends.
func (t *trunks) Next() (units.Seconds, bool) { return t.system.Next() }

// Advance ends the transfers that end up to the given time.
func (t *trunks) Advance(to units.Seconds) {
	for at, ok := t.system.Next(); ok && at <= to; at, ok = t.system.Next() {
		t.ended = t.system.Finish(at, t.ended[:0])
		for _, f := range t.ended {
			t.arrived[f].Trigger()
			t.arrived[f] = nil
		}
	}
}
