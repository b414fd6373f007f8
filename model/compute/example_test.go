package compute_test

import (
	"fmt"

	"github.com/isoscale/isoscale/model/compute"
)

// Four processes share the 20 GB/s of their node. Each could compute at 10 Gflop/s;
// at 4 byte/flop its 5 GB/s feed 1.25 Gflop/s.
func Example() {
	p := compute.Process{Speed: 10e9, Memory: compute.Share(20e9, 4)}
	fmt.Println(p.Rate(0), p.Rate(4), p.Time(10e9, 40e9))
	// Output: 10 Gflop/s 1.25 Gflop/s 8 s
}
