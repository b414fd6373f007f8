package goal_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads/goal"
)

// barrier is a dissemination barrier of 14 rounds: 14 sends, 14 receives and 13
// dependencies for each of 16384 ranks.
func barrier(b *testing.B) (text []byte, s *goal.Schedule) {
	b.Helper()
	const ranks = 1 << 14
	var builder goal.Builder
	for r := range ranks {
		builder.NextRank()
		before := -1
		for d := 1; d < ranks; d *= 2 {
			send := builder.Add(goal.Op{Kind: goal.Send, Size: 8, Peer: int32((r + d) % ranks)})
			recv := builder.Add(goal.Op{Kind: goal.Recv, Size: 8, Peer: int32((r - d + ranks) % ranks)})
			if before >= 0 {
				builder.Require(send, before)
			}
			before = recv
		}
	}
	s = expect.Value(builder.Schedule())(b)
	var out bytes.Buffer
	expect.Success(b, goal.Write(&out, s))
	return out.Bytes(), s
}

func BenchmarkRead(b *testing.B) {
	text, want := barrier(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s := expect.Value(goal.Read("barrier", bytes.NewReader(text)))(b)
		if s.Shape() != want.Shape() {
			b.Fatalf("read %+v, want %+v", s.Shape(), want.Shape())
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	text, s := barrier(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		expect.Success(b, goal.Write(io.Discard, s))
	}
}
