package lesson

import (
	"cmp"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/internal/expect"
)

// examples are the lessons that come with the program.
const examples = "../../../../examples/lessons"

// Figures of the lessons' machine, and of messages under Hockney's law.
const (
	latency   = 50e-6
	bandwidth = 125e6 // 1 Gbit/s
	speed     = 1e9
)

// send is the time of a message of some bytes.
func send(bytes float64) float64 { return latency + bytes/bandwidth }

// expected are the answers of a lesson derived by hand: those of the exercises in order,
// and the values that its figure, or its numbers, consist of.
type expected struct {
	exercises []about
	values    map[string]about // by expressions over the runs
	choices   map[int]string   // letters by step, from 1
	// predictions that readers may make, by step from 1: a derived one counts as right, and one that the
	// lesson warns of does not.
	predictions map[int][]prediction
	curve       func(t *testing.T, points []Point) // checks what the lesson says about the curve
	ceiling     float64                            // of the curve that has one
}

type prediction struct {
	x     float64
	right bool
}

func derived(x float64) prediction { return prediction{x, true} }
func naive(x float64) prediction   { return prediction{x, false} }

// about is a number with the relative deviation that is allowed, because of rows that do not
// divide evenly, random numbers, bytes that a formula leaves out, or printed digits.
type about struct{ x, share float64 }

func exactly(x float64) about { return about{x, 1e-9} }

// nearly is for numbers that are exact except for the rounding of inputs.
func nearly(x float64) about { return about{x, 1e-3} }

// bestBroadcast is the earliest time, in us, at which p processors of LogP with these parameters can all have
// a message: each that has it sends it on every g ([Culler1993], Theorem 1).
func bestBroadcast(p int, l, o, g float64) float64 {
	has := []float64{0}
	next := []float64{0} // when each who has it can send again
	for len(has) < p {
		k := slices.Index(next, slices.Min(next))
		arrival := next[k] + o + l + o
		next[k] += max(g, o)
		has, next = append(has, arrival), append(next, arrival)
	}
	return slices.Max(has)
}

// halo returns the time of rounds in which each of nx by ny processes sends its borders to its neighbours one after
// another, along x first, waits until these have left and those of its neighbours have arrived, and computes.
func halo(nx, ny int, alongX, alongY, compute float64, rounds int) float64 {
	at := make([]float64, nx*ny)
	for range rounds {
		next := make([]float64, len(at))
		for r := range at {
			x, y, leaves := r%nx, r/nx, at[r]
			for _, to := range [][3]int{{x - 1, y, 0}, {x + 1, y, 0}, {x, y - 1, 1}, {x, y + 1, 1}} {
				if to[0] < 0 || to[0] >= nx || to[1] < 0 || to[1] >= ny {
					continue
				}
				leaves += []float64{alongX, alongY}[to[2]]
				other := to[0] + nx*to[1]
				next[other] = max(next[other], leaves+latency)
			}
			next[r] = max(next[r], leaves)
		}
		for r := range at {
			at[r] = next[r] + compute
		}
	}
	return slices.Max(at)
}

// farm returns when all tasks that a process hands out to workers are done. A worker asks, gets the next task, computes
// it and sends the result, which asks for another task, until there is none.
func farm(workers int, tasks ...float64) float64 {
	free := slices.Repeat([]float64{latency}, workers)
	for _, task := range tasks {
		k := slices.Index(free, slices.Min(free))
		free[k] += send(8) + task + send(8)
	}
	return slices.Max(free) + latency
}

// flatRing is an allreduce of 1 GB in 62 steps around 32 accelerators, of which four send to another node in each step.
func flatRing(card float64) float64 { return 62 * (1e9/32/card + 5e-6) }

// rail is an allreduce among n accelerators by all cards, at the least of the bandwidths: two laps, by links of 2 us in
// nodes and domains and by cards of 5 us between domains of inDomain members.
func rail(n, inDomain int, least float64) float64 {
	domains := (n + inDomain - 1) / inDomain
	return 2 * (float64(n-domains)*2e-6 + float64(domains-1)*5e-6 + float64(n-1)/float64(n)*1e9/least)
}

// harmonic is the mean of the largest of p exponential numbers of mean 1.
func harmonic(p int) (sum float64) {
	for k := 1; k <= p; k++ {
		sum += 1 / float64(k)
	}
	return sum
}

