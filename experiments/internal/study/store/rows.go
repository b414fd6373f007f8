package store

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Row is the row of a point.
type Row struct {
	Point int
	Cells []string // one for each column of the plan
}

// errStop ends a walk whose caller wants no more rows.
var errStop = errors.New("no more rows are wanted")

// Rows returns all rows, ordered by point. The last pair may have an error and
// no row: before the first row if shards are missing, or where a file is damaged.
// The cells belong to the caller.
func (d *Dir) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		var decoder lineDecoder
		err := d.walk(func(point int, body []byte) error {
			cells, err := decoder.cells(body)
			if err != nil {
				return err
			}
			if !yield(Row{point, cells}, nil) {
				return errStop
			}
			return nil
		})
		if err != nil && err != errStop {
			yield(Row{}, err)
		}
	}
}

// Merge writes all rows into results.csv and returns its path. The errors are those of Rows. An existing results.csv is
// replaced when the new one is complete.
func (d *Dir) Merge() (string, error) {
	name := filepath.Join(d.path, "results.csv")
	if err := d.sys.replace(name, d.write); err != nil {
		return "", err
	}
	if err := d.sys.syncDir(d.path); err != nil {
		return "", err
	}
	// These parts were left by attempts; an attempt still running will find its shard complete.
	parts, _ := d.parts("part-") // an error does no harm
	for _, part := range parts {
		_ = os.Remove(part)
	}
	return name, nil
}

// write writes header and rows. Rows are copied as they stand in the files of
// the shards, without the checksums.
func (d *Dir) write(to io.Writer) error {
	w := bufio.NewWriterSize(to, 64<<10)
	// The writers remember their first error: Flush returns it.
	head := csv.NewWriter(w)
	_ = head.Write(Header(d.plan.Columns))
	head.Flush()
	err := d.walk(func(_ int, body []byte) error {
		_, _ = w.Write(body)
		return w.WriteByte('\n')
	})
	if err != nil {
		return err
	}
	return w.Flush()
}

// walk calls visit with the row of each point in turn, as it stands in the file
// of its shard: the rows of consecutive points are in consecutive shards. An
// error of visit ends it and is returned; if it is about CSV, the file is damaged.
func (d *Dir) walk(visit func(point int, body []byte) error) error {
	missing, err := d.Missing()
	if err != nil {
		return err
	}
	shards := d.plan.Shards
	if len(missing) > 0 {
		return fmt.Errorf("%s: %d of %d shards are missing: %s; rerun the sweep to compute them", d.path, len(missing), shards, Ranges(missing))
	}
	readers := make([]shardReader, shards)
	for shard := range readers {
		readers[shard] = d.reader(d.shardName(shard), shard, min(max(walkBuffers/shards, 1<<10), 256<<10))
		if err := readers[shard].begin(); err != nil {
			return err
		}
	}
	for point := range d.plan.Points {
		r := &readers[point%shards]
		_, body, err := r.row()
		if d.plan.mayEnd(point) && r.ended {
			return nil
		}
		if err == nil {
			err = visit(point, body)
		}
		if parse, ok := errors.AsType[*csv.ParseError](err); ok {
			err = r.corrupt(parse.Err.Error())
		}
		if err != nil {
			return err
		}
	}
	for shard := range readers {
		if err := readers[shard].end(); err != nil {
			return err
		}
	}
	return nil
}

// walkBuffers is the size in bytes of all buffers of walk together.
const walkBuffers = 32 << 20

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

// countCells counts the commas outside quotes, plus one. A quote inside quotes is doubled, so it has no net effect.
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
	csv *csv.Reader
	row bytes.Reader
}

// cells returns the cells of a row that checkLine returned, without the point.
func (d *lineDecoder) cells(body []byte) ([]string, error) {
	if d.csv == nil {
		d.csv = csv.NewReader(&d.row)
		d.csv.FieldsPerRecord = -1 // checkLine has counted
	}
	d.row.Reset(body)
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
	chunk  int // most bytes to read at once, except for longer lines
	lines  *bufio.Scanner
	offset int64 // in the file, of the end of what has been read
	line   int   // number of the last line given out, from 1
}

