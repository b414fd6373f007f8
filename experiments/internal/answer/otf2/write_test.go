package otf2

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/recorded"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/internal/told"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// aRun has two ranks: 0 computes for 10 ns and sends, 1 waits until 15, computes until 25 and spends time until 30.
func aRun() *told.Run {
	return &told.Run{End: 30,
		Ranks: [][]told.Span{{{Part: uint8(sim.PartCompute), From: 0, To: 10}, {Part: uint8(sim.PartSendOverhead), From: 10, To: 12}},
			{{Part: uint8(sim.PartWaitMessage), From: 0, To: 15}, {Part: uint8(sim.PartCompute), From: 15, To: 25}, {Part: uint8(sim.PartDelay), From: 25, To: 30}}},
		Messages: []told.Message{{From: 0, To: 1, Tag: 7, Size: 1 << 40, Sent: 10, Left: 1, Arrived: 15, Met: 15, Came: 1},
			{From: 0, To: 1, Tag: 8, Size: 1, Sent: 12, Left: 2, Met: -1}},
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
		for _, says := range append(want, `MPI_ISEND 0 10 Receiver: 1 ("rank 1" <1>), Communicator: "world" <0>, Tag: 7, Length: 1099511627776, Request: 1`, "MPI_IRECV_REQUEST 1 0 Request: 1",
			`MPI_IRECV 1 15 Sender: 0 ("rank 0" <0>), Communicator: "world" <0>, Tag: 7, Length: 1099511627776, Request: 1`,
			`MPI_ISEND 0 12 Receiver: 1 ("rank 1" <1>), Communicator: "world" <0>, Tag: 8, Length: 1, Request: 2`, `MPI_ISEND_COMPLETE 0 12 Request: 1`) {
			expect.That(t, strings.Contains(strings.Join(lines, "\n"), says), "%v: no %q in\n%s", order, says, strings.Join(lines, "\n"))
		}
		expect.Equal(t, len(lines), 15, "events")
		trace := expect.Value(OpenTrace(filepath.Join(dir, Anchor)))(t)
		var s recorded.Step
		var kinds []recorded.Kind
		for trace.Next(1, &s) == nil {
			kinds = append(kinds, s.Kind)
		}
		expect.List(t, kinds, []recorded.Kind{recorded.Receive, recorded.Wait, recorded.Compute, recorded.Delay}, "steps of rank 1")
	}
}

// At the same time, 5 ns, rank 0 sends, and receives what rank 1 sends after receiving that. Rank 0 ends at 5, having
// computed for 5 ns and posted a last message, which leaves at 20.
func TestWriteWhatIsAtOneTime(t *testing.T) {
	run := told.NewRun(2, 100)
	for rank := range int32(2) {
		run.Span(rank, uint8(sim.PartCompute), 0, 5e-9)
	}
	run.Sent(told.Message{From: 0, To: 1}, 0, 5e-9)
	run.Received(0, 0, 5e-9, 5e-9)
	run.Sent(told.Message{From: 1, To: 0}, 0, 5e-9)
	run.Received(1, 0, 5e-9, 5e-9)
	run.Sent(told.Message{From: 0, To: 1}, 1, 20e-9)
	dir := t.TempDir()
	expect.Success(t, Write(dir, run, rankName))
	trace := expect.Value(OpenTrace(filepath.Join(dir, Anchor)))(t)
	for rank, want := range [][]recorded.Kind{
		{recorded.Compute, recorded.Send, recorded.Receive, recorded.Wait, recorded.Send, recorded.Wait},
		{recorded.Compute, recorded.Receive, recorded.Wait, recorded.Send, recorded.Wait},
	} {
		var s recorded.Step
		var kinds []recorded.Kind
		for trace.Next(rank, &s) == nil {
			kinds = append(kinds, s.Kind)
		}
		expect.List(t, kinds, want, "steps of rank %d", rank)
	}
	expect.List(t, trace.Measured().Useful, []units.Seconds{5e-9, 5e-9}, "useful times")
}

