package compute_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/compute"
	"github.com/isoscale/isoscale/model/units"
)

// A node of 4 cores of 10 Gflop/s and 20 GB/s: a process of 4 has 5 GB/s. The
// ridge of its roofline is at 5e9/10e9 = 0.5 byte/flop.
func TestRooflineByHand(t *testing.T) {
	p := compute.Process{Speed: 10e9, Memory: compute.Share(20e9, 4)}
	expect.Need(t, p.Memory == 5e9, "each of 4 processes has %v of 20 GB/s, want 5 GB/s", p.Memory)
	for _, tt := range []struct {
		name         string
		bytesPerFlop float64
		rate         units.FlopsPerSecond
		time         units.Seconds // of 40 Gflop
	}{
		{"no traffic", 0, 10e9, 4},
		{"below the ridge", 0.25, 10e9, 4},
		{"at the ridge", 0.5, 10e9, 4},
		{"above the ridge", 1, 5e9, 8},
		{"far above the ridge", 4, 1.25e9, 32},
	} {
		expect.Equal(t, p.Rate(tt.bytesPerFlop), tt.rate, "%s", tt.name)
		expect.Equal(t, p.Time(40e9, units.Bytes(40e9*tt.bytesPerFlop)), tt.time, "%s", tt.name)
	}
}

func TestRooflineLimits(t *testing.T) {
	for _, tt := range []struct {
		name      string
		got, want float64
	}{
		{"bandwidth not known", float64(compute.Share(0, 3)), math.Inf(1)},
		{"one process has all of it", float64(compute.Share(20e9, 1)), 20e9},
		{"no limit by memory: W/v", float64(compute.Process{Speed: 2, Memory: compute.Unlimited}.Time(6, 1e300)), 3},
		{"no limit by memory: v", float64(compute.Process{Speed: 2, Memory: compute.Unlimited}.Rate(1e300)), 2},
		{"no traffic, no work", float64(compute.Process{Speed: 2, Memory: 4}.Time(0, 0)), 0},
		{"traffic alone: Q/m", float64(compute.Process{Speed: 2, Memory: 4}.Time(0, 8)), 2},
		{"traffic without end", float64(compute.Process{Speed: 2, Memory: 4}.Rate(math.Inf(1))), 0},
	} {
		expect.Equal(t, tt.got, tt.want, "%s", tt.name)
	}
}

// Four processes share the 20 GB/s of their node. Each could compute at 10 Gflop/s;
// at 4 byte/flop its 5 GB/s feed 1.25 Gflop/s.
func Example() {
	p := compute.Process{Speed: 10e9, Memory: compute.Share(20e9, 4)}
	fmt.Println(p.Rate(0), p.Rate(4), p.Time(10e9, 40e9))
	// Output: 10 Gflop/s 1.25 Gflop/s 8 s
}
