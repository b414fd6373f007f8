package sweep

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// surfaces are studies of up to 408 configurations. With more points than hard says, searches
// from at least 11 of 12 starts are to come within 1 % of the best.
var surfaces = []struct {
	name, plan string
	hard       int
}{
	{"stencil steps", `scenario:
  machine:
    node_types: {n: {cores: 8, marked_speed: 1 Gflop/s}}
    nodes: [{type: n, count: 24}]
    network: {latency: 20 us, bandwidth: 1 GB/s}
  network: {name: hockney, on_node: {latency: 1 us, bandwidth: 8 GB/s}}
  workload: {name: stencil2d, n: 1000}
factors:
  nodes: {path: nodes.n, from: 1, to: 24}
  per: {path: placement.n, from: 1, to: 8}
`, 0},
	{"allreduce", `scenario:
  machine:
    node_types: {n: {cores: 8, marked_speed: 1 Gflop/s}}
    nodes: [{type: n, count: 16}]
    network: {latency: 20 us, bandwidth: 1 GB/s}
  network: {name: hockney, on_node: {latency: 1 us, bandwidth: 8 GB/s}}
  workload: {name: cg, n: 100}
factors:
  nodes: {path: nodes.n, from: 1, to: 16}
  per: {path: placement.n, from: 1, to: 8}
`, 0},
	{"mixed gauss", `scenario:
  machine:
    node_types: {a: {cores: 1, marked_speed: 1 Gflop/s}, b: {cores: 1, marked_speed: 2 Gflop/s}}
    nodes: [{type: a, count: 16}, {type: b, count: 16}]
    network: {latency: 20 us, bandwidth: 1 GB/s}
  network: hockney
  workload: {name: gauss, n: 1500}
factors:
  a: {path: nodes.a, from: 1, to: 16}
  b: {path: nodes.b, from: 1, to: 16}
`, 0},
	{"hpl", `scenario:
  machine:
    node_types: {n: {cores: 1, marked_speed: 10 Gflop/s}}
    nodes: [{type: n, count: 32}]
    network: {latency: 20 us, bandwidth: 1 GB/s}
  network: hockney
  workload: {name: hpl, n: 1500, rows: 1}
factors:
  nodes: {path: nodes.n, from: 2, to: 32}
  nb: {path: workload.nb, values: [32, 48, 64, 80, 96, 128, 160, 192]}
`, 0},
	{"nested", `scenario: {workload: super-program, log2_levels: [2, 2], tasks: [300, 500], imbalance: [0.9, 0.5], method: dispatch}
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 9}
  r2: {path: "log2_levels[1]", from: 0, to: 9}
objective: {maximize: log2_speedup}
`, 0},
	{"tree", `scenario:
  machine:
    node_types: {node: {cores: 1, marked_speed: 1 Gflop/s}}
    nodes: [{type: node, count: 1}]
    network:
      latency: 20 us
      bandwidth: 1 Gbit/s
      topology: {name: tree, levels: [1, 1], uplinks: [{latency: 20 us, bandwidth: 1 Gbit/s}]}
  network: {name: flow, eager_limit: none}
  workload: {name: matmul, n: 512}
factors:
  r1: {from: 0, to: 5}
  r2: {from: 0, to: 5}
derived:
  "machine.network.topology.levels[0]": 2^r2
  "machine.network.topology.levels[1]": 2^r1
  "machine.nodes[0].count": 2^(r1+r2)
`, 0},
	{"floyd", `scenario:
  machine:
    node_types: {a: {cores: 4, marked_speed: 1 Gflop/s}, b: {cores: 4, marked_speed: 2 Gflop/s}}
    nodes: [{type: a, count: 16}, {type: b, count: 8}]
    network: {latency: 20 us, bandwidth: 1 GB/s}
  network: hockney
  workload: {name: floyd, n: 300}
factors:
  a: {path: nodes.a, from: 0, to: 16}
  b: {path: nodes.b, from: 1, to: 8}
  per: {path: placement.b, values: [1, 2, 4]}
`, 15},
	{"fft", `scenario:
  machine:
    node_types: {n: {cores: 8, marked_speed: 1 Gflop/s}}
    nodes: [{type: n, count: 40}]
    network: {latency: 20 us, bandwidth: 1 GB/s}
  network: {name: hockney, on_node: {latency: 1 us, bandwidth: 8 GB/s}}
  workload: {name: convolution, n: 512}
factors:
  nodes: {path: nodes.n, from: 1, to: 40}
  per: {path: placement.n, values: [1, 2, 4, 8]}
`, 0},
	{"stencil3d", `scenario:
  machine:
    node_types: {n: {cores: 1, marked_speed: 1 Gflop/s}}
    nodes: [{type: n, count: 120}]
    network: {latency: 50 us, bandwidth: 1 GB/s}
  network: hockney
  workload: {name: stencil3d, n: 200}
factors:
  nodes: {path: nodes.n, from: 1, to: 120}
`, 0},
}

