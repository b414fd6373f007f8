package topology

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// Platform is a machine down to its links: hosts, links, and the route that a message
// takes between any two hosts. It only describes; a network model decides what sharing
// a link costs.
type Platform struct {
	Name  string
	Hosts []Host
	Links []Link
	Router
	Notes []string // what was ignored or assumed when the platform was made
}

// Host is a node, where processes run and messages end.
type Host struct {
	Name  string
	Cores int                  // at least 1
	Speed units.FlopsPerSecond // of one core, above 0
	// Memory is the link that stands for the memory of the node, which its computations
	// share, or NoLink if it is not limited.
	Memory int32
}

// NoLink stands for no link.
const NoLink int32 = -1

// Link is one direction of a cable, a switch's backplane, a bus, the memory of a
// node: something with a capacity that messages share.
type Link struct {
	Name      string
	Bandwidth units.BytesPerSecond // above 0
	Latency   units.Seconds        // at least 0
	// FatPipe: messages do not share the bandwidth; each may use all of it.
	FatPipe bool
}

// Router knows the routes between hosts. Implementations must be pure and may be called
// from several goroutines at once.
type Router interface {
	// Route appends to buf the numbers of the links from one host to another, in the
	// order in which a message passes them, and returns the extended slice. A link may
	// occur twice. The route of a host to itself connects its own processes. If there
	// is no route, the error is a *NoRouteError, and buf is returned unchanged.
	Route(buf []int32, from, to int32) ([]int32, error)
}

// NoRouteError reports that a host cannot reach another.
type NoRouteError struct{ From, To string }

func (e *NoRouteError) Error() string { return fmt.Sprintf("no route from %s to %s", e.From, e.To) }

// HostNumber returns the number of the host of that name.
func (p *Platform) HostNumber(name string) (int32, bool) {
	for i := range p.Hosts {
		if p.Hosts[i].Name == name {
			return int32(i), true
		}
	}
	return 0, false
}

// Latency returns the sum of the latencies of the links of a route.
func (p *Platform) Latency(route []int32) units.Seconds {
	var sum units.Seconds
	for _, l := range route {
		sum += p.Links[l].Latency
	}
	return sum
}
