package store

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strconv"
	"strings"
)

// MaxRow is the longest row, in bytes as CSV. Put refuses longer rows, which bounds the
// memory that a reader of the directory needs.
const MaxRow = 64 << 10

// checksumLen is the length of a comma and the checksum.
const checksumLen = 1 + 8

// maxLine is the longest line of a file, without its end.
const maxLine = MaxRow + checksumLen

// lineEncoder turns rows into lines. It keeps its buffers: after the first few
// rows it allocates nothing.
type lineEncoder struct {
	body  bytes.Buffer
	csv   *csv.Writer
	cells []string
}

// oneLine replaces line breaks by spaces.
var oneLine = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

// append appends the line of a row, with its end, to dst.
func (e *lineEncoder) append(dst []byte, point int, row []string) ([]byte, error) {
	if e.csv == nil {
		e.csv = csv.NewWriter(&e.body)
	}
	e.cells = e.cells[:0]
	for _, cell := range row {
		if strings.ContainsAny(cell, "\r\n") {
			cell = oneLine.Replace(cell)
		}
		e.cells = append(e.cells, cell)
	}
	e.body.Reset()
	e.body.Write(strconv.AppendInt(e.body.AvailableBuffer(), int64(point), 10))
	e.body.WriteByte(',')
	// Neither fails on a buffer in memory.
	if err := e.csv.Write(e.cells); err != nil {
		return dst, err
	}
	if e.csv.Flush(); e.csv.Error() != nil {
		return dst, e.csv.Error()
	}
	body := bytes.TrimSuffix(e.body.Bytes(), []byte("\n"))
	if len(body) > MaxRow {
		return dst, fmt.Errorf("the row of point %d has %d bytes; expected at most %d", point, len(body), MaxRow)
	}
	dst = append(dst, body...)
	return append(appendChecksum(dst, body), '\n'), nil
}

// appendChecksum appends a comma and the checksum of body to dst.
func appendChecksum(dst, body []byte) []byte {
	var sum [4]byte
	binary.BigEndian.PutUint32(sum[:], crc32.ChecksumIEEE(body))
	return hex.AppendEncode(append(dst, ','), sum[:])
}

// checkLine returns the row in a line, without the checksum, or why the line is
// invalid.
func checkLine(line []byte, point, columns int) (body []byte, err error) {
	cut := len(line) - checksumLen
	if cut < 0 {
		return nil, errors.New("the line is truncated")
	}
	body = line[:cut]
	var room [checksumLen]byte
	if !bytes.Equal(appendChecksum(room[:0], body), line[cut:]) {
		return nil, errors.New("the checksum does not match the line")
	}
	var digits [20]byte
	id, _, _ := bytes.Cut(body, []byte(","))
	if !bytes.Equal(id, strconv.AppendInt(digits[:0], int64(point), 10)) {
		return nil, fmt.Errorf("the row is that of point %q; expected point %d", id, point)
	}
	if n := countCells(body) - 1; n != columns {
		return nil, fmt.Errorf("%d cells; expected %d", n, columns)
	}
	return body, nil
}

// countCells counts the commas outside quotes, and one more. A quote inside
// quotes is doubled, so it changes nothing in the end.
func countCells(body []byte) int {
	n, quoted := 1, false
	for _, c := range body {
		switch {
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			n++
		}
	}
	return n
}

// lineDecoder splits rows into cells.
type lineDecoder struct {
	csv  *csv.Reader
	line []byte
	rest []byte // of line, not yet read by csv
}

// Read hands the line to the CSV reader, and an end of file after it.
func (d *lineDecoder) Read(p []byte) (int, error) {
	if len(d.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, d.rest)
	d.rest = d.rest[n:]
	return n, nil
}

// cells returns the cells of a row that checkLine returned, without the point.
func (d *lineDecoder) cells(body []byte) ([]string, error) {
	if d.csv == nil {
		d.csv = csv.NewReader(d)
		d.csv.FieldsPerRecord = -1 // checkLine has counted
	}
	d.line = append(append(d.line[:0], body...), '\n')
	d.rest = d.line
	record, err := d.csv.Read()
	if err != nil {
		return nil, err
	}
	return record[1:], nil
}

// lineReader reads a file line by line. It opens the file for each chunk and
// closes it again, so that any number of readers can take turns.
type lineReader struct {
	name   string
	chunk  int    // most bytes to read at once
	buffer []byte // read, but for the first done bytes not yet given out
	done   int
	offset int64 // in the file, of the end of buffer
	line   int   // number of the last line given out, from 1
}

var errLongLine = fmt.Errorf("the line is longer than %d bytes", maxLine)

// next returns the next line without its end; it is valid until the next call.
// At the end of the file the error is io.EOF, or io.ErrUnexpectedEOF inside a
// line.
func (r *lineReader) next() ([]byte, error) {
	r.line++
	for {
		rest := r.buffer[r.done:]
		if n := bytes.IndexByte(rest, '\n'); n >= 0 && n <= maxLine {
			r.done += n + 1
			return rest[:n], nil
		} else if n >= 0 || len(rest) > maxLine {
			return nil, errLongLine
		}
		n, err := r.fill()
		switch {
		case err != nil:
			return nil, err
		case n == 0 && len(rest) > 0:
			return nil, io.ErrUnexpectedEOF
		case n == 0:
			return nil, io.EOF
		}
	}
}

// firstChunk is how many bytes are read first: most files of small studies are
// not much longer. What has been read doubles with each chunk up to the most.
const firstChunk = 4 << 10

// fill reads a chunk behind what is left in the buffer and returns its length,
// 0 at the end of the file.
func (r *lineReader) fill() (int, error) {
	rest := r.buffer[r.done:]
	chunk := int(min(int64(r.chunk), max(firstChunk, r.offset)))
	if cap(r.buffer) < len(rest)+chunk {
		r.buffer = append(make([]byte, 0, len(rest)+chunk), rest...)
	} else {
		r.buffer = append(r.buffer[:0], rest...)
	}
	r.done = 0
	open := os.Open
	if r.offset == 0 {
		open = OpenFile
	}
	f, err := open(r.name)
	if err != nil {
		return 0, failed("open the file", r.name, err)
	}
	defer f.Close() // read only: nothing to lose
	end := len(r.buffer)
	n, err := f.ReadAt(r.buffer[end:end+chunk], r.offset)
	if err != nil && err != io.EOF {
		return 0, failed("read the file", r.name, err)
	}
	r.buffer = r.buffer[:end+n]
	r.offset += int64(n)
	return n, nil
}
