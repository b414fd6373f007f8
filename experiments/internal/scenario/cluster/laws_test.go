package cluster_test

import (
	"context"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// accelerators is a machine of devices with links of 400 GB/s and 2 us, in nodes with 5 us between them, where cards
// have 50 GB/s. Tests replace CARDS, DEVICES, NODES and NETWORK.
const accelerators = `
machine:
  node_types:
    gpu: {marked_speed: 1 Gflop/s, CARDS, devices: {speed: {fp64: 1 Tflop/s}, link: {latency: 2 us, bandwidth: 400 GB/s}, DEVICES}}
  nodes: [{type: gpu, count: NODES}]
  network: {latency: 5 us, bandwidth: 50 GB/s, switch_reduction: NETWORK}
placement: {gpu: {on: devices}}
network: hockney
workload: {name: matmul, n: 8}
`

// accelerated prepares that machine, with more texts replaced, for which one may be for NETWORK.
func accelerated(t *testing.T, nodes, cards, devices string, more ...string) *cluster.System {
	t.Helper()
	texts := append(more, "NODES", nodes, "CARDS", cards, "DEVICES", devices, "NETWORK", "false") // the first counts
	s := scenariotest.Scenario(t, strings.NewReplacer(texts...).Replace(accelerators))
	return made(t, s, s.Selection)
}

// called is the time of a call of an operation by an algorithm.
func called(t *testing.T, p *collective.Places, op workloads.Collective, algorithm string, c collective.Call, size units.Bytes) units.Seconds {
	t.Helper()
	ch := collective.Choice{Operation: op, Algorithm: expect.Value(collective.Lookup(op, algorithm))(t)}
	return expect.Value(p.Time(ch.On(p), c, size))(t)
}

// An operation on 8 MB of results takes a + b, for its latencies and its bytes, by hand.
func TestLawsByHand(t *testing.T) {
	const (
		s, link, card        = 8e6, 400e9, 50e9
		hop, far             = 2e-6, 5e-6
		domain, domainHop    = 100e9, 3e-6
		node8                = "count: 8"
		rack                 = "count: 2, domain: {nodes: 4}"
		relay                = ", relay: {latency: 70 us, bandwidth: 300 GB/s}"
		slowRack             = "count: 2, domain: {nodes: 4, link: {latency: 3 us, bandwidth: 100 GB/s}}"
		allreduce, allgather = workloads.Allreduce, workloads.Allgather
	)
	for _, tt := range []struct {
		name, nodes, cards, devices string
		op                          workloads.Collective
		algorithm                   string
		group                       collective.Group
		a, b                        float64
	}{
		// One node: a ring through 8 links, 14 hops, 7/8 of the data twice.
		{"a node", "1", "nics: 8", node8, allreduce, "rails", nil, 14 * hop, 2 * 7. / 8 * s / link},
		{"half of the way", "1", "nics: 8", node8, allgather, "rails", nil, 7 * hop, 7. / 8 * s / link},
		{"reduce-scatter", "1", "nics: 8", node8, workloads.ReduceScatter, "rails", nil, 7 * hop, 7. / 8 * s / link},
		// Two levels, 4 nodes: 32 ranks, 28 hops in nodes and 3 between; 8 cards carry 400 GB/s, as a link.
		{"8 rails", "4", "nics: 8", node8, allreduce, "rails", nil, 2 * (28*hop + 3*far), 2 * 31. / 32 * s / link},
		// 4 cards of 8 devices: 200 GB/s out of a node.
		{"4 rails, all share", "4", "nics: 4", node8, allreduce, "rails", nil, 2 * (28*hop + 3*far), 2 * 31. / 32 * s / (4 * card)},
		{"4 rails by pairs", "4", "rails: [[0, 1], [2, 3], [4, 5], [6, 7]]", node8, allreduce, "rails", nil, 2 * (28*hop + 3*far), 2 * 31. / 32 * s / (4 * card)},
		// Three devices on two cards: 100 GB/s out of each of 2 nodes.
		{"3 devices on 2 cards", "2", "rails: [[0, 1], [2]]", "count: 3", allreduce, "rails", nil, 2 * (4*hop + far), 2 * 5. / 6 * s / (2 * card)},
		// Groups: devices 0 of 4 nodes have a rail; devices 0 and 1 of 2 nodes have two, or share one.
		{"a device of each node", "4", "nics: 8", node8, allreduce, "rails", collective.Strided{First: 0, Stride: 8, N: 4}, 2 * 3 * far, 2 * 3. / 4 * s / card},
		// Others use the cards at the same time: of two devices a card each has half, of eight with four cards too, with one an eighth.
		{"one of each pair", "4", "rails: [[0, 1], [2, 3], [4, 5], [6, 7]]", node8, allgather, "rails", collective.Strided{First: 0, Stride: 8, N: 4}, 3 * far, 3. / 4 * s / (card / 2)},
		{"one of all that share four", "4", "nics: 4", node8, allgather, "rails", collective.Strided{First: 0, Stride: 8, N: 4}, 3 * far, 3. / 4 * s / (card / 2)},
		{"one of all that share one", "4", "nics: 1", node8, workloads.Alltoall, "hierarchical", collective.Strided{First: 0, Stride: 8, N: 4}, 3 * far, 3. / 4 * 1e6 / (card / 8)},
		{"two of two nodes", "2", "nics: 8", node8, allgather, "rails", collective.List{0, 1, 8, 9}, 2*hop + far, 3. / 4 * s / (2 * card)},
		{"two with one card", "2", "rails: [[0, 1], [2]]", "count: 3", allgather, "rails", collective.List{0, 1, 3, 4}, 2*hop + far, 3. / 4 * s / card},
		{"unlike domains", "2", "nics: 8", node8, allgather, "rails", collective.List{0, 1, 8}, hop + far, 2. / 3 * s / card},
		{"inside a node", "2", "nics: 8", node8, allgather, "rails", collective.List{8, 9, 11}, 2 * hop, 2. / 3 * s / link},
		// Domains of 4 nodes of 2 devices and 2 cards, one of them: 7 hops by links; two: 14 and one between, 8 cards.
		{"a rack", "4", "nics: 2", rack, allgather, "rails", nil, 7 * hop, 7. / 8 * s / link},
		{"two racks", "8", "nics: 2", rack, allreduce, "rails", nil, 2 * (14*hop + far), 2 * 15. / 16 * s / (8 * card)},
		// Three levels: 8 hops in nodes, 6 in racks, one between. Out of a node go 2 links of 100 GB/s.
		{"three levels", "8", "nics: 2", slowRack, allreduce, "rails", nil, 2 * (8*hop + 6*domainHop + far), 2 * 15. / 16 * s / (2 * domain)},
		{"a device of each node of a rack", "8", "nics: 2", slowRack, allreduce, "rails", collective.Strided{First: 0, Stride: 2, N: 4}, 2 * 3 * domainHop, 2 * 3. / 4 * s / domain},
		// Trees: 7 hops in the node and 2 levels of 4 nodes, there and back.
		{"trees", "4", "nics: 8", node8, allreduce, "double-tree", nil, 2 * (7*hop + 2*far), 2 * s / link},
		{"trees, 5 nodes", "5", "nics: 4", node8, allreduce, "double-tree", nil, 2 * (7*hop + 3*far), 2 * s / (4 * card)},
		{"trees, three levels", "8", "nics: 2", slowRack, allreduce, "double-tree", nil, 2 * (hop + 3*domainHop + far), 2 * s / (2 * domain)},
		// In the switch: 9/8 of the data at 300 GB/s; between 4 nodes trees of two levels with all of it twice, or once what there is.
		{"in the switch", "1", "nics: 8", node8 + ", switch_reduction: 300 GB/s", allreduce, "in-switch", nil, 2 * hop, 9. / 8 * s / 300e9},
		{"in switches and trees", "4", "nics: 4", node8 + ", switch_reduction: 300 GB/s", allreduce, "in-switch", nil, 2*hop + 4*far, 2 * s / (4 * card)},
		// A relay: a level of the trees takes 70 us; a ring through several nodes has 300 GB/s, one in a node the 400 of the link.
		{"trees of relays", "4", "nics: 4", node8 + relay + ", switch_reduction: 300 GB/s", allreduce, "in-switch", nil, 2*hop + 4*70e-6, 2 * s / (4 * card)},
		{"a ring of relays", "4", "nics: 8", node8 + relay, allgather, "rails", nil, 28*hop + 3*far, 31. / 32 * s / 300e9},
		{"no relay in a node", "4", "nics: 8", node8 + relay, allgather, "rails", collective.List{0, 1, 2, 3}, 3 * hop, 3. / 4 * s / link},
		// NCCL takes a ring to have 1.4 (8.4 + 56 x 3.4 + 6 x 14) = 395.92 us of latency, a tree 25 + 4 x 20.9 = 108.6, and
		// 2 x 31/32 s/400 GB/s times 48/45.5 - 1 in favour of the ring: it chooses the tree up to 287.32 us/0.26614 ps = 1.0796 GB.
		{"the tree of NCCL", "4", "nics: 8", node8 + ", switch_reduction: 300 GB/s", allreduce, "nccl", nil, 2*hop + 4*far, 2 * s / (8 * card)},
		{"in all switches", "4", "nics: 4", node8 + ", switch_reduction: 300 GB/s, N", allreduce, "in-switch", nil, 2*hop + far, s / (4 * card)},
		{"a stated way to the switch", "1", "nics: 8", node8 + ", switch_reduction: 300 GB/s, switch_latency: 30 us", allreduce, "in-switch", nil, 2 * 30e-6, 9. / 8 * s / 300e9},
		{"no such switch", "1", "nics: 8", node8, allreduce, "in-switch", nil, 14 * hop, 2 * 7. / 8 * s / link},
		// The tree has 2 (14 + 10) us of latency, the ring 2 (56 + 15) us and as good as no advantage for so few bytes.
		{"shortest", "4", "nics: 8", node8, allreduce, "nccl", nil, 2 * (7*hop + 2*far), 2 * s / link},
		// In an exchange each of 32 gives 1 MB, 24/32 of it out of the node by its card, 7/8 through its link.
		{"exchange", "4", "nics: 8", node8, workloads.Alltoall, "hierarchical", nil, 7*hop + 3*far, 24. / 32 * 1e6 / card},
		{"exchange, slow links", "4", "nics: 8, nic: 600 GB/s", node8, workloads.Alltoall, "hierarchical", nil, 7*hop + 3*far, 7. / 8 * 1e6 / link},
		{"exchange of one device a node", "4", "nics: 8", node8, workloads.Alltoall, "hierarchical", collective.Strided{First: 0, Stride: 8, N: 4}, 3 * far, 3. / 4 * 1e6 / card},
		// Out of a node to its rack 2 ranks send 6/8 of 1 MB by 2 links of 100 GB/s; 8 send half by 8 cards.
		{"exchange, three levels", "8", "nics: 2", slowRack, workloads.Alltoall, "hierarchical", nil, hop + 3*domainHop + far, 8. / 16 * 1e6 / card},
	} {
		devices, network := tt.devices, "false"
		if d, ok := strings.CutSuffix(devices, ", N"); ok {
			devices, network = d, "true"
		}
		sys := accelerated(t, tt.nodes, tt.cards, devices, "NETWORK", network)
		c := collective.Call{Size: len(sys.Speeds)}
		if tt.group != nil {
			c = collective.In(tt.group, 1, 0)
		}
		size := units.Bytes(s)
		if tt.op == workloads.Alltoall {
			size = units.Bytes(1e6 * c.Size)
		}
		got := called(t, sys.Places(), tt.op, tt.algorithm, c, size)
		expect.Close(t, got, units.Seconds(tt.a+tt.b), 1e-9, "%s", tt.name)
	}
}

// Between nodes laws take what the scenario says of the network: 4 nodes of a device with 20 us and 10 GB/s, or 8 us
// and o = 1 us of LogGOPS and 0.2 ns per byte, where the machine has 5 us and 50 GB/s. Rules that try everything try
// laws: 8 devices of a node whose switch reduces 8 MB take 4 us + 30 us, by messages at least 2 x 7/8 S/link, 35 us.
func TestLawsFollowTheNetwork(t *testing.T) {
	for _, tt := range []struct {
		network string
		want    units.Seconds
	}{
		{"{name: hockney, latency: 20 us, bandwidth: 10 GB/s}", 3*20e-6 + 3./4*8e6/10e9},
		{"{name: loggops, L: 8 us, o: 1 us, g: 1 us, G: 0.2 ns}", 3*9e-6 + 3./4*8e6*0.2e-9},
	} {
		places := accelerated(t, "4", "nics: 1", "count: 1", "network: hockney", "network: "+tt.network).Places()
		got := called(t, places, workloads.Allgather, "rails", collective.Call{Size: 4}, 8e6)
		expect.Close(t, got, tt.want, 1e-9, "%s", tt.network)
	}
	places := accelerated(t, "1", "nics: 1", "count: 8, switch_reduction: 300 GB/s").Places()
	rules := expect.Value(collective.LookupRules("tuned"))(t)
	got := expect.Value(places.Time(collective.Choice{Operation: workloads.Allreduce, Rules: rules}.On(places), collective.Call{Size: 8}, 8e6))(t)
	expect.Close(t, got, 2*2e-6+9./8*8e6/300e9, 1e-9, "tuned")
}

// NCCL's tree ends at 1.0796 GB on 4 nodes of 8, by hand above: a ring of 1.08 GB, 2 (28 x 2 + 3 x 5) us and 31/32 of it twice.
func TestChoiceOfNCCL(t *testing.T) {
	places := accelerated(t, "4", "nics: 8", "count: 8, switch_reduction: 300 GB/s").Places()
	for size, want := range map[units.Bytes]units.Seconds{1.079e9: 24e-6 + 2*1.079e9/400e9, 1.08e9: 142e-6 + 2*31./32*1.08e9/400e9} {
		got := called(t, places, workloads.Allreduce, "nccl", collective.Call{Size: 32}, size)
		expect.Close(t, got, want, 1e-9, "%v", size)
	}
}

// On cores, and where devices have no links, laws leave a call to their flat algorithms: here 8 MB between two nodes.
func TestLawsWithoutLinks(t *testing.T) {
	places := accelerated(t, "2", "nics: 1", "count: 1", "{on: devices}", "1").Places()
	got := called(t, places, workloads.Allreduce, "rails", collective.Call{Size: 2}, 8e6)
	expect.Close(t, got, 5e-6+8e6/50e9, 1e-9, "an exchange")
}

// With 65 536 devices, their links are counted once.
func TestLawOfManyDevices(t *testing.T) {
	sys := accelerated(t, "8192", "nics: 8", "count: 8")
	a := expect.Value(collective.Lookup(workloads.Allreduce, "rails"))(t)
	places := sys.Places()
	program := &calls{collective.Choice{Operation: workloads.Allreduce, Algorithm: a}.On(places), make([]int32, 65536)}
	got := expect.Value(sys.Time(context.Background(), program))(t)
	expect.Close(t, got, 3*2*(57344*2e-6+8191*5e-6+65535./65536*8e6/400e9), 1e-9, "three calls")
}

// calls is three calls of 8 MB.
type calls struct {
	choice collective.Choice
	done   []int32
}

func (x *calls) Ranks() int { return len(x.done) }

func (x *calls) Next(rank int, op *workloads.Op) bool {
	if x.done[rank] == 3 {
		return false
	}
	x.done[rank]++
	return collective.Next(x.choice, collective.Call{Size: len(x.done)}, collective.Uniform(1, 8e6), 0, rank, new(int32), op)
}
