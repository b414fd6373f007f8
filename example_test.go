package isoscale_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/isoscale/isoscale"
	"github.com/isoscale/isoscale/experiments/machinefile"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Four processes compute for 1 ms each, then meet. A message takes 100 us, and a
// dissemination barrier of four ranks two rounds.
func Example() {
	c, err := isoscale.NewCluster(100e-6, 1e9, isoscale.Node{Name: "node", Count: 4, Cores: 1, Speed: 1e9})
	if err != nil {
		log.Fatal(err)
	}
	result, err := isoscale.Run(context.Background(), isoscale.Simulation{
		Cluster: c,
		Body: func(r *isoscale.Rank) {
			r.Compute(1e6)
			r.Barrier()
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Makespan, result.Messages)
	// Output: 1.2 ms 8
}

func ExampleLoad() {
	c, err := machinefile.Load("sunwulf") // of the catalogue
	if err != nil {
		log.Fatal(err)
	}
	h := c.Hockney()
	h.Latency, h.SendOverhead, h.RecvOverhead = units.Millisecond, 0, 0
	result, err := isoscale.Run(context.Background(), isoscale.Simulation{
		Cluster: c,
		Nodes:   map[string]int{"blade": 2},
		PerNode: map[string]int{"blade": 1},
		Network: h,
		Body: func(r *isoscale.Rank) {
			if r.Rank() == 0 {
				r.Send(1, 0, 0)
			} else {
				r.Recv(0, 0)
			}
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Makespan)
	// Output: 1 ms
}

// A rank on each core of two nodes; the link of a node gives 1 GB/s.
func ExampleFlow() {
	c, err := isoscale.NewCluster(0, 1e9, isoscale.Node{Name: "node", Count: 2, Cores: 4, Speed: 1e9})
	if err != nil {
		log.Fatal(err)
	}
	result, err := isoscale.Run(context.Background(), isoscale.Simulation{
		Cluster: c,
		Network: c.Flow(),
		Body: func(r *isoscale.Rank) {
			// All processes of the first node send to the second one at once: a
			// quarter of the link each.
			if r.Rank() < 4 {
				r.Send(r.Rank()+4, 0, 1e6)
			} else {
				r.Recv(r.Rank()-4, 0)
			}
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Makespan)
	// Output: 4 ms
}

// LogGOPS with an overhead of 2 us on both sides: o + L + o.
func ExampleLogGOPS() {
	c, err := isoscale.NewCluster(5e-6, 1e9, isoscale.Node{Name: "node", Count: 2, Cores: 1, Speed: 1e9})
	if err != nil {
		log.Fatal(err)
	}
	l := c.LogGOPS()
	l.Overhead = 2 * units.Microsecond
	result, err := isoscale.Run(context.Background(), isoscale.Simulation{
		Cluster: c,
		Network: l,
		Body: func(r *isoscale.Rank) {
			if r.Rank() == 0 {
				r.Send(1, 0, 0)
			} else {
				r.Recv(0, 0)
			}
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Makespan)
	// Output: 9 us
}

// doubled is a network of one's own: twice the time of another one.
type doubled struct{ sim.Network }

func (d doubled) Message(from, to int32, size isoscale.Bytes) network.Cost {
	c := d.Network.Message(from, to, size)
	c.Latency *= 2
	c.Transmission *= 2
	return c
}

func ExampleCustom() {
	c, err := isoscale.NewCluster(0, 1, isoscale.Node{Name: "node", Count: 2, Cores: 1, Speed: 1e9})
	if err != nil {
		log.Fatal(err)
	}
	base := network.Hockney{Latency: 1, Bandwidth: 1e6, EagerLimit: 1e9}
	result, err := isoscale.Run(context.Background(), isoscale.Simulation{
		Cluster: c,
		Network: isoscale.Custom(doubled{base}),
		Body: func(r *isoscale.Rank) {
			if r.Rank() == 0 {
				r.Send(1, 0, 1e6)
			} else {
				r.Recv(0, 0)
			}
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Makespan) // 2 (1 s + 1 s)
	// Output: 4 s
}

// ring is a program as a state machine: each rank passes a token on.
type ring struct {
	ranks int
	step  []int
}

func (p *ring) Ranks() int { return p.ranks }

func (p *ring) Next(rank int, op *workloads.Op) bool {
	p.step[rank]++
	receive := workloads.Op{Kind: workloads.Recv, Peer: int32((rank - 1 + p.ranks) % p.ranks)}
	send := workloads.Op{Kind: workloads.Send, Peer: int32((rank + 1) % p.ranks), Size: 8}
	order := []workloads.Op{receive, send}
	if rank == 0 {
		order = []workloads.Op{send, receive}
	}
	if p.step[rank] > 2 {
		return false
	}
	*op = order[p.step[rank]-1]
	return true
}

func ExampleSimulation_program() {
	c, err := isoscale.NewCluster(1e-6, 8e6, isoscale.Node{Name: "node", Count: 1000, Cores: 1, Speed: 1e9})
	if err != nil {
		log.Fatal(err)
	}
	result, err := isoscale.Run(context.Background(), isoscale.Simulation{
		Cluster: c,
		Program: func(ranks int) workloads.Program { return &ring{ranks, make([]int, ranks)} },
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Makespan) // 1000 messages of 1 us + 8 B/(8 MB/s)
	// Output: 2 ms
}

// A broadcast of one's own: the root sends to everybody, one after the other. With
// 1 ms for the latency and 1 ms for the data, the third message leaves after 2 ms.
func ExampleSimulation_collectives() {
	c, err := isoscale.NewCluster(1e-3, 1e9, isoscale.Node{Name: "node", Count: 4, Cores: 1, Speed: 1e9})
	if err != nil {
		log.Fatal(err)
	}
	result, err := isoscale.Run(context.Background(), isoscale.Simulation{
		Cluster:     c,
		Collectives: []collective.Choice{{Operation: workloads.Bcast, Algorithm: star{}}},
		Body:        func(r *isoscale.Rank) { r.Bcast(0, 1e6) },
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Makespan)
	// Output: 4 ms
}

type star struct{}

func (star) Name() string                    { return "star" }
func (star) Operation() workloads.Collective { return workloads.Bcast }
func (star) Step(c collective.Call, rank, k int) (collective.Step, bool) {
	one := collective.Range(0, 1)
	if rank == c.Root {
		return collective.Step{Kind: workloads.Send, Peer: (rank + 1 + k) % c.Size, Blocks: one}, k < c.Size-1
	}
	return collective.Step{Kind: workloads.Recv, Peer: c.Root, Blocks: one}, k < 1
}

func ExampleStudy() {
	run := func(ctx context.Context, nodes int) (*isoscale.Result, error) {
		c, err := isoscale.NewCluster(1e-3, 1e9, isoscale.Node{Name: "node", Count: nodes, Cores: 1, Speed: 1e9})
		if err != nil {
			return nil, err
		}
		return isoscale.Run(ctx, isoscale.Simulation{Cluster: c, Body: func(r *isoscale.Rank) {
			r.Compute(isoscale.Flops(1e9 / float64(r.Size())))
			r.Barrier()
		}})
	}
	nodes := []int{1, 2, 4, 8}
	i := 0
	for result, err := range isoscale.Study(context.Background(), nodes, run) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(nodes[i], result.Makespan)
		i++
	}
	// Output:
	// 1 1 s
	// 2 501 ms
	// 4 252 ms
	// 8 128 ms
}

// Each process computes n^3/p flop and waits 1 s for a barrier of two ranks.
// E = W/(T C) = 1/2 where the computation takes as long as the barrier.
func ExampleIso() {
	on := func(nodes int) func(n int) isoscale.Simulation {
		c, err := isoscale.NewCluster(1, 1e9, isoscale.Node{Name: "node", Count: nodes, Cores: 1, Speed: 1e9})
		if err != nil {
			log.Fatal(err)
		}
		return func(n int) isoscale.Simulation {
			return isoscale.Simulation{Cluster: c, Body: func(r *isoscale.Rank) {
				r.Compute(isoscale.Flops(float64(n) * float64(n) * float64(n) / float64(r.Size())))
				r.Barrier()
			}}
		}
	}
	points, err := isoscale.Iso(context.Background(), 0.5, 1e6, on(2), on(4))
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range points {
		fmt.Printf("C = %v: N = %d, psi = %.3f\n", p.MarkedSpeed, p.N, p.Psi)
	}
	// Output:
	// C = 2 Gflop/s: N = 1260, psi = 0.000
	// C = 4 Gflop/s: N = 2000, psi = 0.500
}

// Errors say what was expected.
func ExampleRun_errors() {
	_, err := isoscale.Run(context.Background(), isoscale.Simulation{})
	fmt.Println(err)
	c, _ := isoscale.NewCluster(0, 1e9, isoscale.Node{Name: "node", Count: 2, Cores: 1, Speed: 1e9})
	_, err = isoscale.Run(context.Background(), isoscale.Simulation{Cluster: c, Body: func(r *isoscale.Rank) { r.Recv(1, 0) }})
	var deadlock *sim.DeadlockError
	fmt.Println(errors.As(err, &deadlock))
	// Output:
	// isoscale: no cluster; expected that of NewCluster, or of machinefile.Load or Read
	// true
}

func ExampleRun_ranks() {
	c, err := isoscale.NewCluster(0, 1e9, isoscale.Node{Name: "node", Count: 2, Cores: 1, Speed: 1e9})
	if err != nil {
		log.Fatal(err)
	}
	_, err = isoscale.Run(context.Background(), isoscale.Simulation{
		Cluster: c,
		Program: func(int) workloads.Program { return &ring{3, make([]int, 3)} },
	})
	fmt.Println(err)
	// Output: a program of 3 ranks for 2 processes; expected as many
}

// Everything wrong is reported at once.
func ExampleNewCluster() {
	_, err := isoscale.NewCluster(1e-6, 1e9, isoscale.Node{Name: "node", Count: 0, Cores: 4})
	fmt.Println(err)
	// Output:
	// node "node": Count 0; expected 1 to 2147483647
	// node "node": Speed 0 flop/s; expected a finite speed above 0
}

// Messages of more than 1 kB wait for their receiver: request, clearance and data
// take a latency each, and the data 1 ms.
func ExampleHockney() {
	c, err := isoscale.NewCluster(1e-3, 1e9, isoscale.Node{Name: "node", Count: 2, Cores: 1, Speed: 1e9})
	if err != nil {
		log.Fatal(err)
	}
	h := c.Hockney()
	h.EagerLimit = units.KB
	result, err := isoscale.Run(context.Background(), isoscale.Simulation{
		Cluster: c,
		Network: h,
		Body: func(r *isoscale.Rank) {
			if r.Rank() == 0 {
				r.Send(1, 0, 1e6)
			} else {
				r.Recv(0, 0)
			}
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Makespan)
	// Output: 4 ms
}
