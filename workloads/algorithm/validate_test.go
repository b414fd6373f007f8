package algorithm_test

import (
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// TestValidateGauss spoils good parameters in one way at a time, and then in
// all ways at once.
func TestValidateGauss(t *testing.T) {
	good := algorithm.Gauss{
		Problem: algorithm.Problem{N: 3, Speeds: speeds(1, 2), Element: 8},
		Bcast:   measured(workloads.Bcast, 1), Barrier: measured(workloads.Barrier, 1),
	}
	good.Startup = 0 // a real value
	check(t, "good", good.Validate())

	for _, tt := range []struct {
		name  string
		spoil func(*algorithm.Gauss)
		want  []string
	}{
		{"order too small", func(g *algorithm.Gauss) { g.N = 2 } /* W(2) = 0 */, []string{"gauss: n is 2; expected 3 to 1073741824"}},
		{"order too large", func(g *algorithm.Gauss) { g.N = algorithm.MaxOrder + 1 }, []string{"n is 1073741825"}},
		{"no processes", func(g *algorithm.Gauss) { g.Speeds = nil }, []string{"gauss: no processes"}},
		{"speed zero", func(g *algorithm.Gauss) { g.Speeds = speeds(1, 0) }, []string{"marked speed of process 1 is 0 flop/s; expected 1e-30 to 1e+30 flop/s"}},
		{"speed negative", func(g *algorithm.Gauss) { g.Speeds = speeds(-1, 1) }, []string{"marked speed of process 0 is -1 flop/s"}},
		{"speed no number", func(g *algorithm.Gauss) { g.Speeds[0] = units.FlopsPerSecond(math.NaN()) }, []string{"marked speed of process 0"}},
		{"speed infinite", func(g *algorithm.Gauss) { g.Speeds[1] = units.FlopsPerSecond(math.Inf(1)) }, []string{"marked speed of process 1"}},
		// The sum of two of these is not finite.
		{"speed too large", func(g *algorithm.Gauss) { g.Speeds[0] = 1e308 }, []string{"marked speed of process 0"}},
		{"startup negative", func(g *algorithm.Gauss) { g.Startup = -1 }, []string{"gauss: startup is -1 s; expected a finite time of at least 0"}},
		{"startup no number", func(g *algorithm.Gauss) { g.Startup = units.Seconds(math.NaN()) }, []string{"startup is"}},
		{"startup infinite", func(g *algorithm.Gauss) { g.Startup = units.Seconds(math.Inf(1)) }, []string{"startup is"}},
		{"element zero", func(g *algorithm.Gauss) { g.Element = 0 }, []string{"gauss: element is 0 B; expected more than 0 B, at most 1 MiB"}},
		{"element negative", func(g *algorithm.Gauss) { g.Element = -8 }, []string{"element is -8 B"}},
		{"element no number", func(g *algorithm.Gauss) { g.Element = units.Bytes(math.NaN()) }, []string{"element is"}},
		{"element too large", func(g *algorithm.Gauss) { g.Element = 1<<20 + 1 }, []string{"element is"}},
		{"broadcast missing", func(g *algorithm.Gauss) { g.Bcast = collective.Choice{} }, []string{"nothing chosen", "choice for Collective(0) where one for bcast is needed"}},
		{"broadcast of another kind", func(g *algorithm.Gauss) { g.Bcast = g.Barrier }, []string{"gauss: choice for barrier where one for bcast is needed"}},
		{"barrier of another kind", func(g *algorithm.Gauss) { g.Barrier = g.Bcast }, []string{"gauss: choice for bcast where one for barrier is needed"}},
		{"barrier at a bad cost", func(g *algorithm.Gauss) { g.Barrier.Cost = &collective.Cost{Base: -1} }, []string{"gauss: choice for barrier: cost: base is -1 s"}},
		{"everything", func(g *algorithm.Gauss) {
			*g = algorithm.Gauss{Problem: algorithm.Problem{N: -3, Speeds: speeds(1, -1), Startup: -1, Element: -1}, Bcast: g.Barrier}
		}, []string{"n is -3", "marked speed of process 1", "startup is", "element is", "one for bcast is needed", "nothing chosen", "one for barrier is needed"}},
		{"everything, nobody there", func(g *algorithm.Gauss) { *g = algorithm.Gauss{Problem: algorithm.Problem{Startup: -1}} }, []string{"n is 0", "no processes", "startup is", "element is", "one for bcast is needed", "one for barrier is needed"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bad := good
			bad.Speeds = speeds(1, 2)
			tt.spoil(&bad)
			check(t, tt.name, bad.Validate(), tt.want...)
		})
	}
}

// TestValidateMatMul does not repeat what both algorithms have in common.
func TestValidateMatMul(t *testing.T) {
	good := algorithm.MatMul{
		Problem: algorithm.Problem{N: 1, Speeds: speeds(1), Element: 8},
		Scatter: measured(workloads.Scatter, 1), Bcast: measured(workloads.Bcast, 1), Gather: measured(workloads.Gather, 1),
	}
	check(t, "good", good.Validate())

	for _, tt := range []struct {
		name  string
		spoil func(*algorithm.MatMul)
		want  []string
	}{
		{"order too small", func(m *algorithm.MatMul) { m.N = 0 }, []string{"matmul: n is 0; expected 1 to 1073741824"}},
		{"speed", func(m *algorithm.MatMul) { m.Speeds = speeds(0) }, []string{"matmul: marked speed of process 0"}},
		{"scatter", func(m *algorithm.MatMul) { m.Scatter = m.Gather }, []string{"matmul: choice for gather where one for scatter is needed"}},
		{"broadcast", func(m *algorithm.MatMul) { m.Bcast = m.Gather }, []string{"matmul: choice for gather where one for bcast is needed"}},
		{"gather", func(m *algorithm.MatMul) { m.Gather = m.Bcast }, []string{"matmul: choice for bcast where one for gather is needed"}},
		{"everything", func(m *algorithm.MatMul) {
			*m = algorithm.MatMul{Problem: algorithm.Problem{Startup: -1}}
		}, []string{"n is 0", "no processes", "startup is", "element is", "one for scatter is needed", "one for bcast is needed", "one for gather is needed"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bad := good
			tt.spoil(&bad)
			check(t, tt.name, bad.Validate(), tt.want...)
		})
	}
}

// check looks for every part of an error; no part stands for success.
func check(t *testing.T, name string, err error, want ...string) {
	t.Helper()
	if len(want) == 0 && err != nil {
		t.Errorf("%s: unexpected error: %v", name, err)
	}
	for _, part := range want {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: error %v; expected one with %q", name, err, part)
		}
	}
}
