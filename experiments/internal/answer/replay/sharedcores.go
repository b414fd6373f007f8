package replay

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/topology"
)

// sharedCoresWarning says how many ranks share cores because their hosts have
// fewer cores than ranks, and the reason for this placement.
func sharedCoresWarning(p *topology.Platform, place []int32, why string) []string {
	on := make([]int, len(p.Hosts))
	for _, h := range place {
		on[h]++
	}
	ranks, hosts, first := 0, 0, 0
	for h := range p.Hosts {
		if on[h] <= p.Hosts[h].Cores {
			continue
		}
		if hosts == 0 {
			first = h
		}
		hosts++
		ranks += on[h]
	}
	if hosts == 0 {
		return nil
	}
	x := &p.Hosts[first]
	return []string{fmt.Sprintf("%d of %d ranks share cores and compute more slowly: %s more ranks than cores, first %s with %d on %s; %s",
		ranks, len(place), having(hosts), x.Name, on[first], input.Plural(x.Cores, "core"), why)}
}

// having is "1 host has" or "2 hosts have".
func having(hosts int) string {
	if hosts == 1 {
		return "1 host has"
	}
	return fmt.Sprintf("%d hosts have", hosts)
}
