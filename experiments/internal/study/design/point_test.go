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
		if got := strings.Join(left(mustParse(t, tt.plan)), "|"); got != tt.want {
			t.Errorf("%s\ngives %s\nwant  %s", tt.plan, got, tt.want)
		}
	}
	s := mustParse(t, "factors: {a: [1, 2]}\nrepetitions: 3")
	for i, want := range []int{1, 2, 3, 1, 2, 3} {
		if p := s.Point(i); p.Repetition != want || p.Index != i {
			t.Errorf("point %d is %+v", i, p)
		}
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
			if err == nil || !strings.Contains(err.Error(), "leave none") {
				t.Fatalf("nothing is left, but %v", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		var got [][]int
		for p := range points(s) {
			got = append(got, p.Levels)
		}
		if s.Points() != len(want) || !cmp.Equal(want, got) {
			t.Fatalf("%d points, want %d\n%s", s.Points(), len(want), cmp.Diff(want, got))
		}
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
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestProgrammersErrorsPanic(t *testing.T) {
	s := mustParse(t, "factors: {a: [1, 2]}")
	for name, f := range map[string]func(){
		"point -1": func() { s.Point(-1) },
		"point 2":  func() { s.Point(2) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}
