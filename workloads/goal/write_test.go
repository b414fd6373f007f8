package goal_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads/goal"
)

func TestWrite(t *testing.T) {
	s := read(t, `num_ranks 2
rank 0 {
first: send 8b to 1 cpu 2
calc 5
third: recv 9b from -1 tag -1 nic 1
third irequires first
}
rank 1 {
}`)
	want := `num_ranks 2

rank 0 {
l1: send 8b to 1 tag 0 cpu 2
l2: calc 5
l3: recv 9b from -1 tag -1 nic 1
l3 irequires l1
}

rank 1 {
}
`
	var got strings.Builder
	expect.Success(t, goal.Write(&got, s))
	expect.Equal(t, got.String(), want, "got.String()")
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteFailure(t *testing.T) {
	err := goal.Write(brokenWriter{}, read(t, "num_ranks 1 rank 0 { }"))
	expect.That(t, err != nil && err.Error() == "disk full", "error %v, want disk full", err)
}

// TestReadWrite: what is written is read back as it was.
func TestReadWrite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawSchedule(t)
		var text bytes.Buffer
		expect.Success(t, goal.Write(&text, want))
		got := expect.Value(goal.Read("written", &text))(t)
		expect.Need(t, got.Equal(want) && got.Shape() == want.Shape(), "got %+v, want %+v", got, want)
	})
}

func drawSchedule(t *rapid.T) *goal.Schedule {
	var b goal.Builder
	ranks := rapid.IntRange(1, 4).Draw(t, "ranks")
	for range ranks {
		b.NextRank()
		ops := rapid.IntRange(0, 6).Draw(t, "ops")
		for range ops {
			op := goal.Op{
				Kind: rapid.SampledFrom([]goal.Kind{goal.Send, goal.Recv, goal.Calc}).Draw(t, "kind"),
				Size: rapid.Uint64Range(0, math.MaxInt64).Draw(t, "size"),
				CPU:  rapid.Uint8().Draw(t, "cpu"),
			}
			if op.Kind != goal.Calc {
				op.Tag, op.NIC = rapid.Uint32().Draw(t, "tag"), rapid.Uint8().Draw(t, "nic")
				op.Peer = int32(rapid.IntRange(0, ranks-1).Draw(t, "peer"))
			}
			if op.Kind == goal.Recv && rapid.Bool().Draw(t, "any source") {
				op.Peer = goal.AnySource
			}
			b.Add(op)
		}
		if ops == 0 {
			continue
		}
		number := rapid.IntRange(0, ops-1)
		for range rapid.IntRange(0, 8).Draw(t, "dependencies") {
			if op, on := number.Draw(t, "op"), number.Draw(t, "on"); rapid.Bool().Draw(t, "start") {
				b.RequireStart(op, on)
			} else {
				b.Require(op, on)
			}
		}
	}
	return expect.Value(b.Schedule())(t)
}
