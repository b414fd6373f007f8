package energy

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// levels are the powers of a node, or of a device.
type levels struct {
	load    units.Watts // all its processes compute
	message units.Watts // all its processes are in messages
	idle    units.Watts // without work
}

// What is taken for a power that is not given. Idle nodes drew half of their peak in
// the servers of [Barroso2007]; today's draw less. A process that waits polls on most
// systems, so it draws more than an idle one, and less than one that computes.
const (
	idleShare    = 0.5 // of the power under load
	messageShare = 0.5 // of the way from idle to load
)

// Halfway is what is taken for a power in messages that is not given.
func Halfway(idle, load units.Watts) units.Watts {
	return idle + units.Watts(messageShare*(load-idle))
}

// fill replaces powers that are not given by estimates, and says so of what.
func (l levels) fill(what string) (filled levels, assumed []string) {
	if l.idle == 0 && l.load > 0 {
		l.idle = idleShare * l.load
		assumed = append(assumed, fmt.Sprintf("idle_power of %s is %v: half of its power under load", what, l.idle))
	}
	if l.message == 0 && l.load > 0 {
		l.message = Halfway(l.idle, l.load)
		assumed = append(assumed, fmt.Sprintf("wait_power of %s is %v: halfway between idle and load", what, l.message))
	}
	return l, assumed
}

// powers returns what the nodes of a block draw, without their devices, and what each
// device draws; known is false if the power of the node is not.
func powers(b topology.Block) (node, device levels, assumed []string) {
	t := b.Type
	node, assumed = levels{t.Power, t.WaitPower, t.IdlePower}.fill(t.Name)
	if d := t.Devices; d != nil {
		var more []string
		device, more = levels{d.Power, d.WaitPower, d.IdlePower}.fill("a device of " + t.Name)
		if b.OnDevices() {
			assumed = append(assumed, more...)
		}
	}
	return node, device, assumed
}

// Known reports whether the power of every node that takes part is known.
func Known(p *topology.Placement) bool {
	for _, b := range p.Blocks {
		if b.Type.Power == 0 {
			return false
		}
	}
	return true
}
