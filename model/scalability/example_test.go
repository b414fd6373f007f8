package scalability_test

import (
	"fmt"
	"log"
	"math"

	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// must returns the value of a call, and ends an example that went wrong.
func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

// Gaussian elimination on Sunwulf, [Chen2008] 4.4.1: from the speeds of the nodes
// and the sizes that hold E_s = 0.3 on two and four nodes to psi(C_2, C_4).
func Example() {
	const server, blade units.FlopsPerSecond = 20.88e6, 20.29e6 // per CPU
	work := func(n float64) units.Flops {
		return units.Flops(2./3*n*n*n - n*n/2 - 19./6*n + 3)
	}

	// The server lends two CPUs.
	c2 := must(scalability.SystemMarkedSpeed([]units.FlopsPerSecond{server, server, blade}))
	c4 := must(scalability.SystemMarkedSpeed([]units.FlopsPerSecond{server, server, blade, blade, blade}))
	psi := must(scalability.IsospeedEfficiency(
		scalability.Point{MarkedSpeed: c2, Work: work(310)},
		scalability.Point{MarkedSpeed: c4, Work: work(480)},
	))
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
	fmt.Println(must(scalability.Ladder{
		{MarkedSpeed: 1e9, Work: 1e9},
		{MarkedSpeed: 2e9, Work: 2e9},
		{MarkedSpeed: 4e9, Work: 8e9},
	}.Psi()))
	// Output:
	// [1 0.5]
}

// One percent of 1 Gflop on one node of 20 Mflop/s takes 0.5 s. A base of 100
// Mflop/s loses another second to overhead, so at its efficiency no machine can
// have 100 (1 + 1/0.5) Mflop/s or more.
func ExampleReachLimit() {
	base := scalability.Point{MarkedSpeed: 100e6, Work: 1e9}
	limit := must(scalability.ReachLimit(base, scalability.Sequential{Fraction: 0.01, Speed: 20e6}, 1))
	fmt.Printf("C' < %.0f Mflop/s\n", limit/1e6)
	// Output:
	// C' < 300 Mflop/s
}

// Samples on E_s = 0.6 - (1 - N/500)^2: at 0.56 the bracket is 0.2, so N is 400.
func ExampleTrend_ReadOff() {
	trend := must(scalability.FitTrend(2, []scalability.Sample{
		{N: 200, Efficiency: 0.24},
		{N: 300, Efficiency: 0.44},
		{N: 500, Efficiency: 0.60},
	}))
	fmt.Printf("N = %.0f\n", must(trend.ReadOff(0.56)).N)
	// Output:
	// N = 400
}

// Speedups and what laws make of them, efficiencies and overhead, by hand.
func Example_equalProcessors() {
	show := func(name string, v any) { fmt.Println(name, v) }
	// 100 s on one processor, 20 s on nine.
	show("S", must(scalability.Speedup(100, 20)))
	// A speedup of 6 on 8 processors, and where a network without cost would allow 7.5.
	show("E", must(scalability.Efficiency(6, 8)))
	show("Sc", must(scalability.IdealRatio(6, 7.5)))
	// An hour's work on 80 processors at an efficiency of 0.75, and on how many in a minute.
	show("T_p", must(scalability.TimeAtEfficiency(3600, 0.75, 80)))
	show("p", must(scalability.ProcessorsAtEfficiency(3600, 0.75, 60)))
	// It grows with p, so overhead limits this speedup and not sequential work: (2/1.6 - 1)/1,
	// (4/2 - 1)/3 and (8/2 - 1)/7.
	e := scalability.KarpFlatt
	fmt.Printf("e %.3f %.3f %.3f\n", must(e(1.6, 2)), must(e(2, 4)), must(e(2, 8)))
	// One tenth sequential, nine processors: 1/(0.1 + 0.9/9). Half of the time on them: 0.5 + 0.5 9.
	show("Amdahl", must(scalability.Amdahl(0.1, 9)))
	show("Gustafson", must(scalability.Gustafson(0.5, 9)))
	// Matrix multiplication on 4 processors with 4 times the memory: matrices of twice the
	// order, 8 times the work. (0.2 + 0.8 8)/(0.2 + 0.8 8/4) = 6.6/1.8.
	fmt.Printf("Sun-Ni %.3f\n", must(scalability.SunNi(0.2, 4, math.Pow(4, 1.5))))
	// Nine processors for 20 s are 180 s, of which 100 s are work.
	show("T_o", must(scalability.TotalOverhead(9, 20, 100)))
	// One second lost for each four of work.
	show("E", must(scalability.OverheadEfficiency(20, 80)))
	// An efficiency of 0.75 asks for three times as much work as overhead: with ten seconds of
	// it on processors of 20 Mflop/s, K T_o C_1 = 3 10 20 Mflop.
	show("K", must(scalability.IsoefficiencyConstant(0.75)))
	show("W", must(scalability.IsoefficiencyWork(0.75, 10, 20e6)))
	// Output:
	// S 5
	// E 0.75
	// Sc 0.8
	// T_p 60 s
	// p 80
	// e 0.250 0.333 0.429
	// Amdahl 5
	// Gustafson 5
	// Sun-Ni 3.667
	// T_o 80 s
	// E 0.8
	// K 3
	// W 600 Mflop
}

// A reduction of n numbers on 8 processors: n operations, and an overhead of
// 2 p log2 p = 48 operations, each 1 us. It has an efficiency of n/(n + 48), which is 0.8
// at n = 192.
func ExampleSizeModel() {
	m := scalability.SizeModel{
		Work:     func(n float64) units.Flops { return units.Flops(n) },
		Overhead: func(float64) units.Seconds { return 48e-6 },
		Speed:    1e6,
	}
	fmt.Printf("%.2f %.0f\n", must(m.Efficiency(16)), must(m.Size(0.8, 1, 1e6)))
	// Output:
	// 0.25 192
}

// Processors that are not equal, and sets of them, by hand and as papers print it.
func Example_unequalProcessors() {
	show := func(name string, v any) { fmt.Println(name, v) }
	// Processors of 30 and 10 Mflop/s could do 80 Mflop in 2 s and took 2.5 s. By the classic
	// efficiency that is worth 1.6 or 0.53, as the reference is the slow or the fast one:
	// 0.8 40/(2 10) and 0.8 40/(2 30).
	show("eps", must(scalability.HeterogeneousEfficiency(80e6, 2.5, 40e6)))
	fmt.Printf("E %.2f %.2f\n", must(scalability.ClassicEfficiency(0.8, 2, 40e6, 10e6)),
		must(scalability.ClassicEfficiency(0.8, 2, 40e6, 30e6)))
	// At eps = 0.8, K is 4: half a second lost on 40 Mflop/s asks for 4 0.5 40 Mflop.
	show("W", must(scalability.HIsoefficiencyWork(0.8, 0.5, 40e6)))
	// Floyd's algorithm, [Bosque] Table 2: from n = 128 on two slow processors to two slow
	// and two fast ones, n = 128 sqrt(P_T 2/(P_T0 1)).
	const slow, fast units.FlopsPerSecond = 34230899, 83988126 // cell updates for each second
	fmt.Printf("n %.2f\n", must(scalability.HIsoefficiencySize(128,
		scalability.OverheadPoint{Power: 2 * slow, Factor: math.Log2(2)},
		scalability.OverheadPoint{Power: 2*slow + 2*fast, Factor: math.Log2(4)}, 3, 1)))
	// [He2004] Table 2: four processors in two nodes are worth 2.77 lone ones.
	fmt.Printf("rf %.2f\n", must(scalability.ReferenceFactor(4, 33.07, 47.69)))
	// A set that is worth 3 processors took 4 s for what takes one 9 s. It did 240 Mflop, 20 for
	// each second and processor; one worth twice as much needs five times the work to hold that.
	show("E", must(scalability.ExtendedEfficiency(9, 3, 4)))
	show("V", must(scalability.ExtendedSpeed(240e6, 3, 4)))
	show("psi", must(scalability.ExtendedIsospeed(3, 240e6, 6, 1200e6)))
	// Four processors for 10 s, of which they computed 32 s: each lost 2 s on average. At the same
	// efficiency, each processor of a larger system loses 5 s, and its larger work takes 25 s.
	show("L_e", must(scalability.AverageLatency(4, 10, 32)))
	show("latency scale", must(scalability.LatencyScale(2, 5)))
	show("time scale", must(scalability.TimeScale(10, 25)))
	// Output:
	// eps 0.8
	// E 1.60 0.53
	// W 80 Mflop
	// n 336.40
	// rf 2.77
	// E 0.75
	// V 20 Mflop/s
	// psi 0.4
	// L_e 2 s
	// latency scale 0.4
	// time scale 0.4
}

// What a step in one direction of machine and problem brings.
func ExampleSatisfaction() {
	// log2 of Amdahl's speedup for one tenth sequential, at r = log2 p = 3. A doubling from
	// 8 to 16 processors brings log2(6.4/4.706) = 0.44; the slope at 8 is 9/17 = 0.53.
	var amdahl scalability.Satisfaction = func(n []float64) float64 { return -math.Log2(0.1 + 0.9/math.Exp2(n[0])) }
	at, along := []float64{3}, []float64{1}
	fmt.Printf("doubling %.3f, slope %.3f\n",
		must(amdahl.Directional(at, along, 1)).Value, must(amdahl.Directional(at, along, 1e-4)).Limit)
	// U = x^2 y at (3, 2): 2 x y = 12 and x^2 = 9.
	var u scalability.Satisfaction = func(n []float64) float64 { return n[0] * n[0] * n[1] }
	slopes := must(u.Gradient([]float64{3, 2}, []float64{0.125, 0.125}))
	fmt.Println(slopes[0].Limit, slopes[1].Limit)
	// A speedup p/(1 + p/n) at p = 4 processors and size n = 4 is 2. Four processors more
	// make it 8/3, a sixth each; with the size doubled too 4, half each.
	u = func(n []float64) float64 { return n[0] / (1 + n[0]/n[1]) }
	fmt.Printf("%.3f %.3f\n", must(u.Dimension([]float64{4, 4}, 0, 4, nil)),
		must(u.Dimension([]float64{4, 4}, 0, 4, []float64{0, 4})))
	// Output:
	// doubling 0.444, slope 0.529
	// 12 9
	// 0.167 0.500
}

// Two nodes, worth 0.5 each for 3000 EUR, and three memories, worth 0.25 each for 100 EUR: 1.75 for
// 6300 EUR, for every 1000 EUR 1.75/6.3. A node brings twice as much as a memory, and costs
// thirty times as much.
func Example_update() {
	gains := []float64{0.5, 0.25}
	prices := []units.Money{{Amount: 3000, Currency: "EUR"}, {Amount: 100, Currency: "EUR"}}
	cost := must(scalability.UpdateCost(prices, []float64{2, 3}))
	gain := must(scalability.LinearGain(gains, []float64{2, 3}))
	fmt.Printf("%v for %v: %.3f\n", gain, cost, 1000*must(scalability.UpdateEfficiency(gain, cost)))
	edge := must(scalability.EdgeScalability(gains, prices))
	fmt.Println(edge.Dimensions, edge.Efficiency)
	// Output:
	// 1.75 for 6300 EUR: 0.278
	// [1] 0.0025
}

func ExampleLevels() {
	// Five super-instructions on two nodes: (5 + 1)/2 rounds of what takes two rounds of 10 s. From
	// one to two nodes, five super-instructions become three rounds: log2(5/3).
	two := scalability.Level{Nodes: 2, Work: 5, Imbalance: 1}
	fmt.Println(must(two.Complexity()), must(scalability.Levels{two, {Nodes: 2, Work: 3, Imbalance: 1}}.Time(10)))
	fmt.Printf("%.3f\n", must(scalability.Level{Nodes: 1, Work: 5, Imbalance: 1}.Scalability(two)))
	// [Jin] Table I, 512 subclusters of 512 computers each: 2^18 of them reach 2^16.311.
	fmt.Printf("%.3f\n", must(scalability.Levels{
		{Nodes: 512, Work: 512, Imbalance: 0.9}, {Nodes: 512, Work: 512, Imbalance: 0.7},
	}.Log2Speedup()))
	// The third doubling gains less than the first: the bounds may not be used. Two nodes are 1.5
	// times as fast as one; eight computers then at least 1.5^3, and of each at least 0.75^3 is used.
	fmt.Println(must(scalability.BoundsApply(0.9, []float64{0.9, 0.95, 0.8})))
	fmt.Println(must(scalability.SpeedupBound(1.5, 3)), must(scalability.EfficiencyBound(1.5, 3)))
	// Output:
	// 3 60 s
	// 0.737
	// 16.311
	// false
	// 3.375 0.421875
}

// A thousand responses worth half a point each for 100 EUR; then twice the cost for half as many
// responses again. A response that takes as long as was aimed at is worth half a point.
func ExampleService() {
	service := func(responses, cost float64) scalability.Service {
		return scalability.Service{Responses: responses, Value: must(scalability.ResponseValue(2, 2)),
			Cost: units.Money{Amount: cost, Currency: "EUR"}}
	}
	base := service(1000, 100)
	fmt.Println(must(base.Productivity()), must(base.Scalability(service(1500, 200))))
	// Output:
	// 5 0.75
}
