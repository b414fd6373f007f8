package titrace

import (
	"encoding/binary"
	"io"
	"os"

	"github.com/isoscale/isoscale/workloads"
)

// A merged trace has the lines of all ranks in one file, in any order, and each
// rank must be able to read its own at its own pace. Queues of lines read ahead,
// as SimGrid has them, hold the whole file when one rank runs far ahead of the
// others; an index of lines costs a tenth of it or more; searching again costs
// one pass for each rank. So the lines are sorted by rank once, while the file
// is opened: each rank has a chain of blocks, and blocks that do not fit into
// a fixed amount of memory go into a temporary file. That is one pass more over
// the data, whatever their order is, and a rank is then read faster than from a
// file of its own, because plain lines are kept as records (plain.go). The price
// is disk space, at most about as much as the trace has. Compressed traces take
// the same way, since they cannot be read at a place.

const (
	// blockSize is the size of a block, in bytes. Every rank has one while the
	// spool is filled, and one while it is read.
	blockSize = 4 << 10
	// firstBlock is the size that the block of a rank has at first.
	firstBlock = 512
	// spoolMemory is how many bytes of full blocks are kept in memory.
	spoolMemory = 16 << 20
)

// spool holds records by rank. It is filled first and read afterwards.
//
// Before each record stands how many lines below the rank's previous line its
// line is. At least maxRecord bytes of a block are left where a record begins,
// so only lines kept as text go on in the next block. Where less is left a zero
// ends the block, unless it is full; no distance begins with one.
type spool struct {
	chains [][]chain // by rank, in pages of chainPage
	// Blocks by number. A block is in memory or, if it is nil there, at its
	// number times blockSize in the file.
	memory [][]byte
	next   []int32 // the block that follows in its chain
	kept   int     // full blocks in memory
	limit  int     // and how many they may be
	file   *os.File
}

// chainPage is for how many ranks there are chains at once: one large rank in
// a trace does not need those of all before it.
const chainPage = 64

// chain is what one rank has: full blocks, then an unfinished one.
type chain struct {
	first, last int32 // block, or -1
	tail        []byte
	line        int // number of the line that was added last, 0 if there is none
}

func newSpool(memory int) *spool { return &spool{limit: memory / blockSize} }

// of returns the chain of a rank.
func (s *spool) of(rank int32) *chain {
	page := int(rank / chainPage)
	if page >= len(s.chains) {
		s.chains = append(s.chains, make([][]chain, page+1-len(s.chains))...)
	}
	if s.chains[page] == nil {
		s.chains[page] = make([]chain, chainPage)
		for i := range s.chains[page] {
			s.chains[page][i].first, s.chains[page][i].last = -1, -1
		}
	}
	return &s.chains[page][rank%chainPage]
}

// has reports whether a line of a rank was added.
func (s *spool) has(rank int32) bool {
	page := int(rank / chainPage)
	return page < len(s.chains) && s.chains[page] != nil && s.chains[page][rank%chainPage].line > 0
}

// add appends the record of line number n of the file to a rank.
func (s *spool) add(rank int32, n int, record []byte) error {
	c := s.of(rank)
	if cap(c.tail)-len(c.tail) < maxRecord {
		if err := s.room(c); err != nil {
			return err
		}
	}
	c.tail = binary.AppendUvarint(c.tail, uint64(n-c.line))
	c.line = n
	for {
		fits := min(len(record), cap(c.tail)-len(c.tail))
		c.tail = append(c.tail, record[:fits]...)
		if record = record[fits:]; len(record) == 0 {
			return nil
		}
		if err := s.room(c); err != nil {
			return err
		}
	}
}

// room makes the tail of a chain larger or, if it is a block, empty.
func (s *spool) room(c *chain) error {
	if size := cap(c.tail); size < blockSize {
		c.tail = append(make([]byte, 0, max(2*size, firstBlock)), c.tail...)
		return nil
	}
	return s.store(c)
}

