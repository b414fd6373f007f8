package cluster_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// onRails has nodes of devices with links of 2 us and 400 GB/s and cards of 50 GB/s at 5 us, on a fat tree.
func onRails(t *testing.T, nodes int, cards, devices, tree, network string) *scenario.Scenario {
	t.Helper()
	return scenariotest.Scenario(t, strings.NewReplacer("NODES", strconv.Itoa(nodes), "CARDS", cards, "DEVICES", devices, "TREE", tree, "FLOW", network).Replace(`
machine:
  node_types:
    gpu: {marked_speed: 1 Gflop/s, CARDS, devices: {DEVICES, speed: {fp64: 1 Tflop/s}, link: {latency: 2 us, bandwidth: 400 GB/s}}}
  nodes: [{type: gpu, count: NODES}]
  network: {latency: 5 us, bandwidth: 50 GB/s, topology: {name: fat-tree, TREE}}
placement: {gpu: {on: devices}}
network: FLOW
workload: {name: matmul, n: 8}
`))
}

// messages is a program in which all messages, of m bytes, begin at once.
func messages(ranks int, m units.Bytes, list [][2]int) *sim.Program {
	return sim.NewProgram(ranks, func(r *sim.Rank) {
		var open []sim.Request
		for tag, x := range list {
			if r.Rank() == x[1] {
				open = append(open, r.Irecv(x[0], tag))
			}
			if r.Rank() == x[0] {
				open = append(open, r.Isend(x[1], tag, m))
			}
		}
		for _, q := range open {
			r.Wait(q)
		}
	})
}

const (
	leafSpine = "hosts: 2, spines: 2"
	byDomain  = leafSpine + ", cards: rails"
	bySpine   = byDomain + ", between_rails: spine"
	planes    = leafSpine + ", cards: planes"
	half      = ", oversubscription: 2"
)

// Four nodes of two devices, which have a card each: ranks 2i and 2i + 1 are on node i, nodes 0 1 and 2 3 at the same
// leaves. A message of 1 GB takes 5 us over a leaf switch and 10 us over a spine, 2 us more through a link of its
// domain, and 20 ms at 50 GB/s. Messages that share a cable once the last of them has started take 20 ms each.
func TestMessagesOnRails(t *testing.T) {
	const m, link, near, far = 1e9, 2e-6, 5e-6, 10e-6
	type cost struct{ latency, messages float64 }
	for _, tt := range []struct {
		name     string
		messages [][2]int
		want     map[string]cost
	}{
		{"inside a node", [][2]int{{0, 1}}, map[string]cost{byDomain: {link, 1. / 8}, bySpine: {link, 1. / 8}, planes: {link, 1. / 8}}},
		{"along a rail", [][2]int{{0, 2}}, map[string]cost{byDomain: {near, 1}, bySpine: {near, 1}, planes: {near, 1}}},
		{"along a rail, by a spine", [][2]int{{7, 1}}, map[string]cost{byDomain: {far, 1}, bySpine: {far, 1}, planes: {far, 1}}},
		{"between rails", [][2]int{{0, 3}}, map[string]cost{byDomain: {link + near, 1}, bySpine: {far, 1}, planes: {link + near, 1}}},
		{"between rails, far", [][2]int{{0, 5}}, map[string]cost{byDomain: {link + far, 1}, bySpine: {far, 1}, planes: {link + far, 1}}},
		{"on two rails", [][2]int{{0, 2}, {1, 3}}, map[string]cost{byDomain: {near, 1}, bySpine: {near, 1}, planes: {near, 1}}},
		// Rank 1 uses the card of rank 0, or its own.
		{"a card of two", [][2]int{{0, 4}, {1, 2}}, map[string]cost{byDomain: {link + near, 2}, bySpine: {far, 1}, planes: {link + near, 2}}},
		{"to one card", [][2]int{{0, 4}, {3, 4}}, map[string]cost{byDomain: {far, 2}, bySpine: {far, 2}, planes: {far, 2}}},
		// Both go to the second node of the other leaf, which d-mod-k gives one spine; the two nodes there have two.
		{"an uplink of two", [][2]int{{0, 6}, {2, 6}}, map[string]cost{byDomain: {far, 2}, bySpine: {far, 2}, planes: {far, 2}}},
		{"an uplink each", [][2]int{{0, 4}, {2, 6}}, map[string]cost{byDomain: {far, 1}, bySpine: {far, 1}, planes: {far, 1}}},
		// Cables of spines belong to one rail: from card 0 of node 0 and card 1 of node 1 to the same node.
		{"uplinks of two rails", [][2]int{{0, 6}, {3, 7}}, map[string]cost{byDomain: {far, 1}, bySpine: {far, 1}, planes: {far, 1}}},
		{"oversubscribed", [][2]int{{0, 4}}, map[string]cost{byDomain + half: {far, 2}, bySpine + half: {far, 2}, planes + half: {far, 2}}},
	} {
		for tree, want := range tt.want {
			s := onRails(t, 4, "nics: 2", "count: 2", tree, "flow")
			got := expect.Value(made(t, s, s.Selection).Time(context.Background(), messages(8, m, tt.messages)))(t)
			expect.Near(t, got, units.Seconds(want.latency+want.messages*m/50e9), 1e-11, "%s, %s", tt.name, tree)
		}
	}
}

