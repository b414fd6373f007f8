package topology_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// twoKinds has 1 dual-core head, then 3 workers of 4 cores in two groups.
func twoKinds() *topology.Machine {
	return &topology.Machine{
		Name: "two-kinds",
		Types: []topology.NodeType{
			{Name: "head", Cores: 2, MarkedSpeed: 10},
			{Name: "worker", Cores: 4, MarkedSpeed: 25},
		},
		Groups: []topology.Group{
			{Type: "head", Count: 1, Name: "front"},
			{Type: "worker", Count: 2, Name: "w", First: 1},
			{Type: "worker", Count: 1, Name: "x", First: 7},
		},
	}
}

func ExampleMachine_Place() {
	p, err := twoKinds().Place(topology.Selection{
		Nodes:     map[string]int{"head": 1, "worker": 3},
		Processes: map[string]int{"head": 2},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for r := range p.Ranks() {
		number, name := p.Node(r)
		fmt.Println(r, number, name)
	}
	fmt.Println(p.MarkedSpeed())
	// Output:
	// 0 0 front
	// 1 0 front
	// 2 1 w-1
	// 3 2 w-2
	// 4 3 x-7
	// 95 flop/s
}

// A process has the speed of as many cores as it has threads: the head has two cores of
// 10 flop/s, and one of its processes of two threads uses both.
func TestThreads(t *testing.T) {
	p := expect.Value(twoKinds().Place(topology.Selection{
		Nodes: map[string]int{"head": 1, "worker": 1}, Threads: map[string]int{"head": 2},
	}))(t)
	want := []units.FlopsPerSecond{20, 25}
	expect.That(t, slices.Equal(p.Speeds(), want) && p.MarkedSpeed() == 45,
		"speeds %v and together %v, want %v and 45", p.Speeds(), p.MarkedSpeed(), want)
	worker := twoKinds().Type("worker").Cores
	used, all := p.Cores()
	expect.That(t, used == 3 && all == 2+worker, "%d of %d cores, want 3 of %d", used, all, 2+worker)
}

func TestLocations(t *testing.T) {
	p := expect.Value(twoKinds().Place(topology.Selection{Processes: map[string]int{"head": 2}}))(t)
	// Two processes on the head, one on each of w-1, w-2 and x-7.
	node, group := p.Locations()
	expect.That(t, slices.Equal(node, []int32{0, 0, 1, 2, 3}) && slices.Equal(group, []int32{0, 0, 1, 1, 2}),
		"nodes %v, groups %v", node, group)
}

// Slots 0 and 1 are on the head, 2 to 4 on w-1, w-2 and x-7: rank 0 is on w-2, ranks 1 and 4 on the head.
func TestOrder(t *testing.T) {
	head := map[string]int{"head": 2}
	order := []int32{3, 0, 4, 2, 1}
	p := expect.Value(twoKinds().Place(topology.Selection{Processes: head, Order: order}))(t)
	node, group := p.Locations()
	expect.Same(t, node, []int32{2, 0, 3, 1, 0}, "nodes")
	expect.Same(t, group, []int32{1, 0, 2, 1, 0}, "groups")
	expect.Same(t, p.Speeds(), []units.FlopsPerSecond{25, 10, 25, 25, 10}, "speeds of the nodes")
	for rank, want := range []string{"w-2", "front", "x-7", "w-1", "front"} {
		number, name := p.Node(rank)
		expect.That(t, name == want && number == int(node[rank]) && p.Rank(int(order[rank])) == rank, "rank %d is on %s, %d", rank, name, number)
	}
	for _, bad := range [][]int32{{0, 1}, {0, 1, 2, 3, 3}, {0, 1, 2, 3, 5}, {0, 1, 2, 3, -1}} {
		_, err := twoKinds().Place(topology.Selection{Processes: head, Order: bad})
		expect.That(t, err != nil && strings.Contains(err.Error(), "rank"), "%v: %v", bad, err)
	}
}

func TestPlaceErrors(t *testing.T) {
	type counts = map[string]int
	for _, c := range []struct {
		want string
		sel  topology.Selection
	}{
		{`has no node type "blade"`, topology.Selection{Nodes: counts{"blade": 1}}},
		{"has 3 worker nodes, not 4", topology.Selection{Nodes: counts{"worker": 4}}},
		{"has 1 head nodes, not -1", topology.Selection{Nodes: counts{"head": -1}}},
		{"no node takes part", topology.Selection{Nodes: counts{"head": 0}}},
		{"3 processes on each head node; expected at least 1 and at most 2, one for each core, or network flow", topology.Selection{Processes: counts{"head": 3}}},
		{"0 processes on each worker node; expected at least 1", topology.Selection{Processes: counts{"worker": 0}}},
		{"2 processes of 2 threads on each head node; expected at least 1 and at most 2 in all, one for each core", topology.Selection{Processes: counts{"head": 2}, Threads: counts{"head": 2}}},
		{"1 processes of 0 threads on each head node; expected at least 1", topology.Selection{Threads: counts{"head": 0}}},
		{`has no node type "x"`, topology.Selection{Threads: counts{"x": 1}}},
		{`has no node type "x"`, topology.Selection{Processes: counts{"x": 1}}},
	} {
		expect.Refusal(twoKinds().Place(c.sel))(t, c.want)
	}
}

func TestCatalogue(t *testing.T) {
	names := topology.CatalogueNames()
	expect.That(t, slices.Contains(names, "sunwulf") && slices.IsSorted(names),
		"catalogue %v, want it sorted and with sunwulf", names)
	for _, n := range names {
		data, ok := topology.CatalogueFile(n)
		expect.That(t, ok && len(data) != 0, "no file for %s", n)
	}
	_, ok := topology.CatalogueFile("../doc")
	expect.That(t, !ok, "a name outside the catalogue was found")
}

// withDevices has 2 workers of 4 cores at 25 and 3 devices at 1000 (fp64) or 5000.
func withDevices() *topology.Machine {
	return &topology.Machine{
		Name: "accelerated",
		Types: []topology.NodeType{{
			Name: "gpu", Cores: 4, MarkedSpeed: 25, Memory: 500, MemoryBandwidth: 20, Power: 100, IdlePower: 40,
			OnNode:  &topology.Connection{Latency: 1, Bandwidth: 2},
			Kernels: []topology.Kernel{{Name: "dgemm", Fraction: 0.8}},
			Devices: &topology.Devices{
				Count: 3, Memory: 70, MemoryBandwidth: 300, Power: 50, IdlePower: 10,
				Speeds:  []topology.PrecisionSpeed{{Precision: "fp64", Speed: 1000}, {Precision: "bf16", Speed: 5000}},
				Link:    &topology.Connection{Latency: 3, Bandwidth: 4},
				Kernels: []topology.Kernel{{Name: "dgemm", Fraction: 0.6}},
			},
		}},
		Groups: []topology.Group{{Type: "gpu", Count: 2, Name: "g", First: 1}},
	}
}

// One process on each of two devices of both nodes: 4 x 5000. Their cores and the
// third devices are not counted in C.
func TestPlaceOnDevices(t *testing.T) {
	p := expect.Value(withDevices().Place(topology.Selection{
		Processes: map[string]int{"gpu": 2}, Precision: map[string]string{"gpu": "bf16"},
	}))(t)
	expect.That(t, p.Ranks() == 4 && p.MarkedSpeed() == 20000 && p.Speeds()[3] == 5000,
		"%d ranks at %v, want 4 at 20000 flop/s", p.Ranks(), p.MarkedSpeed())
	_, name := p.Node(2)
	expect.That(t, name == "g-2", "rank 2 is on %s, want g-2", name)
	used, all := p.Devices()
	expect.That(t, used == 4 && all == 6, "%d of %d devices, want 4 of 6", used, all)
	used, all = p.Cores()
	expect.That(t, used == 0 && all == 0, "%d of %d cores, want none of none", used, all)
	run := p.Blocks[0]
	m := run.Memory()
	expect.That(t, m == (topology.Memory{Size: 70, Bandwidth: 300, Processes: 1}), "memory %+v, want that of a device alone", m)
	c := run.OnNode()
	expect.That(t, c.Latency == 3, "connected by %+v, want the link of the devices", c)
	k, _ := run.Type.Kernel("dgemm", true)
	expect.That(t, k == 0.6, "efficiency %v, want that of the devices, 0.6", k)
	// 100 + 3*50 and 40 + 3*10.
	load, idle := run.Type.TotalPower(), run.Type.TotalIdlePower()
	expect.That(t, load == 250 && idle == 70, "power %v and %v, want 250 W and 70 W", load, idle)
}

// Devices that are not selected do not count, except as idle; without a number, there
// is a process on each device.
func TestPlaceBesideDevices(t *testing.T) {
	p := expect.Value(withDevices().Place(topology.Selection{Processes: map[string]int{"gpu": 2}}))(t)
	used, all := p.Devices()
	expect.That(t, used == 0 && all == 6 && p.MarkedSpeed() == 100,
		"%d of %d devices, %v; want 0 of 6, and 4 cores of 25", used, all, p.MarkedSpeed())
	m := p.Blocks[0].Memory()
	expect.That(t, m == (topology.Memory{Size: 500, Bandwidth: 20, Processes: 2}), "memory %+v, want that of the node for 2 processes", m)
	p, err := withDevices().Place(topology.Selection{Precision: map[string]string{"gpu": "fp64"}})
	expect.That(t, err == nil && p.Ranks() == 6, "%v, %v; want a process on each of 6 devices", p, err)
}

func TestPlaceRefusesDevices(t *testing.T) {
	none := twoKinds()
	for _, tt := range []struct {
		want string
		m    *topology.Machine
		sel  topology.Selection
	}{
		{"4 processes on each gpu node; expected at least 1 and at most 3, one for each device", withDevices(), topology.Selection{Processes: map[string]int{"gpu": 4}, Precision: map[string]string{"gpu": "fp64"}}},
		{`precision "fp8" is not known; expected one of fp64, bf16`, withDevices(), topology.Selection{Precision: map[string]string{"gpu": "fp8"}}},
		{"a worker node has no devices", none, topology.Selection{Precision: map[string]string{"worker": "fp64"}}},
	} {
		expect.Refusal(tt.m.Place(tt.sel))(t, tt.want)
	}
}

func TestDefaultPrecision(t *testing.T) {
	speed := func(precision string) topology.PrecisionSpeed {
		return topology.PrecisionSpeed{Precision: precision, Speed: 1}
	}
	for _, tt := range []struct {
		want   string
		speeds []topology.PrecisionSpeed
	}{
		{"fp64", []topology.PrecisionSpeed{speed("bf16"), speed("fp64")}},
		{"bf16", []topology.PrecisionSpeed{speed("bf16")}},
		{"", []topology.PrecisionSpeed{speed("bf16"), speed("fp8")}},
	} {
		expect.Equal(t, (&topology.Devices{Speeds: tt.speeds}).DefaultPrecision(), tt.want, "%v", tt.speeds)
	}
}
