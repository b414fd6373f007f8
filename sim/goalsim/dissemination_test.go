package goalsim_test

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads/goal"
)

// dissemination is the dissemination barrier on a power of two ranks: in round
// k each rank sends to the rank 2^k above it and receives from the one 2^k
// below it, and the next send waits for that.
func dissemination(t testing.TB, ranks int, size uint64) *goal.Schedule {
	t.Helper()
	var b goal.Builder
	for r := range ranks {
		b.NextRank()
		before := -1
		for d := 1; d < ranks; d *= 2 {
			send := b.Add(goal.Op{Kind: goal.Send, Size: size, Peer: int32((r + d) % ranks)})
			recv := b.Add(goal.Op{Kind: goal.Recv, Size: size, Peer: int32((r - d + ranks) % ranks)})
			if before >= 0 {
				b.Require(send, before)
			}
			before = recv
		}
	}
	return expect.Value(b.Schedule())(t)
}
