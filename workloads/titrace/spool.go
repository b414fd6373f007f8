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
	// spoolMemory is how many bytes of full blocks are kept in memory.
	spoolMemory = 16 << 20
)

type block [blockSize]byte

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
	memory []*block
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
	tail        *block
	used        int // bytes of the tail
	line        int // number of the line that was added last, 0 if there is none
}

func newSpool(memory int) *spool { return &spool{limit: memory / blockSize} }

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
	if c.tail == nil {
		c.tail = new(block)
	}
	if blockSize-c.used < maxRecord {
		if err := s.store(c); err != nil {
			return err
		}
	}
	c.used += binary.PutUvarint(c.tail[c.used:], uint64(n-c.line))
	c.line = n
	for {
		fits := copy(c.tail[c.used:], record)
		c.used += fits
		if record = record[fits:]; len(record) == 0 {
			return nil
		}
		if err := s.store(c); err != nil {
			return err
		}
	}
}

// end marks the end of a tail that is not full.
func (c *chain) end() {
	if c.tail != nil && c.used < blockSize {
		c.tail[c.used] = 0
	}
}

// store puts the tail of a chain behind its blocks, and makes an empty one.
func (s *spool) store(c *chain) error {
	c.end()
	number := int32(len(s.next))
	if s.kept < s.limit {
		s.kept++
		s.memory = append(s.memory, c.tail)
		c.tail = new(block)
	} else {
		if err := s.write(number, c.tail); err != nil {
			return err
		}
		s.memory = append(s.memory, nil)
	}
	c.used = 0
	s.next = append(s.next, -1)
	if c.last < 0 {
		c.first = number
	} else {
		s.next[c.last] = number
	}
	c.last = number
	return nil
}

func (s *spool) write(number int32, b *block) error {
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
	_, err := s.file.WriteAt(b[:], int64(number)*blockSize)
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
	c := s.of(rank)
	c.end()
	return chainReader{spool: s, chain: c, at: blockSize}
}

// chainReader reads a chain, and lets go of what it has read.
type chainReader struct {
	spool  *spool
	chain  *chain // what is left of it
	block  *block // the one before that, which is being read
	at     int    // in it
	buffer *block // for those from the file
	long   []byte // the last line that went on in another block
}

// next reads the next record: an action or, if that is not plain, a line, which
// is valid until the following call. The distance is that to the line before.
// After the last record the error is io.EOF.
func (r *chainReader) next(a *action) (line []byte, distance int, err error) {
	for r.at == blockSize || r.block[r.at] == 0 {
		if err := r.advance(); err != nil {
			return nil, 0, err
		}
	}
	b := r.block[:]
	d, i := uvarint(b, r.at)
	a.kind = workloads.Kind(b[i])
	if i++; a.kind != 0 {
		r.at = a.decode(b, i)
		return nil, int(d), nil
	}
	n, i := uvarint(b, i)
	r.at = i
	line, err = r.text(int(n))
	return line, int(d), err
}

// text reads the n bytes of a line.
func (r *chainReader) text(n int) ([]byte, error) {
	if n <= blockSize-r.at {
		r.at += n
		return r.block[r.at-n : r.at], nil
	}
	r.long = r.long[:0]
	for {
		fits := min(n-len(r.long), blockSize-r.at)
		r.long = append(r.long, r.block[r.at:r.at+fits]...)
		r.at += fits
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
	c := r.chain
	switch {
	case c.first >= 0:
		next := r.spool.memory[c.first]
		r.spool.memory[c.first] = nil
		if next == nil {
			if r.buffer == nil {
				r.buffer = new(block)
			}
			next = r.buffer
			if _, err := r.spool.file.ReadAt(next[:], int64(c.first)*blockSize); err != nil {
				return err
			}
		}
		r.block, r.at = next, 0
		c.first = r.spool.next[c.first]
	case c.tail != nil:
		r.block, r.at = c.tail, 0
		c.tail, r.buffer = nil, nil
	default:
		r.block, r.at, r.long = nil, blockSize, nil
		return io.EOF
	}
	return nil
}
