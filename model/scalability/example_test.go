package scalability_test

import (
	"fmt"
	"log"

	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// Gaussian elimination on Sunwulf, [Chen2008] 4.4.1: from the speeds of the nodes
// and the sizes that hold E_s = 0.3 on two and four nodes to psi(C_2, C_4).
func Example() {
	const server, blade units.FlopsPerSecond = 20.88e6, 20.29e6 // per CPU
	work := func(n float64) units.Flops {
		return units.Flops(2./3*n*n*n - n*n/2 - 19./6*n + 3)
	}

	// The server lends two CPUs.
	c2, err := scalability.SystemMarkedSpeed([]units.FlopsPerSecond{server, server, blade})
	if err != nil {
		log.Fatal(err)
	}
	c4, err := scalability.SystemMarkedSpeed([]units.FlopsPerSecond{server, server, blade, blade, blade})
	if err != nil {
		log.Fatal(err)
	}
	psi, err := scalability.IsospeedEfficiency(
		scalability.Point{MarkedSpeed: c2, Work: work(310)},
		scalability.Point{MarkedSpeed: c4, Work: work(480)},
	)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("C_2 = %.2f Mflop/s, W = %.0f flop\n", c2/1e6, work(310))
	fmt.Printf("C_4 = %.2f Mflop/s, W = %.0f flop\n", c4/1e6, work(480))
	fmt.Printf("psi(C_2, C_4) = %.3f\n", psi)
	// Output:
	// C_2 = 62.05 Mflop/s, W = 19811638 flop
	// C_4 = 102.63 Mflop/s, W = 73611283 flop
	// psi(C_2, C_4) = 0.445
}

// Twice the machine, then twice again. The first step needs twice the work, the
// second four times: 2*1/(1*2) = 1 and 4*2/(2*8) = 0.5.
func ExampleLadder_Psi() {
	steps, err := scalability.Ladder{
		{MarkedSpeed: 1e9, Work: 1e9},
		{MarkedSpeed: 2e9, Work: 2e9},
		{MarkedSpeed: 4e9, Work: 8e9},
	}.Psi()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(steps)
	// Output:
	// [1 0.5]
}

// One percent of 1 Gflop on one node of 20 Mflop/s takes 0.5 s. A base of 100
// Mflop/s loses another second to overhead, so at its efficiency no machine can
// have 100 (1 + 1/0.5) Mflop/s or more.
func ExampleReachLimit() {
	base := scalability.Point{MarkedSpeed: 100e6, Work: 1e9}
	limit, err := scalability.ReachLimit(base, scalability.Sequential{Fraction: 0.01, Speed: 20e6}, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("C' < %.0f Mflop/s\n", limit/1e6)
	// Output:
	// C' < 300 Mflop/s
}

// Samples on E_s = 0.6 - (1 - N/500)^2: at 0.56 the bracket is 0.2, so N is 400.
func ExampleTrend_ReadOff() {
	trend, err := scalability.FitTrend(2, []scalability.Sample{
		{N: 200, Efficiency: 0.24},
		{N: 300, Efficiency: 0.44},
		{N: 500, Efficiency: 0.60},
	})
	if err != nil {
		log.Fatal(err)
	}
	reading, err := trend.ReadOff(0.56)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("N = %.0f\n", reading.N)
	// Output:
	// N = 400
}
