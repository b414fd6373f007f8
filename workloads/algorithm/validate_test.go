package algorithm_test

import (
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// spoilt is a way to make good parameters bad, with parts of the resulting error.
type spoilt[A any] struct {
	name  string
	spoil func(*A)
	want  []string
}

// spoils demands that good parameters are accepted, and that each way to spoil them is refused.
func spoils[A interface{ Validate() error }](t *testing.T, good func() A, ways []spoilt[A]) {
	check(t, "good", good().Validate())
	for _, w := range ways {
		bad := good()
		w.spoil(&bad)
		check(t, w.name, bad.Validate(), w.want...)
	}
}

// Each parameter is spoilt alone, then all of them together.
func TestValidateGauss(t *testing.T) {
	spoils(t, func() algorithm.Gauss {
		return algorithm.Gauss{
			Problem: algorithm.Problem{N: 3, Speeds: speeds(1, 2), Element: 8}, // a startup of 0 is a real value
			Bcast:   measured(workloads.Bcast, 1), Barrier: measured(workloads.Barrier, 1),
		}
	}, []spoilt[algorithm.Gauss]{
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
			*g = algorithm.Gauss{
				Problem: algorithm.Problem{N: -3, Speeds: speeds(1, -1), Startup: -1, Element: -1}, Bcast: g.Barrier,
			}
		}, []string{"n is -3", "marked speed of process 1", "startup is", "element is", "one for bcast is needed", "nothing chosen", "one for barrier is needed"}},
		{"everything, nobody there", func(g *algorithm.Gauss) { *g = algorithm.Gauss{Problem: algorithm.Problem{Startup: -1}} }, []string{"n is 0", "no processes", "startup is", "element is", "one for bcast is needed", "one for barrier is needed"}},
	})
}

// Checks that all problems share are not repeated for the others.
func TestValidateProblems(t *testing.T) {
	spoils(t, func() algorithm.MatMul {
		return algorithm.MatMul{
			Problem: algorithm.Problem{N: 1, Speeds: speeds(1), Element: 8},
			Scatter: measured(workloads.Scatter, 1), Bcast: measured(workloads.Bcast, 1), Gather: measured(workloads.Gather, 1),
		}
	}, []spoilt[algorithm.MatMul]{
		{"order too small", func(m *algorithm.MatMul) { m.N = 0 }, []string{"matmul: n is 0; expected 1 to 1073741824"}},
		{"scatter", func(m *algorithm.MatMul) { m.Scatter = m.Gather }, []string{"matmul: choice for gather where one for scatter is needed"}},
		{"broadcast", func(m *algorithm.MatMul) { m.Bcast = m.Gather }, []string{"matmul: choice for gather where one for bcast is needed"}},
		{"gather", func(m *algorithm.MatMul) { m.Gather = m.Bcast }, []string{"matmul: choice for bcast where one for gather is needed"}},
	})
	spoils(t, func() algorithm.Floyd {
		return algorithm.Floyd{Problem: algorithm.Problem{N: 1, Speeds: speeds(1), Element: 4}, CellWork: 2, Bcast: measured(workloads.Bcast, 1)}
	}, []spoilt[algorithm.Floyd]{
		{"order too small", func(f *algorithm.Floyd) { f.N = 0 }, []string{"floyd: n is 0; expected 1 to 1073741824"}},
		{"no work", func(f *algorithm.Floyd) { f.CellWork = 0 }, []string{"floyd: work of a cell is 0 flop; expected more than 0 flop, at most 1e+06 flop"}},
		{"too much work", func(f *algorithm.Floyd) { f.CellWork = 1e7 }, []string{"work of a cell is"}},
		{"work no number", func(f *algorithm.Floyd) { f.CellWork = units.Flops(math.NaN()) }, []string{"work of a cell is"}},
		{"broadcast", func(f *algorithm.Floyd) { f.Bcast = measured(workloads.Gather, 1) }, []string{"floyd: choice for gather where one for bcast is needed"}},
	})
	spoils(t, func() algorithm.Convolution {
		return algorithm.Convolution{
			Problem: algorithm.Problem{N: 1, Speeds: speeds(1), Element: 16},
			Scatter: measured(workloads.Scatter, 1), Alltoall: measured(workloads.Alltoall, 1), Gather: measured(workloads.Gather, 1),
		}
	}, []spoilt[algorithm.Convolution]{
		{"order too small", func(c *algorithm.Convolution) { c.N = 0 }, []string{"convolution: n is 0; expected 1 to 1073741824"}},
		{"scatter", func(c *algorithm.Convolution) { c.Scatter = c.Gather }, []string{"convolution: choice for gather where one for scatter is needed"}},
		{"exchange", func(c *algorithm.Convolution) { c.Alltoall = c.Gather }, []string{"convolution: choice for gather where one for alltoall is needed"}},
		{"gather", func(c *algorithm.Convolution) { c.Gather = c.Scatter }, []string{"convolution: choice for scatter where one for gather is needed"}},
	})
	spoils(t, func() algorithm.LCS {
		return algorithm.LCS{Problem: algorithm.Problem{N: 4, Speeds: speeds(1), Element: 1}, PieceRows: 2, CellWork: 1}
	}, []spoilt[algorithm.LCS]{
		{"order", func(l *algorithm.LCS) { l.N = 0 }, []string{"n is 0"}},
		{"piece", func(l *algorithm.LCS) { l.PieceRows = 0 }, []string{"0 rows"}},
		{"cell", func(l *algorithm.LCS) { l.CellWork = 0 }, []string{"for a cell"}},
	})
	spoils(t, func() algorithm.HPL { return linpack(10, 2, 2, 3) }, []spoilt[algorithm.HPL]{
		{"order", func(h *algorithm.HPL) { h.N = 0 }, []string{"hpl: n is 0; expected 1 to"}},
		{"block", func(h *algorithm.HPL) { h.Block = 0 }, []string{"hpl: nb is 0; expected 1 to 65536"}},
		{"grid", func(h *algorithm.HPL) { h.Rows = 4 }, []string{"hpl: a grid of 4 x 3 processes; expected rows times columns to be their number, 6"}},
		{"no rows", func(h *algorithm.HPL) { h.Rows = 0 }, []string{"a grid of 0 x 3 processes"}},
		{"depth", func(h *algorithm.HPL) { h.Depth = 2 }, []string{"hpl: depth is 2; expected 0 or 1"}},
		{"broadcast", func(h *algorithm.HPL) { h.Bcast = "3ring" }, []string{`hpl: broadcast "3ring"; expected one of 1ring, 1ringM`}},
		{"swap", func(h *algorithm.HPL) { h.Swap = "" }, []string{`hpl: swap ""; expected one of bin-exch, long, mix`}},
		{"threshold", func(h *algorithm.HPL) { h.Threshold = -1 }, []string{"hpl: threshold is -1; expected at least 0"}},
		{"pivot", func(h *algorithm.HPL) { h.Pivot = measured(workloads.Bcast, 1) }, []string{"hpl: choice for bcast where one for allreduce is needed"}},
		{"efficiency", func(h *algorithm.HPL) { h.PanelEfficiency = 0 }, []string{"hpl: panel_efficiency is 0; expected above 0, at most 100"}},
		{"solving", func(h *algorithm.HPL) { h.SolveEfficiency = 0 }, []string{"hpl: solve_efficiency is 0; expected above 0, at most 100"}},
		{"deviation", func(h *algorithm.HPL) { h.Deviation = 0.8 }, []string{"hpl: deviation is 0.8; expected 0 to 0.75"}},
		{"copy", func(h *algorithm.HPL) { h.Copies.Dlatcpy = -1 }, []string{"hpl: dlatcpy is -1 s; expected 0 s to 1 s"}},
		{"call", func(h *algorithm.HPL) { h.CallTime = -1 }, []string{"hpl: call_time is -1 s; expected 0 s to 1e9 s"}},
	})
}

