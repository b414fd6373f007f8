package otf2

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"slices"

	"github.com/isoscale/isoscale/internal/told"
	"github.com/isoscale/isoscale/sim"
)

// Anchor is the name of the anchor file of archives that are written.
const Anchor = "traces.otf2"

// chunkSize is the size of chunks of archives that are written.
const chunkSize = 1 << 20

// Write writes a run as an archive in a new folder: a location for each rank, with a region for each
// part of a rank's time, and messages. name gives the names of ranks. REQUIRES: the run has no [told.Run.Err].
func Write(folder string, run *told.Run, name func(rank int) string) error {
	if err := CheckFolder(folder); err != nil {
		return err
	}
	return (&writer{binary.LittleEndian, run}).write(folder, name)
}

// CheckFolder reports why an archive cannot be written to a folder.
func CheckFolder(folder string) error {
	entries, err := os.ReadDir(folder)
	switch {
	case len(entries) > 0:
		return fmt.Errorf("%s: the folder is not empty; expected a new one", folder)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

// writer writes an archive.
type writer struct {
	order binary.ByteOrder
	run   *told.Run
}

func (w *writer) write(folder string, name func(rank int) string) error {
	stem := filepath.Join(folder, "traces")
	if err := os.MkdirAll(stem, 0o777); err != nil {
		return err
	}
	counts := make([]uint64, len(w.run.Ranks))
	sent, received := w.run.ByRank()
	var errs []error
	for r := range w.run.Ranks {
		c := w.events(r, sent[r], received[r])
		counts[r] = c.records
		file := filepath.Join(stem, fmt.Sprint(r))
		errs = append(errs, os.WriteFile(file+".evt", c.end(), 0o666),
			os.WriteFile(file+".def", newChunks(w.order, false).end(), 0o666)) // empty, but readers ask for it
	}
	defs := w.definitions(counts, name)
	return errors.Join(append(errs, os.WriteFile(stem+".def", defs.end(), 0o666),
		os.WriteFile(filepath.Join(folder, Anchor), w.anchor(defs.records), 0o666))...)
}

// events returns the events of a rank: those of one time by turn, and messages in the order in which they were recorded.
// Messages that are under way when the rank ends come at its end, where sends complete that the rank did not wait for:
// where they leave, they might wait for a receive behind them.
func (w *writer) events(rank int, sent, received []*told.Message) *chunks {
	type event struct {
		at    int64
		turn  turn
		kind  Kind
		name  int32         // of a region or a request
		m     *told.Message // with the rank at its other end, or nil
		other int32
	}
	var all []event
	begins, end := starts, int64(0)
	for _, s := range w.run.Ranks[rank] {
		if s.From == s.To { // shorter than half a nanosecond
			continue
		}
		all = append(all, event{s.From, begins, Enter, int32(s.Part), nil, 0},
			event{s.To, leaves, Leave, int32(s.Part), nil, 0})
		begins, end = enters, s.To
	}
	for _, m := range sent {
		x := w.run.Calls(m, uint8(sim.PartWaitSend), uint8(sim.PartWaitMessage))
		all = append(all, event{x.Begun, passes, MPIIsend, m.Left, m, m.To})
		if m.Met >= 0 {
			all = append(all, event{x.Done, completes, MPIIsendComplete, m.Left, nil, 0})
		}
	}
	for _, m := range received {
		x := w.run.Calls(m, uint8(sim.PartWaitSend), uint8(sim.PartWaitMessage))
		posting, ending := requests, arrives
		if x.Posted == x.Ended {
			posting, ending = passes, passes
		}
		all = append(all, event{x.Posted, posting, MPIIrecvRequest, m.Came, nil, 0},
			event{x.Ended, ending, MPIIrecv, m.Came, m, m.From})
	}
	slices.SortStableFunc(all, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.turn, b.turn), cmp.Compare(a.name, b.name))
	})
	c := newChunks(w.order, true)
	for _, e := range all {
		if at := min(e.at, end); e.m == nil {
			c.number(e.kind, at, uint64(e.name))
		} else {
			c.message(e.kind, at, e.other, e.m, uint64(e.name))
		}
	}
	return c
}

// turn orders the events of a rank at one time. What ends a wait comes before what the rank does then.
type turn uint8

const (
	starts    turn = iota // the first region
	arrives               // a message that was waited for
	completes             // a send
	passes                // a message leaves, or was there when its receive was posted
	leaves
	enters
	requests
)

// parts is the number of parts of a rank's time, each of which is a region.
const parts = uint32(sim.PartStopped) + 1

// Strings of archives that are written; those of parts and ranks follow.
const (
	noText = iota
	world
	machine
	firstPart
)

