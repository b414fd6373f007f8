package experiments_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments"
	"github.com/isoscale/isoscale/experiments/machinefile"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// nodes are two nodes of some cores on one switch.
func nodes(cores int, latency units.Seconds, bandwidth units.BytesPerSecond) *experiments.Cluster {
	return &experiments.Cluster{Machine: &topology.Machine{
		Types:   []topology.NodeType{{Name: "node", Cores: cores, MarkedSpeed: 1, NIC: bandwidth}},
		Groups:  []topology.Group{{Type: "node", Name: "node", Count: 2, First: 1}},
		Network: topology.Network{Latency: latency, Bandwidth: bandwidth},
	}}
}

// carry runs a program with a rank on each core.
func carry(c *experiments.Cluster, n experiments.Network, body func(r *sim.Rank)) (*sim.Result, error) {
	s, err := c.Prepare(n, nil, nil)
	if err != nil {
		return nil, err
	}
	return s.Run(context.Background(), sim.NewProgram(s.Processes, body))
}

// An eager limit of 0 is 0 bytes in each model: two ranks that send to each other first
// are blocked by a message of a byte, and not by an empty one. Without a limit nothing
// blocks them: a cluster gives none, but 64 KiB where messages share links.
func TestEagerLimitOfZero(t *testing.T) {
	c := nodes(1, 1, 1e9)
	h, l, f := c.Hockney(), c.LogGOPS(), c.Flow()
	h.EagerLimit, l.Synchronous, f.EagerLimit = 0, 0, 0
	none := c.Flow()
	none.EagerLimit = network.NoLimit
	for _, tt := range []struct {
		name        string
		none, limit experiments.Network
	}{{"hockney", c.Hockney(), h}, {"loggops", c.LogGOPS(), l}, {"flow", none, f}} {
		blocked := func(n experiments.Network, size units.Bytes) bool {
			_, err := carry(c, n, func(r *sim.Rank) {
				r.Send(1-r.Rank(), 0, size)
				r.Recv(1-r.Rank(), 0)
			})
			var deadlock *sim.DeadlockError
			if err != nil && !errors.As(err, &deadlock) {
				t.Fatal(tt.name, err)
			}
			return err != nil
		}
		if tt.name == "flow" {
			expect.That(t, !blocked(c.Flow(), 65_536) && blocked(c.Flow(), 65_537), "the limit of a cluster is not 64 KiB")
		}
		expect.That(t, !blocked(tt.none, 1e9) && !blocked(tt.limit, 0) && blocked(tt.limit, 1),
			"%s: blocked without a limit %v; with one of 0, by 0 B %v, by 1 B %v; want false, false, true",
			tt.name, blocked(tt.none, 1e9), blocked(tt.limit, 0), blocked(tt.limit, 1))
	}
}

// Given figures replace those of the cluster, even if they are 0.
func TestNetworksOfFields(t *testing.T) {
	c := nodes(2, 1, 10)
	h, l, f := c.Hockney(), c.LogGOPS(), c.Flow()
	h.Latency, h.OnNode = 0, &topology.Connection{Latency: 2, Bandwidth: 5}
	l.Latency, l.Overhead, l.OnNode = 0, 3, &topology.Connection{Latency: 2, Bandwidth: 5}
	f.SendOverhead, f.RecvOverhead = 3, 4
	for _, tt := range []struct {
		name      string
		network   experiments.Network
		near, far units.Seconds
	}{
		{"the cluster's", nil, 1 + 1, 1 + 1},
		{"hockney", h, 2 + 2, 0 + 1},
		{"loggops", l, 3 + 2 + 3 + 9.0/5, 3 + 0 + 3 + 9.0/10}, // o + L + o + (s-1) G
		{"flow", f, 3 + 4, 3 + 1 + 1 + 4},                     // inside a node a message is there within a microsecond
		{"one's own", experiments.Custom(network.Ideal{}), 0, 0},
	} {
		for to, want := range map[int]units.Seconds{1: tt.near, 2: tt.far} {
			r, err := carry(c, tt.network, func(r *sim.Rank) {
				switch r.Rank() {
				case 0:
					r.Send(to, 0, 10)
				case to:
					r.Recv(0, 0)
				}
			})
			if err != nil {
				t.Fatal(tt.name, err)
			}
			d := r.Makespan - want
			expect.That(t, d <= 1e-6 && d >= -1e-6, "%s, to rank %d: %v, want %v", tt.name, to, r.Makespan, want)
		}
	}
}

// A platform has links, and so no figures between processes: one link of 1 ms and 1 kB/s
// carries 10 bytes in 11 ms.
func TestPlatform(t *testing.T) {
	const text = `<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full">
<host id="a" speed="1f"/><host id="b" speed="1f"/>
<link id="l" bandwidth="1kBps" latency="1ms"/>
<route src="a" dst="b"><link_ctn id="l"/></route>
</zone></platform>`
	c := expect.Value(machinefile.Read("two.xml", strings.NewReader(text)))(t)
	r, err := carry(c, c.Flow(), func(r *sim.Rank) {
		if r.Rank() == 0 {
			r.Send(1, 0, 10)
		} else {
			r.Recv(0, 0)
		}
	})
	expect.That(t, err == nil && r.Makespan == 11*units.Millisecond, "%v, %v; want 11 ms", r, err)
	expect.Refusal(c.Prepare(nil, nil, nil))(t, "expected Flow or Custom")
}
