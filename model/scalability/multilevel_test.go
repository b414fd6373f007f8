package scalability_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// work32 is 8 n^1.5, the number of block products that fills n times the memory.
func work32(n float64) float64 { return 8 * n * math.Sqrt(n) }

// jinCases are w_1 and w_2 of the five cases of [Jin] 5, at n_1 and n_2 nodes.
var jinCases = []func(n1, n2 float64) (w1, w2 float64){
	func(_, _ float64) (float64, float64) { return 512, 512 },
	func(_, n2 float64) (float64, float64) { return math.Exp2(18) / (n2 * math.Sqrt(n2)), work32(n2) },
	func(_, n2 float64) (float64, float64) { return 512, work32(n2) },
	func(n1, _ float64) (float64, float64) { return work32(n1), 512 },
	func(n1, n2 float64) (float64, float64) { return work32(n1), work32(n2) },
}

// jinLevels is the cluster of a case, counted from 1, with 2^r1 by 2^r2 computers.
func jinLevels(number int, r1, r2 float64) scalability.Levels {
	n1, n2 := math.Exp2(r1), math.Exp2(r2)
	w1, w2 := jinCases[number-1](n1, n2)
	return scalability.Levels{{Nodes: n1, Work: w1, Imbalance: 0.9}, {Nodes: n2, Work: w2, Imbalance: 0.7}}
}

func jinLog2Speedup(t *testing.T, number, r1, r2 int) float64 {
	t.Helper()
	return expect.Value(jinLevels(number, float64(r1), float64(r2)).Log2Speedup())(t)
}

// Where BoundsApply is true for the doublings that lead to a cluster, the bound holds.
// In case 1 it is true after the first doubling only.
func TestBoundsApply(t *testing.T) {
	applied := 0
	for number := 1; number <= len(jinCases); number++ {
		for _, level := range []int{0, 1} {
			var gains []float64
			last := 0.0
			for r := 1; r <= 9; r++ {
				path := [2]int{}
				path[level] = r
				log2S := jinLog2Speedup(t, number, path[0], path[1])
				gains = append(gains, log2S-last)
				last = log2S
				apply := expect.Value(scalability.BoundsApply(gains[0], gains))(t)
				bound := expect.Value(scalability.SpeedupBound(math.Exp2(gains[0]), float64(r)))(t)
				// Eq. 22 is Eq. 21 for each computer.
				efficiency := expect.Value(scalability.EfficiencyBound(math.Exp2(gains[0]), float64(r)))(t)
				expect.Close(t, efficiency, bound/math.Exp2(float64(r)), 1e-13, "case %d, r = %d: bound", number, r)
				if apply {
					applied++
					expect.That(t, log2S >= math.Log2(bound)-1e-12,
						"case %d, level %d, r = %d: log2 S = %v, below %v", number, level, r, log2S, math.Log2(bound))
				}
				expect.That(t, number != 1 || apply == (r == 1), "case 1, level %d, r = %d: %v", level, r, apply)
			}
		}
	}
	expect.That(t, applied >= 20, "the bounds applied %d times", applied)
}

// Two nodes and c = 1: five super-instructions take (5 + 1)/2 = 3 rounds. A round on
// two lower nodes is (3 + 1)/2 = 2 times 10 s, so T = 60 s. One computer takes 5 3 10 s
// = 150 s, so S = 2.5.
func TestMultilevelByHand(t *testing.T) {
	levels := scalability.Levels{{Nodes: 2, Work: 5, Imbalance: 1}, {Nodes: 2, Work: 3, Imbalance: 1}}
	for i, want := range []float64{3, 2} {
		expect.Equal(t, expect.Value(levels[i].Complexity())(t), want, "C_%d", i+1)
	}
	expect.Equal(t, expect.Value(levels.Time(10))(t), 60, "T")
	expect.Close(t, expect.Value(levels.Log2Speedup())(t), math.Log2(2.5), 1e-13, "log2 S")
}

// Brute force: super-instructions dealt one after another to the node that is free
// first end after ceil(w/n) rounds. c = 1 is an upper bound of that, by less than one
// round, and it is exact where one super-instruction is left over.
func TestComplexityAgainstDealing(t *testing.T) {
	for n := 1; n <= 40; n++ {
		free := make([]int, n) // when each node is free
		end := 0
		for w := 1; w <= 200; w++ {
			first := 0
			for i := range free {
				if free[i] < free[first] {
					first = i
				}
			}
			free[first]++
			end = max(end, free[first])
			c := expect.Value(scalability.Level{Nodes: float64(n), Work: float64(w), Imbalance: 1}.Complexity())(t)
			over := c - float64(end)
			expect.That(t, over >= -1e-12 && over < 1 && (w%n != 1 || n <= 1 || over <= 1e-12),
				"n = %d, w = %d: C = %v, dealt %d rounds", n, w, c, end)
		}
	}
}

// The speedup is the time of one computer over that of the cluster, for any levels.
func TestMultilevelSpeedupIsARatioOfTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 5).Draw(t, "k")
		levels, alone := make(scalability.Levels, k), make(scalability.Levels, k)
		for i := range levels {
			levels[i] = scalability.Level{
				Nodes:     float64(rapid.IntRange(1, 1000).Draw(t, "n")),
				Work:      rapid.Float64Range(1, 1e5).Draw(t, "w"),
				Imbalance: rapid.Float64Range(0, 4).Draw(t, "c"),
			}
			alone[i] = levels[i]
			alone[i].Nodes = 1
		}
		const each units.Seconds = 0.01
		log2S := expect.Value(levels.Log2Speedup())(t)
		time := expect.Value(levels.Time(each))(t)
		one := expect.Value(alone.Time(each))(t)
		expect.That(t, math.Abs(log2S-math.Log2(float64(one/time))) <= 1e-12,
			"log2 S = %v, by times %v", log2S, math.Log2(float64(one/time)))
	})
}

// With constant work, the derivative of log2 S by r = log2 n is (w - c)/(w + c (n - 1)),
// by hand. Eq. 8 on the model and Eq. 17 with a small step both approach it, and with
// a doubling Eq. 17 is Eq. 13.
func TestLevelScalabilityAgainstDerivative(t *testing.T) {
	var u scalability.Satisfaction = func(r []float64) float64 {
		s, err := jinLevels(1, r[0], r[1]).Log2Speedup()
		if err != nil {
			return nan
		}
		return s
	}
	for r1 := range 9 {
		for r2 := range 9 {
			at := []float64{float64(r1), float64(r2)}
			slopes := expect.Value(u.Gradient(at, []float64{1e-4, 1e-4}))(t)
			levels := jinLevels(1, at[0], at[1])
			for i, l := range levels {
				want := (l.Work - l.Imbalance) / (l.Work + l.Imbalance*(l.Nodes-1))
				expect.Near(t, slopes[i].Limit, want, 1e-7, "%v: dU/dr_%d", at, i+1)
				near := l
				near.Nodes *= 1.0001
				expect.Near(t, expect.Value(l.Scalability(near))(t), want, 1e-4, "%v: Sc_%d", at, i+1)
				doubled := l
				doubled.Nodes *= 2
				sc := expect.Value(l.Scalability(doubled))(t)
				byU := expect.Value(u.Dimension(at, i, 1, nil))(t)
				expect.That(t, math.Abs(sc-byU) <= 1e-12, "%v: level %d: %v by complexities, %v by U", at, i+1, sc, byU)
			}
		}
	}
}