func (w *writer) definitions(counts []uint64, name func(rank int) string) *chunks {
	c := newChunks(w.order, false)
	c.define(clockProperties, func() { c.u64(1e9).u64(0).u64(uint64(w.run.End)) })
	texts := []string{noText: "", world: "world", machine: "machine"}
	for p := range parts {
		texts = append(texts, sim.Part(p).String())
	}
	for r := range counts {
		texts = append(texts, name(r))
	}
	for i, text := range texts {
		c.define(stringDef, func() { c.u64(uint64(i)).text(text) })
	}
	const systemTreeNode = 12
	c.define(systemTreeNode, func() { c.u64(0).u64(machine).u64(machine).u64(math.MaxUint64) })
	for p := range uint64(parts) {
		const function, user = 1, 1
		kind, ok := map[sim.Part][2]byte{sim.PartCompute: {function, user}, sim.PartDelay: {fileIO, user}}[sim.Part(p)]
		if !ok {
			kind = [2]byte{function, mpi}
		}
		c.define(region, func() {
			c.u64(p).u64(firstPart + p).u64(noText).u8(1).u64(math.MaxUint64).u64(0).u64(0).u64(firstPart + p).u8(kind[0]).u8(kind[1]).u64(0)
		})
	}
	first := firstPart + uint64(parts)
	for r, n := range counts {
		id := uint64(r)
		c.define(locationGroup, func() { c.u64(id).u64(first + id).u8(1).u64(0) })
		c.define(location, func() { c.u64(id).u64(first + id).u8(1).u64(n).u64(id) })
	}
	for i, kind := range []byte{communicating, ofRanks} {
		c.define(group, func() {
			c.u64(uint64(i)).u64(noText).u8(kind).u64(uint64(len(counts)))
			for r := range counts {
				c.u64(uint64(r))
			}
			c.u8(kind).u8(mpi).u64(0)
		})
	}
	c.define(comm, func() { c.u64(0).u64(world).u64(1).u64(math.MaxUint64) })
	return c
}

// anchor returns the anchor file, in the format of version 2.3.
func (w *writer) anchor(definitions uint64) []byte {
	c := newChunks(w.order, false)
	c.now = append(c.now[:0], chunkHeader, c.mark())
	c.text(magic).u8(3).u8(2).u8(2).u8(3).u8(0)
	c.full(chunkSize).full(chunkSize).u8(posix).u8(1)
	c.full(uint64(len(w.run.Ranks))).full(definitions)
	c.text("").text("isoscale").text("")
	c.now = append(c.now, make([]byte, 4+8+4+4)...) // no properties, identifier, snapshots, thumbnails
	return append(c.now, endOfFile)
}

// chunks is a file of records. No record extends over two chunks.
type chunks struct {
	order   binary.ByteOrder
	timed   bool   // events, with times
	done    []byte // chunks that are full
	now     []byte // the chunk that is being filled
	time    int64
	records uint64
}

func newChunks(order binary.ByteOrder, timed bool) *chunks {
	c := &chunks{order: order, timed: timed}
	c.begin()
	return c
}

func (c *chunks) mark() byte {
	if c.order == binary.BigEndian {
		return bigEndian
	}
	return littleEndian
}

func (c *chunks) begin() {
	c.now = append(c.now[:0], chunkHeader, c.mark())
	first := c.records + 1
	c.full(first).full(0)
	c.time = -1
}

func (c *chunks) close() {
	if c.timed {
		const lastAt = 10 // the place of the number of the last event in the header
		c.order.PutUint64(c.now[lastAt:], c.records)
	}
	c.done = append(c.done, c.now...)
}

// add adds the record that write appends, in a new chunk if it does not fit.
func (c *chunks) add(write func()) {
	start := len(c.now)
	write()
	if len(c.now) >= chunkSize {
		c.now = append(c.now[:start], make([]byte, chunkSize-start)...) // endOfChunk
		c.close()
		c.begin()
		write()
	}
	c.records++
}

func (c *chunks) end() []byte {
	c.close()
	return append(c.done, endOfFile)
}

func (c *chunks) at(t int64) {
	if t != c.time {
		c.now = append(c.now, timestamp)
		c.full(uint64(t))
		c.time = t
	}
}

// number adds a record that is only a number: that of a region or a request.
func (c *chunks) number(kind Kind, t int64, x uint64) {
	c.add(func() {
		c.at(t)
		c.u8(byte(kind)).u64(x)
	})
}

func (c *chunks) message(kind Kind, t int64, peer int32, m *told.Message, request uint64) {
	c.add(func() {
		c.at(t)
		c.record(byte(kind), func() {
			c.u64(uint64(peer)).u64(0).u64(uint64(uint32(m.Tag))).u64(uint64(m.Bytes())).u64(request)
		})
	})
}

func (c *chunks) define(kind byte, fields func()) { c.add(func() { c.record(kind, fields) }) }

// record adds a record that begins with its length.
func (c *chunks) record(kind byte, fields func()) {
	c.now = append(c.now, kind, 0)
	start := len(c.now)
	fields()
	n := len(c.now) - start
	if n < math.MaxUint8 {
		c.now[start-1] = byte(n)
		return
	}
	var long [8]byte
	c.order.PutUint64(long[:], uint64(n))
	c.now[start-1] = math.MaxUint8
	c.now = slices.Insert(c.now, start, long[:]...)
}

func (c *chunks) u8(b byte) *chunks {
	c.now = append(c.now, b)
	return c
}

func (c *chunks) full(x uint64) *chunks {
	var b [8]byte
	c.order.PutUint64(b[:], x)
	c.now = append(c.now, b[:]...)
	return c
}

// u64 adds a number without leading zero bytes. The number with all bits set means undefined.
func (c *chunks) u64(x uint64) *chunks {
	if x == math.MaxUint64 {
		return c.u8(math.MaxUint8)
	}
	n := (bits.Len64(x) + 7) / 8
	var b [8]byte
	c.order.PutUint64(b[:], x)
	significant := b[:n]
	if c.order == binary.BigEndian {
		significant = b[8-n:]
	}
	c.now = append(append(c.now, byte(n)), significant...)
	return c
}

func (c *chunks) text(s string) *chunks {
	c.now = append(append(c.now, s...), 0)
	return c
}
