package titrace

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// MaxLine is the longest line of a trace, in bytes: an alltoallv of some
// hundred thousand ranks.
const MaxLine = 4 << 20

var errLongLine = errors.New("line too long")

// lines cuts a stream into lines, as bufio.Scanner does, and counts them. Its
// buffer grows only for lines that need it.
type lines struct {
	r     io.Reader
	buf   []byte
	start int // of the next line in buf
	err   error
	size  int // of the buffer when it is made
}

func newLines(r io.Reader, size int) lines { return lines{r: r, size: size} }

// next returns the next line without its end ("\n" or "\r\n"). It is valid
// until the following call. After the last line the error is io.EOF.
func (l *lines) next() ([]byte, error) {
	seen := 0
	for {
		rest := l.buf[l.start:]
		if n := bytes.IndexByte(rest[seen:], '\n'); n >= 0 {
			n += seen
			if n > MaxLine {
				return nil, errLongLine
			}
			l.start += n + 1
			return chomp(rest[:n]), nil
		}
		if len(rest) > MaxLine {
			return nil, errLongLine
		}
		if l.err != nil {
			l.start = len(l.buf)
			if l.err == io.EOF && len(rest) > 0 {
				return chomp(rest), nil
			}
			l.buf, l.start = nil, 0 // a rank at its end keeps no buffer
			return nil, l.err
		}
		seen = len(rest)
		l.fill()
	}
}

// whole appends to b the lines that are in the buffer, ends included, once there
// is one; behind the last there may be no end. If something is wrong with the
// line after those appended, or there is none, that comes with the following
// call.
func (l *lines) whole(b []byte) ([]byte, error) {
	seen := 0
	for {
		rest := l.buf[l.start:]
		if n := bytes.LastIndexByte(rest[seen:], '\n'); n >= 0 {
			n += seen
			l.start += n + 1
			return append(b, rest[:n+1]...), nil
		}
		switch {
		case len(rest) > MaxLine:
			return b, errLongLine
		case l.err == io.EOF && len(rest) > 0:
			l.start = len(l.buf)
			return append(b, rest...), nil
		case l.err != nil:
			return b, l.err
		}
		seen = len(rest)
		l.fill()
	}
}

// fill reads more. Only if the buffer is full it moves what is left of it to
// the front, or grows.
func (l *lines) fill() {
	switch {
	case l.buf == nil:
		l.buf = make([]byte, 0, l.size)
	case l.start == len(l.buf):
		l.buf, l.start = l.buf[:0], 0
	case len(l.buf) < cap(l.buf):
	case l.start > 0:
		l.buf = l.buf[:copy(l.buf, l.buf[l.start:])]
		l.start = 0
	default:
		l.buf = slices.Grow(l.buf, cap(l.buf))
	}
	n := len(l.buf)
	var more int
	for tries := 0; more == 0 && l.err == nil; tries++ {
		if tries == 100 {
			l.err = io.ErrNoProgress
			return
		}
		more, l.err = l.r.Read(l.buf[n:cap(l.buf)])
	}
	l.buf = l.buf[:n+more]
}

func chomp(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}

// digits reads the digits from i on, at most 15, and returns the index behind
// them: i if there are none or too many.
func digits(b []byte, i int) (n int64, end int) {
	for end = i; end < len(b) && b[end]-'0' <= 9; end++ {
		n = n*10 + int64(b[end]-'0')
	}
	if end-i > 15 {
		return 0, i
	}
	return n, end
}

// skipBlanks returns the index of the first byte from i on that is neither a
// blank nor a tab.
func skipBlanks(b []byte, i int) int {
	for i < len(b) && isBlank(b[i]) {
		i++
	}
	return i
}

// fieldEnd returns the index behind the field that begins at i.
func fieldEnd(b []byte, i int) int {
	for i < len(b) && !isBlank(b[i]) {
		i++
	}
	return i
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }
