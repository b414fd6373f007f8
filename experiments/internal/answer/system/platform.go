package system

import (
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// OnPlatform returns a simulation of ranks on the hosts of a platform, rank r on host
// place[r], without its program. With a flow network it also returns the model that
// carries the messages, which is good for one simulation.
func OnPlatform(p *topology.Platform, place []int32, n networks.Network) (sim.Config, *flow.Model, error) {
	if err := checkMemory(len(place), true, noLimit); err != nil {
		return sim.Config{}, nil, err
	}
	if n.Flow == nil {
		c := sim.Config{Network: n.Own, Rates: make([]units.FlopsPerSecond, len(place)), Ranks: true, Site: siteOf(p)}
		c.Site.Place, c.Site.Links = place, nil
		for r, h := range place {
			c.Rates[r] = p.Hosts[h].Speed
		}
		return c, nil, nil
	}
	f, err := flow.New(flowMachine(p, place), n.Flow.Parameters)
	if err != nil {
		return sim.Config{}, nil, input.Errorf("%v", err)
	}
	return sim.Config{Fabric: f, Protocol: n.Flow.Protocol, Ranks: true, Site: siteOf(p)}, f, nil
}