func amdahl(s, p float64) float64 { return 1 / (s + (1-s)/p) }

// byLesson derives the answers.
func byLesson() map[int]expected {
	// Lessons 1 and 3. The work of the elimination as [Sun2005] prints it, in parallel;
	// then n^2 flop alone.
	work := func(n float64) float64 { return 2.0/3*n*n*n - n*n/2 - 19.0/6*n + 3 }
	const n = 1000.0
	parallel := work(n)
	serial := n * n / (parallel + n*n)
	// The order at which 2/3 n^3 flop on 8 nodes take as long as n steps of 6 rounds: with latency alone,
	// and with n/2 numbers of 8 B in 3 of them, n^2 = 12e9 (6 latency + 12 n/bandwidth).
	latencyAlone := math.Sqrt(12e9 * 6 * latency)
	const half = 12e9 * 12 / bandwidth / 2
	byHand := half + math.Sqrt(half*half+12e9*6*latency)
	// Lesson 6. 16 processes: tree 4 (a + b), scatter-allgather 19 a + 15/8 b, recursive
	// doubling 4 (a + b), Rabenseifner 8 a + 15/8 b ([Thakur2005]).
	b := func(m float64) float64 { return m / bandwidth }
	tree := func(m float64) float64 { return 4 * send(m) }
	ring := func(m float64) float64 { return 19*latency + 15.0/8*b(m) }
	doubling := tree
	halving := func(m float64) float64 { return 8*latency + 15.0/8*b(m) }
	// Lesson 7. A message of 1 MB takes t through a cable.
	const t = 8e-3
	// Lesson 9. Product of order m: root sends rows to each other process one after the
	// other, B along a tree, all compute for 2 m^3/C, all send their rows at once; the
	// fast ones have the most.
	product := func(m, slow float64) float64 {
		total := 4*2e9 + slow*0.5e9
		row := 8 * m / bandwidth
		rounds := math.Log2(4 + slow)
		fast := m * 2e9 / total
		return latency + (m-fast)*row + rounds*send(8*m*m) + 2*m*m*m/total + latency + fast*row
	}
	const computedFour, computedAll = 2 * 800 * 800 * 800 / 8e9, 2 * 800 * 800 * 800 / 10e9
	// Lesson 12. [Jin], Eq. 24-26 with w = 512.
	level := func(r, c float64) float64 {
		nodes := math.Exp2(r)
		return 512 * nodes / (512 + c*(nodes-1))
	}
	// Lesson 13. A border of points of 8 B, and 10 flop for each point of a part of the square.
	border := func(points float64) float64 { return 8 * points / bandwidth }
	area := func(p float64) float64 { return 10 * 4096 * 4096 / p / speed }
	both := func(r1, r2 float64) float64 { return level(r1, 0.9) * level(r2, 0.7) }

	return map[int]expected{
		1: {
			exercises: []about{{n * n / speed / 0.435, 0.02}, {amdahl(serial, 8), 1e-6}, {15 + 16*4, 5e-3}},
			values: map[string]about{
				"one_time":                  exactly((parallel + n*n) / speed),
				"one_time / ideal8_time":    {amdahl(serial, 8), 0.02},
				"one_time / ideal16_time":   {amdahl(serial, 16), 0.02},
				"part_time":                 exactly(1),
				"part_time / part64_time":   exactly(amdahl(0.05, 64)),
				"part_time / part1024_time": exactly(amdahl(0.05, 1024)),
				"eight_time < four_time":    exactly(1), // the best of the curve
				"eight_time < sixteen_time": exactly(1),
				"sixteen_time > 999*8*5e-5": exactly(1), // 8 rounds of latency in a step
			},
			choices:     map[int]string{3: "c"},
			predictions: map[int][]prediction{1: {derived(15.4), naive(64), naive(20)}},
			ceiling:     1 / 0.05,
		},
		2: {
			exercises: []about{{amdahl(0.04, 1024), 1e-6}, {0.04 + 0.96*1024, 1e-6}, {0.04 + 0.96*1024, 1e-6}},
			values: map[string]about{ // the laws of [Gustafson1988]: 1/(s + (1-s)/p) and p - (p-1) s
				"one_time / fixed_time":              {91, 0.01},
				"scaled_work * 1e-9 / scaled_time":   {1014, 0.01},
				"one_time / fixed4_time":             {24, 0.02},
				"scaled4_work * 1e-9 / scaled4_time": {983, 0.01},
				"scaled_time":                        exactly(1), // as long as one node took
			},
			choices:     map[int]string{3: "b"},
			predictions: map[int][]prediction{1: {derived(91), naive(100), naive(1024)}, 2: {derived(1014), naive(1024)}},
		},
		3: {
			exercises: []about{exactly(2 * work(561) / work(1256)), {math.Pow(2625.0/561, 2), 1e-3}},
			values: map[string]about{
				"two_n": exactly(561), "four_n": exactly(1256), "eight_n": exactly(2625),
				"eight_speed_efficiency": {0.5, 1e-3},
				// More than with latency alone; less than if broadcast and barrier of a
				// whole row followed the computation in each step.
				"eight_n > sqrt(6 * 50e-6 * 8e9 * 3/2)":           exactly(1),
				"2/3*eight_n^2/8e9 < 6*50e-6 + 3*8*eight_n/125e6": exactly(1),
			},
			choices:     map[int]string{2: "c"},
			predictions: map[int][]prediction{1: {derived(byHand), naive(latencyAlone)}, 3: {derived(work(byHand) / 4e9)}},
		},
		4: {
			exercises: []about{{send(8e6) / send(8), 1e-9}, exactly(625), exactly(0.5)},
			values: map[string]about{
				"small_time": exactly(3 * send(8)), "large_time": exactly(3 * send(8e6)),
				"smallfast_time": exactly(3 * (latency + 8/1.25e9)), "smallnear_time": exactly(3 * (5e-6 + 8/bandwidth)),
				"half_bytes / 4 / half_time": exactly(bandwidth / 2), "half_time": exactly(3 * send(6250)),
			},
			choices:     map[int]string{2: "c"},
			predictions: map[int][]prediction{1: {derived(3 * latency), naive(0), naive(15e-6), naive(12 * latency)}},
		},
		5: {
			exercises: []about{exactly(6e-6), exactly((10 + 2*4) * 1e-6), exactly((10 + 6*8) * 1e-6)},
			values: map[string]about{
				"incast_time": exactly((10 + 6*4) * 1e-6), "flat_time": exactly((10 + 6*4) * 1e-6),
				"binomial_time": exactly(30e-6),
				"best_time":     exactly(24e-6), // they have it at 0, 10, 14, 18, 20, 22, 24 and 24, the first sending at 0, 4, 8, 12
				// Seven messages every gap, or three in a row; the best by the greedy rule.
				"flat0_time": exactly((6*4 + 4) * 1e-6), "binomial0_time": exactly(bestBroadcast(8, 0, 2, 4) * 1e-6),
				"flat20_time": exactly(bestBroadcast(8, 20, 2, 4) * 1e-6), "binomial20_time": exactly(3 * 24e-6),
			},
			predictions: map[int][]prediction{1: {derived(34e-6), naive(10e-6)}, 2: {derived(30e-6)}, 3: {derived(bestBroadcast(8, 6, 2, 4) * 1e-6), naive(30e-6)}},
		},
		6: {
			exercises: []about{{tree(1e6) / ring(1e6), 1e-3}, exactly(4 * latency / (4 - 15.0/8) * bandwidth), {doubling(11765), 1e-3}, {doubling(11765), 0.01}},
			values: map[string]about{
				"tree8_time": nearly(tree(8)), "ring8_time": nearly(ring(8)), "tree_time": nearly(tree(1e6)), "ring_time": nearly(ring(1e6)),
				"treeequal_time / ringequal_time":        {1, 0.01},
				"doublingequal_time / halvingequal_time": {1, 0.01},
				"doubling_time":                          nearly(doubling(1e6)),
				"halving_time":                           nearly(halving(1e6)),
				"doubling8_time < halving8_time":         exactly(1),
			},
			choices:     map[int]string{2: "c"},
			predictions: map[int][]prediction{1: {derived(ring(8)), naive(tree(8))}, 3: {derived(44118)}},
		},
		7: {
			exercises: []about{{16, 0.01}, {64.0 / 2 / 15, 0.01}, {15 * t, 0.01}, {36 * t, 0.01}},
			values: map[string]about{
				"star_time":   {15 * t, 0.01},      // messages through the cable of a node
				"bus_time":    {16 * 15 * t, 0.01}, // all
				"tree_time":   {64 * t / 2, 0.01},  // across the bisection, of twice the bandwidth
				"torus_time":  {12 * t, 0.01},      // in each ring of 4: 4 of distance 1, 4 of distance 2, all one way
				"incast_time": {15 * t, 0.01}, "unshared_time": exactly(send(1e6)),
				"torus_time > 64 * 8e-3 / 8": exactly(1), // bisection of a torus: 8 cables each way
			},
			choices:     map[int]string{3: "b"},
			predictions: map[int][]prediction{1: {derived(240 * t), naive(15 * t)}, 2: {derived(32 * t), naive(15 * t)}, 4: {derived(15 * t), naive(t)}},
		},
		8: {
			// The mean of the largest of 8 is 1 + 0.5 x 7/9, and the mean of all is 1.
			exercises: []about{{0.5 * 7 / 9 / (1 + 0.5*7/9), 0.02}, {0.5 * 7 / 9, 0.02}, {1.07, 0.05}},
			values: map[string]about{
				"even_time":                     exactly(4 * (1e-3 + 2*send(8))),
				"longeven_time":                 exactly(1),
				"longtogether_time":             {1 + 0.5*7/9, 0.01},
				"few_time < fewtogether_time":   exactly(1),
				"long_time < longtogether_time": exactly(1),
			},
			choices:     map[int]string{1: "b"},
			predictions: map[int][]prediction{2: {derived(1 + 0.5*7/9), naive(1), naive(1.5)}},
			curve: func(t *testing.T, points []Point) { // a straight line
				for _, p := range points[1:] {
					d := number(t, p.At)
					about{1 + d*7/9, 0.02}.compare(t, "imbalance "+p.At, p.Value)
					about{1 + d*(points[len(points)-1].Value-1), 1e-9}.compare(t, "linear at "+p.At, p.Value)
				}
			},
		},
		9: {
			exercises: []about{{2 * 800 * 800 * 800 / product(800, 0) / 8e9, 1e-3}, {2 * 800 * 800 * 800 / product(800, 4) / 10e9, 1e-3}, exactly(computedFour - computedAll)},
			values: map[string]about{
				"four_time": nearly(product(800, 0)), "all_time": nearly(product(800, 4)),
				"bigfour_time": nearly(product(8000, 0)), "bigall_time": nearly(product(8000, 4)),
				"idealall_time / idealfour_time": exactly(0.8), "all_time > four_time": exactly(1),
			},
			choices:     map[int]string{2: "c", 3: "b"},
			predictions: map[int][]prediction{1: {derived(product(800, 4)), naive(0.8 * product(800, 0))}},
		},
		10: {
			// Asked after 50 us, answered when the receiver is ready; the data leave for
			// 8 ms when the answer has arrived, and then the sender computes.
			exercises: []about{exactly(10e-3 + latency + t + 5e-3 - 10e-3), exactly(10e-3 - latency)},
			values: map[string]about{
				"small_time": exactly(10e-3), "eager_time": exactly(10e-3),
				"large_time": exactly(10e-3 + latency + t + 5e-3), "ready_time": exactly(2*latency + t + 5e-3),
			},
			choices: map[int]string{3: "b"},
			predictions: map[int][]prediction{1: {derived(10e-3 + latency + t + 5e-3), naive(10e-3), naive(18e-3)},
				2: {derived(10e-3)}},
		},
		11: {
			exercises: []about{exactly(send(64e3)), exactly(2 * (2*latency + send(1e6)) / send(64e3))},
			values: map[string]about{
				"small_time": exactly(send(1e3)), "large_finishes": exactly(0), "limit_finishes": exactly(1), "above_finishes": exactly(0),
				"ordered_time": exactly(2 * (2*latency + send(1e6))),
			},
			choices:     map[int]string{1: "b", 2: "b"},
			predictions: map[int][]prediction{3: {derived(2 * (2*latency + send(1e6))), naive(send(1e6))}},
		},
		12: {
			// The printed digits of [Jin], Table I.
			exercises: []about{{8.0753, 1e-5}, {8.2356, 1e-5}, {16.311, 1e-4}, exactly(both(6, 6) / 4096)},
			values: map[string]about{
				"base_speedup": exactly(both(3, 3)), "onlyinner_speedup": exactly(both(0, 9)), "onlyouter_speedup": exactly(both(9, 0)),
				"even_log2_speedup": {11.729, 1e-4}, "lopsided_log2_speedup": {11.062, 1e-4},
				"outer_log2_speedup": {8.8347, 1e-5}, "inner_log2_speedup": {8.8632, 1e-5},
			},
			choices:     map[int]string{2: "a", 3: "a"},
			predictions: map[int][]prediction{1: {derived(both(0, 9)), naive(512)}},
			curve: func(t *testing.T, points []Point) { // best where both levels are alike
				best := slices.MaxFunc(points, func(a, b Point) int { return cmp.Compare(a.Value, b.Value) })
				expect.That(t, best.At == "[4,5]" || best.At == "[5,4]", "best at %s", best.At)
			},
		},
		13: {
			// Of 64 strips each but the first and the last sends two borders, of 64 blocks 8 * 7 pairs along each axis.
			exercises: []about{exactly(2 * 63 * 4096 / (4 * 56 * 512.0)), exactly(4 * 56), {halo(1, 256, 0, border(4096), area(256), 10) / halo(16, 16, border(256), border(256), area(256), 10), 0.01}},
			values: map[string]about{
				"free_time":   exactly(10 * area(64)),
				"strips_time": {halo(1, 64, 0, border(4096), area(64), 10), 0.005}, "blocks_time": {halo(8, 8, border(512), border(512), area(64), 10), 0.005},
				"strips256_time": {halo(1, 256, 0, border(4096), area(256), 10), 0.005},
			},
			choices:     map[int]string{2: "c"},
			predictions: map[int][]prediction{1: {derived(10 * (area(64) + 2*border(4096))), naive(10 * area(64))}},
		},
		14: {
			exercises: []about{exactly(0.5), exactly(1), exactly(0.25)},
			values: map[string]about{
				"one_time": exactly(32e9 / 4e9), "two_time": exactly(2 * 32e9 / 16e9), "eight_time": exactly(2 * 32e9 / 16e9),
				"faster_time": exactly(2 * 32e9 / 16e9), "wider_time": exactly(2 * 32e9 / 32e9),
			},
			choices:     map[int]string{2: "c"},
			predictions: map[int][]prediction{1: {derived(2), naive(8)}},
			curve: func(t *testing.T, points []Point) {
				for _, p := range points {
					exactly(min(32e9, 16e9/number(t, p.At))).compare(t, "bytes for each flop "+p.At, p.Value)
				}
			},
		},
		15: {
			exercises: []about{{farm(7, slices.Repeat([]float64{10e-6}, 64)...) / 80e-6, 0.01}, exactly(64*2 + 7*2), exactly(24.0 / 136)},
			values: map[string]about{
				"fixed_time": exactly(8 * 17e-3), "evenfixed_time": exactly(8 * 3e-3),
				"asked_time":     {farm(7, slices.Repeat([]float64{17e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3}, 8)...), 0.02},
				"evenasked_time": {farm(7, slices.Repeat([]float64{3e-3}, 64)...), 0.02},
			},
			choices:     map[int]string{2: "c"},
			predictions: map[int][]prediction{1: {derived(136e-3), naive(24e-3)}, 3: {derived(31e-3), naive(24e-3), naive(64 * 3e-3 / 7)}},
		},
		16: {
			exercises: []about{{0.2 * (1 + 0.01*harmonic(128)), 0.01}, {1 - 1.1/(1+0.1*harmonic(128)), 0.03}},
			values: map[string]about{
				"one_time": {0.22, 0.03}, "sixteen_time": {0.2 * (1 + 0.1*harmonic(16)), 0.03}, "many_time": {0.2 * (1 + 0.1*harmonic(128)), 0.03},
			},
			choices:     map[int]string{2: "b"},
			predictions: map[int][]prediction{1: {derived(0.2676), naive(0.22), naive(0.2 + 16*0.02)}},
			curve: func(t *testing.T, points []Point) {
				for _, p := range points {
					about{(1 + 0.1*harmonic(int(number(t, p.At)))) / 1.1, 0.03}.compare(t, p.At+" nodes", p.Value)
				}
			},
		},
		17: {
			exercises: []about{exactly(64 * (0.05 + 0.95/64)), exactly(400 + 15*0.05*20), exactly(1 - 400.0/1030)},
			values: map[string]about{
				"one_energy": exactly(400), "sixteen_energy": exactly(400 + 15*0.05*200), "many_energy": exactly(400 + 63*0.05*200),
				"one_time / sixteen_time": exactly(amdahl(0.05, 16)), "one_time / many_time": exactly(amdahl(0.05, 64)),
			},
			choices:     map[int]string{2: "c"},
			predictions: map[int][]prediction{1: {derived(550), naive(400), naive(16 * 400 * (0.05 + 0.95/16))}},
			curve: func(t *testing.T, points []Point) {
				for _, p := range points {
					exactly(1+(number(t, p.At)-1)*10/400).compare(t, p.At+" nodes", p.Value)
				}
			},
		},
		18: {
			exercises: []about{exactly(1.85), exactly(59375)},
			values: map[string]about{
				"turn_time": exactly(10 * (1e-3 + 2*50e3/bandwidth + latency)), "once_time": exactly(10e-3),
				"large_time": exactly(10 * (1e-3 + 2*200e3/bandwidth + latency)), "largeonce_time": exactly(10 * (2*200e3/bandwidth + latency)),
				"handledonce_time": exactly(10 * (1e-3 + 2*100e-6)),
			},
			choices:     map[int]string{2: "b"},
			predictions: map[int][]prediction{1: {derived(10e-3), naive(18.5e-3), naive(8.5e-3)}, 3: {derived(12e-3), naive(10e-3)}},
			curve: func(t *testing.T, points []Point) {
				for _, p := range points {
					size := number(t, strings.TrimSuffix(p.At, " kB")) * 1e3
					exactly(10*max(1e-3, 2*size/bandwidth+latency)).compare(t, p.At, p.Value)
				}
			},
		},
		19: {
			exercises: []about{exactly(flatRing(50e9) / rail(32, 8, 400e9)), exactly(rail(18, 1, 50e9) / (0.1 + rail(18, 1, 50e9))),
				exactly(rail(18, 9, 400e9) / (0.1 + rail(18, 9, 400e9)))},
			values: map[string]about{
				"flat_time": exactly(flatRing(50e9)), "links_time": exactly(flatRing(50e9)), "cards_time": exactly(flatRing(100e9)),
				"rails_time": exactly(rail(32, 8, 400e9)), "eight_time": exactly(rail(18, 1, 50e9)), "rack_time": exactly(rail(18, 9, 400e9)),
				"longeight_time": exactly(1 + rail(18, 1, 50e9)), "longrack_time": exactly(1 + rail(18, 9, 400e9)),
			},
			choices: map[int]string{2: "c", 4: "b", 5: "c"},
			predictions: map[int][]prediction{
				1: {derived(2 * 31.0 / 32 * 1e9 / 50e9), naive(2 * 31.0 / 32 * 1e9 / 400e9)}, // by a card; by the link of each, or by eight cards
				3: {derived(2 * 17.0 / 18 * 1e9 / 50e9), naive(2 * 17.0 / 18 * 1e9 / 400e9)},
			},
			curve: func(t *testing.T, points []Point) {
				for _, p := range points {
					k := number(t, p.At)
					exactly(rail(18, int(k), min(400e9, k*50e9))).compare(t, p.At+" nodes", p.Value)
				}
			},
		},
	}
}