// Of three devices of a node, two share card 0 of 40 GB/s, and the third has card 1. Where cards are apart, device 1
// reaches the third of another node through that of its own node, and so by card 1.
func TestThreeDevicesOnTwoRails(t *testing.T) {
	const m, link, near, card = 1e9, 2e-6, 5e-6, 40e9
	for _, tt := range []struct {
		name     string
		messages [][2]int
		want     units.Seconds
	}{
		{"two on a card", [][2]int{{0, 3}, {1, 4}}, near + 2*m/card},
		{"two on two cards", [][2]int{{1, 3}, {2, 5}}, near + m/card},
		{"from one card by two", [][2]int{{0, 3}, {1, 5}}, link + near + m/card},
		{"from two cards to one", [][2]int{{1, 3}, {2, 4}}, near + 2*m/card},
	} {
		for _, cards := range []string{"rails", "planes"} {
			s := onRails(t, 2, "rails: [[0, 1], [2]], nic: 40 GB/s", "count: 3", leafSpine+", cards: "+cards, "flow")
			got := expect.Value(made(t, s, s.Selection).Time(context.Background(), messages(6, m, tt.messages)))(t)
			expect.Near(t, got, tt.want, 1e-11, "%s, %s", tt.name, cards)
		}
	}
}

// All of 8 nodes of R = 4 devices send 1 MB to all others at once, with H = 2 nodes at a leaf. Each card carries R
// (N-1) of these messages each way from 5 us on, without a pause, and nothing is slower. The uplinks carry N R^2 (N-H)
// messages, and those to other rails in the same group, N R (H-1)(R-1), where these take the spines.
func TestExchangeOnRails(t *testing.T) {
	const nodes, devices, atLeaf, m = 8, 4, 2, 1e6
	var all [][2]int
	for from := range nodes * devices {
		for to := range nodes * devices {
			if from != to {
				all = append(all, [2]int{from, to})
			}
		}
	}
	far := nodes * devices * devices * (nodes - atLeaf)
	for tree, uplinks := range map[string]int{byDomain: far, planes: far, bySpine: far + nodes*devices*(atLeaf-1)*(devices-1)} {
		for _, routing := range []string{"flow", "{name: flow, routing: spread}"} {
			s := onRails(t, nodes, "nics: 4", "count: 4", tree, routing)
			sys := made(t, s, s.Selection)
			over, p := 0, sys.Transport.Platform
			for _, x := range all {
				for _, l := range expect.Value(p.Route(nil, sys.Transport.Place[x[0]], sys.Transport.Place[x[1]]))(t) {
					if name := p.Links[l].Name; strings.Contains(name, "level") && strings.HasSuffix(name, ".up") {
						over++
					}
				}
			}
			expect.Equal(t, over, uplinks, "messages over uplinks, %s", tree)
			got := expect.Value(sys.Time(context.Background(), messages(nodes*devices, m, all)))(t)
			expect.Near(t, got, 5e-6+devices*(nodes-1)*m/50e9, 1e-11, "%s, %s", tree, routing)
		}
	}
}

