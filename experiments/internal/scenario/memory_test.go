package scenario

import (
	"fmt"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// Process 0 of matmul keeps three matrices of n^2 numbers of 8 bytes, so n = sqrt(share 500 MB/24 B) = 4564.4 with its
// whole node, and 3227.5 with half. The other of two processes on the node keeps half of A and C and all of B, 16 B per
// element, together 40 B: sqrt(500 MB/40 B) = 3535.5.
func TestProblemSizeFillsMemory(t *testing.T) {
	const form = `machine: {node_types: {n: {cores: 2, marked_speed: 1 Gflop/s%s}}, nodes: [{type: n, count: 1}], network: {latency: 20 us, bandwidth: 1 GB/s}}
network: hockney
placement: {n: %d}
workload: {name: %s, n: {memory_use: %s}}
`
	for _, c := range []struct {
		memory    string
		processes int
		work, use string
		n         int
		problem   string
	}{
		{", memory: 500 MB", 1, "matmul", "1", 4564, ""},
		{", memory: 500 MB", 1, "matmul", "0.5", 3227, ""},
		{", memory: 500 MB", 2, "matmul", "1", 3535, ""},
		{", memory: 96 B", 1, "matmul", "1", 2, ""}, // three matrices of 2 x 2
		{", memory: 96 B", 1, "matmul", "0.2", 0, "no problem size fits: the smallest found takes 0.25 of the fullest memory"},
		{", memory: 1 MB", 1, "pattern, size: 8 B", "1", 0, "no problem size up to 1073741824 has so much data"},
		{", memory: 1 GB", 1, "transformer, layers: 1, hidden: 8, heads: 1, ffn: 8, vocabulary: 8, sequence: 8", "1", 0, "no problem size up to 4194304 has so much data"},
		{"", 1, "matmul", "1", 0, "no node that takes part states its memory"},
		{", memory: 500 MB", 1, "matmul", "1.5", 0, "workload.n.memory_use: 1.5 is out of range; expected a share above 0 and at most 1"},
	} {
		s, err := parse(Decode, fmt.Sprintf(form, c.memory, c.processes, c.work, c.use))
		if c.problem != "" {
			expect.Failure(t, err, c.problem)
			continue
		}
		expect.Success(t, err)
		expect.Equal(t, s.Workload.N, c.n, "%s of%s, %d processes", c.use, c.memory, c.processes)
		expect.That(t, s.Workload.GrowsWithProcesses(), "what fills memory does not grow with it")
	}
}
