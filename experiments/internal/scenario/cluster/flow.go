package cluster

import (
	"math"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
)

// SharedLinks is the model of package flow.
var SharedLinks = Kind{
	Name: "flow", Title: "messages share the links of the machine's topology, computations the memory of their node: max-min fairness",
	SharesLinks: true, SharesMemory: true,
}

// FlowEagerLimit is the default for the largest message that is sent without waiting for its receiver where messages
// share links. SMPI ([SimGrid2014]) and the MPI libraries have limits of this size. Without a limit, what a process
// sends early would share its cable with what is needed first.
const FlowEagerLimit units.Bytes = 64 << 10

// Flow is the network model whose messages share links.
type Flow struct {
	Parameters flow.Parameters
	Protocol   network.Protocol
	Routing    build.Routing // "" is minimal
	change     *Change       // of the links; nil for none
}

// Detours reports whether messages take ways other than the routes of the platform.
func (f *Flow) Detours() bool { return f != nil && f.Routing != "" && f.Routing != build.Minimal }

// Draws reports whether the ways of messages depend on the seed.
func (f *Flow) Draws() bool { return f != nil && f.Routing == build.Valiant }

// NewFlow returns a network with links that messages share: processes spend send and recv on each message, and the
// sender of a message larger than limit waits for its receiver.
func NewFlow(p flow.Parameters, send, recv units.Seconds, limit units.Bytes) Network {
	below := units.Bytes(math.Nextafter(float64(limit), math.Inf(1)))
	overhead := func(t units.Seconds) network.Overheads { return network.Overheads{{Fixed: t}} }
	return Network{Kind: &SharedLinks, Flow: &Flow{Parameters: p, Protocol: network.Protocol{
		EagerBelow: below, DetachedBelow: below, EveryMessage: true,
		Send: overhead(send), Isend: overhead(send), Recv: overhead(recv),
	}}}
}