// A message alone takes the same time where it is priced as on links: 5 us and 20 ms on a rail; to another rail 2 us
// more, and 50 ms by a link of 20 GB/s. Where the sender's node has no device on that rail, the link is that of the
// receiver's node, with 3 us. Spines take no link. With loggops the first byte is free.
func TestPricesOnRails(t *testing.T) {
	const m, link, near = 1e9, 2e-6, 5e-6
	alone := func(s *scenario.Scenario, network string, from, to int, want float64) {
		t.Helper()
		sys := made(t, s, s.Selection)
		got := expect.Value(sys.Time(context.Background(), messages(len(sys.Speeds), m, [][2]int{{from, to}})))(t)
		expect.Close(t, got, units.Seconds(want), 2e-9, "%s: %d to %d", network, from, to)
	}
	for _, network := range []string{"flow", "hockney", "loggops"} {
		for _, tree := range []string{byDomain, planes, bySpine} {
			s := onRails(t, 2, "nics: 2", "count: 2", tree, network)
			alone(s, network, 0, 1, link+m/400e9)
			alone(s, network, 0, 2, near+m/50e9)
			changed := link
			if tree == bySpine {
				changed = near // the leaf of another rail is a spine away
				if network != "flow" {
					changed = 0
				}
			}
			alone(s, network, 0, 3, changed+near+m/50e9)
			if s.Machine.Types[0].Devices.Link.Bandwidth = 20e9; tree != bySpine {
				alone(s, network, 3, 0, link+near+m/20e9)
			}
		}
		two := scenariotest.Scenario(t, `
machine:
  node_types:
    one: {marked_speed: 1 Gflop/s, nics: 2, devices: {count: 2, speed: {fp64: 1 Tflop/s}, link: {latency: 2 us, bandwidth: 400 GB/s}}}
    both: {marked_speed: 1 Gflop/s, nics: 2, devices: {count: 2, speed: {fp64: 1 Tflop/s}, link: {latency: 3 us, bandwidth: 400 GB/s}}}
  nodes: [{type: one, count: 1}, {type: both, count: 1}]
  network: {latency: 5 us, bandwidth: 50 GB/s, topology: {name: fat-tree, `+planes+`}}
placement: {one: {on: devices, processes: 1}, both: {on: devices}}
network: `+network+`
workload: {name: matmul, n: 8}
`)
		alone(two, network, 0, 2, 3e-6+near+m/50e9)
		alone(two, network, 2, 0, 3e-6+near+m/50e9)
	}
}

// Laws of a group with one device of each node take 5 us between these on a rail, and 2 us more and a link where their
// rails differ; spines take none.
func TestLawsOnRails(t *testing.T) {
	const size = 8e6
	for _, tt := range []struct {
		tree  string
		group collective.List
		link  units.BytesPerSecond
		want  float64
	}{
		{byDomain, collective.List{0, 2}, 20e9, 5e-6 + size/2/50e9},
		{byDomain, collective.List{0, 3}, 400e9, 7e-6 + size/2/50e9},
		{planes, collective.List{0, 3}, 20e9, 7e-6 + size/2/20e9},
		{bySpine, collective.List{0, 3}, 20e9, 5e-6 + size/2/50e9},
		{byDomain, collective.List{0, 1, 2, 3}, 400e9, 2*2e-6 + 5e-6 + size*3/4/100e9},
	} {
		s := onRails(t, 2, "nics: 2", "count: 2", tt.tree, "hockney")
		s.Machine.Types[0].Devices.Link.Bandwidth = tt.link
		got := called(t, made(t, s, s.Selection).Places(), workloads.Allgather, "rails", collective.In(tt.group, 1, 0), size)
		expect.Close(t, got, units.Seconds(tt.want), 1e-9, "%s: %v", tt.tree, tt.group)
	}
}

// In planes a device without links does not reach another card, however messages are priced, unless they are free.
func TestPlanesWithoutLinks(t *testing.T) {
	for _, network := range []string{"flow", "hockney", "loggops", "ideal"} {
		s := onRails(t, 2, "nics: 2", "count: 2", planes, network)
		s.Machine.Types[0].Devices.Link = nil
		_, err := cluster.New(s.Machine, s.Selection, s.Network.Network, cluster.NoLimit)
		if network == "ideal" {
			expect.Success(t, err)
			continue
		}
		expect.Failure(t, err, "a device at card 0 does not reach one at card 1 of another node, as each card is in a plane of its own; expected devices with a link")
	}
}
