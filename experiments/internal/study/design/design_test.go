package design

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
)

func TestOrder(t *testing.T) {
	for _, tt := range []struct{ plan, want string }{
		{"factors: {a: [1, 2], b: [x, y, z]}", "1 x|1 y|1 z|2 x|2 y|2 z"},
		{"factors: {b: [x, y, z], a: [1, 2]}", "x 1|x 2|y 1|y 2|z 1|z 2"},
		{"factors: {a: [1, 2, 3], b: [x, y, z]}\ndesign: paired", "1 x|2 y|3 z"},
		{"factors: {a: [1, 2, 3], b: [x, y, z]}\ndesign: paired\nexclude: [\"a == 2 and b == 'y'\"]", "1 x|3 z"},
		{"factors: {a: [1, 2], b: [x, y]}\nrepetitions: 2\ndesign: factorial", "1 x|1 x|1 y|1 y|2 x|2 x|2 y|2 y"},
		{"factors: {a: [1, 2], b: [x, y]}\nexclude: [a == 1]\nrepetitions: 2", "2 x|2 x|2 y|2 y"},
		{"factors: {a: [1, 2], b: [x, y]}\nexclude: []", "1 x|1 y|2 x|2 y"},
	} {
		expect.Equal(t, strings.Join(left(mustParse(t, tt.plan)), "|"), tt.want, "%s", tt.plan)
	}
	s := mustParse(t, "factors: {a: [1, 2]}\nrepetitions: 3")
	for i, want := range []int{1, 2, 3, 1, 2, 3} {
		p := s.Point(i)
		expect.That(t, p.Repetition == want && p.Index == i, "point %d is %+v", i, p)
	}
}

// A plan of numbers with conditions, and the same conditions in Go.
type brute struct {
	text  string
	sizes []int // factor i has the levels 0 to sizes[i]-1
	keep  []func(levels []int) bool
	reps  int
}

func drawPlan(t *rapid.T) brute {
	b := brute{sizes: rapid.SliceOfN(rapid.IntRange(1, 12), 1, 4).Draw(t, "sizes"), reps: rapid.IntRange(1, 3).Draw(t, "repetitions")}
	text := fmt.Sprintf("repetitions: %d\nfactors:\n", b.reps)
	for i, n := range b.sizes {
		text += fmt.Sprintf("  f%d: {from: 0, to: %d}\n", i, n-1)
	}
	conditions := ""
	for range rapid.IntRange(0, 4).Draw(t, "conditions") {
		i := rapid.IntRange(0, len(b.sizes)-1).Draw(t, "i")
		j := rapid.IntRange(0, len(b.sizes)-1).Draw(t, "j")
		k := rapid.IntRange(1, 14).Draw(t, "k")
		switch rapid.IntRange(0, 2).Draw(t, "form") {
		case 0:
			conditions += fmt.Sprintf("- f%d + 2*f%d > %d\n", i, j, k)
			b.keep = append(b.keep, func(l []int) bool { return l[i]+2*l[j] <= k })
		case 1:
			conditions += fmt.Sprintf("- f%d == %d\n", i, k)
			b.keep = append(b.keep, func(l []int) bool { return l[i] != k })
		case 2:
			conditions += fmt.Sprintf("- f%d %% %d == 1 and f%d < 5\n", i, k, j)
			b.keep = append(b.keep, func(l []int) bool { return l[i]%k != 1 || l[j] >= 5 })
		}
	}
	if conditions != "" {
		text += "exclude:\n" + conditions
	}
	b.text = text
	return b
}

// points enumerates by nested counting and asks every condition of every point.
func (b brute) points() [][]int {
	var all [][]int
	levels := make([]int, len(b.sizes))
	var visit func(f int)
	visit = func(f int) {
		if f < len(levels) {
			for levels[f] = 0; levels[f] < b.sizes[f]; levels[f]++ {
				visit(f + 1)
			}
			return
		}
		for _, keep := range b.keep {
			if !keep(levels) {
				return
			}
		}
		for range b.reps {
			all = append(all, slices.Clone(levels))
		}
	}
	visit(0)
	return all
}

func TestPointsByBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawPlan(t)
		want := b.points()
		s, err := parse(b.text, planLimits)
		if len(want) == 0 {
			expect.Failure(t, err, "leave none")
			return
		}
		expect.Success(t, err)
		var got [][]int
		for p := range points(s) {
			got = append(got, p.Levels)
		}
		expect.Need(t, s.Points() == len(want) && cmp.Equal(want, got),
			"%d points, want %d\n%s", s.Points(), len(want), cmp.Diff(want, got))
	})
}

// points yields all points of a design.
func points(s *Design) iter.Seq[Point] {
	return func(yield func(Point) bool) {
		for i := range s.Points() {
			if !yield(s.Point(i)) {
				return
			}
		}
	}
}

