package goalsim_test

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads/goal"
)

// BenchmarkDissemination: all hosts in step, every event once.
func BenchmarkDissemination(b *testing.B) {
	for _, ranks := range []int{1024, 16384, 65536, 1 << 20} {
		b.Run(fmt.Sprint(ranks), func(b *testing.B) {
			// A send, an arrival and a receive for each rank and round.
			bench(b, dissemination(b, ranks, 8), 3*int64(ranks)*int64(bits.TrailingZeros(uint(ranks))))
		})
	}
}

// BenchmarkIncast: all messages wait for one host.
func BenchmarkIncast(b *testing.B) {
	for _, ranks := range []int{1024, 65536} {
		b.Run(fmt.Sprint(ranks), func(b *testing.B) {
			var s goal.Builder
			s.NextRank()
			for r := 1; r < ranks; r++ {
				s.Add(goal.Op{Kind: goal.Recv, Size: 8, Peer: int32(r)})
			}
			for range ranks - 1 {
				s.NextRank()
				s.Add(goal.Op{Kind: goal.Send, Size: 8})
			}
			schedule := expect.Value(s.Schedule())(b)
			bench(b, schedule, 3*int64(ranks-1))
		})
	}
}

// BenchmarkAlltoall: each host sends to each other one, all at once.
func BenchmarkAlltoall(b *testing.B) {
	const ranks = 512
	var s goal.Builder
	for r := range ranks {
		s.NextRank()
		for d := 1; d < ranks; d++ {
			s.Add(goal.Op{Kind: goal.Send, Size: 8, Peer: int32((r + d) % ranks)})
			s.Add(goal.Op{Kind: goal.Recv, Size: 8, Peer: int32((r - d + ranks) % ranks)})
		}
	}
	schedule := expect.Value(s.Schedule())(b)
	bench(b, schedule, 3*ranks*(ranks-1))
}

func bench(b *testing.B, s *goal.Schedule, events int64) {
	total := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		r := run(b, s)
		if r.Events != events {
			b.Fatalf("%d events, want %d", r.Events, events)
		}
		total += r.Events
	}
	b.ReportMetric(float64(total)/b.Elapsed().Seconds(), "events/s")
}
