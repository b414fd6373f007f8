package isoscale_test

import (
	"context"
	"errors"
	"testing"

	"github.com/isoscale/isoscale"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim"
)

// Processes find nodes and links by the names of the machine, under each network.
func TestProcessesKnowTheCluster(t *testing.T) {
	c := expect.Value(isoscale.NewCluster(0, 1e9,
		isoscale.Node{Name: "old", Count: 2, Cores: 2, Speed: 1e9},
		isoscale.Node{Name: "new", Count: 1, Cores: 1, Speed: 2e9}))(t)
	for name, n := range map[string]isoscale.Network{"hockney": c.Hockney(), "flow": c.Flow()} {
		looked := false
		result := expect.Value(isoscale.Run(context.Background(), isoscale.Simulation{
			Cluster: c, Network: n,
			Body: func(r *isoscale.Rank) { r.Compute(1e9) },
			Processes: []sim.Process{{Name: "onlooker", Body: func(c *sim.Control) {
				looked = true
				if c.Nodes() != 3 || c.Node("old-2") != 1 || c.NodeOf(3) != 1 || c.NodeOf(4) != c.Node("new-1") || c.Speed(2) != 2e9 {
					t.Errorf("%s: %d nodes, rank 3 on %d, rank 4 on %d of %v", name, c.Nodes(), c.NodeOf(3), c.NodeOf(4), c.Speed(2))
				}
				if name == "flow" {
					if b := c.Bandwidth(c.Link("old-1.up")); b != 1e9 {
						t.Errorf("bandwidth %v, want 1 GB/s", b)
					}
				} else if c.Links() != 0 {
					t.Errorf("%d links", c.Links())
				}
				c.SleepUntil(0.25)
				c.SetSpeed(c.Node("new-1"), 0.5e9)
			}}},
		}))(t)
		// By 0.25 s the rank on the new node has done half of its work; the rest takes 1 s.
		expect.That(t, looked && result.Makespan == 1.25, "%s: makespan %v, want 1.25 s", name, result.Makespan)
	}
}

// A failure of a process keeps its type through the entry.
func TestPanicOfAProcess(t *testing.T) {
	boom := errors.New("boom")
	_, err := isoscale.Run(context.Background(), isoscale.Simulation{
		Cluster: pair(0), Body: func(r *isoscale.Rank) { r.Compute(1) },
		Processes: []sim.Process{{Name: "broken", Body: func(*sim.Control) { panic(boom) }}},
	})
	var p *sim.PanicError
	expect.That(t, errors.As(err, &p) && p.Process == "broken" && errors.Is(err, boom),
		"%v, want a *sim.PanicError of boom", err)
}