// store puts the tail of a chain behind its blocks.
func (s *spool) store(c *chain) error {
	if len(c.tail) < blockSize {
		c.tail = append(c.tail, 0)
	}
	number := int32(len(s.next))
	if s.kept < s.limit {
		s.kept++
		s.memory = append(s.memory, c.tail)
		c.tail = make([]byte, 0, blockSize)
	} else {
		if err := s.write(number, c.tail[:blockSize]); err != nil {
			return err
		}
		s.memory = append(s.memory, nil)
		c.tail = c.tail[:0]
	}
	s.next = append(s.next, -1)
	if c.last < 0 {
		c.first = number
	} else {
		s.next[c.last] = number
	}
	c.last = number
	return nil
}

func (s *spool) write(number int32, block []byte) error {
	if s.file == nil {
		f, err := os.CreateTemp("", "isoscale-trace-")
		if err != nil {
			return err
		}
		s.file = f
		// Where a file may lose its name while it is open, nothing is left
		// behind even if the program is killed. Elsewhere close removes it.
		_ = os.Remove(f.Name())
	}
	_, err := s.file.WriteAt(block, int64(number)*blockSize)
	return err
}

// close forgets everything, and removes the temporary file.
func (s *spool) close() {
	if s.file != nil {
		_ = s.file.Close()
		_ = os.Remove(s.file.Name()) // an error if it is gone, as it should be
		s.file = nil
	}
}

// reader returns what a rank has. Different ones may be read at once.
func (s *spool) reader(rank int32) chainReader {
	if !s.has(rank) {
		return chainReader{spool: s, block: -1}
	}
	c := s.of(rank)
	return chainReader{spool: s, block: c.first, tail: c.tail}
}

// chainReader reads a chain, and lets go of what it has read.
type chainReader struct {
	spool  *spool
	rest   []byte // of the block that is being read
	block  int32  // the one after it, -1 for the tail
	tail   []byte
	buffer []byte // of a block from the file
	long   []byte // the last line that went on in another block
}

// next reads the next record: an action or, if that is not plain, a line, which
// is valid until the following call. The distance is that to the line before.
// After the last record the error is io.EOF.
func (r *chainReader) next(a *action) (line []byte, distance int, err error) {
	for len(r.rest) == 0 || r.rest[0] == 0 {
		if err := r.advance(); err != nil {
			return nil, 0, err
		}
	}
	d, i := uvarint(r.rest, 0)
	a.kind = workloads.Kind(r.rest[i])
	if i++; a.kind != 0 {
		r.rest = r.rest[a.decode(r.rest, i):]
		return nil, int(d), nil
	}
	n, i := uvarint(r.rest, i)
	r.rest = r.rest[i:]
	line, err = r.text(int(n))
	return line, int(d), err
}

// text reads the n bytes of a line.
func (r *chainReader) text(n int) ([]byte, error) {
	if n <= len(r.rest) {
		line := r.rest[:n]
		r.rest = r.rest[n:]
		return line, nil
	}
	r.long = r.long[:0]
	for {
		fits := min(n-len(r.long), len(r.rest))
		r.long = append(r.long, r.rest[:fits]...)
		r.rest = r.rest[fits:]
		if len(r.long) == n {
			return r.long, nil
		}
		if err := r.advance(); err != nil {
			return nil, err
		}
	}
}

// advance goes to the next block.
func (r *chainReader) advance() error {
	switch {
	case r.block >= 0:
		r.rest = r.spool.memory[r.block]
		r.spool.memory[r.block] = nil
		if r.rest == nil {
			if r.buffer == nil {
				r.buffer = make([]byte, blockSize)
			}
			if _, err := r.spool.file.ReadAt(r.buffer, int64(r.block)*blockSize); err != nil {
				return err
			}
			r.rest = r.buffer
		}
		r.block = r.spool.next[r.block]
	case r.tail != nil:
		r.rest, r.tail, r.buffer = r.tail, nil, nil
	default:
		r.rest, r.long = nil, nil
		return io.EOF
	}
	return nil
}
