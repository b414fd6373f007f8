package goal

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// MaxLine is the longest line of a text, in bytes.
const MaxLine = 1 << 20

var errLongLine = errors.New("line too long")

// lines cuts a stream into lines. bufio.Scanner does the same; this is twice
// as fast on short lines because nothing is called for each of them but the
// search for the end.
type lines struct {
	r     io.Reader
	buf   []byte
	start int // of the next line in buf
	err   error
}

func newLines(r io.Reader) *lines { return &lines{r: r, buf: make([]byte, 0, 256<<10)} }

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
			if l.err == io.EOF && len(rest) > 0 {
				l.start = len(l.buf)
				return chomp(rest), nil
			}
			return nil, l.err
		}
		seen = len(rest)
		l.fill()
	}
}

// fill reads more. Only if the buffer is full it moves what is left of it to
// the front, or grows.
func (l *lines) fill() {
	if len(l.buf) == cap(l.buf) {
		if l.start > 0 {
			l.buf = l.buf[:copy(l.buf, l.buf[l.start:])]
			l.start = 0
		} else {
			l.buf = slices.Grow(l.buf, cap(l.buf))
		}
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
