package paraver

import (
	"bufio"
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/recorded"
	"github.com/isoscale/isoscale/internal/expect"
)

// A trace of 300 000 computations, whose entries take 14 MB, leaves less than 3 MB in memory if
// 10 000 entries are allowed there, and all entries come back in order.
func TestMemory(t *testing.T) {
	const rounds = 150_000
	in, out := io.Pipe()
	go func() {
		w := bufio.NewWriter(out)
		fmt.Fprint(w, "#Paraver (x):1_ns:1(2):1:2(1:1,1:1),0\n")
		for i := range rounds {
			fmt.Fprintf(w, "1:1:1:1:1:%d:%d:1\n1:2:1:2:1:%d:%d:1\n", 10*i, 10*i+3, 10*i, 10*i+4)
		}
		out.CloseWithError(w.Flush())
	}()
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	x := expect.Value(read("t", in, operations, 10_000))(t)
	defer x.Close()
	after := heap()
	expect.That(t, after < before+3<<20, "%d bytes more in memory", int64(after-before))
	for r := range 2 {
		n := 0
		for {
			var s recorded.Step
			if err := x.Next(r, &s); err == io.EOF {
				break
			} else {
				expect.Success(t, err)
			}
			n++
		}
		expect.Equal(t, n, rounds, "steps of rank %d", r)
	}
}
