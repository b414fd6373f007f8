package otf2

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/recorded"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/internal/told"
)

// files are those of an archive of one location: the anchor, global definitions, definitions and events of
// location 0.
type files struct{ anchor, global, local, events string }

const header = "\x03\x42\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

const (
	goodAnchor = "\x03\x42OTF2\x00\x03\x02\x02\x03\x00" + "\x00\x00\x10\x00\x00\x00\x00\x00" + "\x00\x00\x10\x00\x00\x00\x00\x00" +
		"\x01\x01" + "\x01\x00\x00\x00\x00\x00\x00\x00" + "\x05\x00\x00\x00\x00\x00\x00\x00" + "\x00\x00\x00" +
		"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02"
	clock      = "\x05\x04\x01\x0a\x00\x00"
	aLocation  = "\x0e\x05\x00\x00\x01\x00\x00"
	aRegion    = "\x0f\x0b\x00\x00\x00\x00\x00\x00\x00\x00\x01\x04\x00" // of MPI
	members    = "\x12\x09\x00\x00\x04\x01\x01\x00\x04\x04\x00"
	aComm      = "\x16\x04\x00\x00\x00\xff"
	goodGlobal = header + clock + aLocation + aRegion + members + aComm + "\x02"
	time1      = "\x05\x01\x00\x00\x00\x00\x00\x00\x00"
)

// write writes the archive and returns the name of its anchor.
func (f files) write(t testing.TB) string {
	dir := t.TempDir()
	expect.Success(t, os.Mkdir(filepath.Join(dir, "a"), 0o777))
	for name, text := range map[string]string{"a.otf2": f.anchor, "a.def": f.global, "a/0.def": f.local, "a/0.evt": f.events} {
		expect.Success(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o666))
	}
	return filepath.Join(dir, "a.otf2")
}

// readAll reads all steps of an archive.
func readAll(anchor string) (steps int, err error) {
	trace, err := OpenTrace(anchor)
	if err != nil {
		return 0, err
	}
	for r := range trace.Ranks() {
		for {
			var s recorded.Step
			if err := trace.Next(r, &s); err == io.EOF {
				break
			} else if err != nil {
				return steps, err
			}
			steps++
		}
	}
	return steps, nil
}

// malformed are changes of a good archive, and the errors that they cause.
var malformed = []struct {
	change func(f *files)
	says   string
}{
	{func(f *files) { f.anchor = "" }, "a.otf2: byte 0: the record ends"},
	{func(f *files) { f.anchor = "\x04" }, "a.otf2: byte 0: not an OTF2 anchor file"},
	{func(f *files) { f.anchor = "\x03\x41OTF2\x00" }, "byte order 0x41"},
	{func(f *files) { f.anchor = "\x03\x42OTF1\x00" }, "a.otf2: byte 2: not an OTF2 anchor file"},
	{func(f *files) { f.anchor = "\x03\x42OTF2" }, "a.otf2: byte 2: not an OTF2 anchor file"},
	{func(f *files) { f.anchor = goodAnchor[:7] }, "a.otf2: byte 7: the record ends"},
	{func(f *files) { f.anchor = goodAnchor[:14] }, "the record ends before its last field"},
	{func(f *files) { f.anchor = swap(goodAnchor, 14, "\x00") }, "a.otf2: byte 12: chunks of 0 bytes"},
	{func(f *files) { f.anchor = swap(goodAnchor, 27, "\xff") }, "a.otf2: byte 20: chunks of"},
	{func(f *files) { f.anchor = swap(goodAnchor, 28, "\x02") }, "a.otf2: byte 28: substrate 2"},
	{func(f *files) { f.anchor = swap(goodAnchor, 29, "\x02") }, "a.otf2: byte 29: compression 2"},
	{func(f *files) { f.anchor = swap(goodAnchor, 36, "\x01") }, "a.otf2: byte 30: "},
	{func(f *files) { f.anchor = goodAnchor[:47] }, "the record ends"},
	{func(f *files) { f.anchor = swap(goodAnchor, 7, "\x00") }, "format 0 of the anchor file"},
	{func(f *files) { f.global = "" }, "a.def: byte 0: the file ends"},
	{func(f *files) { f.global = header[:17] }, "a.def: byte 0: the file ends in the header"},
	{func(f *files) { f.global = "\x03\x00" + header[2:] }, "a.def: byte 1: byte order 0x0"},
	{func(f *files) { f.global = header }, "a.def: byte 18: the file ends"},
	{func(f *files) { f.global = header + "\x02" }, "no resolution of the clock"},
	{func(f *files) { f.global = header + clock + "\x02" }, "no locations"},
	{func(f *files) { f.global = header + "\x05\x03\x00\x00\x00\x02" }, "a.def: byte 20: a clock of 0 ticks"},
	{func(f *files) { f.global = header + "\x05\x09\x01" }, "a.def: byte 19: the file ends in a record of 9 bytes"},
	{func(f *files) { f.global = header + "\x05" }, "a.def: byte 19: the file ends in a record"},
	{func(f *files) { f.global = header + "\x05\xff\x01" }, "the file ends in the length"},
	{func(f *files) { f.global = header + "\x05\xff\xff\xff\xff\xff\xff\xff\xff\xff" }, "expected at most"},
	{func(f *files) { f.global = header + "\x05\x01\x01\x02" }, "a.def: byte 21: the record ends"},
	{func(f *files) { f.global = header + "\x05\x01\x09\x02" }, "a.def: byte 20: a number of 9 bytes"},
	{func(f *files) { f.global = header + "\x0a\x06\x05\x01\x01\x01\x01\x01\x02" }, "expected a number of 32 bits"},
	{func(f *files) { f.global = header + "\x0a\x03\x00ab\x02" }, "the record ends"},
	{func(f *files) { f.global = header + clock + aLocation + aLocation + "\x02" }, "location 0 occurs twice"},
	{func(f *files) { f.global = header + "\x12\x05\x00\x00\x04\x01\x09\x02" }, "9 members in a record of 0 bytes"},
	{func(f *files) { f.global = header + "\x00" }, "the file ends within a chunk"},
	{func(f *files) {
		f.global = header + clock + aLocation + members + "\x12\x0b\x01\x01\x00\x05\x01\x01\x01\x09\x05\x04\x00" + "\x16\x05\x00\x00\x01\x01\xff\x02"
	}, "member 9 of communicator 0 is not a rank"},
	{func(f *files) { f.local = "x" }, "0.def: byte 1: the file ends"},
	{func(f *files) { f.local = header + "\x05\x04\x06\x01\x05\x00\x02" }, "0.def: byte 21: 5 identifiers in a record"},
	{func(f *files) { f.local = header + offset("\x09") + offset("\x09") + "\x02" }, "a clock offset at 9, not after the one at 9"},
	{func(f *files) { f.events = "" }, "0.evt: byte 0: the file ends"},
	{func(f *files) { f.events = header + "\x05\x01" }, "0.evt: byte 18: the file ends in a time"},
	{func(f *files) { f.events = header + time1 + "\x0c" }, "0.evt: byte 28: the file ends in a record"},
	{func(f *files) { f.events = header + time1 + "\x0c\x09\x00" }, "the file ends in a record of 10 bytes"},
	{func(f *files) { f.events = header + time1 + "\x0c\x09123456789\x02" }, "a number of 9 bytes"},
	{func(f *files) { f.events = header + time1 + "\x0e\x03\x00\x00\x00\x02" }, "the record ends"},
	{func(f *files) { f.events = header + time1 + "\x0e\x05\x01\x07\x00\x00\x00\x02" }, "byte 34: rank 7 of communicator 0, which has 1"},
	{func(f *files) { f.events = header + time1 + "\x0e\x05\x00\x01\x09\x00\x00\x02" }, "byte 34: communicator 9 does not consist of MPI ranks"},
	{func(f *files) { f.events = header + time1 + "\x17\x06\x00\x01\x09\xff\x00\x00\x02" }, "byte 35: communicator 9 does not consist of MPI ranks"},
}

