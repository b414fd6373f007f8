package system

import (
	"context"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/internal/expect"
)

// agreeing is a machine of six nodes around an application.
const agreeing = `
machine:
  node_types: {n: {cores: 1, marked_speed: 1 Gflop/s}}
  nodes: [{type: n, count: 6}]
  network: {latency: 10 us, bandwidth: 1 GB/s}
network: NETWORK
workload: {application: a.yaml}
`

// statements returns the system of an application with these lines as its program, each a
// statement.
func statements(t *testing.T, network string, program ...string) *System {
	t.Helper()
	documents := scenario.Documents{
		"s.yaml": []byte(strings.Replace(agreeing, "NETWORK", network, 1)),
		"a.yaml": []byte("application: a\ngrid: {x: 3, y: 2}\nwork: 0\nprogram:\n  - " + strings.Join(program, "\n  - ") + "\n"),
	}
	s, err := documents.Read("s.yaml", nil)
	expect.Need(t, err == nil, "%q: %v", program, err)
	sys, err := New(s)
	expect.Need(t, err == nil, "%q: %v", program, err)
	return sys
}

// Programs in which processes disagree about a collective call, a message or their tasks end
// with an error that names what two of them do, and where. Without the check most of them would
// finish: as in MPI, only the rule forbids a broadcast that matches a reduction.
func TestProcessesThatDisagree(t *testing.T) {
	rank := func(condition, then, otherwise string) string {
		return `when: ` + condition + `
    do: [` + then + `]
    else: [` + otherwise + `]`
	}
	for _, tt := range []struct {
		name    string
		program []string
		want    []string
	}{
		{"operation", []string{rank("rank == 2", "{bcast: {size: 8 B}}", "{allreduce: {size: 8 B}}")},
			[]string{"call 1 of rank 0 is allreduce of 8 B (a.yaml:7:", "call 1 of rank 2 is bcast of 8 B with root 0 (a.yaml:6:"}},
		{"operation without data", []string{rank("rank > 3", "{barrier: {}}", "{allgather: {size: 8 B}}")},
			[]string{"rank 0 is allgather of 8 B", "rank 4 is barrier (a.yaml:6:"}},
		{"operation at the second call", []string{"barrier: {}", rank("rank == 5", "{gather: {size: 1 B}}", "{scatter: {size: 1 B}}")},
			[]string{"call 2 of rank 0 is scatter of 1 B with root 0", "call 2 of rank 5 is gather of 1 B with root 0"}},
		{"operation of a reduction", []string{rank("rank == 0", "{reduce: {size: 64 B}}", "{scan: {size: 64 B}}")},
			[]string{"rank 0 is reduce of 64 B", "rank 1 is scan of 64 B"}},
		{"root", []string{"bcast: {size: 1 kB, root: 'min(rank, 1)'}"},
			[]string{"rank 0 is bcast of 1 kB with root 0 (a.yaml:5:", "rank 1 is bcast of 1 kB with root 1 (a.yaml:5:"}},
		{"root of a gather", []string{"gather: {size: 1 kB, root: 'max(0, 1-abs(rank-4))'}"},
			[]string{"rank 0 is gather of 1 kB with root 0", "rank 4 is gather of 1 kB with root 1"}},
		{"root of a reduction", []string{"reduce: {size: 1 kB, root: 'mod(rank, 2)'}"},
			[]string{"rank 0 is reduce of 1 kB with root 0", "rank 1 is reduce of 1 kB with root 1"}},
		{"size", []string{"bcast: {size: 8 + rank}"}, []string{"rank 0 is bcast of 8 B", "rank 1 is bcast of 9 B"}},
		{"size of one process", []string{"allreduce: {size: '8 + 8*max(0, 1-abs(rank-3))'}"}, []string{"rank 0 is allreduce of 8 B", "rank 3 is allreduce of 16 B"}},
		{"size of blocks", []string{"alltoall: {size: '8 * (1 + max(0, 1-abs(rank-5)))'}"}, []string{"rank 0 is alltoall of 8 B", "rank 5 is alltoall of 16 B"}},
		{"size in a loop", []string{"repeat: 400\n    index: i\n    do: [{allgather: {size: '8 + max(0, 1-abs(rank-1))*max(0, 1-abs(i-399))'}}]"},
			[]string{"call 400 of rank 0 is allgather of 8 B", "call 400 of rank 1 is allgather of 9 B"}},
		{"number", []string{rank("rank == 3", "{delay: 0}", "{barrier: {}}")}, []string{"rank 3"}},
		{"number of rooted ones", []string{"repeat: 3 - max(0, 1-abs(rank-4))\n    do: [{bcast: {size: 8 B}}]"},
			[]string{"rank 4 ends after 2, call 3 of rank 0 is bcast of 8 B with root 0 (a.yaml:6:"}},
		{"number of gathers", []string{"repeat: 5 + max(0, 1-abs(rank-2))\n    do: [{gather: {size: 8 B}}]"},
			[]string{"ends after 5, call 6 of rank 2 is gather of 8 B with root 0"}},
		{"operation along an axis", []string{rank("rank == 2", "{bcast: {size: 8 B, among: x}}", "{reduce: {size: 8 B, among: x}}")},
			[]string{"rank 0 is reduce of 8 B", "rank 2 is bcast of 8 B"}},
		{"size along an axis", []string{"allreduce: {size: '8 + coord(y)*max(0, 1-abs(coord(x)-1))', among: x}"}, []string{"allreduce of 8 B", "allreduce of 9 B"}},
		{"number along an axis", []string{"repeat: 1 + max(0, 1-abs(rank-1))\n    do: [{bcast: {size: 8 B, among: y}}]"},
			[]string{"ends after 1, call 2 of rank 1 is bcast of 8 B"}},
		{"room of a receive", []string{"send: {to: 'rank + 1 + 6*min(1, rank)', size: 1 MB}", "recv: {from: 'rank - 1 - 6*min(1, abs(rank-1))', size: 8 B}"},
			[]string{"rank 1", "a message of 1 MB with tag 0 from rank 0 (a.yaml:5:", "and room for 8 B", "a.yaml:6:"}},
		{"room of a receive that is posted first", []string{
			"irecv: {from: 'rank - 1 - 6*min(1, abs(rank-1))', size: 1000 B, request: r}", "barrier: {}",
			"send: {to: 'rank + 1 + 6*min(1, rank)', size: 1001 B}", "wait: r"}, []string{"a message of 1.001 kB with tag 0 from rank 0 (a.yaml:7:", "and room for 1 kB", "rank 1 at", "(a.yaml:5:5): recv"}},
		{"room for any source", []string{"send: {to: '0 - 7*min(1, abs(rank-5))', size: 300 B}", "recv: {from: 'any', size: '200 + 100*min(1, rank)'}"},
			[]string{"a message of 300 B with tag 0 from rank 5 (a.yaml:5:", "and room for 200 B"}},
		{"tasks", []string{"tasks: {count: 10 + rank, flop: 1 Mflop, order: static}"},
			[]string{"rank 0 is handing out of 10 tasks (a.yaml:5:", "rank 1 is handing out of 11 tasks"}},
		{"tasks that are handed out", []string{"tasks: {count: '10 + max(0, 1-abs(rank-5))', flop: 1 Mflop, order: dynamic}"},
			[]string{"rank 0 is handing out of 10 tasks", "rank 5 is handing out of 11 tasks"}},
		{"tasks of some", []string{rank("rank < 3", "{tasks: {count: 10, flop: 1 Mflop, order: static}}", "{delay: 0}")},
			[]string{"rank 3 ends after 0, call 1 of rank 0 is handing out of 10 tasks"}},
	} {
		for _, network := range []string{"hockney", "loggops", "flow"} {
			sys := statements(t, network, tt.program...)
			_, err := sys.Simulate(context.Background(), 1)
			expect.Need(t, err != nil, "%s, %s: no error", tt.name, network)
			// validate, which simulates no time, finds calls that differ.
			if same := strings.HasPrefix(err.Error(), "collective calls differ") && !strings.Contains(err.Error(), "ends after"); same {
				found := sys.Check(1)
				expect.That(t, found != nil && strings.HasPrefix(err.Error(), found.Error()),
					"%s, %s: Check says %v", tt.name, network, found)
			}
			for _, want := range tt.want {
				expect.That(t, strings.Contains(err.Error(), want),
					"%s, %s: %v; expected %q in it", tt.name, network, err, want)
			}
		}
	}
}

