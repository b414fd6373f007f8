package flow

import (
	"slices"

	"github.com/isoscale/isoscale/model/internal/sharing"
	"github.com/isoscale/isoscale/model/units"
)

// What may change while messages and computations are under way. Times are as for
// [Model.Transfer]: not before the latest that the model was told, nor after Next.

// Place returns the host of each rank. It must not be changed.
func (f *Model) Place() []int32 { return f.machine.Place }

// Speeds returns the speed of a core of each rank's host.
func (f *Model) Speeds() []units.FlopsPerSecond {
	speeds := make([]units.FlopsPerSecond, len(f.machine.Place))
	for r, h := range f.machine.Place {
		speeds[r] = f.machine.Hosts[h].Speed
	}
	return speeds
}

// SetSpeed changes the speed of the cores of a host. Its computations go on with the
// new speed; at 0 they stand still, also those that wait for memory.
func (f *Model) SetSpeed(now units.Seconds, host int32, speed units.FlopsPerSecond) {
	f.own()
	f.machine.Hosts[host].Speed = speed
	if f.record != nil {
		f.record.elapse(f, now)
	}
	f.nodes[host].stopped = speed == 0
	f.shareCores(now, host)
}

// Links returns the number of links.
func (f *Model) Links() int { return len(f.machine.Links) }

// Bandwidth returns the bandwidth of a link.
func (f *Model) Bandwidth(link int32) units.BytesPerSecond { return f.machine.Links[link].Bandwidth }

// SetBandwidth changes the bandwidth of a link, above 0: what flows over it shares out
// what there is. The weights and windows of messages under way stay as they are.
func (f *Model) SetBandwidth(now units.Seconds, link int32, bandwidth units.BytesPerSecond) {
	f.own()
	if f.record != nil {
		f.record.elapse(f, now)
	}
	f.machine.Links[link].Bandwidth = bandwidth
	f.shared.SetCapacity(now, sharing.Resource(link), float64(bandwidth))
}

// own makes the slices of the machine the model's own before the first change.
func (f *Model) own() {
	if !f.changes {
		f.machine.Hosts, f.machine.Links = slices.Clone(f.machine.Hosts), slices.Clone(f.machine.Links)
		f.changes = true
	}
}
