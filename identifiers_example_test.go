package isoscale_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/isoscale/isoscale"
	"github.com/isoscale/isoscale/experiments/machinefile"
	"github.com/isoscale/isoscale/model/units"
)

// twoNodes are two nodes of one core with 1 Gflop/s; a message takes 1 ms and 1 GB/s.
func twoNodes() *isoscale.Cluster {
	c, err := isoscale.NewCluster(units.Millisecond, units.GB.PerSecond(),
		isoscale.Node{Name: "node", Count: 2, Cores: 1, Speed: units.Gflop.PerSecond()})
	if err != nil {
		log.Fatal(err)
	}
	return c
}

// A cluster does not change: several simulations may use it at once.
func ExampleCluster() {
	const machine = `
node_types: {node: {cores: 1, marked_speed: 1 Gflop/s}}
nodes: [{type: node, count: 4}]
network: {latency: 1 ms, bandwidth: 1 GB/s}
`
	c, err := machinefile.Read("four.yaml", strings.NewReader(machine))
	if err != nil {
		log.Fatal(err)
	}
	run := func(ctx context.Context, nodes int) (*isoscale.Result, error) {
		return isoscale.Run(ctx, isoscale.Simulation{
			Cluster: c,
			Nodes:   map[string]int{"node": nodes},
			Body:    func(r *isoscale.Rank) { r.Compute(isoscale.Flops(4e9 / float64(r.Size()))) },
		})
	}
	for result, err := range isoscale.Study(context.Background(), []int{1, 2, 4}, run) {
		fmt.Println(result.Makespan, err)
	}
	// Output:
	// 4 s <nil>
	// 2 s <nil>
	// 1 s <nil>
}

// A fast and two slow nodes; a node's cores run a process each.
func ExampleNode() {
	c, err := isoscale.NewCluster(0, units.GB.PerSecond(),
		isoscale.Node{Name: "fast", Count: 1, Cores: 1, Speed: 3 * units.Gflop.PerSecond()},
		isoscale.Node{Name: "slow", Count: 2, Cores: 2, Speed: units.Gflop.PerSecond()})
	if err != nil {
		log.Fatal(err)
	}
	result, err := isoscale.Run(context.Background(), isoscale.Simulation{
		Cluster: c,
		Body:    func(r *isoscale.Rank) { r.Compute(3 * units.Gflop) },
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, rank := range result.Ranks {
		fmt.Print(rank.Finish, " ")
	}
	// Output: 1 s 3 s 3 s 3 s 3 s
}

// The same program under three networks. The message of 1 MB takes 1 ms for the
// latency and 1 ms for the data; under LogGOPS with overheads of 1 ms at both ends.
func ExampleNetwork() {
	c := twoNodes()
	logGOPS := c.LogGOPS()
	logGOPS.Overhead = units.Millisecond
	for _, n := range []isoscale.Network{c.Hockney(), c.Flow(), logGOPS} {
		result, err := isoscale.Run(context.Background(), isoscale.Simulation{
			Cluster: c,
			Network: n,
			Body: func(r *isoscale.Rank) {
				if r.Rank() == 0 {
					r.Send(1, 0, units.MB)
				} else {
					r.Recv(0, 0)
				}
			},
		})
		fmt.Println(result.Makespan, err)
	}
	// Output:
	// 2 ms <nil>
	// 2 ms <nil>
	// 4 ms <nil>
}

// Each rank sends to the other one while it computes, and waits for both.
func ExampleRank() {
	_, err := isoscale.Run(context.Background(), isoscale.Simulation{
		Cluster: twoNodes(),
		Body: func(r *isoscale.Rank) {
			other := 1 - r.Rank()
			r.Irecv(other, 0)
			r.Isend(other, 0, 3*units.MB)
			r.Compute(10 * units.Mflop) // 10 ms
			r.Waitall()
			if r.Rank() == 0 {
				fmt.Println(r.Now())
			}
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output: 10 ms
}

// Rank 1 waits for 3 ms: 1 ms until rank 0 sends, and 2 ms for the message.
func ExampleResult() {
	result, err := isoscale.Run(context.Background(), isoscale.Simulation{
		Cluster: twoNodes(),
		Body: func(r *isoscale.Rank) {
			if r.Rank() == 0 {
				r.Compute(units.Mflop)
				r.Send(1, 0, units.MB)
			} else {
				r.Recv(0, 0)
			}
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Makespan, result.Messages, result.Bytes, result.Work)
	fmt.Println(result.Ranks[0].Compute, result.Ranks[1].Wait())
	// Output:
	// 3 ms 1 1 MB 1 Mflop
	// 1 ms 3 ms
}

// E = W/(T C): half of the time goes into the barrier of 1 ms.
func ExampleIsoPoint() {
	points, err := isoscale.Iso(context.Background(), 0.5, 1e6, func(n int) isoscale.Simulation {
		return isoscale.Simulation{Cluster: twoNodes(), Body: func(r *isoscale.Rank) {
			r.Compute(isoscale.Flops(n))
			r.Barrier()
		}}
	})
	if err != nil {
		log.Fatal(err)
	}
	p := points[0]
	fmt.Println(p.N, p.Time, p.Work, p.MarkedSpeed, p.Efficiency)
	// Output: 1000000 2 ms 2 Mflop 2 Gflop/s 0.5
}

func ExampleSeconds() {
	t := 1500 * units.Microsecond
	fmt.Println(t, float64(t))
	// Output: 1.5 ms 0.0015
}

func ExampleBytes() {
	matrix := isoscale.Bytes(8 * 1000 * 1000)
	fmt.Println(matrix, matrix.Over(2*units.GB.PerSecond()))
	// Output: 8 MB 4 ms
}

func ExampleFlops() {
	n := 1000.0
	product := isoscale.Flops(2 * n * n * n)
	fmt.Println(product, product.At(20*units.Gflop.PerSecond()))
	// Output: 2 Gflop 100 ms
}
