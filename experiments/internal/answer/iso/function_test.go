package iso

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/internal/expect"
)

// ladder is a study of equal processes, one on each node, with a network of each system.
func ladder(t *testing.T, target float64, latency, bandwidth, network, workload string, sizes []int,
	topology func(p int) string) *Result {
	t.Helper()
	text := fmt.Sprintf(`target_efficiency: %g
machine: {node_types: {n: {marked_speed: 1 Gflop/s}}, nodes: [{type: n, count: 1}], network: {latency: %s, bandwidth: %s}}
network: %s
workload: %s
systems:
`, target, latency, bandwidth, network, workload)
	for _, p := range sizes {
		of := ""
		if topology != nil {
			of = ", network: {topology: " + topology(p) + "}"
		}
		text += fmt.Sprintf("- {name: p%d, machine: {nodes: [{type: n, count: %d}]%s}}\n", p, p, of)
	}
	s := expect.Value(scenario.Documents{"study.yaml": []byte(text)}.ReadStudy("study.yaml", nil))(t)
	return mustIso(t, s)
}

// Exponents of textbook cases, each on a network where the term of the theory dominates. Work is computed in
// unit time, so E = 1/2 where T_o = W. The exponents of theory are those of [Grama1993]. For the transform
// on a torus it follows from the mean number of links of a message, 3/4 p^(1/3): T_o = p (p-1) 3/4 p^(1/3)
// latencies. On a hypercube the messages of a process pass p/2 log2(p) links in total, and p^2 log2(p) has
// a slope of 2.27 from 16 to 128.
func TestExponentsOfTextbookCases(t *testing.T) {
	free := "{base: 0 s, per_byte: 0 s}"
	torus := func(p int) string {
		k := math.Round(math.Cbrt(float64(p)))
		return fmt.Sprintf("{name: torus, dimensions: [%v, %v, %v]}", k, k, k)
	}
	cube := func(p int) string {
		return fmt.Sprintf("{name: mesh, dimensions: [%s]}", strings.TrimSuffix(strings.Repeat("2, ", bits.Len(uint(p))-1), ", "))
	}
	for _, c := range []struct {
		name, latency, bandwidth, network, workload string
		sizes                                       []int
		topology                                    func(p int) string
		counts                                      string // which theory; "": none is known
		a, b                                        float64
	}{
		{"stencil2d, bytes", "0 s", "80 MB/s", "hockney", "{name: stencil2d, residual_every: 100}", []int{16, 64, 256}, nil, "bytes", 1, 0},
		{"stencil2d, latency", "6 us", "1e9 GB/s", "hockney", "{name: stencil2d, residual_every: 100}", []int{16, 64, 256}, nil, "latency", 1, 0},
		{"stencil3d, bytes", "0 s", "250 MB/s", "hockney", "{name: stencil3d, residual_every: 100}", []int{8, 64, 216}, nil, "bytes", 1, 0},
		{"floyd, bytes", "0 s", "100 MB/s", "hockney", "{name: floyd}", []int{4, 8, 16, 32}, nil, "bytes", 3, 3},
		{"gauss, latency", "5 us", "1e9 GB/s", "hockney", "{name: gauss}", []int{4, 8, 16, 32}, nil, "latency", 1.5, 1.5},
		{"matmul, bytes", "0 s", "800 MB/s", "hockney", "{name: matmul, scatter: " + free + ", gather: " + free + "}", []int{4, 8, 16, 32}, nil, "bytes", 3, 3},
		{"transform on a crossbar", "3 ms", "1e9 GB/s", "hockney", "{name: fft3d, slabs: 1}", []int{16, 32, 64, 128}, nil, "latency", 2, 0},
		{"transform on a hypercube", "300 us", "1e9 GB/s", "flow", "{name: fft3d, slabs: 1}", []int{16, 32, 64, 128}, cube, "", 2.27, 0},
		{"transform on a torus", "300 us", "1e9 GB/s", "flow", "{name: fft3d, slabs: 1}", []int{27, 64, 125}, torus, "", 7. / 3, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := ladder(t, 0.5, c.latency, c.bandwidth, c.network, c.workload, c.sizes, c.topology)
			f := r.Function
			expect.Need(t, f != nil, "no function")
			for _, s := range r.Systems {
				t.Logf("%s: n = %d, E = %.4f", s.Name, s.N, s.SpeedEfficiency)
			}
			t.Log(strings.Join(f.Says(), "\n"))
			a := f.Exponent
			for _, theory := range f.Theory {
				if theory.Counts == c.counts {
					expect.That(t, theory.Exponent == c.a && theory.Log == c.b, "theory: %+v", theory)
					a = theory.Fitted.Exponent
				}
			}
			expect.That(t, math.Abs(a-c.a) <= 0.1, "exponent %v, theory %v", a, c.a)
		})
	}
}
