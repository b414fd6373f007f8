package paraver

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/recorded"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/internal/told"
	"github.com/isoscale/isoscale/sim"
)

// Rank 0 computes for 10 ns and sends, rank 1 waits from the start until 15, computes until 25 and spends time until 30.
func TestWrite(t *testing.T) {
	run := &told.Run{End: 30,
		Ranks: [][]told.Span{{{Part: uint8(sim.PartCompute), From: 0, To: 10}, {Part: uint8(sim.PartSendOverhead), From: 10, To: 12}},
			{{Part: uint8(sim.PartWaitMessage), From: 0, To: 15}, {Part: uint8(sim.PartCompute), From: 15, To: 25}, {Part: uint8(sim.PartDelay), From: 25, To: 30}}},
		Messages: []told.Message{{From: 0, To: 1, Tag: 7, Size: 1000, Sent: 10, Arrived: 15, Met: 15},
			{From: 0, To: 1, Tag: 8, Size: 1, Sent: 12, Met: -1}},
	}
	var out bytes.Buffer
	expect.Success(t, Write(&out, run))
	expect.Equal(t, out.String(), `#Paraver (01/01/2000 at 00:00):30_ns:1(2):1:2(1:1,1:1),1
c:1:1:2:1:2
1:1:1:1:1:0:10:1
1:2:1:2:1:0:15:3
3:1:1:1:1:10:10:2:1:2:1:0:15:1000:7
1:1:1:1:1:10:12:4
1:2:1:2:1:15:25:1
1:2:1:2:1:25:30:7
`, "trace")
	x := expect.Value(read("t", &out, operations, inMemory))(t)
	expect.Same(t, steps(t, x), [][]recorded.Step{
		{{Kind: recorded.Compute, Time: 10e-9}, {Kind: recorded.Send, Peer: 1, Tag: 7, Size: 1000, Message: 2}},
		{{Kind: recorded.Receive, Peer: 0, Tag: 7, Message: 3}, {Kind: recorded.Wait, Message: 3}, {Kind: recorded.Compute, Time: 10e-9},
			{Kind: recorded.Delay, Time: 5e-9}},
	}, "steps")
}

// Each part of a rank's time is a state with a name.
func TestWriteNames(t *testing.T) {
	var pcf, row bytes.Buffer
	expect.Success(t, WriteNames(&pcf, &row, 2, func(r int) string { return string(rune('a' + r)) }))
	expect.Equal(t, row.String(), "LEVEL THREAD SIZE 2\na\nb\n", "rows")
	for part, state := range states {
		expect.That(t, strings.Contains(pcf.String(), fmt.Sprintf("\n%d    ", state)), "state %d of part %d has no name", state, part)
	}
}