// runOf returns the run from which an archive was written. REQUIRES: no rank receives two messages at one time.
func (a *Archive) runOf(t testing.TB) *told.Run {
	run := &told.Run{End: int64(a.Length), Ranks: make([][]told.Span, len(a.Locations))}
	type key struct {
		from, to, tag uint32
		size          uint64
	}
	sent, met := map[key][]int{}, map[key][]Event{}
	for r, l := range a.Locations {
		in := expect.Value(a.Events(l.ID))(t)
		from := int64(0)
		for e := (Event{}); ; {
			err := in.Next(&e)
			if err == io.EOF {
				break
			}
			expect.Success(t, err)
			switch at := int64(e.Time); e.Kind {
			case Enter:
				from = at
			case Leave:
				run.Ranks[r] = append(run.Ranks[r], told.Span{Part: uint8(e.Region), From: from, To: at})
			case MPIIsend:
				k := key{uint32(r), e.Peer, e.Tag, e.Sent}
				sent[k] = append(sent[k], len(run.Messages))
				run.Messages = append(run.Messages, told.Message{From: int32(r), To: int32(e.Peer), Tag: int32(e.Tag), Size: units.Bytes(e.Sent), Sent: at, Left: int32(e.Request), Met: -1})
			case MPIIrecv:
				k := key{e.Peer, uint32(r), e.Tag, e.Sent}
				met[k] = append(met[k], e)
			}
		}
	}
	for k, events := range met {
		for i, e := range events {
			m := &run.Messages[sent[k][i]]
			m.Met, m.Came = int64(e.Time), int32(e.Request)
		}
	}
	return run
}

// aLongRun has ranks whose events take several chunks, and every fifth of its messages is not received.
func aLongRun() *told.Run {
	const ranks, steps = 3, 40000
	run := &told.Run{Ranks: make([][]told.Span, ranks), End: 10*steps + 9}
	for i := range int64(steps) {
		for r := range int32(ranks) {
			run.Ranks[r] = append(run.Ranks[r], told.Span{Part: uint8(i % int64(parts)), From: 10 * i, To: 10*i + 4 + int64(r)})
			m := told.Message{From: r, To: (r + 1) % ranks, Tag: int32(i % 7), Size: units.Bytes(int64(1) << (i % 40)), Sent: 10 * i, Left: int32(2 * i),
				Met: 10*i + 4 + int64((r+1)%ranks), Came: int32(2*i + 1)}
			if i%5 == 0 {
				m.Met = -1
				m.Tag = 100
			}
			run.Messages = append(run.Messages, m)
		}
	}
	return run
}

// An archive that is read and written again has the same bytes, in both orders.
func TestArchivesComeBack(t *testing.T) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for i, run := range []*told.Run{aRun(), aLongRun(), {Ranks: make([][]told.Span, 30)}} {
			dir := t.TempDir()
			first, second := filepath.Join(dir, "first"), filepath.Join(dir, "second")
			w := writer{order: order, run: run}
			expect.Success(t, w.write(first, rankName))
			a := expect.Value(Open(filepath.Join(first, Anchor)))(t)
			again := writer{order: order, run: a.runOf(t)}
			expect.Success(t, again.write(second, func(r int) string { return a.Strings[a.Locations[r].Name] }))
			n := 0
			expect.Success(t, filepath.WalkDir(first, func(path string, f os.DirEntry, err error) error {
				if err != nil || f.IsDir() {
					return err
				}
				n++
				want, got := expect.Value(os.ReadFile(path))(t), expect.Value(os.ReadFile(second+strings.TrimPrefix(path, first)))(t)
				expect.That(t, string(got) == string(want), "run %d in %v: %s differs", i, order, path)
				return nil
			}))
			expect.Equal(t, n, 2+2*len(run.Ranks), "files of run %d", i)
		}
	}
}

// otf2-print reads what is written without a warning, and as it is read here, also over several chunks.
func TestWritePrinted(t *testing.T) {
	t.Parallel() // another program takes most of the time
	needsOTF2(t, "otf2-print")
	long := aRun()
	for i := range int64(50000) {
		long.Ranks[0] = append(long.Ranks[0], told.Span{Part: uint8(i % 2), From: 12 + i, To: 13 + i})
	}
	long.Ranks[0][40000].Part = uint8(sim.PartStopped)
	long.End = 90000
	many := &told.Run{Ranks: make([][]told.Span, 300)}
	for i, run := range []*told.Run{aRun(), long, many} {
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
