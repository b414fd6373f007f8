package flow

import (
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// Machine is where messages and computations are carried out.
type Machine struct {
	Links  []Link
	Hosts  []Host
	Router Router
	// Place[r] is the host of rank r.
	Place []int32
}

// Link is one direction of a connection.
type Link struct {
	Bandwidth units.BytesPerSecond // above 0
	Latency   units.Seconds        // at least 0
	// FatPipe: messages do not share the bandwidth, see [sharing.System].
	FatPipe bool
}

// Host is a node.
type Host struct {
	Cores int                  // at least 1
	Speed units.FlopsPerSecond // of one core, above 0
	// Memory is the number of the link that stands for the node's memory, or
	// below 0 if its bandwidth is not limited.
	Memory int32
}

// Router knows the links between hosts.
type Router interface {
	// Route appends the numbers of the links from one host to another to buf and
	// returns the longer slice, or an error if there is no way.
	Route(buf []int32, from, to int32) ([]int32, error)
}

// validate reports the first thing that makes the machine unusable.
func (m Machine) validate() error {
	positive := func(x float64) bool { return x >= smallest && x <= largest }
	for i, l := range m.Links {
		if !positive(float64(l.Bandwidth)) || l.Latency != 0 && !positive(float64(l.Latency)) {
			return fmt.Errorf("flow: link %d has bandwidth %v and latency %v; expected values from %g to %g, and a latency of 0 if it has none", i, l.Bandwidth, l.Latency, smallest, largest)
		}
	}
	for i, h := range m.Hosts {
		if h.Cores < 1 || !positive(float64(h.Speed)) || int(h.Memory) >= len(m.Links) {
			return fmt.Errorf("flow: host %d has %d cores of %v and memory %d; expected at least 1 core, a speed above 0 and one of %d links", i, h.Cores, h.Speed, h.Memory, len(m.Links))
		}
	}
	for r, h := range m.Place {
		if h < 0 || int(h) >= len(m.Hosts) {
			return fmt.Errorf("flow: rank %d is on host %d; expected one of %d hosts", r, h, len(m.Hosts))
		}
	}
	if m.Router == nil {
		return errors.New("flow: no router")
	}
	return nil
}

// Bounds of what users can set, so far from the ends of float64 that products of a
// few of them stay within what package sharing takes.
const (
	smallest = 1e-25
	largest  = 1e25
)
