package otf2

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/isoscale/isoscale/experiments/internal/answer/recorded"
)

// Numbers of records that belong to the format and not to the trace.
const (
	endOfChunk    = 0
	endOfFile     = 2
	chunkHeader   = 3
	timestamp     = 5
	attributeList = 6 // of the event that follows
)

// Marks of the order of bytes.
const bigEndian, littleEndian = 0x23, 0x42

// longest is the limit on the bytes of a record; a group of all locations is long.
const longest = 1 << 28

// stream is a file that is read from beginning to end. The file is open only while the buffer
// is filled, so that there can be more locations than open files.
type stream struct {
	file   string
	source io.ReaderAt // nil: the file
	chunk  int64       // bytes of a chunk
	order  binary.ByteOrder
	size   int    // of the buffer
	buf    []byte // bytes read from the file
	at     int
	base   int64 // of buf[0] in the file
	ended  bool
	record []byte // the rest of the record
	start  int64  // of record in the file
	err    error
}

func newStream(file string, chunk int64, size int) *stream {
	return &stream{file: file, chunk: chunk, size: size, order: binary.LittleEndian}
}

func (s *stream) offset() int64 { return s.base + int64(s.at) }

// fail keeps an error at a byte of the file, if it is the first.
func (s *stream) fail(at int64, format string, args ...any) {
	if s.err == nil {
		s.err = &recorded.FormatError{File: s.file, Offset: at, What: fmt.Sprintf(format, args...)}
	}
}

// have makes sure that n more bytes are in the buffer.
func (s *stream) have(n int) bool { return len(s.buf)-s.at >= n || s.fill(n) }

// fill reads until n bytes are in the buffer.
func (s *stream) fill(n int) bool {
	if s.err != nil {
		return false
	}
	s.buf = s.buf[:copy(s.buf, s.buf[s.at:])]
	s.base, s.at = s.base+int64(s.at), 0
	from := s.source
	if from == nil && !s.ended {
		f, err := os.Open(s.file)
		if err != nil {
			s.err = err
			return false
		}
		defer f.Close()
		from = f
	}
	// The buffer grows with the bytes that are read, not by what a length claims.
	for len(s.buf) < n && !s.ended {
		if want := max(s.size, min(n, 2*len(s.buf))); cap(s.buf) < want {
			s.buf = append(make([]byte, 0, want), s.buf...)
		}
		k, err := from.ReadAt(s.buf[len(s.buf):cap(s.buf)], s.base+int64(len(s.buf)))
		s.buf = s.buf[:len(s.buf)+k]
		if err == io.EOF {
			s.ended = true
		} else if err != nil {
			s.err = err
			return false
		}
	}
	return len(s.buf) >= n
}

// next moves on to the next record and returns its number; record has its content. At the
// end it returns endOfFile. Only files of events have times between records, and records
// without a length.
func (s *stream) next(events bool, time *uint64) byte {
	for s.err == nil {
		if !s.have(1) {
			s.fail(s.offset(), "the file ends; expected a record or the end")
			break
		}
		kind := s.buf[s.at]
		switch {
		case kind == endOfChunk:
			s.skipChunk()
		case kind == endOfFile:
			return endOfFile
		case kind == chunkHeader:
			s.header()
		case events && kind == timestamp:
			if !s.have(9) {
				s.fail(s.offset(), "the file ends in a time")
				break
			}
			*time = s.order.Uint64(s.buf[s.at+1:])
			s.at += 9
		default:
			s.at++
			if events && bare(kind) {
				s.number8()
			} else {
				s.lengthy()
			}
			return kind
		}
	}
	return endOfFile
}

// skipChunk skips the rest of a chunk.
func (s *stream) skipChunk() {
	from := s.offset()
	if s.chunk <= 0 || from%s.chunk == 0 {
		s.fail(from, "no record; expected the header of a chunk")
		return
	}
	for rest := s.chunk - from%s.chunk; rest > 0; {
		if !s.have(1) {
			s.fail(s.offset(), "the file ends within a chunk")
			return
		}
		n := min(rest, int64(len(s.buf)-s.at))
		s.at += int(n)
		rest -= n
	}
}

