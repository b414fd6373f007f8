package machinefile_test

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/machinefile"
)

// A machine of the catalogue, and what its files say of the network.
func Example() {
	c, err := machinefile.Load("sunwulf")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(c.Machine.Types), "types of node,", c.Hockney().Latency)
	// Output: 3 types of node, 80 us
}
