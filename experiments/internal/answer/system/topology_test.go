package system

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// carried returns how long a program takes on the links of a machine, one rank on
// each of the first nodes.
func carried(t *testing.T, s *scenario.Scenario, ranks int, body func(r *sim.Rank)) float64 {
	t.Helper()
	c, err := cluster.New(s.Machine, topology.Selection{}, s.Network.Network, cluster.NoLimit)
	if err != nil {
		t.Fatal(err)
	}
	makespan, err := c.Time(context.Background(), sim.NewProgram(ranks, body))
	if err != nil {
		t.Fatal(err)
	}
	return float64(makespan)
}

// wired is a machine of 8 nodes, n-1 to n-8, with 4 us and 1 GB/s. more is what its
// network has besides.
func wired(t *testing.T, more string) *scenario.Scenario {
	t.Helper()
	return scenariotest.Scenario(t, `
machine:
  node_types: {n: {cores: 2, marked_speed: 1 Gflop/s}}
  nodes: [{type: n, count: 8}]
  network:
    latency: 4 us
    bandwidth: 1 GB/s
  `+more+`
network: flow
workload: {name: pattern, n: 1}
`)
}

// Two pairs on 4 us and 1 GB/s, messages of 1 MB: a millisecond if the message
// has the link to itself.
func TestPairsOnABusAndAStar(t *testing.T) {
	oneWay := func(r *sim.Rank) {
		if me := r.Rank(); me%2 == 0 {
			r.Send(me+1, 0, 1e6)
		} else {
			r.Recv(me-1, 0)
		}
	}
	exchange := func(r *sim.Rank) { r.Sendrecv(r.Rank()^1, 0, 1e6, r.Rank()^1) }
	for _, tt := range []struct {
		name, network string
		body          func(r *sim.Rank)
		want          float64
	}{
		{"one way, star", "  topology: star", oneWay, 1.004e-3},
		{"one way, bus", "  topology: bus", oneWay, 2.004e-3},
		{"exchange, star", "", exchange, 1.004e-3},
		{"exchange, half-duplex star", "  half_duplex: true", exchange, 2.004e-3},
		{"exchange, bus", "  topology: bus", exchange, 4.004e-3},
		// 2 us on each of the cables and 4 us on the backbone, which has 4 MB.
		{"exchange, backbone", "  topology: backbone", exchange, 4.008e-3},
		// n-1 and n-2 are neighbours on the grid, and n-3 and n-4.
		{"exchange, mesh", "  topology: {name: mesh, dimensions: [4, 2]}", exchange, 1.004e-3},
	} {
		if got := carried(t, wired(t, tt.network), 4, tt.body); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s: %.9g s, want %.9g s", tt.name, got, tt.want)
		}
	}
}

// Without a topology, groups that are connected otherwise than the nodes in them
// become subclusters. A message on its own takes what between_groups says; two
// share the uplink.
func TestGroupsBecomeSubclusters(t *testing.T) {
	s := scenariotest.Scenario(t, hierarchical+"network: {name: flow, send_overhead: 0 s}\n")
	send := func(pairs ...[2]int) func(r *sim.Rank) {
		return func(r *sim.Rank) {
			for _, p := range pairs {
				switch r.Rank() {
				case p[0]:
					r.Send(p[1], 0, 1e6)
				case p[1]:
					r.Recv(p[0], 0)
				}
			}
		}
	}
	s.Machine.Groups[1].Count = 2 // one more, so that two can be reached
	for _, tt := range []struct {
		name string
		body func(r *sim.Rank)
		want float64
	}{
		{"in a group", send([2]int{0, 1}), 10e-6 + 1e6/1e9},
		{"between groups", send([2]int{0, 2}), 50e-6 + 1e6/100e6},
		{"between groups, two at once", send([2]int{0, 2}, [2]int{1, 3}), 50e-6 + 2e6/100e6},
	} {
		if got := carried(t, s, 4, tt.body); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s: %.9g s, want %.9g s", tt.name, got, tt.want)
		}
	}
	p, err := build.Platform(s.Machine)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"no topology is given: between_groups becomes one uplink of 100 MB/s for each group of nodes, which all messages that leave or enter the group share"}
	if d := cmp.Diff(want, p.Notes); d != "" {
		t.Errorf("want -, got +\n%s", d)
	}
	s.Machine.Network.BetweenGroups.Latency = 1e-6
	if got := carried(t, s, 4, send([2]int{0, 2})); math.Abs(got-(10e-6+1e6/100e6)) > 1e-12 {
		t.Errorf("the cables alone have 10 us, got %.9g s", got)
	}
	if p, err = build.Platform(s.Machine); err != nil || len(p.Notes) != 2 || !strings.Contains(p.Notes[1], "between_groups has less latency than the network, 1 us") {
		t.Errorf("%v, %q", err, p.Notes)
	}
	s.Machine.Network.Topology = build.Star{}
	if got := carried(t, s, 4, send([2]int{0, 2})); math.Abs(got-(10e-6+1e6/1e9)) > 1e-12 {
		t.Errorf("with a topology between_groups is not used, got %.9g s", got)
	}
}