// For the race detector: shards of one design on several goroutines.
func TestConcurrentShards(t *testing.T) {
	s := mustParse(t, "{factors: {a: {from: 0, to: 29}, b: {log: {from: 1, to: 9}}}, design: {latin_hypercube: 200}, exclude: [a > b * 7]}")
	want := left(s)
	got := make([]string, len(want))
	var wg sync.WaitGroup
	for first := range 4 {
		wg.Go(func() {
			for i := first; i < s.Points(); i += 4 {
				p := s.Point(i)
				got[p.Index] = p.Level(0).Text + " " + p.Level(1).Text
			}
		})
	}
	wg.Wait()
	expect.Same(t, got, want, "difference")
}

func TestProgrammersErrorsPanic(t *testing.T) {
	s := mustParse(t, "factors: {a: [1, 2]}")
	for name, f := range map[string]func(){
		"point -1": func() { s.Point(-1) },
		"point 2":  func() { s.Point(2) },
	} {
		func() {
			defer func() {
				expect.That(t, recover() != nil, "%s: no panic", name)
			}()
			f()
		}()
	}
}

// The sizes by hand: for a = 1..4 and b = 1..3, a + b > 5 removes (3,3), (4,2) and (4,3).
func TestExtent(t *testing.T) {
	const ab = "factors: {a: {from: 1, to: 4}, b: [1, 2, 3]}"
	for _, tt := range []struct{ plan, want string }{
		{"factors: {a: [1]}", "1 configuration"},
		{"factors: {a: [1, 2]}", "2 configurations"},
		{"factors: {a: [1, 2]}\nrepetitions: 3", "2 configurations x 3 repetitions = 6 points"},
		{ab, "12 configurations (4 x 3)"},
		{ab + "\nexclude: [a + b > 5]", "9 of 12 configurations (4 x 3), 3 excluded"},
		{ab + "\nexclude: [a + b > 2]", "1 of 12 configurations (4 x 3), 11 excluded"},
		{ab + "\nexclude: [a > 9]", "12 configurations (4 x 3)"},
		{ab + "\nexclude: [a + b > 5]\nrepetitions: 2", "9 of 12 configurations (4 x 3), 3 excluded; 9 x 2 repetitions = 18 points"},
		{"factors: {a: [1, 2], b: [1, 2]}\ndesign: paired", "2 pairs"},
		{"factors: {a: [1], b: [2]}\ndesign: paired", "1 pair"},
		{"factors: {a: [1, 2, 3, 4], b: [1, 2, 3, 4]}\ndesign: paired\nexclude: [a > 3]", "3 of 4 pairs, 1 excluded"},
		{"factors: {a: [1, 2], b: [1, 2], c: [1, 2]}\ndesign: paired", "2 combinations of 3 factors (paired)"},
		{"factors: {a: {linear: {from: 0, to: 1}}}\ndesign: {latin_hypercube: 200}", "200 samples of 1 factor (Latin hypercube)"},
		{"factors: {a: {linear: {from: 0, to: 1}}, b: [x]}\ndesign: {latin_hypercube: 1}", "1 sample of 2 factors (Latin hypercube)"},
		// Of ten strata of 0 to 1, five lie above a half.
		{"factors: {a: {linear: {from: 0, to: 1}}}\ndesign: {latin_hypercube: 10}\nexclude: [a >= 0.5]", "5 of 10 samples of 1 factor (Latin hypercube), 5 excluded"},
	} {
		expect.Equal(t, mustParse(t, tt.plan).Extent(), tt.want, "%s", tt.plan)
	}
}

// A condition without effect is named with the levels about which it may be mistaken.
func TestIdleConditions(t *testing.T) {
	for _, tt := range []struct {
		plan string
		want []string
	}{
		{"factors: {speed: {from: 1 Gflop/s, to: 12 Gflop/s}}\nexclude: [speed > 1e9]", []string{"speed > 1e9 removes no point; speed is from 1 to 12 Gflop/s"}},
		{"factors: {network: [hockney, flow]}\nexclude: [\"network == 'flwo'\"]", []string{"network == 'flwo' removes no point; network is one of hockney, flow"}},
		{"factors: {a: [4 us, 1 us], b: [true, false], c.d: [7]}\nexclude: [a == 3, b and a > 4 and d > 1]", []string{
			"a == 3 removes no point; a is one of 4, 1 us", "b and a > 4 and d > 1 removes no point; b is one of true, false, a is one of 4, 1 us, d is 7"}},
		{"factors: {a: [9, 1, 2, 3, 4, 5, 6, 7, 8]}\nexclude: [a > 1, a > 10]", []string{"a > 10 removes no point; a is from 1 to 9"}},
		{"factors: {a: [a, b, c, d, e, f, g, h, i, j]}\nexclude: [a == 'x']", []string{"a == 'x' removes no point; a is one of a, b, c, d, e, f, g, h, and 2 more"}},
		{"factors: {a: [1]}\nexclude: ['false']", []string{"false removes no point; it names no factor"}},
		{"factors: {a: [1, 2]}\nexclude: [a > 1]", nil},
	} {
		expect.List(t, mustParse(t, tt.plan).Warnings, tt.want, "%s\nwarnings", tt.plan)
	}
}
