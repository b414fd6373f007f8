package swf_test

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads/swf"
)

// No text makes the reader panic, and the jobs that it keeps can be simulated.
func FuzzRead(f *testing.F) {
	f.Add("; MaxProcs: 8\n" + job(1, 0, 10, 1, 1, 60, 1) + job(2, "0.5", 10, 0, -1, 60, 5))
	f.Add("1 2 3\r\n;")
	f.Add("+.5 -1. 00000000000000000000000001")
	const maxTime, maxProcessors = 1e12, 1 << 30 // what batchqueue takes
	f.Fuzz(func(t *testing.T, text string) {
		log, err := swf.Read("fuzz", strings.NewReader(text), 1<<20)
		if err != nil {
			return
		}
		for _, j := range log.Jobs {
			expect.Need(t, j.Submit >= 0 && j.Submit <= maxTime && j.Run > 0 && j.Run <= maxTime &&
				j.Requested >= 0 && j.Requested <= maxTime && j.Processors >= 1 && j.Processors <= maxProcessors, "%+v", j)
		}
		lines := strings.Count(text, "\n") + 1
		expect.Need(t, len(log.Jobs) <= lines, "%d jobs of %d lines", len(log.Jobs), lines)
	})
}

func BenchmarkRead(b *testing.B) {
	const n = 100_000
	text := strings.Repeat(job(123456, 1234567, 3600, 64, 64, 7200, 1), n)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		log, err := swf.Read("log.swf", strings.NewReader(text), 1<<30)
		if err != nil || len(log.Jobs) != n {
			b.Fatal(err)
		}
	}
}
