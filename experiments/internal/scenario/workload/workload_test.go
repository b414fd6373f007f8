package workload

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// mustRead reads the workload of a scenario.
func mustRead(t *testing.T, text string) Workload {
	t.Helper()
	root := expect.Value(yamldoc.Parse("test.yaml", []byte(text)))(t)
	var r document.Reader
	w := Read(&r, root, true, ".")
	expect.Success(t, r.Err())
	return w
}

// What a workload reads, with its origin, is what describe and reports show.
func TestReadWorkloadParameters(t *testing.T) {
	w := mustRead(t, "{name: gauss, n: 12, sustained: 0.5, element_size: 4 B, bcast: flat, barrier: {base: 1 ms, per_process: 2 ms}}")
	want := []input.Parameter{
		{Name: "sustained", Value: "0.5", Note: "scenario"},
		{Name: "bytes_per_flop", Value: "0", Note: "default"},
		{Name: "startup_per_process", Value: "0 s", Note: "default"},
		{Name: "element_size", Value: "4 B", Note: "scenario"},
		{Name: "bcast", Value: "flat", Note: "scenario"},
		{Name: "barrier", Value: "measured: 1 ms + 2 ms per process + 0 s per byte", Note: "scenario"},
	}
	expect.Same(t, w.Parameters, want, "what was made")
	expect.That(t, w.N == 12 && w.Sustained == 0.5, "n = %d, sustained %v", w.N, w.Sustained)
	// The documentation of parameters names those that are read, in order.
	for _, k := range algorithm.Kinds {
		w := mustRead(t, "{name: "+k.Name+", n: 12}")
		var read, documented []string
		for _, p := range w.Parameters {
			read = append(read, p.Name+"="+p.Value)
		}
		for _, p := range Parameters(k)[1:] {
			if p.Default != "" { // not one that replaces another
				documented = append(documented, p.Key+"="+p.Default)
			}
		}
		d := cmp.Diff(documented, read)
		expect.That(t, d == "", "%s: documented -, read +\n%s", k.Name, d)
	}
}

// The work of a round is given for each process or in total, which decides whether it grows with the number of
// processes.
func TestReadTotalCompute(t *testing.T) {
	for _, tt := range []struct {
		workload string
		scaling  algorithm.Scaling
		work     units.Flops // of 3 rounds on two processes
	}{
		{"name: pattern, compute: 5 flop", algorithm.Weak, 30},
		{"name: pattern, total_compute: 5 flop", algorithm.Strong, 15},
		{"name: pattern, total_compute: 0 flop", algorithm.Weak, 0}, // only messages, and more processes send more
		{"name: pattern", algorithm.Weak, 0},
		{"name: reference", algorithm.Weak, 6e6}, // 1 Mflop each by default
		{"name: reference, total_compute: 5 flop", algorithm.Strong, 15},
		{"name: collective", algorithm.Weak, 0},
		{"name: matmul", algorithm.Strong, 54}, // 2 n^3
	} {
		w := mustRead(t, "{n: 3, "+tt.workload+"}")
		got := w.Build(w.N, []units.FlopsPerSecond{1e9, 3e9}, 1).Work()
		expect.That(t, w.Scaling == tt.scaling && got == tt.work, "%s: %s with %v, want %s with %v", tt.workload, w.Scaling, got, tt.scaling, tt.work)
	}
}
