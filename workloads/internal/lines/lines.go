package lines

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
)

// ErrTooLong is the error for a line that is longer than a Reader takes.
var ErrTooLong = errors.New("line too long")

// ErrByteOrderMark is the error for a text that begins with a byte order mark. No
// editor shows it, and it would become part of the first word.
var ErrByteOrderMark = errors.New("byte order mark")

// byteOrderMarks are the marks of UTF-8 and of UTF-16 in both orders.
var byteOrderMarks = [][]byte{{0xef, 0xbb, 0xbf}, {0xff, 0xfe}, {0xfe, 0xff}}

// Problem says what is wrong with the text, and what was expected, for an error of a
// [Reader]. ok is false if the error is not about the text.
func Problem(err error, longest int) (what, expected string, ok bool) {
	switch {
	case errors.Is(err, ErrTooLong):
		return fmt.Sprintf("the line is longer than %d bytes", longest), "shorter lines", true
	case errors.Is(err, ErrByteOrderMark):
		return "the text begins with a byte order mark", "UTF-8 without one", true
	}
	return "", "", false
}

// Reader cuts a stream into lines. Its buffer grows only for lines that need it, to at
// most about twice the longest permitted line. The zero Reader must not be used.
type Reader struct {
	r       io.Reader
	buf     []byte
	start   int // of the next line in buf
	err     error
	size    int32 // of the buffer when it is made
	longest int32
}

// NewReader returns a Reader with a buffer of size bytes, at least the few of a byte
// order mark. It takes lines of up to longest bytes without their ends. Both are at
// most 1 GiB.
func NewReader(r io.Reader, size, longest int) Reader {
	return Reader{r: r, size: int32(max(size, 3)), longest: int32(longest)}
}

// Next returns the next line without its end ("\n" or "\r\n"). It is valid until the
// following call. After the last line, which needs no end, the error is io.EOF. A line
// that is too long gives ErrTooLong, and a byte order mark at the beginning
// ErrByteOrderMark, now and in all following calls.
func (l *Reader) Next() ([]byte, error) {
	seen := 0
	for {
		rest := l.buf[l.start:]
		if n := bytes.IndexByte(rest[seen:], '\n'); n >= 0 {
			n += seen
			if n > int(l.longest) {
				return nil, ErrTooLong
			}
			l.start += n + 1
			return withoutReturn(rest[:n]), nil
		}
		if len(rest) > int(l.longest) {
			return nil, ErrTooLong
		}
		if l.err != nil {
			l.start = len(l.buf)
			if l.err == io.EOF && len(rest) > 0 {
				return withoutReturn(rest), nil
			}
			l.buf, l.start = nil, 0 // a reader at its end keeps no buffer
			return nil, l.err
		}
		seen = len(rest)
		l.fill()
	}
}

// Whole appends to b all lines in the buffer, at least one, with their ends; only the
// last line of the text may have none. If the next line is wrong or there is none, the
// following call returns the error. The lines may include one that is too long.
func (l *Reader) Whole(b []byte) ([]byte, error) {
	seen := 0
	for {
		rest := l.buf[l.start:]
		if n := bytes.LastIndexByte(rest[seen:], '\n'); n >= 0 {
			n += seen
			l.start += n + 1
			return append(b, rest[:n+1]...), nil
		}
		switch {
		case len(rest) > int(l.longest):
			return b, ErrTooLong
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

// Cut returns the first line of a text from [Reader.Whole], without its end, and the
// rest.
func Cut(text []byte, longest int) (line, rest []byte, err error) {
	line = text
	if n := bytes.IndexByte(text, '\n'); n >= 0 {
		line, rest = text[:n], text[n+1:]
	}
	if len(line) > longest {
		return nil, nil, ErrTooLong
	}
	return withoutReturn(line), rest, nil
}

// fill reads more. Only when the buffer is full does it move the unread rest to the
// front, or grow.
func (l *Reader) fill() {
	need, first := 1, l.buf == nil
	switch {
	case first:
		l.buf = make([]byte, 0, l.size)
		need = 3 // a byte order mark may come in pieces
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
	for tries := 0; len(l.buf) < n+need && l.err == nil; tries++ {
		if tries == 100 {
			l.err = io.ErrNoProgress
			return
		}
		var more int
		more, l.err = l.r.Read(l.buf[len(l.buf):cap(l.buf)])
		l.buf = l.buf[:len(l.buf)+more]
	}
	if first && slices.ContainsFunc(byteOrderMarks, func(m []byte) bool { return bytes.HasPrefix(l.buf, m) }) {
		l.buf, l.err = l.buf[:0], ErrByteOrderMark
	}
}

func withoutReturn(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}

// SyntaxError is a mistake in a text, with its place.
type SyntaxError struct {
	File         string
	Line, Column int // from 1; the column counts bytes. 0: the file as a whole
	What         string
	Expected     string // "" if What says it
}

// Error returns "file:line:column: what is wrong; expected what".
func (e *SyntaxError) Error() string {
	s := e.File
	if e.Line > 0 {
		s += fmt.Sprintf(":%d:%d", e.Line, e.Column)
	}
	s += ": " + e.What
	if e.Expected != "" {
		s += "; expected " + e.Expected
	}
	return s
}

// Clip keeps quotations in messages short.
func Clip(b []byte) []byte {
	if len(b) > 40 {
		return append(b[:37:37], "..."...)
	}
	return b
}

// GzipMagic are the two bytes that a file compressed by gzip begins with.
var GzipMagic = [2]byte{0x1f, 0x8b}

// Decompress returns the text of r, which may be compressed by gzip. It reads through
// a buffer of size bytes.
func Decompress(r io.Reader, size int) (io.Reader, error) {
	b := bufio.NewReaderSize(r, size)
	head, err := b.Peek(2)
	if err != nil || [2]byte(head) != GzipMagic {
		return b, nil // not gzip, or too short; the next read returns the error again
	}
	return gzip.NewReader(b)
}