func TestValidateSeries(t *testing.T) {
	spoils(t, func() algorithm.Collective {
		good := once(4, measured(workloads.Bcast, 1), 0)
		good.Root = 3
		return good
	}, []spoilt[algorithm.Collective]{
		{"no calls", func(c *algorithm.Collective) { c.Rounds = 0 }, []string{"collective: n is 0; expected 1 to 1073741824 rounds"}},
		{"no processes", func(c *algorithm.Collective) { c.Processes = 0 }, []string{"collective: 0 processes; expected at least 1", "root is 3"}},
		{"startup", func(c *algorithm.Collective) { c.Startup = -1 }, []string{"collective: startup is -1 s"}},
		{"nothing chosen", func(c *algorithm.Collective) { c.Choice.Cost = nil }, []string{"collective: choice for bcast: nothing chosen"}},
		{"no operation", func(c *algorithm.Collective) { c.Choice.Operation = 0 }, []string{"unknown operation", "Collective(0) has no root"}},
		{"size", func(c *algorithm.Collective) { c.Size = -1 }, []string{"collective: size is -1 B; expected 0 B to 1 EB"}},
		{"root too small", func(c *algorithm.Collective) { c.Root = -1 }, []string{"collective: root is -1; expected one of 4 processes"}},
		{"root too large", func(c *algorithm.Collective) { c.Root = 4 }, []string{"collective: root is 4; expected one of 4 processes"}},
		{"root of a barrier", func(c *algorithm.Collective) { c.Choice = measured(workloads.Barrier, 1) }, []string{"collective: root is 3; expected 0, barrier has no root"}},
	})
	spoils(t, func() algorithm.Reference {
		return algorithm.Reference{Series: algorithm.Series{Rounds: 1, Processes: 2}, Partners: algorithm.Ring}
	}, []spoilt[algorithm.Reference]{
		{"random partners", func(r *algorithm.Reference) { r.Partners = algorithm.RandomPairs }, []string{"partners are random-pairs"}},
		{"partners that only send", func(r *algorithm.Reference) { r.Partners = algorithm.Incast }, []string{"partners are incast"}},
		{"no partners", func(r *algorithm.Reference) { r.Partners = 0 }, []string{"partners are Shape(0)"}},
		{"rounds", func(r *algorithm.Reference) { r.Rounds = 0 }, []string{"n is 0"}},
		{"compute", func(r *algorithm.Reference) { r.Compute = -1 }, []string{"compute is"}},
		{"exchange", func(r *algorithm.Reference) { r.Exchange = units.Bytes(math.NaN()) }, []string{"exchange is"}},
	})
}

// check looks for every part of an error; no part stands for success.
func check(t *testing.T, name string, err error, want ...string) {
	t.Helper()
	expect.That(t, len(want) != 0 || err == nil, "%s: unexpected error: %v", name, err)
	for _, part := range want {
		expect.Failure(t, err, part)
	}
}
