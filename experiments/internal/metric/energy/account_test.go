package energy

import (
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// ranks returns the result of a run of 10 s whose processes compute for the times given, wait for messages until they
// finish, and finish at the end.
func ranks(compute ...units.Seconds) *sim.Result {
	r := &sim.Result{Makespan: 10, Ranks: make([]sim.RankResult, len(compute))}
	for i, c := range compute {
		r.Ranks[i].Finish, r.Ranks[i].Compute, r.Ranks[i].WaitMessage = 10, c, 10-c
	}
	return r
}

func equal(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(math.Abs(a), math.Abs(b)) }

// A node of 4 cores draws 100 W idle, 300 W under load and 180 W in messages, and its part
// of the network 20 W. Two processes of a core each take a quarter of the node. In 10 s,
//
//	idle      100 W x 10 s                    = 1000 J
//	network    20 W x 10 s                    =  200 J
//	compute   1/4 x 200 W x (10 s + 6 s)      =  800 J
//	messages  1/4 x  80 W x (0 s + 4 s)       =   80 J
//
// 2080 J, or 208 W. The first process bears 1/4 x 200 W x 10 s and half of 1200 J, 1100 J;
// the second 300 J + 80 J + 600 J.
func TestAccountByHand(t *testing.T) {
	node := &topology.NodeType{Name: "node", Cores: 4, Power: 300, IdlePower: 100, WaitPower: 180}
	p := &topology.Placement{Blocks: []topology.Block{{Type: node, Nodes: 1, Processes: 2, Threads: 1}}}
	a := Of(p, 20, ranks(10, 6))
	for what, c := range map[string]struct{ got, want float64 }{
		"idle":       {float64(a.Idle), 1000},
		"network":    {float64(a.Network), 200},
		"compute":    {float64(a.Compute), 800},
		"messages":   {float64(a.Messages), 80},
		"total":      {float64(a.Total), 2080},
		"mean power": {float64(a.MeanPower), 208},
		"rank 0":     {float64(a.Ranks[0]), 1100},
		"rank 1":     {float64(a.Ranks[1]), 980},
	} {
		expect.That(t, equal(c.got, c.want), "%s: %v, want %v", what, c.got, c.want)
	}
	expect.That(t, len(a.Assumed) == 0 && a.Assumed != nil,
		"assumed %#v, want an empty list: all powers are given", a.Assumed)
	compute, messages := NodeTime(p, p.Blocks[0], ranks(10, 6))
	expect.That(t, equal(float64(compute), 4) && equal(float64(messages), 1),
		"the node computes %v and is in messages %v, want 16 s / 4 and 4 s / 4", compute, messages)
}

// Where they are not given, a power in messages halfway from idle to load and an idle power of half the load are taken,
// and the account says so: with a load of 200 W, 100 W idle and 150 W in messages.
func TestAccountAssumes(t *testing.T) {
	node := &topology.NodeType{Name: "node", Cores: 1, Power: 200}
	p := &topology.Placement{Blocks: []topology.Block{{Type: node, Nodes: 1, Processes: 1, Threads: 1}}}
	a := Of(p, 0, ranks(4)) // 100 W x 10 s + 100 W x 4 s + 50 W x 6 s
	expect.That(t, equal(float64(a.Total), 1700), "%v, want 1700 J", a.Total)
	expect.Says(t, strings.Join(a.Assumed, "; "), "idle_power of node is 100 W", "wait_power of node is 150 W")
}

// A process on a device draws its own power and its part of the node that hosts it. A node
// of 100 to 300 W with 2 devices of 50 to 250 W, one process on each, in messages halfway:
// idle 200 W; computing adds 1/2 x 200 W + 200 W for a process.
func TestAccountOfDevices(t *testing.T) {
	node := &topology.NodeType{
		Name: "node", Cores: 8, Power: 300, IdlePower: 100, WaitPower: 200,
		Devices: &topology.Devices{Count: 2, Power: 250, IdlePower: 50, WaitPower: 150},
	}
	on := func(precision string) *Account {
		b := topology.Block{Type: node, Nodes: 1, Processes: 2, Threads: 4, Precision: precision}
		return Of(&topology.Placement{Blocks: []topology.Block{b}}, 0, ranks(10, 10))
	}
	a := on("fp64")
	expect.That(t, equal(float64(a.Idle), 2000) && equal(float64(a.Compute), 6000) && a.Messages == 0,
		"on devices: %+v, want 2000 J idle and 6000 J computing", a)
	// On the cores instead, the devices stay idle: half of the node for each process.
	a = on("")
	expect.That(t, equal(float64(a.Idle), 2000) && equal(float64(a.Compute), 2000), "on cores: %+v, want 2000 J idle and 2000 J computing", a)
}

// Each part is the sum over ranks and nodes, so a machine of twice the nodes, which do the same, draws twice of
// everything. A process that ends early draws nothing from then on, nor does one whose node is stopped: the run is not
// dearer than one that waits.
func TestAccountAddsUp(t *testing.T) {
	node := &topology.NodeType{Name: "node", Cores: 2, Power: 300, IdlePower: 100, WaitPower: 180}
	of := func(nodes int) *topology.Placement {
		return &topology.Placement{Blocks: []topology.Block{{Type: node, Nodes: nodes, Processes: 2, Threads: 1}}}
	}
	one, two := Of(of(1), 5, ranks(7, 3)), Of(of(2), 5, ranks(7, 3, 7, 3))
	expect.That(t, equal(float64(two.Total), 2*float64(one.Total)) &&
		equal(float64(two.Messages), 2*float64(one.Messages)),
		"two nodes draw %v, want twice %v", two.Total, one.Total)
	sum := Joules(0)
	for _, r := range two.Ranks {
		sum += r
	}
	expect.That(t, equal(float64(sum), float64(two.Total)), "the ranks bear %v of %v", sum, two.Total)
	stopped, early := ranks(7, 3), ranks(7, 3)
	stopped.Ranks[1].WaitMessage, stopped.Ranks[1].Stopped = 0, 7
	early.Ranks[1].WaitMessage, early.Ranks[1].Finish = 0, 3
	a, b := Of(of(1), 5, stopped), Of(of(1), 5, early)
	expect.That(t, a.Total == b.Total && a.Total < one.Total,
		"stopped %v, ended %v, waiting %v; want the first two equal and less", a.Total, b.Total, one.Total)
}

// Without the power of a node, or without the times of all ranks, there is no account.
func TestNoAccount(t *testing.T) {
	node := &topology.NodeType{Name: "node", Cores: 1}
	p := &topology.Placement{Blocks: []topology.Block{{Type: node, Nodes: 1, Processes: 1, Threads: 1}}}
	a := Of(p, 10, ranks(1))
	expect.That(t, a == nil, "%+v without a power", a)
	node.Power = 100
	a = Of(p, 10, &sim.Result{Makespan: 1})
	expect.That(t, a == nil, "%+v without ranks", a)
}

func TestJoulesInWords(t *testing.T) {
	for j, want := range map[Joules]string{0: "0 J", 950: "950 J", 8571: "8.571 kJ", 3.6e6: "3.6 MJ (1 kWh)", 1.21e10: "12.1 GJ (3361 kWh)"} {
		expect.Equal(t, j.String(), want, "text of %g J", float64(j))
	}
}
