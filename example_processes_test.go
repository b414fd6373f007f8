package isoscale_test

import (
	"context"
	"fmt"
	"log"

	"github.com/isoscale/isoscale"
	"github.com/isoscale/isoscale/sim"
)

// pair is a cluster of two nodes of one core with 1 flop/s.
func pair(latency isoscale.Seconds) *isoscale.Cluster {
	c, err := isoscale.NewCluster(latency, 1e9, isoscale.Node{Name: "node", Count: 2, Cores: 1, Speed: 1})
	if err != nil {
		log.Fatal(err)
	}
	return c
}

// A failure injector: every 10 s a node stands still for 2 s, one node after the
// other. Each rank computes for 25 s and has one outage: node-1 from 10 s to 12 s,
// node-2 from 22 s to 24 s.
func ExampleSimulation_failures() {
	injector := func(c *sim.Control) {
		for k := 0; ; k++ {
			c.Sleep(10)
			node := k % c.Nodes()
			c.Stop(node)
			c.Sleep(2)
			c.Restart(node)
		}
	}
	result, err := isoscale.Run(context.Background(), isoscale.Simulation{
		Cluster:   pair(0),
		Body:      func(r *isoscale.Rank) { r.Compute(25) },
		Processes: []sim.Process{{Name: "failures", Body: injector}},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range result.Ranks {
		fmt.Println(r.Finish, r.Stopped)
	}
	// Output:
	// 27 s 2 s
	// 27 s 2 s
}

// A scheduler: it gives the next task to the worker that has finished one. While a
// worker is at the task of 5 s, the other one does the rest in 1 + 2 + 1 s.
func ExampleSimulation_scheduler() {
	tasks := []isoscale.Flops{5, 1, 2, 1}
	var done []*sim.Event // of each task
	for i := range tasks {
		done = append(done, sim.NewEvent(fmt.Sprint("end of task ", i)))
	}
	const stop = 1000 // the tag that ends a worker
	scheduler := func(c *sim.Control) {
		var busy []*sim.Event // by worker: the end of its task
		for task := range tasks {
			worker := len(busy)
			if worker < c.Ranks() {
				busy = append(busy, done[task])
			} else {
				e := c.AwaitAny(busy...)
				for worker = 0; busy[worker] != e; worker++ {
				}
				busy[worker] = done[task]
			}
			fmt.Println("at", c.Now(), "worker", worker, "gets task", task)
			c.Send(worker, task, 0)
		}
		for worker := range c.Ranks() {
			c.Send(worker, stop, 0)
		}
	}
	worker := func(r *isoscale.Rank) {
		for {
			task := r.Recv(sim.FromProcess, sim.AnyTag).Tag
			if task == stop {
				return
			}
			r.Compute(tasks[task])
			r.Trigger(done[task])
		}
	}
	result, err := isoscale.Run(context.Background(), isoscale.Simulation{
		Cluster: pair(0), Body: worker, Events: done,
		Processes: []sim.Process{{Name: "scheduler", Body: scheduler}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Makespan)
	// Output:
	// at 0 s worker 0 gets task 0
	// at 0 s worker 1 gets task 1
	// at 1 s worker 1 gets task 2
	// at 3 s worker 1 gets task 3
	// 5 s
}

// A load generator: from 1 s on, somebody else moves data between the nodes without a
// pause. A message of 3 GB has the link of 1 GB/s for itself until then, and half of it
// for the other 2 GB.
func ExampleSimulation_load() {
	load := func(c *sim.Control) {
		c.Sleep(1)
		for {
			c.Await(c.Transfer(0, 1, 100e6))
		}
	}
	c := pair(0)
	result, err := isoscale.Run(context.Background(), isoscale.Simulation{
		Cluster: c,
		Network: c.Flow(),
		Body: func(r *isoscale.Rank) {
			if r.Rank() == 0 {
				r.Send(1, 0, 3e9)
			} else {
				r.Recv(0, 0)
			}
		},
		Processes: []sim.Process{{Name: "load", Body: load}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Makespan)
	// Output: 5 s
}

// A power manager: every second it halves the speed of nodes whose ranks do not compute.
// Rank 1 waits until 10.5 s, so node-2 is slow from 1 s to 11 s: of 4 flop, 0.25 are done
// by then, and the rest takes 3.75 s. Rank 0 has finished at 10 s, so node-1 is slow from
// then on, for the looks from 10 s to 14 s.
func ExampleSimulation_power() {
	slow := 0 // node-seconds
	manager := func(c *sim.Control) {
		full := c.Speed(0)
		for {
			c.Sleep(1)
			for node := range c.Nodes() {
				speed := full / 2
				for _, rank := range c.RanksOn(node) {
					if c.State(rank) == sim.Running {
						speed = full
					}
				}
				if speed < full {
					slow++
				}
				c.SetSpeed(node, speed)
			}
		}
	}
	result, err := isoscale.Run(context.Background(), isoscale.Simulation{
		Cluster: pair(0.5),
		Body: func(r *isoscale.Rank) {
			if r.Rank() == 0 {
				r.Compute(10)
				r.Send(1, 0, 0)
			} else {
				r.Recv(0, 0)
				r.Compute(4)
			}
		},
		Processes: []sim.Process{{Name: "power", Body: manager}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Makespan, slow)
	// Output: 14.75 s 15
}
