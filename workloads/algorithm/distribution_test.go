package algorithm_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// The marked speeds of [Chen2008] Table 2.
const (
	server   units.FlopsPerSecond = 20.88e6 // one CPU of it
	sunBlade units.FlopsPerSecond = 20.29e6
	v210     units.FlopsPerSecond = 36.45e6 // one CPU of it
)

// speeds returns whole numbers as speeds, with which all arithmetic on rows is
// exact.
func speeds(whole ...int64) []units.FlopsPerSecond {
	s := make([]units.FlopsPerSecond, len(whole))
	for q, c := range whole {
		s[q] = units.FlopsPerSecond(c)
	}
	return s
}

// wholeSpeeds draws 1 to 6 speeds, up to nine orders of magnitude apart.
func wholeSpeeds(t *rapid.T) []int64 {
	most := rapid.SampledFrom([]int64{3, 60, 1e9}).Draw(t, "most")
	return rapid.SliceOfN(rapid.Int64Range(1, most), 1, 6).Draw(t, "speeds")
}

func sum[T int | int64](values []T) (total T) {
	for _, v := range values {
		total += v
	}
	return total
}

// counts returns how many of the rows each of p processes owns.
func counts(owner []int32, p int) []int {
	rows := make([]int, p)
	for _, q := range owner {
		rows[q]++
	}
	return rows
}

func TestShares(t *testing.T) {
	for _, tt := range []struct {
		name   string
		n      int
		speeds []units.FlopsPerSecond
		want   []int
	}{
		{"one process", 7, speeds(3), []int{7}},
		{"one row", 1, speeds(1, 1, 1), []int{1, 0, 0}},
		{"no rows", 0, speeds(1, 2), []int{0, 0}},
		{"divisible", 60, speeds(1, 2, 3), []int{10, 20, 30}},
		{"divisible, 1/49 is no binary fraction", 49, slices.Repeat(speeds(1), 49), slices.Repeat([]int{1}, 49)},
		// 5/3 each: 1 and 2/3, two rows left over.
		{"ties to lower ranks", 5, speeds(4, 4, 4), []int{2, 2, 1}},
		// 1.4, 8.4 and 4.2: one row left over, remainders 0.4, 0.4, 0.2.
		{"ties between unequal speeds", 14, speeds(1, 6, 3), []int{2, 8, 4}},
		// 2/5 each: the remainders are equal.
		{"more processes than rows", 2, speeds(9, 9, 9, 9, 9), []int{1, 1, 0, 0, 0}},
		// 0.5, 1.0, 0.5, with the whole row first.
		{"more processes than rows, unequal", 2, speeds(1, 2, 1), []int{1, 1, 0}},
		// 10 - 1e-11 and 1e-11.
		{"wildly different", 10, speeds(1, 1e12), []int{0, 10}},
		// C = 62.05 Mflop/s. 310*20.88/62.05 = 6472.8/62.05 = 104 + 19.6/62.05
		// and 310*20.29/62.05 = 6289.9/62.05 = 101 + 22.85/62.05. That is 309
		// rows; the largest remainder is that of the SunBlade.
		{"Sunwulf C2, elimination", 310, []units.FlopsPerSecond{server, server, sunBlade}, []int{104, 104, 102}},
		// C = 102.63 Mflop/s. 480*20.88 = 10022.4 = 97*102.63 + 67.29 and
		// 480*20.29 = 9739.2 = 94*102.63 + 91.98. That is 476 rows; the
		// SunBlades come first, then process 0.
		{"Sunwulf C4, elimination", 480, []units.FlopsPerSecond{server, server, sunBlade, sunBlade, sunBlade}, []int{98, 97, 95, 95, 95}},
		// C = 57.33 Mflop/s. 165*20.88/57.33 = 60.09, 165*36.45/57.33 = 104.91.
		{"Sunwulf C2, product", 165, []units.FlopsPerSecond{server, v210}, []int{60, 105}},
		// C = 114.07 Mflop/s. 255 times 20.88, 20.29, 36.45 is 46.68, 45.36,
		// 81.48 of it; the two rows left over go to the server and to the first
		// V210.
		{"Sunwulf C4, product", 255, []units.FlopsPerSecond{server, sunBlade, v210, v210}, []int{47, 45, 82, 81}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			expect.List(t, algorithm.Shares(tt.n, tt.speeds), tt.want, "%d rows among %v", tt.n, tt.speeds)
		})
	}
}

