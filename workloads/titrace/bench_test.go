package titrace_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/titrace"
)

// pairs are simple messages of one rank, 4 actions and 4 operations each.
func pairs(n int) string {
	const some = "0 send 1 17 123456\n0 recv 1 17 123456\n0 irecv 1 3 4096 5\n0 wait 1 0 3\n"
	return "0 init\n" + strings.Repeat(some, n)
}

func BenchmarkNext(b *testing.B) {
	const n = 100_000
	folder := write(b, map[string]string{"list": "0\n1\n", "1": "1 init\n"})
	expect.Success(b, os.WriteFile(filepath.Join(folder, "0"), []byte(pairs(n)), 0o666))
	b.ReportAllocs()
	for b.Loop() {
		p := expect.Value(titrace.Open(filepath.Join(folder, "list"), 0))(b)
		count(b, p, 4*n)
	}
	b.ReportMetric(float64(4*n*b.N)/b.Elapsed().Seconds()/1e6, "Mactions/s")
}

// All steps for a merged trace: sorting it by rank, then reading it.
func BenchmarkMerged(b *testing.B) {
	const ranks, rounds = 64, 4000
	var text bytes.Buffer
	for range rounds {
		for rank := range ranks {
			text.WriteString(line(rank, "send "+number((rank+1)%ranks)+" 17 123456 6"))
		}
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		p := expect.Value(titrace.Read("merged", bytes.NewReader(text.Bytes()), 0))(b)
		count(b, p, ranks*rounds)
	}
	b.ReportMetric(float64(ranks*rounds*b.N)/b.Elapsed().Seconds()/1e6, "Mactions/s")
}

// steps are the lines of each rank of a program that computes and sends to its right
// neighbour: 4 in each round, and 2 more.
func steps(ranks, rounds int) [][]string {
	all := make([][]string, ranks)
	for rank := range all {
		lines := []string{"init"}
		for range rounds {
			lines = append(lines, "compute 1000000",
				"irecv "+number((rank+ranks-1)%ranks)+" 0 1000000",
				"isend "+number((rank+1)%ranks)+" 0 1000000",
				"waitall")
		}
		all[rank] = append(lines, "finalize")
	}
	return all
}

// The cost of a line in Open and in Next if 1024 ranks take turns, round by round in
// the merged file and operation by operation afterwards.
func BenchmarkSteps(b *testing.B) {
	const ranks, rounds = 1024, 100
	all := steps(ranks, rounds)
	files := map[string]string{}
	var text, list strings.Builder
	for rank, lines := range all {
		var own strings.Builder
		for _, l := range lines {
			own.WriteString(line(rank, l))
		}
		files[number(rank)] = own.String()
		list.WriteString(number(rank) + "\n")
	}
	for round := range rounds + 1 {
		for rank, lines := range all {
			for _, l := range lines[4*round : min(4*round+4, len(lines))] {
				text.WriteString(line(rank, l))
			}
		}
	}
	files["split"], files["merged"] = list.String(), text.String()
	folder := write(b, files)
	for _, name := range []string{"merged", "split"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var opening, reading time.Duration
			for b.Loop() {
				start := time.Now()
				p := expect.Value(titrace.Open(filepath.Join(folder, name), ranks))(b)
				opened := time.Now()
				operations := 0
				var op workloads.Op
				for left := ranks; left > 0; {
					left = 0
					for rank := range ranks {
						op = workloads.Op{}
						if p.Next(rank, &op) {
							operations++
							left++
						}
					}
				}
				opening += opened.Sub(start)
				reading += time.Since(opened)
				if err := p.Close(); err != nil || operations != 4*ranks*rounds {
					b.Fatalf("%d operations, error %v", operations, err)
				}
			}
			lines := float64(b.N * ranks * (4*rounds + 2))
			b.ReportMetric(float64(opening.Nanoseconds())/lines, "ns/line-Open")
			b.ReportMetric(float64(reading.Nanoseconds())/lines, "ns/line-Next")
		})
	}
}

func count(t testing.TB, p *titrace.Program, want int) {
	t.Helper()
	got := 0
	for rank := range p.Ranks() {
		var op workloads.Op
		for p.Next(rank, &op) {
			got++
		}
	}
	expect.Success(t, p.Close())
	expect.Need(t, got == want, "%d operations, want %d", got, want)
}

// After the first operations nothing is allocated for another one.
func TestNoAllocations(t *testing.T) {
	p := expect.Value(titrace.Read("t", strings.NewReader(pairs(2000)), 2))(t)
	var op workloads.Op
	next := func() {
		for range 10 {
			expect.Need(t, p.Next(0, &op) && op.Kind != 0, "no operation")
		}
	}
	for range 10 {
		next()
	}
	n := testing.AllocsPerRun(500, next)
	expect.That(t, n <= 0, "%v allocations for 10 operations, want none", n)
	expect.Success(t, p.Close())
}
