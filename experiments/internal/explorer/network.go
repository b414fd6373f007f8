package explorer

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
)

// wiring returns the wiring of a scenario's machine, to be drawn.
func wiring(_ context.Context, s *scenario.Scenario, _ *Request) (any, error) {
	p, err := build.Platform(s.Machine)
	if err != nil {
		return nil, err
	}
	if w := watch.WiringOf(s.Machine.Network.Topology, p); w != nil {
		return w, nil
	}
	return nil, input.Errorf("the machine has %d nodes; expected at most %d for a picture of how they are wired", len(p.Hosts), watch.MostHosts)
}

// pairs returns the pairs of processes whose messages use a link.
func pairs(_ context.Context, s *scenario.Scenario, q *Request) (any, error) {
	p, err := build.Platform(s.Machine)
	if err != nil {
		return nil, err
	}
	if s.Network.Flow.Detours() {
		return nil, input.Errorf("messages take several paths with routing %s", s.Network.Flow.Routing)
	}
	placement, err := s.Machine.Place(s.Selection)
	if err != nil {
		return nil, err
	}
	hosts := build.Hosts(s.Machine, placement)
	over := [][2]int{}
	var route []int32
	for _, pair := range q.Pairs {
		for _, r := range pair {
			if r < 0 || r >= len(hosts) {
				return nil, input.Errorf("rank %d; expected one of 0 to %d", r, len(hosts)-1)
			}
		}
		if route, err = p.Route(route[:0], hosts[pair[0]], hosts[pair[1]]); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(route, func(l int32) bool { return p.Links[l].Name == q.Link }) {
			over = append(over, pair)
		}
	}
	return over, nil
}

// proposal is a topology for some number of nodes.
type proposal struct {
	Name string `json:"name"`
	Text string `json:"text"` // JSON, which is also YAML, as after topology: in a file
}

// topologies is the answer to "topologies": those in which a number of nodes can be wired.
func (b *Bridge) topologies(_ context.Context, q *Request) (any, error) {
	if q.Nodes < 1 {
		return nil, input.Errorf("%d nodes; expected at least 1", q.Nodes)
	}
	return topologiesFor(q.Nodes), nil
}

// topologiesFor proposes topologies with sizes for n nodes: leaves of about the square root of n nodes, and trees and
// grids as close to a square or a cube as the divisors of n allow.
func topologiesFor(n int) []proposal {
	leaf := 1
	for leaf*leaf < n {
		leaf *= 2
	}
	leaf = max(leaf, 2)
	spines := max(leaf/2, 1)
	side := divisorNear(n, math.Sqrt(float64(n)))
	first := divisorNear(n, math.Cbrt(float64(n)))
	second := divisorNear(n/first, math.Sqrt(float64(n/first)))
	routers, perRouter := 4, 2
	groups := max(2, (n+routers*perRouter-1)/(routers*perRouter))
	return []proposal{
		{"star", "star"},
		{"bus", "bus"},
		{"backbone", "backbone"},
		{"tree of switches", fmt.Sprintf(`{"name":"tree","levels":[%d,%d]}`, n/side, side)},
		{"fat tree", fmt.Sprintf(`{"name":"fat-tree","hosts":%d,"spines":%d}`, leaf, spines)},
		{"fat tree, 4:1", fmt.Sprintf(`{"name":"fat-tree","hosts":%d,"spines":%d,"oversubscription":4}`, leaf, spines)},
		{"ring", fmt.Sprintf(`{"name":"torus","dimensions":[%d]}`, n)},
		{"torus", fmt.Sprintf(`{"name":"torus","dimensions":[%d,%d]}`, n/side, side)},
		{"torus, 3 dimensions", fmt.Sprintf(`{"name":"torus","dimensions":[%d,%d,%d]}`, n/first/second, second, first)},
		{"mesh", fmt.Sprintf(`{"name":"mesh","dimensions":[%d,%d]}`, n/side, side)},
		{"dragonfly", fmt.Sprintf(`{"name":"dragonfly","groups":%d,"routers":%d,"nodes":%d}`, groups, routers, perRouter)},
	}
}

// divisorNear returns the largest divisor of n that is at most x, or 1.
func divisorNear(n int, x float64) int {
	for d := int(x + 1e-9); d > 1; d-- {
		if n%d == 0 {
			return d
		}
	}
	return 1
}
