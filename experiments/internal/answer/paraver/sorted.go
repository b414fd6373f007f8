package paraver

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"

	"github.com/isoscale/isoscale/internal/heap"
	"github.com/isoscale/isoscale/workloads"
)

// entry is something that a rank did, in the form for sorting.
type entry struct {
	at        int64
	rank      int32
	what      what
	operation workloads.Collective
	peer, tag int32  // for a collective call: group and root
	size      int64  // for a computation: ticks; for a call of MPI: its number
	message   uint64 // or a running number that keeps entries of one time in order
}

// what is the kind of an entry. Entries of a rank at one time happened in the order of their kinds.
type what uint8

const (
	received    what = iota // a receive has ended
	leave                   // a call of MPI ends
	enter                   // a call of MPI begins
	send                    // a message begins
	receive                 // a receive begins
	receivedNow             // a receive has ended that began at the same time
	meet                    // a collective call
	compute
	delay
)

// entrySize is the number of bytes of an entry in a file.
const entrySize = 40

func (e *entry) put(b []byte) {
	binary.LittleEndian.PutUint64(b, uint64(e.at))
	binary.LittleEndian.PutUint32(b[8:], uint32(e.rank)<<8|uint32(e.what)<<4|uint32(e.operation))
	binary.LittleEndian.PutUint32(b[12:], uint32(e.peer))
	binary.LittleEndian.PutUint32(b[16:], uint32(e.tag))
	binary.LittleEndian.PutUint64(b[20:], uint64(e.size))
	binary.LittleEndian.PutUint64(b[28:], e.message)
}

func (e *entry) get(b []byte) {
	e.at = int64(binary.LittleEndian.Uint64(b))
	x := binary.LittleEndian.Uint32(b[8:])
	e.rank, e.what, e.operation = int32(x>>8), what(x>>4&15), workloads.Collective(x&15)
	e.peer = int32(binary.LittleEndian.Uint32(b[12:]))
	e.tag = int32(binary.LittleEndian.Uint32(b[16:]))
	e.size = int64(binary.LittleEndian.Uint64(b[20:]))
	e.message = binary.LittleEndian.Uint64(b[28:])
}

func compare(a, b *entry) int {
	switch {
	case a.rank != b.rank:
		return cmp.Compare(a.rank, b.rank)
	case a.at != b.at:
		return cmp.Compare(a.at, b.at)
	case a.what != b.what:
		return cmp.Compare(a.what, b.what)
	}
	return cmp.Compare(a.message, b.message)
}

// sorter sorts entries by rank and time. Sorted runs of as many entries as fit into memory go into a
// file, and are then merged into another file.
type sorter struct {
	most  int // entries in memory
	held  [][]entry
	n     int // of held
	runs  *os.File
	ends  []int64 // of runs in the file
	count []int64 // entries of each rank
}

// inMemory is the number of entries that are sorted in memory: 24 MB.
const inMemory = 1 << 19

func newSorter(ranks, most int) *sorter { return &sorter{most: most, count: make([]int64, ranks)} }

// pieceLen is the number of entries that are allocated at once.
const pieceLen = 1 << 10

func (s *sorter) add(e *entry) error {
	s.count[e.rank]++
	if s.n%pieceLen == 0 && s.n/pieceLen == len(s.held) {
		s.held = append(s.held, make([]entry, pieceLen))
	}
	s.held[s.n/pieceLen][s.n%pieceLen] = *e
	if s.n++; s.n < s.most {
		return nil
	}
	return s.flush()
}

func (s *sorter) flush() (err error) {
	if s.runs == nil {
		if s.runs, err = temporary(); err != nil {
			return err
		}
	}
	sorted := s.sort()
	out := bufio.NewWriterSize(s.runs, 1<<16)
	var b [entrySize]byte
	for i := range sorted {
		sorted[i].put(b[:])
		out.Write(b[:])
	}
	end := int64(len(sorted)) * entrySize
	if len(s.ends) > 0 {
		end += s.ends[len(s.ends)-1]
	}
	s.ends = append(s.ends, end)
	return out.Flush()
}

// sort takes the entries in memory and returns them sorted.
func (s *sorter) sort() []entry {
	begin, n := make([]int, len(s.count)+1), s.n
	s.n = 0
	each := func(do func(e *entry)) {
		for i := range n {
			do(&s.held[i/pieceLen][i%pieceLen])
		}
	}
	each(func(e *entry) { begin[e.rank+1]++ })
	for r := range s.count {
		begin[r+1] += begin[r]
	}
	byRank, next := make([]entry, n), slices.Clone(begin)
	each(func(e *entry) {
		byRank[next[e.rank]] = *e
		next[e.rank]++
	})
	for r := range s.count {
		sortAlmostSorted(byRank[begin[r]:begin[r+1]])
	}
	return byRank
}