// TestSharesLargestRemainder repeats the method in whole numbers: n C_q is
// divided by C with a remainder.
func TestSharesLargestRemainder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 100000).Draw(t, "n")
		c := wholeSpeeds(t)
		total := sum(c)
		want := make([]int, len(c))
		remainder := make([]int64, len(c))
		for q := range c {
			want[q] = int(int64(n) * c[q] / total)
			remainder[q] = int64(n) * c[q] % total
		}
		for sum(want) < n {
			first := slices.Index(remainder, slices.Max(remainder))
			want[first]++
			remainder[first] = -1
		}
		expect.List(t, algorithm.Shares(n, speeds(c...)), want, "%d rows among %v", n, c)
	})
}

// TestSharesProportional takes any speeds that are valid. The exact value is a
// rounded one here, hence the small tolerance.
func TestSharesProportional(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 1<<20).Draw(t, "n")
		c := rapid.SliceOfN(rapid.Float64Range(1e-30, 1e30), 1, 40).Draw(t, "speeds")
		s := make([]units.FlopsPerSecond, len(c))
		total := 0.0
		for q := range c {
			s[q] = units.FlopsPerSecond(c[q])
			total += c[q]
		}
		got := algorithm.Shares(n, s)
		expect.Need(t, sum(got) == n, "%v add up to %d; expected %d", got, sum(got), n)
		for q, rows := range got {
			exact := float64(n) * (c[q] / total)
			off := float64(rows) - exact
			expect.Need(t, off >= -1-1e-8 && off <= 1+1e-8, "process %d gets %d rows; expected less than 1 from %v", q, rows, exact)
		}
	})
}

func TestCyclic(t *testing.T) {
	for _, tt := range []struct {
		name   string
		n      int
		speeds []units.FlopsPerSecond
		want   []int32
	}{
		{"no rows", 0, speeds(1, 2), []int32{}},
		{"one process", 3, speeds(5), []int32{0, 0, 0}},
		// Equal speeds are dealt in turn, from the last row on.
		{"homogeneous", 8, speeds(7, 7, 7), []int32{1, 0, 2, 1, 0, 2, 1, 0}},
		// Process 0 is done with its rows at 1/2, 1, 3/2, process 1 at 1, 2.
		{"twice as fast", 4, speeds(2, 1), []int32{0, 1, 0, 0}},
		{"twice as fast, other rank", 4, speeds(1, 2), []int32{1, 1, 0, 1}},
		// The third of the fast process is done at 3/3, with those of the slow.
		{"more processes than rows", 2, speeds(1, 1, 3), []int32{2, 2}},
		{"fast enough for all", 3, speeds(1, 1e12), []int32{1, 1, 1}},
		// The 49th row of the fast process is done with the first of the slow one; the
		// lower rank takes it. 49 times the rounded 1/49 is less than 1.
		{"a tie that rounding would hide", 49, speeds(1, 49), append([]int32{0}, slices.Repeat([]int32{1}, 48)...)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			expect.List(t, algorithm.Cyclic(tt.n, tt.speeds), tt.want, "%d rows among %v: owners", tt.n, tt.speeds)
		})
	}
}

// TestCyclicIsSorted compares with another way to deal: write down when each
// process is done with its first, second, ... row, and sort. Times are compared
// in whole numbers, by cross multiplication.
func TestCyclicIsSorted(t *testing.T) {
	type row struct {
		rank  int32
		count int64
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 200).Draw(t, "n")
		c := wholeSpeeds(t)
		var rows []row
		for q := range c {
			for k := range n {
				rows = append(rows, row{int32(q), int64(k + 1)})
			}
		}
		slices.SortStableFunc(rows, func(a, b row) int { // stable: lower ranks first
			return int(min(max(a.count*c[b.rank]-b.count*c[a.rank], -1), 1))
		})
		want := make([]int32, n)
		for i := range want {
			want[n-1-i] = rows[i].rank
		}
		expect.List(t, algorithm.Cyclic(n, speeds(c...)), want, "%d rows among %v: owners", n, c)
	})
}
