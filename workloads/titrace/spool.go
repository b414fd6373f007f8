package titrace

import (
	"encoding/binary"
	"io"
	"os"

	"github.com/isoscale/isoscale/workloads"
)

// A merged trace has the lines of all ranks in one file, in any order, and each rank
// must be able to read its lines at its own pace. Queues of lines read ahead, as in
// SimGrid, hold the whole file when one rank runs far ahead of the others; an index of
// lines takes a tenth of the file or more; searching again costs one pass for each
// rank. So the lines are sorted by rank once, when the file is opened: each rank has a
// chain of blocks, and blocks that do not fit into a fixed amount of memory go into a
// temporary file. That is one more pass over the data, whatever their order, and a rank
// is then read faster than from its own file, because plain lines are kept as records
// (plain.go). The price is disk space, at most about the size of the trace. Compressed
// traces are treated the same way, because they have no random access.

const (
	// blockSize is the size of a block, in bytes. Every rank has one while the
	// spool is filled, and one while it is read.
	blockSize = 4 << 10
	// spoolMemory is the size of the full blocks that are kept in memory, in bytes.
	spoolMemory = 16 << 20
)

type block [blockSize]byte

// spool holds records by rank. It is filled first and read afterwards.
//
// Each record is preceded by the distance of its line from the rank's previous line. A
// record begins only where at least maxRecord bytes of a block are left, so only lines
// kept as text continue in the next block. Where less is left, a zero ends the block,
// unless it is full; no distance begins with a zero.
type spool struct {
	chains [][]chain // by rank, in pages of chainPage
	// Blocks by number. A block is in memory or, if nil there, at number times
	// blockSize in the file.
	memory []*block
	next   []int32 // the block that follows in its chain
	kept   int     // number of full blocks in memory
	limit  int     // and the most there may be
	file   *os.File
}

// chainPage is the number of chains that are allocated together, so that a single large
// rank in a trace does not need the chains of all ranks before it.
const chainPage = 64

// chain is the records of one rank: full blocks, then an unfinished one.
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

// store appends the tail of a chain to its blocks, and starts an empty tail.
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
		// Where an open file can be removed, nothing remains even if the program is
		// killed. Elsewhere close removes it.
		_ = os.Remove(f.Name())
	}
	_, err := s.file.WriteAt(b[:], int64(number)*blockSize)
	return err
}

// close forgets everything, and removes the temporary file.
func (s *spool) close() {
	if s.file != nil {
		_ = s.file.Close()
		_ = os.Remove(s.file.Name()) // an error if it is gone already, as it should be
		s.file = nil
	}
}

// reader returns the reader of a rank's records. Different ranks may be read concurrently.
func (s *spool) reader(rank int32) chainReader {
	c := s.of(rank)
	c.end()
	return chainReader{spool: s, chain: c, at: blockSize}
}

// chainReader reads a chain, and releases what it has read.
type chainReader struct {
	spool  *spool
	chain  *chain // the unread rest
	block  *block // the block being read, which precedes chain
	at     int    // index in block
	buffer *block // for blocks from the file
	long   []byte // the last line that continued in another block
}

// next reads the next record: an action or, if the line is not plain, the line itself,
// which is valid until the following call. distance is that from the previous line.
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