func swap(text string, at int, by string) string { return text[:at] + by + text[at+len(by):] }

func offset(at string) string {
	return "\x06\x11" + at + "\x00\x00\x00\x00\x00\x00\x00" + "\x00" + "\x00\x00\x00\x00\x00\x00\x00\x00"
}

var good = files{goodAnchor, goodGlobal, header + "\x02", header + time1 + "\x0c\x00\x0d\x00\x02"}

func TestMalformed(t *testing.T) {
	steps, err := readAll(good.write(t))
	expect.That(t, err == nil && steps == 1, "the good archive: %d steps, %v", steps, err) // before the region
	expect.That(t, len(malformed) >= 40, "%d cases", len(malformed))
	for _, tt := range malformed {
		f := good
		tt.change(&f)
		expect.Refusal(readAll(f.write(t)))(t, tt.says)
	}
}

// Any archive yields an error or steps.
func FuzzArchive(f *testing.F) {
	f.Add(good.anchor, good.global, good.local, good.events)
	for _, tt := range malformed {
		x := good
		tt.change(&x)
		f.Add(x.anchor, x.global, x.local, x.events)
	}
	f.Fuzz(func(t *testing.T, anchor, global, local, events string) {
		trace, err := OpenTrace(files{anchor, global, local, events}.write(t))
		if err == nil && trace.Ranks() < 100 {
			_, _, _ = recorded.Factors(t.Context(), trace)
		}
	})
}

// BenchmarkEvents reads calls and messages of a location from memory.
func BenchmarkEvents(b *testing.B) {
	c := newChunks(binary.LittleEndian, true)
	const rounds = 100000
	for i := range int64(rounds) {
		c.number(Enter, 10*i, 1)
		c.message(MPIIsend, 10*i+1, 1, &told.Message{Tag: 7, Size: 123456}, 1)
		c.number(Leave, 10*i+2, 1)
	}
	data := c.end()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		e := Events{s: newStream("b", chunkSize, largest)}
		e.s.source = bytes.NewReader(data)
		var x Event
		n := 0
		for e.Next(&x) == nil {
			n++
		}
		if n != 3*rounds {
			b.Fatal(fmt.Sprint(n, e.s.err))
		}
	}
	b.ReportMetric(3*rounds*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

// A location takes one buffer, however many events it has.
func TestMemory(t *testing.T) {
	c := newChunks(binary.LittleEndian, true)
	for i := range int64(300_000) {
		c.number(Enter, 10*i, 1)
	}
	data := c.end()
	e := Events{s: newStream("t", chunkSize, smallest)}
	e.s.source = bytes.NewReader(data)
	var x Event
	n := 0
	for e.Next(&x) == nil {
		n++
	}
	expect.Equal(t, n, 300_000, "events")
	expect.That(t, len(data) > 3<<20 && cap(e.s.buf) == smallest, "a buffer of %d bytes for %d", cap(e.s.buf), len(data))
}