// How often searches find the best within 1 %, and that what they leave is no likelier to be better by 1 % than they say.
func TestWhatSearchesLeave(t *testing.T) {
	expect.Long(t, "simulates hundreds of points")
	const seeds = 12
	bound, better, sure := 0.0, 0, 0
	for _, x := range surfaces {
		values, s := everything(t, x.plan)
		maximize := strings.Contains(x.plan, "maximize")
		best := slices.Min(values)
		if maximize {
			best = slices.Max(values)
		}
		for _, points := range []int{15, 20, 30} {
			p := read(t, x.plan+fmt.Sprintf("search: {points: %d}\n", points))
			p.Study.Dir = s.Dir // for its columns
			found := 0
			for seed := 1; seed <= seeds; seed++ {
				p.Study.Design.Seed = int64(seed)
				h := p.Study.newHistory(maximize)
				var seen []float64
				for next := h.Next(); next != nil; next = h.Next() {
					for _, c := range next {
						seen = append(seen, values[c])
						h.Add(c, values[c])
					}
				}
				top := slices.Min(seen)
				if maximize {
					top = slices.Max(seen)
				}
				m := h.Model()
				expect.Need(t, m != nil, "%s: no model", x.name)
				most := h.MostBetter(m, 0.01)
				bound += most
				missed := math.Abs(top/best-1) > 0.01
				if missed {
					better++
				} else {
					found++
				}
				if most < 0.05 {
					sure++
					expect.That(t, !missed, "%s, %d points, seed %d: %v is better than %v, with a probability of at most %v",
						x.name, points, seed, best, top, most)
				}
			}
			expect.That(t, found >= 11 || points <= x.hard, "%s: %d points find it from %d of %d starts", x.name, points, found, seeds)
		}
	}
	expect.That(t, float64(better) <= bound, "%d searches leave better ones, at most %v expected", better, bound)
	expect.That(t, sure > seeds, "only %d searches are sure", sure)
}

// everything simulates all configurations of a plan, and returns their values.
func everything(t *testing.T, plan string) ([]float64, *Study) {
	t.Helper()
	n := read(t, plan).Study.Design.Configurations()
	p := read(t, plan+fmt.Sprintf("search: {points: %d, start: %[1]d}\n", n))
	s := expect.Value(p.Create(filepath.Join(t.TempDir(), "out"), 0))(t)
	run(t, s, 2)
	h := expect.Value(s.History())(t)
	values := make([]float64, n)
	for i, c := range h.Configurations {
		values[c] = h.Mean(i)
	}
	return values, s
}

// Predictions go by the number of processes where several factors make it up, and not where one says it.
func TestSizesOfConfigurations(t *testing.T) {
	s := read(t, surfaces[0].plan).Study
	for c, size := range s.sizes() {
		p := s.configuration(c)
		want := math.Log2(p.Level(0).Value * p.Level(1).Value)
		expect.Near(t, size, want, 1e-12, "%s", s.Design.Describe(p.Levels))
	}
	expect.Equal(t, len(s.sizes()), 24*8, "configurations")
	expect.List(t, evenness([]float64{0, 1, math.Log2(3), math.Log2(24), 5}), []float64{1, 1, 0, 3 / math.Log2(24), 1}, "evenness of 1, 2, 3, 24, 32")
	alone := read(t, surfaces[len(surfaces)-1].plan).Study
	expect.Equal(t, len(alone.sizes()), 0, "sizes of a factor alone")
}
