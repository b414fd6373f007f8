package scalability_test

import (
	"fmt"
	"log"
	"math"

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

// check ends an example that went wrong.
func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// 100 s on one processor, 20 s on nine.
func ExampleSpeedup() {
	s, err := scalability.Speedup(100, 20)
	check(err)
	fmt.Println(s)
	// Output:
	// 5
}

// A speedup of 6 on 8 processors.
func ExampleEfficiency() {
	e, err := scalability.Efficiency(6, 8)
	check(err)
	fmt.Println(e)
	// Output:
	// 0.75
}

// An hour's work on 80 processors at an efficiency of 0.75.
func ExampleTimeAtEfficiency() {
	t, err := scalability.TimeAtEfficiency(3600, 0.75, 80)
	check(err)
	fmt.Println(t)
	// Output:
	// 60 s
}

// An hour's work takes 60 processors for a minute, 80 at an efficiency of 0.75.
func ExampleProcessorsAtEfficiency() {
	p, err := scalability.ProcessorsAtEfficiency(3600, 0.75, 60)
	check(err)
	fmt.Println(p)
	// Output:
	// 80
}

// A speedup of 6 where a network without cost would allow 7.5.
func ExampleIdealRatio() {
	share, err := scalability.IdealRatio(6, 7.5)
	check(err)
	fmt.Println(share)
	// Output:
	// 0.8
}

// The fraction grows with p, so overhead limits this speedup and not sequential work:
// (2/1.6 - 1)/1, (4/2 - 1)/3 and (8/2 - 1)/7.
func ExampleKarpFlatt() {
	for _, run := range []struct {
		p int
		s float64
	}{{2, 1.6}, {4, 2}, {8, 2}} {
		e, err := scalability.KarpFlatt(run.s, run.p)
		check(err)
		fmt.Printf("p = %d: %.3f\n", run.p, e)
	}
	// Output:
	// p = 2: 0.250
	// p = 4: 0.333
	// p = 8: 0.429
}

// One tenth sequential, nine processors: 1/(0.1 + 0.9/9).
func ExampleAmdahl() {
	s, err := scalability.Amdahl(0.1, 9)
	check(err)
	fmt.Println(s)
	// Output:
	// 5
}

// Half of the time on nine processors sequential: 0.5 + 0.5 9.
func ExampleGustafson() {
	s, err := scalability.Gustafson(0.5, 9)
	check(err)
	fmt.Println(s)
	// Output:
	// 5
}

// Matrix multiplication on 4 processors with 4 times the memory: matrices of twice the
// order, 8 times the work. (0.2 + 0.8 8)/(0.2 + 0.8 8/4) = 6.6/1.8.
func ExampleSunNi() {
	const p = 4
	s, err := scalability.SunNi(0.2, p, math.Pow(p, 1.5))
	check(err)
	fmt.Printf("%.3f\n", s)
	// Output:
	// 3.667
}

// Nine processors for 20 s are 180 s, of which 100 s are work.
func ExampleTotalOverhead() {
	overhead, err := scalability.TotalOverhead(9, 20, 100)
	check(err)
	fmt.Println(overhead)
	// Output:
	// 80 s
}

// One second lost for each four of work.
func ExampleOverheadEfficiency() {
	e, err := scalability.OverheadEfficiency(20, 80)
	check(err)
	fmt.Println(e)
	// Output:
	// 0.8
}

// An efficiency of 0.75 asks for three times as much work as overhead.
func ExampleIsoefficiencyConstant() {
	k, err := scalability.IsoefficiencyConstant(0.75)
	check(err)
	fmt.Println(k)
	// Output:
	// 3
}

// Ten seconds of overhead on processors of 20 Mflop/s: K T_o C_1 = 3 10 20 Mflop.
func ExampleIsoefficiencyWork() {
	w, err := scalability.IsoefficiencyWork(0.75, 10, 20e6)
	check(err)
	fmt.Println(w)
	// Output:
	// 600 Mflop
}

// A reduction of n numbers on 8 processors: n operations, and an overhead of
// 2 p log2 p = 48 operations, each 1 us. It has an efficiency of n/(n + 48).
func ExampleSizeModel_Efficiency() {
	m := scalability.SizeModel{
		Work:     func(n float64) units.Flops { return units.Flops(n) },
		Overhead: func(float64) units.Seconds { return 48e-6 },
		Speed:    1e6,
	}
	e, err := m.Efficiency(16)
	check(err)
	fmt.Printf("%.2f\n", e)
	// Output:
	// 0.25
}

// The same reduction: n/(n + 48) = 0.8 at n = 192.
func ExampleSizeModel_Size() {
	m := scalability.SizeModel{
		Work:     func(n float64) units.Flops { return units.Flops(n) },
		Overhead: func(float64) units.Seconds { return 48e-6 },
		Speed:    1e6,
	}
	n, err := m.Size(0.8, 1, 1e6)
	check(err)
	fmt.Printf("%.0f\n", n)
	// Output:
	// 192
}

// Processors of 30 and 10 Mflop/s could do 80 Mflop in 2 s and took 2.5 s.
func ExampleHeterogeneousEfficiency() {
	eps, err := scalability.HeterogeneousEfficiency(80e6, 2.5, 40e6)
	check(err)
	fmt.Println(eps)
	// Output:
	// 0.8
}

// The same run by the classic efficiency is worth 1.6 or 0.53, as the reference is the
// slow or the fast processor: 0.8 40/(2 10) and 0.8 40/(2 30).
func ExampleClassicEfficiency() {
	for _, reference := range []units.FlopsPerSecond{10e6, 30e6} {
		e, err := scalability.ClassicEfficiency(0.8, 2, 40e6, reference)
		check(err)
		fmt.Printf("%.2f\n", e)
	}
	// Output:
	// 1.60
	// 0.53
}

// At eps = 0.8, K is 4: half a second lost on 40 Mflop/s asks for 4 0.5 40 Mflop.
func ExampleHIsoefficiencyWork() {
	w, err := scalability.HIsoefficiencyWork(0.8, 0.5, 40e6)
	check(err)
	fmt.Println(w)
	// Output:
	// 80 Mflop
}

// Floyd's algorithm, [Bosque] Table 2: from n = 128 on two slow processors to two slow
// and two fast ones, n = 128 sqrt(P_T 2/(P_T0 1)).
func ExampleHIsoefficiencySize() {
	const slow, fast units.FlopsPerSecond = 34230899, 83988126 // cell updates for each second
	n, err := scalability.HIsoefficiencySize(128,
		scalability.OverheadPoint{Power: 2 * slow, Factor: math.Log2(2)},
		scalability.OverheadPoint{Power: 2*slow + 2*fast, Factor: math.Log2(4)},
		3, 1)
	check(err)
	fmt.Printf("%.2f\n", n)
	// Output:
	// 336.40
}

// [He2004] Table 2: four processors in two nodes are worth 2.77 lone ones.
func ExampleReferenceFactor() {
	rf, err := scalability.ReferenceFactor(4, 33.07, 47.69)
	check(err)
	fmt.Printf("%.2f\n", rf)
	// Output:
	// 2.77
}

// A set that is worth 3 processors took 4 s for what takes one 9 s.
func ExampleExtendedEfficiency() {
	e, err := scalability.ExtendedEfficiency(9, 3, 4)
	check(err)
	fmt.Println(e)
	// Output:
	// 0.75
}

// It did 240 Mflop, 20 Mflop/s for each processor that it is worth.
func ExampleExtendedSpeed() {
	v, err := scalability.ExtendedSpeed(240e6, 3, 4)
	check(err)
	fmt.Println(v)
	// Output:
	// 20 Mflop/s
}

// A set worth twice as much needs five times the work to hold that speed.
func ExampleExtendedIsospeed() {
	psi, err := scalability.ExtendedIsospeed(3, 240e6, 6, 1200e6)
	check(err)
	fmt.Println(psi)
	// Output:
	// 0.4
}

// Four processors for 10 s, of which they computed 32 s: each lost 2 s on average.
func ExampleAverageLatency() {
	latency, err := scalability.AverageLatency(4, 10, 32)
	check(err)
	fmt.Println(latency)
	// Output:
	// 2 s
}

// At the same efficiency, each processor of the larger system loses 5 s.
func ExampleLatencyScale() {
	scale, err := scalability.LatencyScale(2, 5)
	check(err)
	fmt.Println(scale)
	// Output:
	// 0.4
}

// At the same efficiency, the larger system takes 25 s for its larger work.
func ExampleTimeScale() {
	scale, err := scalability.TimeScale(10, 25)
	check(err)
	fmt.Println(scale)
	// Output:
	// 0.4
}

// log2 of Amdahl's speedup for one tenth sequential, at r = log2 p = 3. A doubling from
// 8 to 16 processors brings log2(6.4/4.706) = 0.44; the slope at 8 is 9/17 = 0.53.
func ExampleSatisfaction_Directional() {
	var u scalability.Satisfaction = func(n []float64) float64 { return -math.Log2(0.1 + 0.9/math.Exp2(n[0])) }
	doubling, err := u.Directional([]float64{3}, []float64{1}, 1)
	check(err)
	slope, err := u.Directional([]float64{3}, []float64{1}, 1e-4)
	check(err)
	fmt.Printf("doubling %.3f, slope %.3f\n", doubling.Value, slope.Limit)
	// Output:
	// doubling 0.444, slope 0.529
}

// U = x^2 y at (3, 2): 2 x y = 12 and x^2 = 9.
func ExampleSatisfaction_Gradient() {
	var u scalability.Satisfaction = func(n []float64) float64 { return n[0] * n[0] * n[1] }
	slopes, err := u.Gradient([]float64{3, 2}, []float64{0.125, 0.125})
	check(err)
	fmt.Println(slopes[0].Limit, slopes[1].Limit)
	// Output:
	// 12 9
}

// A speedup p/(1 + p/n) at p = 4 processors and size n = 4 is 2. Four processors more
// make it 8/3, a sixth each; with the size doubled too 4, half each.
func ExampleSatisfaction_Dimension() {
	var u scalability.Satisfaction = func(n []float64) float64 { return n[0] / (1 + n[0]/n[1]) }
	alone, err := u.Dimension([]float64{4, 4}, 0, 4, nil)
	check(err)
	together, err := u.Dimension([]float64{4, 4}, 0, 4, []float64{0, 4})
	check(err)
	fmt.Printf("%.3f %.3f\n", alone, together)
	// Output:
	// 0.167 0.500
}

// Two nodes and three memories.
func ExampleUpdateCost() {
	cost, err := scalability.UpdateCost(
		[]units.Money{{Amount: 3000, Currency: "EUR"}, {Amount: 100, Currency: "EUR"}},
		[]float64{2, 3})
	check(err)
	fmt.Println(cost)
	// Output:
	// 6300 EUR
}

// Two nodes worth 0.5 each and three memories worth 0.25 each.
func ExampleLinearGain() {
	gain, err := scalability.LinearGain([]float64{0.5, 0.25}, []float64{2, 3})
	check(err)
	fmt.Println(gain)
	// Output:
	// 1.75
}

// The same update for its cost, for every 1000 EUR: 1.75/6.3.
func ExampleUpdateEfficiency() {
	e, err := scalability.UpdateEfficiency(1.75, units.Money{Amount: 6300, Currency: "EUR"})
	check(err)
	fmt.Printf("%.3f\n", 1000*e)
	// Output:
	// 0.278
}

// A node brings twice as much as a memory, and costs thirty times as much.
func ExampleEdgeScalability() {
	edge, err := scalability.EdgeScalability(
		[]float64{0.5, 0.25},
		[]units.Money{{Amount: 3000, Currency: "EUR"}, {Amount: 100, Currency: "EUR"}})
	check(err)
	fmt.Println(edge.Dimensions, edge.Efficiency)
	// Output:
	// [1] 0.0025
}

// Five super-instructions on two nodes: (5 + 1)/2.
func ExampleLevel_Complexity() {
	c, err := scalability.Level{Nodes: 2, Work: 5, Imbalance: 1}.Complexity()
	check(err)
	fmt.Println(c)
	// Output:
	// 3
}

// Three rounds of what takes two rounds of 10 s.
func ExampleLevels_Time() {
	t, err := scalability.Levels{
		{Nodes: 2, Work: 5, Imbalance: 1},
		{Nodes: 2, Work: 3, Imbalance: 1},
	}.Time(10)
	check(err)
	fmt.Println(t)
	// Output:
	// 60 s
}

// [Jin] Table I, 512 subclusters of 512 computers each: 2^18 of them reach 2^16.311.
func ExampleLevels_Log2Speedup() {
	log2S, err := scalability.Levels{
		{Nodes: 512, Work: 512, Imbalance: 0.9},
		{Nodes: 512, Work: 512, Imbalance: 0.7},
	}.Log2Speedup()
	check(err)
	fmt.Printf("%.3f\n", log2S)
	// Output:
	// 16.311
}

// From one to two nodes, five super-instructions become three rounds: log2(5/3).
func ExampleLevel_Scalability() {
	sc, err := scalability.Level{Nodes: 1, Work: 5, Imbalance: 1}.Scalability(scalability.Level{
		Nodes: 2, Work: 5, Imbalance: 1,
	})
	check(err)
	fmt.Printf("%.3f\n", sc)
	// Output:
	// 0.737
}

// The third doubling gains less than the first: the bounds may not be used.
func ExampleBoundsApply() {
	apply, err := scalability.BoundsApply(0.9, []float64{0.9, 0.95, 0.8})
	check(err)
	fmt.Println(apply)
	// Output:
	// false
}

// Two nodes are 1.5 times as fast as one; eight computers then at least 1.5^3.
func ExampleSpeedupBound() {
	s, err := scalability.SpeedupBound(1.5, 3)
	check(err)
	fmt.Println(s)
	// Output:
	// 3.375
}

// And of each at least 0.75^3 is used.
func ExampleEfficiencyBound() {
	e, err := scalability.EfficiencyBound(1.5, 3)
	check(err)
	fmt.Println(e)
	// Output:
	// 0.421875
}

// A thousand responses worth half a point each for 100 EUR.
func ExampleService_Productivity() {
	f, err := scalability.Service{
		Responses: 1000, Value: 0.5, Cost: units.Money{Amount: 100, Currency: "EUR"},
	}.Productivity()
	check(err)
	fmt.Println(f)
	// Output:
	// 5
}

// Twice the cost for half as many responses again.
func ExampleService_Scalability() {
	psi, err := scalability.Service{Responses: 1000, Value: 0.5, Cost: units.Money{Amount: 100, Currency: "EUR"}}.Scalability(scalability.Service{Responses: 1500, Value: 0.5, Cost: units.Money{Amount: 200, Currency: "EUR"}})
	check(err)
	fmt.Println(psi)
	// Output:
	// 0.75
}

// A response that takes as long as was aimed at.
func ExampleResponseValue() {
	f, err := scalability.ResponseValue(2, 2)
	check(err)
	fmt.Println(f)
	// Output:
	// 0.5
}
