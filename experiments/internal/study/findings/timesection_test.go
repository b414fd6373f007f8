package findings

import (
	"math"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/report"
)

// Trees of 1 or 2 times 1, 2 or 4 nodes, of 100 W: 1, 2, 4 and 8 processes, of which 2 and
// 4 are in two ways each. Every bar is as high as the shortest time on its processes on
// the links of the best point, and the energy is that of the same row.
func TestTimeOverProcessesAddsUp(t *testing.T) {
	r := drawn(t, `scenario:
  machine:
    node_types: {node: {cores: 1, marked_speed: 1 Gflop/s, power: 100 W}}
    nodes: [{type: node, count: 1}]
    network: {latency: 20 us, bandwidth: 1 Gbit/s, topology: {name: tree, levels: [1, 1], uplinks: [{latency: 90 us, bandwidth: 1 Gbit/s}]}}
  network: hockney
  workload: {name: gauss, n: 60}
factors:
  n1: [1, 2]
  n2: [4, 1, 2]
  links: {path: machine.network.bandwidth, values: [100 Mbit/s, 1 Gbit/s]}
derived:
  "machine.network.topology.levels[0]": n2
  "machine.network.topology.levels[1]": n1
  "machine.nodes[0].count": n1*n2
`)
	// The rows on these links, by their processes.
	column := func(name string) int {
		k, err := r.Table.ResponseIndex(name)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	shortest, energy := make(map[float64]float64), make(map[float64]float64)
	for _, row := range r.Table.Rows {
		p, time := row.Values[column("processes")], row.Values[column("time")]
		if old, known := shortest[p]; row.Levels[2] == r.Reference.At[2] && (!known || time < old) {
			shortest[p], energy[p] = time, row.Values[column("energy")]
		}
	}
	s := r.timeSection()
	if s == nil || len(s.Blocks) < 3 {
		t.Fatalf("section %+v; want bars, energy, energy times time", s)
	}
	bars := s.Blocks[0].(*report.BarChart)
	if want := []string{"p = 1", "p = 2", "p = 4", "p = 8"}; !slices.Equal(bars.Categories, want) {
		t.Fatalf("bars %v; want %v", bars.Categories, want)
	}
	factor := map[string]float64{"s": 1, "ms": 1e3, "us": 1e6}[bars.Y.Unit]
	for k, p := range []float64{1, 2, 4, 8} {
		high := 0.0
		for _, part := range bars.Series {
			high += part.Values[k]
		}
		if want := shortest[p] * factor; !(math.Abs(high-want) <= 1e-9*want) {
			t.Errorf("%s: a bar of %v %s; want the time, %v", bars.Categories[k], high, bars.Y.Unit, want)
		}
	}
	drawn := s.Blocks[len(s.Blocks)-2].(*report.LineChart)
	joules := map[string]float64{"J": 1, "kJ": 1e-3}[drawn.Y.Unit]
	for k, p := range drawn.Series[0].X {
		if want := energy[p] * joules; math.Abs(drawn.Series[0].Y[k]-want) > 1e-9*want {
			t.Errorf("energy on %v processes is %v %s; want %v", p, drawn.Series[0].Y[k], drawn.Y.Unit, want)
		}
	}
	if product := s.Blocks[len(s.Blocks)-1].(*report.LineChart); product.Y.Unit != "J s" || len(product.Series[0].X) != 4 {
		t.Errorf("energy times time: %+v", product)
	}
}

// A plan that varies no number of processes, and one of super-programs, have none.
func TestNoTimeOverOneNumberOfProcesses(t *testing.T) {
	for _, plan := range []string{
		"scenario: {machine: sunwulf, nodes: {blade: 2}, network: hockney, workload: {name: gauss, n: 50}}\nfactors: {n: {path: workload.n, values: [20, 30, 40]}}\n",
		"scenario: {workload: super-program, log2_levels: [0], tasks: [64], imbalance: [0]}\nfactors: {r1: {path: \"log2_levels[0]\", from: 0, to: 2}}\n",
	} {
		if s := drawn(t, plan).timeSection(); s != nil {
			t.Errorf("%s has a section %q", plan, s.Heading)
		}
	}
}
