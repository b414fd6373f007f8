package sweep

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// Process 0 of matmul keeps three matrices of n^2 numbers of 8 bytes: 384 MB for n = 4000 and 1.536 GB for n = 8000.
func TestPointsWithoutMemoryAreInfeasible(t *testing.T) {
	const plan = `scenario:
  machine:
    node_types: {n: {cores: 1, marked_speed: 1 Gflop/s, memory: 500 MB}}
    nodes: [{type: n, count: 4}]
    network: {latency: 20 us, bandwidth: 1 GB/s}
  network: hockney
  workload: {name: matmul, n: 10}
factors: {nodes.n: [1, 4], workload.n: [4000, 8000]}
`
	for _, c := range []struct {
		more         string
		status, data []string
	}{
		{"", []string{"ok", StatusInfeasible, "ok", StatusInfeasible}, []string{"0.768", "", "0.768", ""}},
		{"must_fit: false\n", []string{"ok", "ok", "ok", "ok"}, []string{"0.768", "3.072", "0.768", "3.072"}},
	} {
		made := create(t, plan+c.more, 2)
		expect.Success(t, made.Run(t.Context(), 1, nil))
		s := expect.Value(Open(made.Dir.Path()))(t)
		expect.Same(t, cells(t, s, "status"), c.status, "%sstatus", c.more)
		expect.Same(t, cells(t, s, "memory_use"), c.data, "%smemory_use", c.more)
		table := expect.Value(s.Table())(t)
		for i, row := range table.Rows {
			expect.Equal(t, row.Infeasible, c.status[i] != "ok", "%spoint %d is infeasible", c.more, i)
		}
	}
}
