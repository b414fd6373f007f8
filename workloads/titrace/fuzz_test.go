package titrace_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/titrace"
)

const everyAction = `# every action, of rank 0 of one
0 init 1
0 comm_size 1
0 location a.c 7
0 compute 1e9
0 sleep 1e-3
0 isend 0 7 1e3
0 irecv -555 -444 1e3 5
0 test 0 0 7
0 wait 0 0 7
0 waitall 1
0 sendRecv 5 0 5 0 6 6
0 bcast 1 0 0
0 reduce 1 2 0 0
0 allreduce 1 2 0
0 reducescatter 1 2 0
0 scan 1 2
0 gather 1 1 0 0 0
0 alltoall 1 1
0 gatherv 1 1 0 0 0
0 scatterv 1 1 0 0 0
0 allgatherv 1 1 0 0 0
0 alltoallv 1 1 1 1 0 0
0 barrier
0 finalize
`

// run performs at most limit operations and reports whether the trace is read to
// its end.
func run(t *testing.T, p *titrace.Program, limit int) bool {
	for rank := range p.Ranks() {
		for op := (workloads.Op{}); p.Next(rank, &op); op = (workloads.Op{}) {
			limit--
			if op.Kind == 0 || limit == 0 {
				return false
			}
			bad := op.Size < 0 || op.Work < 0 || op.Time < 0 || op.Request < 0
			switch op.Kind {
			case workloads.Recv, workloads.Irecv:
				bad = bad || op.Peer < -1 || op.Tag < -1
			case workloads.Sendrecv:
				bad = bad || op.Peer < 0 || op.From < -1
			default:
				bad = bad || op.Peer < 0 || op.Tag < 0
			}
			expect.Need(t, !bad && int(op.Peer) < p.Ranks() && int(op.From) < p.Ranks(),
				"rank %d performs %+v", rank, op)
		}
	}
	return true
}

// FuzzMerged: no merged trace makes the reader panic or read for ever, and a trace that
// it reads to the end is the same after writing and reading.
func FuzzMerged(f *testing.F) {
	f.Add([]byte(everyAction))
	f.Add([]byte(merged))
	f.Add([]byte(compressed(f, merged)))
	f.Add([]byte("1 isend 0 0 1 6\r\n0 irecv 1 0 1 6\n\n1 waitall\n0\twait 1 0 0\n2 alltoall 5 5 0 0"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<16 {
			return
		}
		p, err := titrace.Read("fuzz", bytes.NewReader(text), 0)
		if err != nil {
			return
		}
		expect.Need(t, p.Ranks() <= len(text), "%d ranks in %d bytes", p.Ranks(), len(text))
		complete := run(t, p, 100_000)
		if err := p.Close(); complete && err != nil {
			t.Fatalf("read to the end, but %v", err)
		}
		if !complete {
			return
		}
		once := rewrite(t, string(text))
		expect.Need(t, rewrite(t, once) == once, "the canonical form changes when it is read and written")
	})
}

// FuzzRead: the same for the file of one of three ranks, which is read in place; and
// the result is that of a merged trace.
func FuzzRead(f *testing.F) {
	f.Add([]byte(everyAction))
	f.Add([]byte(rank0))
	f.Add([]byte("0 irecv 2 0 1 6\n0 gatherv 5 1 2 3 0 6 6\n0 alltoallv 1 1 2 3 1 1 2 3 0 0\n0 waitall"))
	folder := f.TempDir()
	for name, text := range map[string]string{"list": "0\n1\n2\n", "1": "1 init\n", "2": "2 init\n"} {
		expect.Success(f, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<16 {
			return
		}
		expect.Success(t, os.WriteFile(filepath.Join(folder, "0"), text, 0o666))
		p, err := titrace.Open(filepath.Join(folder, "list"), 3)
		if err != nil {
			return // compressed, and damaged
		}
		complete := run(t, p, 100_000)
		err = p.Close()
		expect.Need(t, !complete || err == nil, "read to the end, but %v", err)
		q, err := titrace.Read("fuzz", bytes.NewReader(text), 3)
		if err != nil || !complete {
			return // a line of another rank, or the first error elsewhere
		}
		if !run(t, q, 100_000) {
			t.Fatalf("not as a merged trace: %v", q.Close())
		}
		expect.Success(t, q.Close())
	})
}