// header reads the header of a chunk, which has the byte order.
func (s *stream) header() {
	const size = 2 + 8 + 8 // its number and the byte order, the numbers of the first and the last event
	if !s.have(size) {
		s.fail(s.offset(), "the file ends in the header of a chunk")
		return
	}
	s.setOrder(s.buf[s.at+1])
	s.at += size
}

func (s *stream) setOrder(mark byte) {
	switch mark {
	case bigEndian:
		s.order = binary.BigEndian
	case littleEndian:
		s.order = binary.LittleEndian
	default:
		s.fail(s.offset()+1, "byte order %#x; expected %#x or %#x", mark, bigEndian, littleEndian)
	}
}

// number8 reads a record that is one compressed number.
func (s *stream) number8() {
	if !s.have(1) {
		s.fail(s.offset(), "the file ends in a record")
		return
	}
	n := int(s.buf[s.at])
	if n == math.MaxUint8 {
		n = 0
	}
	s.take(0, 1+n)
}

// lengthy reads a record that begins with its length.
func (s *stream) lengthy() {
	if !s.have(1) {
		s.fail(s.offset(), "the file ends in a record")
		return
	}
	if n := s.buf[s.at]; n != math.MaxUint8 {
		s.take(1, int(n))
		return
	}
	if !s.have(9) {
		s.fail(s.offset(), "the file ends in the length of a record")
		return
	}
	n := s.order.Uint64(s.buf[s.at+1:])
	if n > longest {
		s.fail(s.offset(), "a record of %d bytes; expected at most %d", n, longest)
		return
	}
	s.take(9, int(n))
}

func (s *stream) take(skip, n int) {
	if !s.have(skip + n) {
		s.fail(s.offset(), "the file ends in a record of %d bytes", n)
		return
	}
	s.at += skip
	s.start = s.offset()
	s.record = s.buf[s.at : s.at+n]
	s.at += n
}

// The following methods read fields of a record. After its end fields are 0, and short keeps an error.

func (s *stream) short() {
	s.fail(s.start+int64(len(s.record)), "the record ends before its last field")
	s.record = nil
}

func (s *stream) u8() byte {
	if len(s.record) == 0 {
		s.short()
		return 0
	}
	b := s.record[0]
	s.record, s.start = s.record[1:], s.start+1
	return b
}

// u64 reads a number whose leading zero bytes are left out. Before it is the number of bytes, or a mark for undefined.
func (s *stream) u64() uint64 {
	if len(s.record) == 0 {
		s.short()
		return 0
	}
	n := int(s.record[0])
	switch {
	case n == 0:
		s.record, s.start = s.record[1:], s.start+1
		return 0
	case n == math.MaxUint8:
		s.record, s.start = s.record[1:], s.start+1
		return math.MaxUint64
	case n > 8:
		s.fail(s.start, "a number of %d bytes; expected at most 8", n)
		s.record = nil
		return 0
	case len(s.record) <= n:
		s.short()
		return 0
	}
	var x uint64
	if s.order == binary.LittleEndian {
		for i := n; i > 0; i-- {
			x = x<<8 | uint64(s.record[i])
		}
	} else {
		for i := 1; i <= n; i++ {
			x = x<<8 | uint64(s.record[i])
		}
	}
	s.record, s.start = s.record[n+1:], s.start+int64(n)+1
	return x
}

// u32 reads a number like u64, of up to four bytes.
func (s *stream) u32() uint32 {
	at := s.start
	x := s.u64()
	if x > math.MaxUint32 && x != math.MaxUint64 {
		s.fail(at, "%d; expected a number of 32 bits", x)
	}
	return uint32(x)
}

// full reads a number with all its bytes.
func (s *stream) full() uint64 {
	if len(s.record) < 8 {
		s.short()
		return 0
	}
	x := s.order.Uint64(s.record)
	s.record, s.start = s.record[8:], s.start+8
	return x
}

func (s *stream) text() string {
	n := bytes.IndexByte(s.record, 0)
	if n < 0 {
		s.short()
		return ""
	}
	x := string(s.record[:n])
	s.record, s.start = s.record[n+1:], s.start+int64(n)+1
	return x
}
