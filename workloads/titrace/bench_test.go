package titrace_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
	if err := os.WriteFile(filepath.Join(folder, "0"), []byte(pairs(n)), 0o666); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		p, err := titrace.Open(filepath.Join(folder, "list"), 0)
		if err != nil {
			b.Fatal(err)
		}
		count(b, p, 4*n)
	}
	b.ReportMetric(float64(4*n*b.N)/b.Elapsed().Seconds()/1e6, "Mactions/s")
}

// The whole way of a merged trace: sorting it by rank, then reading it.
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
		p, err := titrace.Read("merged", bytes.NewReader(text.Bytes()), 0)
		if err != nil {
			b.Fatal(err)
		}
		count(b, p, ranks*rounds)
	}
	b.ReportMetric(float64(ranks*rounds*b.N)/b.Elapsed().Seconds()/1e6, "Mactions/s")
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
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Fatalf("%d operations, want %d", got, want)
	}
}

// After the first operations nothing is allocated for another one.
func TestNoAllocations(t *testing.T) {
	p, err := titrace.Read("t", strings.NewReader(pairs(2000)), 2)
	if err != nil {
		t.Fatal(err)
	}
	var op workloads.Op
	next := func() {
		for range 10 {
			if !p.Next(0, &op) || op.Kind == 0 {
				t.Fatal("no operation")
			}
		}
	}
	for range 10 {
		next()
	}
	if n := testing.AllocsPerRun(500, next); n > 0 {
		t.Errorf("%v allocations for 10 operations, want none", n)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
}
