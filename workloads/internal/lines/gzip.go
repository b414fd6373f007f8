package lines

import (
	"bufio"
	"compress/gzip"
	"io"
)

// GzipMagic are the two bytes that a file compressed by gzip begins with.
var GzipMagic = [2]byte{0x1f, 0x8b}

// Decompress returns the text of r, which may be compressed by gzip. It reads through
// a buffer of size bytes.
func Decompress(r io.Reader, size int) (io.Reader, error) {
	b := bufio.NewReaderSize(r, size)
	head, err := b.Peek(2)
	if err != nil || [2]byte(head) != GzipMagic {
		return b, nil // too short for it; an error comes again with the next read
	}
	return gzip.NewReader(b)
}
