package system

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// A machine of two kinds of nodes: two processes on four cores, which use half of them,
// and four devices, of which three compute.
const twoKinds = `
machine:
  node_types:
    cpu: {cores: 4, marked_speed: 1 Gflop/s, power: 100 W, wait_power: 60 W, idle_power: 20 W}
    gpu:
      cores: 8
      marked_speed: 1 Gflop/s
      power: 200 W
      wait_power: 120 W
      idle_power: 40 W
      devices: {count: 4, speed: {fp64: 4 Gflop/s}, power: 300 W, wait_power: 100 W, idle_power: 50 W}
  nodes: [{type: cpu, count: 3}, {type: gpu, count: 2}]
  network: {latency: 1 ms, bandwidth: 10 MB/s, power: 7 W}
network: NETWORK
placement: {cpu: {processes: 2}, gpu: {on: devices, processes: 3}}
workload: {name: gauss, n: 60}
seed: 1
`

// meterPower integrates the power of all nodes over time, from what observers are told: for
// each node it keeps how many processes compute and are in messages at a time, and sums
// power times time from change to change. It knows nothing of accounts by rank.
type meterPower struct {
	nodeOf  func(rank int) (int, string)
	changes map[int][]change // by node
}

type change struct {
	at                units.Seconds
	compute, messages int
}

func (m *meterPower) Span(s sim.Span) {
	n, _ := m.nodeOf(int(s.Rank))
	up, down := change{at: s.From}, change{at: s.To}
	if s.Part == sim.PartCompute {
		up.compute, down.compute = 1, -1
	} else {
		up.messages, down.messages = 1, -1
	}
	m.changes[n] = append(m.changes[n], up, down)
}
func (m *meterPower) Sent(sim.Sent)         {}
func (m *meterPower) Received(sim.Received) {}

// joules integrates to the end of the run; power says what a node draws while so many of
// its processes compute and so many are in messages.
func (m *meterPower) joules(end units.Seconds, power func(node, compute, messages int) float64, nodes int) float64 {
	sum := 0.0
	for n := range nodes {
		all := m.changes[n]
		slices.SortFunc(all, func(a, b change) int { return cmp.Compare(a.at, b.at) })
		var last units.Seconds
		compute, messages := 0, 0
		for _, c := range all {
			sum += power(n, compute, messages) * float64(c.at-last)
			last, compute, messages = c.at, compute+c.compute, messages+c.messages
		}
		sum += power(n, compute, messages) * float64(end-last)
	}
	return sum
}

func TestEnergyIsTheIntegralOfPower(t *testing.T) {
	// From the text above. Each of the two processes of a cpu node is one of 4 cores; each
	// process on a device is one of 4 devices, and the device itself.
	power := func(node, compute, messages int) float64 {
		c, m := float64(compute), float64(messages)
		if node < 3 {
			return 7 + 20 + c/4*(100-20) + m/4*(60-20)
		}
		return 7 + 40 + 4*50 + c*((200.-40)/4+300-50) + m*((120.-40)/4+100-50)
	}
	for _, network := range []string{"ideal", "hockney", "loggops", "flow"} {
		sys, err := New(scenariotest.Scenario(t, strings.Replace(twoKinds, "NETWORK", network, 1)))
		if err != nil {
			t.Fatal(err)
		}
		m := &meterPower{nodeOf: sys.Placement.Node, changes: map[int][]change{}}
		sys.Observer = m
		x, err := sys.Simulate(context.Background(), 60)
		if err != nil {
			t.Fatal(err)
		}
		want := m.joules(x.Makespan, power, 5)
		near := func(what string, got float64) {
			if math.Abs(got-want) > 1e-12*want {
				t.Errorf("%s: %s is %.16g J, and power over time %.16g J", network, what, got, want)
			}
		}
		e := x.Energy
		near("the total", float64(e.Total))
		sum := 0.0
		for _, j := range e.Ranks {
			sum += float64(j)
		}
		near("the sum of the ranks", sum)
		near("the sum of the parts", float64(e.Compute+e.Messages+e.Idle+e.Network))
		near("mean power times time", float64(e.MeanPower)*float64(x.Makespan))
		if len(e.Assumed) > 0 {
			t.Errorf("%s: all powers are given, but %q", network, e.Assumed)
		}
	}
}

// One process computes for 2 s on one of two cores of a node of 100 W, whose other powers
// are estimates: 50 W idle, 75 W in messages. It ends there: 2 s of 50 W and half of the
// 50 W above.
func TestEnergyByHand(t *testing.T) {
	const text = `
machine:
  node_types: {a: {cores: 2, marked_speed: 1 Gflop/s, power: 100 W}}
  nodes: [{type: a}]
  network: {latency: 1 ms, bandwidth: 10 MB/s}
network: ideal
workload: {name: pattern, n: 1, compute: 2 Gflop}
`
	sys, err := New(scenariotest.Scenario(t, text))
	if err != nil {
		t.Fatal(err)
	}
	x, err := sys.Simulate(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if e := x.Energy; e.Total != 150 || e.Compute != 50 || e.Idle != 100 || e.Messages != 0 || len(e.Assumed) != 2 {
		t.Errorf("%+v, want 150 J: 100 idle and 50 for computing, with two estimates", *e)
	}
}

// Without the power of every node that takes part there is no energy.
func TestNoEnergyWithoutPower(t *testing.T) {
	s := scenariotest.Scenario(t, exchange)
	sys, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	x, err := sys.Simulate(context.Background(), s.Workload.N)
	if err != nil {
		t.Fatal(err)
	}
	if x.Energy != nil {
		t.Errorf("%+v for nodes of unknown power", *x.Energy)
	}
}
