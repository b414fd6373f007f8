package isoscale_test

import (
	"context"
	"errors"
	"testing"

	"github.com/isoscale/isoscale"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// An eager limit of 0 is 0 bytes in each model: two ranks that send to each other first
// are blocked by a message of a byte, and not by an empty one. Without a limit, which is
// what a cluster gives, nothing blocks them.
func TestEagerLimitOfZero(t *testing.T) {
	c := pair(1)
	h, l, f := c.Hockney(), c.LogGOPS(), c.Flow()
	h.EagerLimit, l.Synchronous, f.EagerLimit = 0, 0, 0
	for _, tt := range []struct {
		name        string
		none, limit isoscale.Network
	}{{"hockney", c.Hockney(), h}, {"loggops", c.LogGOPS(), l}, {"flow", c.Flow(), f}} {
		blocked := func(n isoscale.Network, size isoscale.Bytes) bool {
			_, err := isoscale.Run(context.Background(), isoscale.Simulation{Cluster: c, Network: n, Body: func(r *isoscale.Rank) {
				r.Send(1-r.Rank(), 0, size)
				r.Recv(1-r.Rank(), 0)
			}})
			var deadlock *sim.DeadlockError
			if err != nil && !errors.As(err, &deadlock) {
				t.Fatal(tt.name, err)
			}
			return err != nil
		}
		if blocked(tt.none, 1e9) || blocked(tt.limit, 0) || !blocked(tt.limit, 1) {
			t.Errorf("%s: blocked without a limit %v; with one of 0, by 0 B %v, by 1 B %v; want false, false, true",
				tt.name, blocked(tt.none, 1e9), blocked(tt.limit, 0), blocked(tt.limit, 1))
		}
	}
}

// What is given counts as it is, also where it is 0, in place of what the cluster has.
func TestNetworksOfFields(t *testing.T) {
	c, err := isoscale.NewCluster(1, 10, isoscale.Node{Name: "node", Count: 2, Cores: 2, Speed: 1})
	if err != nil {
		t.Fatal(err)
	}
	h, l, f := c.Hockney(), c.LogGOPS(), c.Flow()
	h.Latency, h.OnNode = 0, &topology.Connection{Latency: 2, Bandwidth: 5}
	l.Latency, l.Overhead, l.OnNode = 0, 3, &topology.Connection{Latency: 2, Bandwidth: 5}
	f.SendOverhead, f.RecvOverhead = 3, 4
	for _, tt := range []struct {
		name      string
		network   isoscale.Network
		near, far isoscale.Seconds
	}{
		{"the cluster's", nil, 1 + 1, 1 + 1},
		{"hockney", h, 2 + 2, 0 + 1},
		{"loggops", l, 3 + 2 + 3 + 9.0/5, 3 + 0 + 3 + 9.0/10}, // o + L + o + (s-1) G
		{"flow", f, 3 + 4, 3 + 1 + 1 + 4},                     // inside a node a message is there within a microsecond
		{"one's own", isoscale.Custom(network.Ideal{}), 0, 0},
	} {
		for to, want := range map[int]isoscale.Seconds{1: tt.near, 2: tt.far} {
			r, err := isoscale.Run(context.Background(), isoscale.Simulation{Cluster: c, Network: tt.network, Body: func(r *isoscale.Rank) {
				switch r.Rank() {
				case 0:
					r.Send(to, 0, 10)
				case to:
					r.Recv(0, 0)
				}
			}})
			if err != nil {
				t.Fatal(tt.name, err)
			}
			if d := r.Makespan - want; d > 1e-6 || d < -1e-6 {
				t.Errorf("%s, to rank %d: %v, want %v", tt.name, to, r.Makespan, want)
			}
		}
	}
}
