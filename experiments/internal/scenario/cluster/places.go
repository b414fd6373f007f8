package cluster

import (
	"cmp"
	"context"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Places returns where the processes are, for collective operations that depend on it: in entries of the machine,
// groups of nodes such as those at a switch, domains of devices, and nodes. Groups that a domain crosses do not count.
// It tries calls by simulation.
func (s *System) Places() *collective.Places {
	p := &collective.Places{Levels: func() [][]int32 {
		node, entry := s.Placement.Locations()
		of, group := build.Groups(s.machine), build.Hosts(s.machine, s.Placement)
		for rank, host := range group {
			group[rank] = of[host]
		}
		domain, groupOf := domainsOf(s.Placement), map[int32]int32{}
		for rank, d := range domain {
			if first, met := groupOf[d]; met && first != group[rank] {
				return [][]int32{entry, domain, node}
			}
			groupOf[d] = group[rank]
		}
		return [][]int32{entry, group, domain, node}
	}}
	if !s.Transport.Kind.Free && !slices.ContainsFunc(s.Placement.Blocks, unlinked) {
		p.Links, p.Aggregates = s.links(), s.machine.Network.SwitchReduction
	}
	alone := *s
	alone.Workers = 1
	p.Time = func(ch collective.Choice, c collective.Call, size units.Bytes) (units.Seconds, error) {
		return alone.Time(context.Background(), newCall(ch, c, size, len(s.Speeds)))
	}
	return p
}

// unlinked reports whether processes are not on devices with links.
func unlinked(b topology.Block) bool { return !b.OnDevices() || b.Type.Devices.Link == nil }

// links returns how devices are connected, for the laws of accelerators. Between nodes the network of the scenario
// counts, except for cards: devices that share them get equal parts, because other calls may use them at the same time.
func (s *System) links() func(rank int32) (place [3]int32, out [3]collective.Cost, reduced, relay collective.Cost) {
	node, block := s.Placement.Locations()
	domain := domainsOf(s.Placement)
	_, card := cardShares(s.machine, s.Placement)
	sharing := map[[2]int32]int{} // by node and card, -1 for all cards
	for rank, c := range card {
		sharing[[2]int32{node[rank], int32(c)}]++
	}
	between := topology.Connection{Latency: s.machine.Network.Latency, Bandwidth: s.machine.Network.Bandwidth}
	if s.network.level != nil {
		between.Latency = s.network.Base.MinLatency()
		if b := s.network.parameter(s.network.Base, Bandwidth); b.Reciprocal {
			between.Bandwidth = units.BytesPerSecond(b.Value)
		} else if b.Value > 0 {
			between.Bandwidth = units.BytesPerSecond(1 / b.Value)
		}
	}
	law, asIs := s.network.law, (*Change)(nil)
	link := func(c topology.Connection) collective.Cost {
		if s.network.level != nil { // the model may be changed
			m := s.network.connected(c)
			return collective.Cost{Base: units.Seconds(s.network.parameter(m, Latency).Cost()), PerByte: units.Seconds(s.network.parameter(m, Bandwidth).Cost())}
		}
		return law.of(c)
	}
	apart := railsOf(s.machine, s.Placement) != nil
	return func(rank int32) ([3]int32, [3]collective.Cost, collective.Cost, collective.Cost) {
		b := &s.Placement.Blocks[block[rank]]
		d, own := b.Type.Devices, int32(card[rank])
		out := topology.Connection{Latency: between.Latency, Bandwidth: cmp.Or(b.Type.NIC, between.Bandwidth)}
		if own < 0 { // all cards, though a device uses one at a time
			out.Bandwidth *= units.BytesPerSecond(min(max(1, b.Type.NICs), b.Processes))
		}
		out.Bandwidth /= units.BytesPerSecond(sharing[[2]int32{node[rank], own}])
		across := d.Link
		if acrossNodes(*b) {
			across = d.Across()
		}
		if !apart {
			own = 0
		}
		far := law.of(out)
		if s.network.level != nil { // the model has been changed, except for cards
			changed := far
			if far = asIs.of(out); b.Type.NIC > 0 {
				far.PerByte = changed.PerByte
			}
		}
		reduced := law.of(topology.Connection{Latency: d.SwitchLatency})
		reduced.PerByte = perByte(d.SwitchReduction)
		return [3]int32{node[rank], domain[rank], own}, [3]collective.Cost{link(*d.Link), link(*across), far}, reduced, law.of(d.Relay)
	}
}

// call is a program of one collective call, in which ranks outside do nothing.
type call struct {
	choice collective.Choice
	of     collective.Call
	blocks collective.UniformBlocks
	place  []int32 // by rank: its place in the call, -1 outside
	done   []int32 // number of steps, by rank
}

func newCall(ch collective.Choice, c collective.Call, size units.Bytes, ranks int) *call {
	n := max(1, collective.BlockCount(ch.Operation, c.Size))
	x := &call{choice: ch, of: c, blocks: collective.Uniform(n, size/units.Bytes(n)), place: make([]int32, ranks), done: make([]int32, ranks)}
	for rank := range x.place {
		if x.place[rank] = int32(rank); c.Group != nil {
			x.place[rank] = -1
		}
	}
	if c.Group != nil {
		for i := range c.Size {
			x.place[c.Group.World(i)] = int32(i)
		}
	}
	return x
}

func (x *call) Ranks() int { return len(x.place) }

func (x *call) Next(rank int, op *workloads.Op) bool {
	place := x.place[rank]
	return place >= 0 && x.of.Size > 1 && collective.Next(x.choice, x.of, x.blocks, 0, int(place), &x.done[rank], op)
}
