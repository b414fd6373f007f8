package experiments_test

import (
	"context"
	"fmt"

	"github.com/isoscale/isoscale/experiments"
	"github.com/isoscale/isoscale/experiments/machinefile"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/sim"
)

// What package isoscale does: a machine of the catalogue, a network model on it, and
// a program on the processes.
func Example() {
	c, err := machinefile.Load("sunwulf")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := c.Prepare(experiments.Custom(network.Ideal{}), map[string]int{"blade": 1}, map[string]int{"blade": 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := s.Run(context.Background(), sim.NewProgram(s.Processes, func(r *sim.Rank) { r.Delay(2) }))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Processes, s.MarkedSpeed, r.Makespan)
	// Output: 2 40.58 Mflop/s 2 s
}
