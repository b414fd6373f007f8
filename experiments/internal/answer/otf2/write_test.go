package otf2

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/recorded"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim"
)

// aRun has two ranks: 0 computes for 10 ns and sends, 1 waits until 15 and computes until 30.
func aRun() *recorded.Run {
	return &recorded.Run{End: 30,
		Ranks: [][]recorded.Span{{{Part: sim.PartCompute, From: 0, To: 10}, {Part: sim.PartSendOverhead, From: 10, To: 12}},
			{{Part: sim.PartWaitMessage, From: 0, To: 15}, {Part: sim.PartCompute, From: 15, To: 30}}},
		Messages: []recorded.Message{{From: 0, To: 1, Tag: 7, Size: 1 << 40, Sent: 10, Arrived: 15, Met: 15},
			{From: 0, To: 1, Tag: 8, Size: 1, Sent: 12, Met: -1}},
	}
}

func rankName(r int) string { return fmt.Sprintf("rank %d", r) }

// In both orders of bytes, what is written comes back.
func TestWrite(t *testing.T) {
	want := []string{`ENTER 0 0 Region: "compute" <0>`, `LEAVE 0 10 Region: "compute" <0>`}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		dir := filepath.Join(t.TempDir(), "archive")
		w := writer{order: order, run: aRun()}
		expect.Success(t, w.write(dir, rankName))
		a := expect.Value(Open(filepath.Join(dir, Anchor)))(t)
		lines := a.read(t)
		expect.List(t, lines[:1], want[:1], "events in %v", order)
		for _, says := range append(want, `MPI_SEND 0 10 Receiver: 1 ("rank 1" <1>), Communicator: "world" <0>, Tag: 7, Length: 1099511627776`,
			`MPI_RECV 1 15 Sender: 0 ("rank 0" <0>), Communicator: "world" <0>, Tag: 7, Length: 1099511627776`,
			`MPI_SEND 0 12 Receiver: 1 ("rank 1" <1>), Communicator: "world" <0>, Tag: 8, Length: 1`) {
			expect.That(t, strings.Contains(strings.Join(lines, "\n"), says), "%v: no %q in\n%s", order, says, strings.Join(lines, "\n"))
		}
		expect.Equal(t, len(lines), 11, "events")
		trace := expect.Value(OpenTrace(filepath.Join(dir, Anchor)))(t)
		var s recorded.Step
		var kinds []recorded.Kind
		for trace.Next(1, &s) == nil {
			kinds = append(kinds, s.Kind)
		}
		expect.List(t, kinds, []recorded.Kind{recorded.Receive, recorded.Wait, recorded.Compute}, "steps of rank 1")
	}
}

// otf2-print reads what is written without a warning as it is read here, over several chunks too.
func TestWritePrinted(t *testing.T) {
	needsOTF2(t, "otf2-print")
	long := aRun()
	for i := range int64(50000) {
		long.Ranks[0] = append(long.Ranks[0], recorded.Span{Part: sim.Part(i % 2), From: 12 + i, To: 13 + i})
	}
	long.Ranks[0][40000].Part = sim.PartStopped
	long.End = 90000
	many := &recorded.Run{Ranks: make([][]recorded.Span, 300)}
	for i, run := range []*recorded.Run{aRun(), long, many} {
		dir := filepath.Join(t.TempDir(), "archive")
		expect.Success(t, Write(dir, run, rankName))
		anchor := filepath.Join(dir, Anchor)
		a := expect.Value(Open(anchor))(t)
		expect.List(t, a.read(t), byLocation(eventsOf(t, otf2Print(t, anchor))), "events of run %d", i)
		otf2Print(t, "-A", anchor)
	}
	dir := t.TempDir()
	expect.Success(t, os.WriteFile(filepath.Join(dir, "x"), nil, 0o600))
	expect.Failure(t, Write(dir, aRun(), rankName), "the folder is not empty")
}
