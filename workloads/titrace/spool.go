package titrace

import (
	"io"
	"os"
)

// A merged trace has the lines of all ranks in one file, in any order, and each
// rank must be able to read its own at its own pace. Queues of lines read ahead,
// as SimGrid has them, hold the whole file when one rank runs far ahead of the
// others; an index of lines costs a tenth of it or more; searching again costs
// one pass for each rank. So the lines are sorted by rank once, while the file
// is opened: each rank has a chain of blocks, and blocks that do not fit into
// a fixed amount of memory go into a temporary file. That is one pass more over
// the data, whatever their order is, and a rank is then read as fast as from a
// file of its own. The price is disk space as large as the trace. Compressed
// traces take the same way, since they cannot be read at a place.

const (
	// blockSize is the size of a block, in bytes. Every rank has one while the
	// spool is filled, and one while it is read.
	blockSize = 4 << 10
	// spoolMemory is how many bytes of full blocks are kept in memory.
	spoolMemory = 16 << 20
)

// spool holds text by rank. It is filled first and read afterwards.
type spool struct {
	chains map[int32]*chain
	last   *chain // the one that was written last
	// Blocks by number. A block is in memory or, if it is nil there, at its
	// number times blockSize in the file.
	memory [][]byte
	next   []int32 // the block that follows in its chain
	kept   int     // full blocks in memory
	limit  int     // and how many they may be
	file   *os.File
}

// chain is the text of one rank: full blocks, then an unfinished one.
type chain struct {
	rank        int32
	first, last int32 // block, or -1
	tail        []byte
	line        int // number of the line that was added last
}

func newSpool(memory int) *spool {
	return &spool{chains: map[int32]*chain{}, limit: memory / blockSize}
}

// of returns the chain of a rank.
func (s *spool) of(rank int32) *chain {
	if s.last != nil && s.last.rank == rank {
		return s.last
	}
	c := s.chains[rank]
	if c == nil {
		c = &chain{rank: rank, first: -1, last: -1}
		s.chains[rank] = c
	}
	s.last = c
	return c
}

// add appends line number n of the file to a rank. Before it stands how many
// lines below the rank's previous line it is: six bits in each byte, lowest
// first, with the highest bit set and the second one if more follow. No
// line that is added begins with such a byte, because it begins with a rank.
func (s *spool) add(rank int32, n int, line []byte) error {
	c := s.of(rank)
	var head [12]byte
	k := 0
	for d := n - c.line; ; k++ {
		head[k] = 0x80 | byte(d&0x3f)
		if d >>= 6; d == 0 {
			break
		}
		head[k] |= 0x40
	}
	c.line = n
	if c.tail == nil {
		c.tail = make([]byte, 0, blockSize)
	}
	if len(c.tail)+k+1+len(line)+1 <= blockSize { // nearly always
		c.tail = append(append(append(c.tail, head[:k+1]...), line...), '\n')
		return nil
	}
	for _, text := range [][]byte{head[:k+1], line, {'\n'}} {
		if err := s.append(c, text); err != nil {
			return err
		}
	}
	return nil
}

// cutDistance takes what add put before a line off it.
func cutDistance(line []byte) (rest []byte, distance int) {
	for i, shift := 0, 0; i < len(line) && line[i]&0x80 != 0; shift += 6 {
		distance |= int(line[i]&0x3f) << shift
		i++
		if line[i-1]&0x40 == 0 {
			return line[i:], distance
		}
	}
	return line, distance
}

func (s *spool) append(c *chain, text []byte) error {
	for len(text) > 0 {
		if len(c.tail) == blockSize {
			if err := s.store(c); err != nil {
				return err
			}
		}
		n := min(len(text), blockSize-len(c.tail))
		c.tail = append(c.tail, text[:n]...)
		text = text[n:]
	}
	return nil
}

// store puts the full tail of a chain behind its blocks.
func (s *spool) store(c *chain) error {
	number := int32(len(s.next))
	if s.kept < s.limit {
		s.kept++
		s.memory = append(s.memory, c.tail)
		c.tail = make([]byte, 0, blockSize)
	} else {
		if err := s.write(number, c.tail); err != nil {
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

// reader returns the text of a rank. Different ones may be read at once.
func (s *spool) reader(rank int32) io.Reader {
	c := s.chains[rank]
	if c == nil {
		return &chainReader{spool: s, block: -1}
	}
	delete(s.chains, rank)
	return &chainReader{spool: s, block: c.first, tail: c.tail}
}

// chainReader reads a chain, and lets go of what it has read.
type chainReader struct {
	spool *spool
	block int32 // the next to read, -1 for the tail
	at    int32 // in it
	tail  []byte
}

// Read implements [io.Reader].
func (r *chainReader) Read(p []byte) (int, error) {
	if r.block < 0 {
		n := copy(p, r.tail)
		if r.tail = r.tail[n:]; n == 0 {
			r.tail = nil
			return 0, io.EOF
		}
		return n, nil
	}
	n := min(len(p), blockSize-int(r.at))
	if memory := r.spool.memory[r.block]; memory != nil {
		copy(p[:n], memory[r.at:])
	} else if _, err := r.spool.file.ReadAt(p[:n], int64(r.block)*blockSize+int64(r.at)); err != nil {
		return 0, err
	}
	if r.at += int32(n); r.at == blockSize {
		r.spool.memory[r.block] = nil
		r.block, r.at = r.spool.next[r.block], 0
	}
	return n, nil
}