// Correct programs that look alike: blocks that differ where they may, and receives with
// room for more, or without any size.
func TestProcessesThatAgree(t *testing.T) {
	for _, program := range [][]string{
		{"gather: {size: 8*(1 + from)}"},
		{"alltoall: {size: 'from + 2*to'}"},
		{"bcast: {size: 8 + coord(y), among: x}", "reduce: {size: 100*coord(x), root: 'mod(coord(x), 2)', among: y}"},
		{"when: coord(y) == 1\n    do: [{barrier: {among: x}}]"},
		{"sendrecv: {to: 'mod(rank+1, p)', from: 'mod(rank+p-1, p)', size: 8 + rank}"},
		{"send: {to: 'rank + 1', size: 8 B}", "recv: {from: 'rank - 1', size: 16 B}"},
		{"send: {to: 'rank + 1', size: 8 B}", "recv: {from: 'rank - 1'}"},
		{"repeat: 1000\n    do: [{bcast: {size: 8 B}}]", "tasks: {count: 7, flop: 1 flop, order: dynamic}"},
	} {
		for _, network := range []string{"hockney", "loggops", "flow"} {
			_, err := statements(t, network, program...).Simulate(context.Background(), 1)
			expect.That(t, err == nil, "%q, %s: %v", program, network, err)
		}
	}
}
