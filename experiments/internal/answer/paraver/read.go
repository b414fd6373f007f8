package paraver

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/answer/recorded"
)

// Limits of a trace, so that a few bytes cannot ask for much memory.
const (
	maxRanks = 1 << 24
	maxLine  = 16 << 20 // a communicator of all ranks
)

// scanner cuts a trace into lines, and lines into numbers.
type scanner struct {
	file   string
	in     *bufio.Reader
	long   []byte // a line that does not fit into the buffer of in
	offset int64  // of the line
	next   int64
	line   []byte
	at     int
	err    error
}

// newScanner reads a trace that may be compressed.
func newScanner(file string, r io.Reader) (*scanner, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	if head, _ := in.Peek(2); len(head) == 2 && head[0] == 0x1f && head[1] == 0x8b {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, &recorded.FormatError{File: file, What: fmt.Sprintf("cannot be decompressed: %v", err)}
		}
		in = bufio.NewReaderSize(z, 1<<16)
	}
	return &scanner{file: file, in: in}, nil
}

// more moves on to the next line. It returns false at the end or after an error.
func (s *scanner) more() bool {
	if s.err != nil {
		return false
	}
	s.offset, s.at = s.next, 0
	line, err := s.in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		s.long = append(s.long[:0], line...)
		for err == bufio.ErrBufferFull && len(s.long) <= maxLine {
			line, err = s.in.ReadSlice('\n')
			s.long = append(s.long, line...)
		}
		if line = s.long; len(line) > maxLine {
			s.fail("the line is longer than %d bytes", maxLine)
			return false
		}
	}
	s.next += int64(len(line))
	switch {
	case err != nil && err != io.EOF:
		s.fail("cannot be read: %v", err)
		return false
	case len(line) == 0:
		return false
	}
	for n := len(line); n > 0 && (line[n-1] == '\n' || line[n-1] == '\r'); n-- {
		line = line[:n-1]
	}
	s.line = line
	return true
}

// fail keeps the first error.
func (s *scanner) fail(format string, args ...any) {
	if s.err == nil {
		s.err = &recorded.FormatError{File: s.file, Offset: s.offset + int64(s.at), What: fmt.Sprintf(format, args...)}
	}
}

// skip skips a byte, and returns false if another byte is there.
func (s *scanner) skip(b byte) bool {
	if s.err != nil || s.at >= len(s.line) || s.line[s.at] != b {
		return false
	}
	s.at++
	return true
}

// expect skips a byte that must be there.
func (s *scanner) expect(b byte, before string) {
	if s.at < len(s.line) && s.line[s.at] == b {
		s.at++
	} else {
		s.missing(b, before)
	}
}

// missing is separate so that the compiler inlines expect.
func (s *scanner) missing(b byte, before string) { s.fail("no %q; expected one before %s", b, before) }

// number reads a whole number. Here are the ones without a sign that are sure to fit; anyNumber reads others.
func (s *scanner) number(what string) int64 {
	const safe = 18 // digits
	line, at := s.line, s.at
	var n int64
	for at < len(line) && line[at]-'0' <= 9 {
		n = 10*n + int64(line[at]-'0')
		at++
	}
	if digits := at - s.at; 0 < digits && digits <= safe {
		s.at = at
		return n
	}
	return s.anyNumber(what)
}

func (s *scanner) anyNumber(what string) int64 {
	minus, first := s.skip('-'), s.at
	var n int64
	for ; s.at < len(s.line) && s.line[s.at]-'0' <= 9; s.at++ {
		d := int64(s.line[s.at] - '0')
		if n > (math.MaxInt64-d)/10 {
			s.fail("%s has too many digits; expected at most %d", what, int64(math.MaxInt64))
			return 0
		}
		n = 10*n + d
	}
	if s.at == first {
		s.fail("no %s; expected a whole number", what)
	}
	if minus {
		return -n
	}
	return n
}

// upTo reads a number from 1 to most.
func (s *scanner) upTo(what string, most int) int {
	at := s.at
	n := s.number(what)
	if s.err == nil && (n < 1 || n > int64(most)) {
		s.at = at
		s.fail("%s is %d; expected 1 to %d", what, n, most)
	}
	return int(n)
}

// header is the first line of a trace.
type header struct {
	ticks float64 // in a second
	end   int64   // of the trace
	first []int   // rank of the first task of each application, then the number of ranks
}

func (s *scanner) header() (h header) {
	const start = "#Paraver ("
	if !s.more() || len(s.line) < len(start) || string(s.line[:len(start)]) != start {
		s.fail("no header; expected a first line that begins with %q", start)
		return h
	}
	for s.at = len(start); s.at < len(s.line) && s.line[s.at] != ')'; s.at++ { // a date, of any form
	}
	s.expect(')', "the length")
	s.expect(':', "the length")
	h.end, h.ticks = s.number("length of the trace"), 1e6
	if h.end < 0 {
		s.fail("the trace has a negative length")
	}
	if s.skip('_') {
		h.ticks = s.unit()
	}
	s.expect(':', "the nodes")
	s.number("number of nodes")
	if s.skip('(') {
		for s.number("number of CPUs"); s.skip(','); s.number("number of CPUs") {
		}
		s.expect(')', "the applications")
	}
	s.expect(':', "the applications")
	applications := s.upTo("number of applications", maxRanks)
	h.first = []int{0}
	for i := 0; i < applications && s.err == nil; i++ {
		s.expect(':', "the tasks")
		tasks := s.upTo("number of tasks", maxRanks)
		ranks := h.first[i] + tasks
		if ranks > maxRanks {
			s.fail("more than %d tasks", maxRanks)
		}
		s.expect('(', "the threads of each task")
		for k := 0; k < tasks && s.err == nil; k++ {
			if k > 0 {
				s.expect(',', "the threads of the next task")
			}
			s.number("number of threads")
			s.expect(':', "the node of a task")
			s.number("node of a task")
		}
		s.expect(')', "what follows the tasks")
		if s.skip(',') {
			s.number("number of communicators")
		}
		h.first = append(h.first, ranks)
	}
	return h
}

// unit reads the unit of times and returns the number of units in a second.
func (s *scanner) unit() float64 {
	for _, u := range []struct {
		name  string
		ticks float64
	}{{"ns", 1e9}, {"us", 1e6}, {"ms", 1e3}, {"s", 1}} {
		if n := s.at + len(u.name); n <= len(s.line) && string(s.line[s.at:n]) == u.name {
			s.at = n
			return u.ticks
		}
	}
	s.fail("unknown unit of time; expected ns, us, ms or s")
	return 1
}

// object reads an application, a task and a thread. It returns the rank, and whether the thread
// is its first.
func (s *scanner) object(h *header) (rank int32, main bool) {
	a := s.upTo("application", len(h.first)-1)
	s.expect(':', "a task")
	if s.err != nil {
		return 0, false
	}
	t := s.upTo("task", h.first[a]-h.first[a-1])
	s.expect(':', "a thread")
	return int32(h.first[a-1] + t - 1), s.number("thread") == 1
}
