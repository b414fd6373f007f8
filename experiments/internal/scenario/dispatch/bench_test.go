package dispatch

import "testing"

// 4096 SIs with all costs on 64 nodes.
func BenchmarkOneLevel(b *testing.B) {
	c := Config{
		Machine: Machine{level(64, 2, func(l *Level) {
			l.Dispatch, l.Latency, l.Operands, l.Results, l.Bandwidth, l.Trunk = 1e-6, 1e-4, 1e3, 1e3, 1e7, 1e8
		})},
		Work: Work{SIs: []int{4096}, Time: 1, Scatter: 0.2},
	}
	b.ReportAllocs()
	for b.Loop() {
		if r := mustRun(b, c); r.Levels[0].Executed != 4096 {
			b.Fatal(r)
		}
	}
}

// The 100 points of the source's case 1: 512 x 512 SIs on 1 x 1 to 512 x 512
// nodes, by the exact reduction.
func BenchmarkCase1(b *testing.B) {
	for b.Loop() {
		for r1 := range 10 {
			for r2 := range 10 {
				mustRun(b, Config{Machine: Machine{Ideal(1<<r1, 1), Ideal(1<<r2, 4)}, Work: Work{SIs: []int{512, 512}, Time: 1}})
			}
		}
	}
}

// One point of case 1 in full, because the times are scattered: 262144 SIs.
func BenchmarkCase1Scattered(b *testing.B) {
	for b.Loop() {
		r := mustRun(b, Config{Machine: Machine{Ideal(64, 1), Ideal(64, 4)}, Work: Work{SIs: []int{512, 512}, Time: 1, Scatter: 0.2}})
		if r.Levels[1].Executed != 512*512 {
			b.Fatal(r)
		}
	}
}