// sortAlmostSorted sorts entries of a rank. They are almost in order, except that a message's record
// comes before earlier records of its receiver.
func sortAlmostSorted(list []entry) {
	left := 4 * len(list) // steps that insertion may take
	for i := 1; i < len(list); i++ {
		if compare(&list[i-1], &list[i]) <= 0 {
			continue
		}
		if left < 0 {
			slices.SortFunc(list, func(a, b entry) int { return compare(&a, &b) })
			return
		}
		e, k := list[i], i
		for ; k > 0 && compare(&list[k-1], &e) > 0; k-- {
			list[k] = list[k-1]
			left--
		}
		list[k] = e
	}
}

// temporary creates a file that vanishes when it is closed, if the system permits that.
func temporary() (*os.File, error) {
	f, err := os.CreateTemp("", "isoscale-trace-*")
	if err == nil {
		os.Remove(f.Name()) // if that fails, discard removes it
	}
	return f, err
}

func discard(f *os.File) error {
	if f == nil {
		return nil
	}
	err := f.Close()
	os.Remove(f.Name())
	return err
}

// sorted has all entries by rank and time, in memory or in a file.
type sorted struct {
	held  []entry
	file  *os.File
	ranks []cursor
}

// cursor is the progress of reading a rank.
type cursor struct {
	next, end int64 // numbers of entries
	buffer    []byte
	rest      []byte // of the buffer
}

func (s *sorter) finish() (*sorted, error) {
	all := &sorted{ranks: make([]cursor, len(s.count))}
	var n int64
	for i, k := range s.count {
		all.ranks[i] = cursor{next: n, end: n + k}
		n += k
	}
	if s.runs == nil {
		all.held = s.sort()
		return all, nil
	}
	err := s.flush()
	if err == nil {
		all.file, err = s.merge()
	}
	s.held = nil
	return all, errors.Join(err, discard(s.runs))
}

// merge merges the runs into a file.
func (s *sorter) merge() (*os.File, error) {
	f, err := temporary()
	if err != nil {
		return nil, err
	}
	heads := heap.By(func(a, b **run) bool { return compare(&(*a).entry, &(*b).entry) < 0 })
	begin := int64(0)
	for _, end := range s.ends {
		r := &run{in: bufio.NewReaderSize(io.NewSectionReader(s.runs, begin, end-begin), max(entrySize, 4<<20/len(s.ends)))}
		if more, wrong := r.more(); wrong != nil {
			return f, wrong
		} else if more {
			heads.Push(r)
		}
		begin = end
	}
	out := bufio.NewWriterSize(f, 1<<16)
	var b [entrySize]byte
	for heads.Len() > 0 {
		first := *heads.Top()
		first.entry.put(b[:])
		out.Write(b[:])
		more, err := first.more()
		switch {
		case err != nil:
			return f, err
		case more:
			heads.Sink()
		default:
			heads.Pop()
		}
	}
	return f, out.Flush()
}

// run is the rest of a sorted run, with its next entry.
type run struct {
	in *bufio.Reader
	entry
}

func (r *run) more() (bool, error) {
	var b [entrySize]byte
	if _, err := io.ReadFull(r.in, b[:]); err == io.EOF {
		return false, nil
	} else if err != nil {
		return false, err
	}
	r.get(b[:])
	return true, nil
}

// bufferOf is the number of entries of a rank that are read from a file at once.
const bufferOf = 100

// next stores the next entry of a rank, or returns io.EOF.
func (s *sorted) next(rank int, e *entry) error {
	c := &s.ranks[rank]
	if c.next == c.end {
		c.buffer, c.rest = nil, nil
		return io.EOF
	}
	if s.file == nil {
		*e = s.held[c.next]
		c.next++
		return nil
	}
	if len(c.rest) == 0 {
		if c.buffer == nil {
			c.buffer = make([]byte, bufferOf*entrySize)
		}
		n := min(int64(bufferOf), c.end-c.next)
		c.rest = c.buffer[:n*entrySize]
		if _, err := s.file.ReadAt(c.rest, c.next*entrySize); err != nil {
			return err
		}
	}
	e.get(c.rest)
	c.rest = c.rest[entrySize:]
	c.next++
	return nil
}
