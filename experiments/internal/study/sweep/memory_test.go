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

// On one process matmul takes 2 n^3 flop at 1 Gflop/s and 100 W: 25 J for n = 500 and 200 J for n = 1000.
func TestConditionsHaveUnits(t *testing.T) {
	const plan = `scenario:
  machine:
    node_types: {n: {cores: 1, marked_speed: 1 Gflop/s, power: 100 W}}
    nodes: [{type: n, count: 1}]
    network: {latency: 20 us, bandwidth: 1 GB/s}
  network: hockney
  workload: {name: matmul, n: 10}
factors: {workload.n: [500, 1000]}
derived: {price: {formula: n / 5, unit: EUR}}
`
	for _, condition := range []string{"energy > 50 J", "energy > 0.00001 kWh", "price > 150 EUR", "energy > 50 and price > 150 EUR", "energy + 10 kJ > 10.1 kJ"} {
		made := create(t, plan+"infeasible: ["+condition+"]\n", 1)
		expect.Success(t, made.Run(t.Context(), 1, nil))
		s := expect.Value(Open(made.Dir.Path()))(t)
		expect.Same(t, cells(t, s, "status"), []string{"ok", StatusInfeasible}, "%s", condition)
	}
}
