package machinefile_test

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/machinefile"
)

// A machine of the catalogue, and a platform of SimGrid.
func Example() {
	c, err := machinefile.Load("sunwulf")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := machinefile.Load("../../examples/cluster.xml")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(c.Machine.Types), "types of node,", c.Hockney().Latency, "and", len(p.Platform.Hosts), "hosts")
	// Output: 3 types of node, 80 us and 8 hosts
}

func ExampleRead() {
	const text = `
node_types: {node: {cores: 1, marked_speed: 1 Gflop/s}}
nodes: [{type: node, count: two}]
network: {latency: 1 us, bandwidth: 1 GB/s}
`
	_, err := machinefile.Read("two.yaml", strings.NewReader(text))
	fmt.Println(err)
	// Output: two.yaml:3:29: nodes[0].count: found the text "two"; expected a whole number, 1 to 2^28
}