var errLongLine = fmt.Errorf("the line is longer than %d bytes", maxLine)

// next returns the next line without its end; it is valid until the next call.
// At the end of the file the error is io.EOF, or io.ErrUnexpectedEOF inside a
// line.
func (r *lineReader) next() ([]byte, error) {
	if r.lines == nil {
		size := r.chunk
		if info, err := os.Stat(r.name); err == nil { // Read reports what is wrong
			size = int(min(int64(size), info.Size()+1)) // one more to see the end
		}
		r.lines = bufio.NewScanner(r)
		r.lines.Buffer(make([]byte, size), maxLine+2)
		r.lines.Split(splitLine)
	}
	r.line++
	if !r.lines.Scan() {
		return nil, cmp.Or(r.lines.Err(), io.EOF)
	}
	return r.lines.Bytes(), nil
}

// splitLine finds a complete line.
func splitLine(data []byte, atEOF bool) (advance int, line []byte, err error) {
	n := bytes.IndexByte(data, '\n')
	switch {
	case n > maxLine, n < 0 && len(data) > maxLine:
		return 0, nil, errLongLine
	case n >= 0:
		return n + 1, data[:n], nil
	case atEOF && len(data) > 0:
		return 0, nil, io.ErrUnexpectedEOF
	}
	return 0, nil, nil
}

// Read reads a chunk.
func (r *lineReader) Read(chunk []byte) (int, error) {
	open := os.Open
	if r.offset == 0 {
		open = OpenFile
	}
	f, err := open(r.name)
	if err != nil {
		return 0, failed("open the file", r.name, err)
	}
	defer f.Close() // read only: nothing to lose
	n, err := f.ReadAt(chunk, r.offset)
	r.offset += int64(n)
	if err != nil && err != io.EOF {
		err = failed("read the file", r.name, err)
	}
	return n, err
}

// shardReader reads a file of a shard: its header, then the row of each of its points.
type shardReader struct {
	lineReader
	plan  *Plan
	shard int
	point int // of the next row
	ended bool
}

func (d *Dir) reader(name string, shard, chunk int) shardReader {
	return shardReader{lineReader{name: name, chunk: chunk}, d.plan, shard, shard, false}
}

// corrupt returns the error for a file of a complete shard that has been changed or damaged.
func (r *shardReader) corrupt(reason string) error {
	return fmt.Errorf("%s:%d: %s; remove the file and rerun the sweep to compute shard %d again", r.name, r.line, reason, r.shard)
}

// next returns the next line; a file that ends before it is damaged.
func (r *shardReader) next() ([]byte, error) {
	line, err := r.lineReader.next()
	r.ended = err == io.EOF
	switch err {
	case io.EOF, io.ErrUnexpectedEOF:
		err = r.corrupt("the file ends too early")
	case errLongLine:
		err = r.corrupt(err.Error())
	}
	return line, err
}

// begin reads the header.
func (r *shardReader) begin() error {
	header, err := r.next()
	if want := r.plan.header(r.shard); err == nil && string(header) != want {
		err = r.corrupt(fmt.Sprintf("the first line belongs to another plan or shard; expected %q", want))
	}
	return err
}

// row returns the next line, and the row in it.
func (r *shardReader) row() (line, body []byte, err error) {
	if line, err = r.next(); err != nil {
		return nil, nil, err
	}
	if body, err = checkLine(line, r.point, len(r.plan.Columns)); err != nil {
		return nil, nil, r.corrupt(err.Error())
	}
	r.point += r.plan.Shards
	return line, body, nil
}

// end reports what follows the last row.
func (r *shardReader) end() error {
	switch _, err := r.lineReader.next(); err {
	case io.EOF:
		return nil
	case nil, io.ErrUnexpectedEOF, errLongLine:
		return r.corrupt("something follows the row of the last point")
	default:
		return err
	}
}
