package design

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
)

// left returns the levels of the points of a design, "a b" for each.
func left(s *Design) []string {
	var all []string
	for p := range points(s) {
		var cells []string
		for f := range s.Factors {
			cells = append(cells, p.Level(f).Text)
		}
		all = append(all, strings.Join(cells, " "))
	}
	return all
}

// Conditions on one factor n, with the levels that remain.
func TestConditions(t *testing.T) {
	for _, tt := range []struct{ levels, condition, want string }{
		{"[1, 2, 4, 8]", "n > 2", "1 2"},
		{"[1, 2, 4, 8]", "n in [2, 8]", "1 4"},
		{"[1, 2, 4, 8]", "n not in [2, 8]", "2 8"},
		{"[1, 2, 4, 8]", "not (n == 4)", "4"},
		{"[1, 2, 4, 8]", "log2(n) == 2", "1 2 8"},
		{"[1, 2, 4, 8]", "log10(n) > 0.5", "1 2"},
		{"[1, 2, 4, 8]", "log(n) > 1 || exp(n) < 3", "2"},
		{"[1, 2, 4, 8]", "2 ** n == 16 or 2^n == 2", "2 8"},
		{"[1, 2, 4, 8]", "n / 3 > 1", "1 2"},
		{"[1, 2, 4, 8]", "1 / (n - 1) > 0.5", "4 8"}, // 1/0 is infinite, so 1 goes; 2 is 1, 4 is 1/3
		{"[1, 2, 4, 8]", "min(n, 3) == 3 && max(n, 5, 1) == 5", "1 2 8"},
		{"[1, 2, 4, 8]", "n > 2 ? true : n == 1", "2"},
		{"[1, 2, 4, 8]", "false", "1 2 4 8"},
		{"[-3, -1, 0, 1, 3]", "n % 4 == 3", "-3 0 1"}, // -1 = 3 modulo 4
		{"[-3, -1, 0, 1, 3]", "mod(n, -4) == -1", "-3 0 1"},
		{"[-3, -1, 0, 1, 3]", "abs(n) == 3", "-1 0 1"},
		{"[0.4, 0.5, 1.6]", "round(n) == 1", "0.4 1.6"}, // half away from zero
		{"[0.4, 0.5, 1.6]", "floor(n) == 0 and ceil(n) == 1", "1.6"},
		{"[4, 9, 10]", "floor(sqrt(n)) * floor(sqrt(n)) == n", "10"},
		{"[64 KiB, 1 MiB]", "n > 1000", "64"}, // KiB
		{"[64 KiB, 1 MiB]", "n > 128 kB", "64"},
		{"[1 us, 3 us]", "n < 2 us", "3"},
		{"[1 us, 2 us, 3 us]", "2000ns == n", "1 3"},
		{"[1 us, 2 us, 3 us]", "n in [0.001 ms, 3 us]", "2"},
		{"[1 us, 3 us]", "2*n + 1 us > 0.005 ms", "1"},
		{"[1 us, 3 us]", "n/1 ms > 0.002", "1"},
		{"[1 EUR, 3 EUR]", "n > 2 EUR", "1"},
		{"[1, two]", "n == '1'", "two"},
		{"[hockney, flow]", "n == \"flow\"", "hockney"},
		{"[hockney, flow]", "n in ['flow', 'x']", "hockney"},
		{"[hockney, flow]", "n startsWith 'h'", "flow"},
		{"[hockney, flow]", "n endsWith 'w'", "hockney"},
		{"[hockney, flow]", "n contains 'ck'", "flow"},
		{"[hockney, flow]", "n matches '^f.*w$'", "hockney"},
		{"[true, false]", "n", "false"},
		{"[True, FALSE]", "not n", "true"},
		{"[{name: flow}, x]", "n == '{name: flow}'", "x"},
		{"{values: [[1, 2], [3]], labels: [5, 7]}", "n > 6", "5"},
		{"{values: [[1, 2], [3]], labels: [p, q]}", "n == 'q'", "p"},
		{"{log: {from: 1 us, to: 100 us, count: 3}}", "n >= 10", "1"},
	} {
		plan := fmt.Sprintf("factors: {n: %s}\nexclude:\n- |-\n  %s\n", tt.levels, tt.condition)
		s := mustParse(t, plan)
		expect.Equal(t, strings.Join(left(s), " "), tt.want, "%s without %s leaves", tt.levels, tt.condition)
	}
}

// A factor named by its path is known by the path's last part.
func TestNamesInConditions(t *testing.T) {
	s := mustParse(t, `
factors:
  workload.n: [1, 2]
  nodes.blade: [1, 2]
  n2: [1]
  "x[0]": [1]
exclude: [n == blade]
`)
	got, want := left(s), []string{"1 2 1 1", "2 1 1 1"}
	expect.That(t, slices.Equal(got, want), "left %q, want %q", got, want)
	// A factor called n is n.
	s = mustParse(t, "factors: {workload.n: [1, 2], n: [1, 2]}\nexclude: [n == 1]")
	got, want = left(s), []string{"1 2", "2 2"}
	expect.That(t, slices.Equal(got, want), "left %q, want %q", got, want)
}

// By hand: for a = 1..4 and b = 1..3, the first condition removes (3,3), (4,2), (4,3), the second (2,1), (2,2), (2,3);
// each twice because of the repetitions.
func TestRemoves(t *testing.T) {
	s := mustParse(t, "factors: {a: {from: 1, to: 4}, b: [1, 2, 3]}\nexclude: [a + b > 5, a == 2]\nrepetitions: 2")
	want := []Condition{{"a + b > 5", 6}, {"a == 2", 6}}
	expect.That(t, slices.Equal(s.Conditions, want) && s.Points() == 12,
		"conditions %v, %d points; want %v and 12", s.Conditions, s.Points(), want)
}

func BenchmarkReadMillion(b *testing.B) {
	for name, conditions := range map[string]string{
		"two of three factors": "[r1 + r2 > 150, r2 * r3 > 5000 and r3 < 10]",
		"all factors":          "[r1 + r2 + r3 > 250, r1 * r2 * r3 > 5000 and r3 < 10]",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				mustParse(b, "factors: {r1: {from: 0, to: 99}, r2: {from: 0, to: 99}, r3: {from: 0, to: 99}}\nexclude: "+conditions)
			}
		})
	}
}

func BenchmarkPoint(b *testing.B) {
	s := mustParse(b, "factors: {r1: {from: 0, to: 99}, r2: {from: 0, to: 99}, r3: {from: 0, to: 99}}\nexclude: [r1 + r2 > 150]")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.Point(i * 7919 % s.Points())
	}
}

// Against a slice of bools, with ranges longer than a block of 4096.
func TestSelection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 20000).Draw(t, "size")
		s, want := newSelection(size), make([]bool, size)
		for range rapid.IntRange(0, 10).Draw(t, "ranges") {
			first := rapid.IntRange(0, size-1).Draw(t, "first")
			n := rapid.IntRange(0, size-first).Draw(t, "n")
			for i := range n {
				s.set(first + i)
				want[first+i] = true
			}
		}
		for range rapid.IntRange(0, 10).Draw(t, "singles") {
			i := rapid.IntRange(0, size-1).Draw(t, "i")
			s.set(i)
			want[i] = true
		}
		s.index()
		rank := 0
		for i, w := range want {
			expect.Need(t, s.has(i) == w, "%d: %v", i, s.has(i))
			if w {
				expect.Equal(t, s.at(rank), i, "member %d", rank)
				rank++
			}
		}
		expect.Need(t, s.total == rank, "total %d, want %d", s.total, rank)
	})
}