// number reads a value of a curve.
func number(t *testing.T, text string) float64 { return expect.Value(strconv.ParseFloat(text, 64))(t) }

// lessonFiles are the files of the lessons that come with the program.
func lessonFiles(t *testing.T) []string {
	files := expect.Value(filepath.Glob(examples + "/[0-9]*-*.yaml"))(t)
	var all []string
	for _, f := range files {
		if text, err := os.ReadFile(f); err != nil {
			t.Fatal(err)
		} else if strings.Contains(string(text), "\nlesson: ") {
			all = append(all, f)
		}
	}
	return all
}

func TestLessonsAnswerAsByHand(t *testing.T) {
	want := byLesson()
	for _, file := range lessonFiles(t) {
		text := expect.Value(os.ReadFile(file))(t)
		l := expect.Value(Read(file, text))(t)
		t.Run(l.Title, func(t *testing.T) {
			w, ok := want[l.Number]
			expect.Need(t, ok, "no answers by hand")
			l.by(t, NewLab(l, Source{Folder: examples}), w)
		})
		delete(want, l.Number)
	}
	for number := range want {
		t.Errorf("no lesson %d", number)
	}
}

// by compares a lesson with answers by hand.
func (l *Lesson) by(t *testing.T, lab *Lab, w expected) {
	ctx := context.Background()
	expect.Need(t, len(l.Exercises) == len(w.exercises),
		"%d exercises, %d answers by hand", len(l.Exercises), len(w.exercises))
	for i, e := range l.Exercises {
		x := expect.Value(lab.Exercise(ctx, i))(t)
		w.exercises[i].compare(t, e.Question, x)
	}
	r := &reader{}
	for _, run := range l.Runs {
		for _, o := range outcomes() {
			r.names = append(r.names, run.Name+"_"+o)
		}
	}
	for text, a := range w.values {
		x := expect.Value(lab.evaluate(ctx, text, r.names))(t)
		a.compare(t, text, x)
	}
	choices := 0
	for i, s := range l.Steps {
		a, err := lab.Answer(ctx, i)
		expect.Need(t, err == nil, "step %d: %v", i+1, err)
		expect.That(t, s.Number == nil || len(w.predictions[i+1]) > 0, "step %d has no prediction by hand", i+1)
		for _, p := range w.predictions[i+1] {
			right, says := s.Compare(&Prediction{Number: p.x}, a)
			expect.That(t, right == p.right, "step %d: %s; right is %v", i+1, says, right)
		}
		if s.Choice != nil {
			choices++
			expect.Equal(t, Letter(*a.Choice), w.choices[i+1], "step %d: what holds", i+1)
			for k := range s.Choice.Options {
				reply := expect.Value(lab.Fill(ctx, s.Reply(&Prediction{Choice: k}, a)))(t)
				expect.That(t, (reply == "") == (k == *a.Choice), "step %d, option %s: reply %q; want one to each wrong choice", i+1, Letter(k), reply)
			}
		}
		if s.Curve != nil {
			if w.curve != nil {
				w.curve(t, a.Curve)
			}
			expect.That(t, s.Curve.Ceiling == 0 || s.Curve.Ceiling == w.ceiling, "step %d: ceiling %g, by hand %g", i+1, s.Curve.Ceiling, w.ceiling)
			for _, p := range a.Curve {
				expect.That(t, s.Curve.Ceiling == 0 || p.Value < s.Curve.Ceiling, "step %d: %v at %s is not below the ceiling", i+1, p.Value, p.At)
				expect.That(t, p.Value >= s.Curve.From && p.Value <= s.Curve.To,
					"step %d: %v at %s is not on the axis from %v to %v", i+1, p.Value, p.At, s.Curve.From, s.Curve.To)
			}
		}
	}
	expect.That(t, choices == len(w.choices), "%d choices, %d answers by hand", choices, len(w.choices))
}

func (a about) compare(t *testing.T, what string, x float64) {
	t.Helper()
	off := math.Abs(x - a.x)
	expect.That(t, off <= a.share*math.Abs(a.x), "%s: %.10g; by hand %.10g within %g", what, x, a.x, a.share)
}

// evaluate is the value of an expression, or 1 or 0 for a condition.
func (b *Lab) evaluate(ctx context.Context, text string, names []string) (float64, error) {
	kind := formula.IsNumber
	if strings.ContainsAny(text, "<>") {
		kind = formula.IsTruth
	}
	f, err := formula.Numbers(names).Compile(text, kind)
	if err != nil {
		return 0, err
	}
	if kind == formula.IsNumber {
		return b.value(ctx, expression{text, f})
	}
	if _, err := b.holds(ctx, &Choice{Options: []Option{{Text: text, If: expression{text, f}}}}); err != nil {
		return 0, nil
	}
	return 1, nil
}
