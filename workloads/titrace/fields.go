package titrace

import (
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/workloads/internal/lines"
)

// fields reads the fields of one line, from left to right. The first mistake is kept in
// err; after it all values are zero.
type fields struct {
	b     []byte
	i     int // after the last field
	start int // of the last field
	file  string
	line  int
	name  []byte // of the action
	err   error
}

// more reports whether there is another field.
func (f *fields) more() bool {
	f.i = skipBlanks(f.b, f.i)
	return f.i < len(f.b)
}

// left returns how many fields are left.
func (f *fields) left() int {
	n := 0
	for i := skipBlanks(f.b, f.i); i < len(f.b); n++ {
		i = skipBlanks(f.b, fieldEnd(f.b, i))
	}
	return n
}

// word returns the next field, empty at the end of the line.
func (f *fields) word() []byte {
	f.start = skipBlanks(f.b, f.i)
	f.i = fieldEnd(f.b, f.start)
	return f.b[f.start:f.i]
}

// fail keeps an error at the last field.
func (f *fields) fail(what, expected string) {
	if f.err == nil {
		f.err = &SyntaxError{File: f.file, Line: f.line, Column: f.start + 1, What: what, Expected: expected}
	}
}

// bad says that the last field is not what it should be.
func (f *fields) bad(what, expected string) {
	if f.start == len(f.b) {
		f.fail("the line ends before "+what, usages[string(f.name)])
		return
	}
	f.fail(fmt.Sprintf("%s is %q", what, lines.Clip(f.b[f.start:f.i])), expected)
}

// skip passes over the rest of the line.
func (f *fields) skip() { f.i = len(f.b) }

// end checks that nothing follows.
func (f *fields) end() {
	if f.err == nil && f.more() {
		f.fail(fmt.Sprintf("unexpected %q", lines.Clip(f.word())), "the end of the line: "+usages[string(f.name)])
	}
}

// digits reads a field of at most 15 digits. If the field is something else, it skips
// only the blanks before it.
func (f *fields) digits() (int64, bool) {
	f.i = skipBlanks(f.b, f.i)
	n, end := digits(f.b, f.i)
	if end == f.i || end < len(f.b) && !isBlank(f.b[end]) {
		return 0, false
	}
	f.start, f.i = f.i, end
	return n, true
}

// number reads a number that is finite and at least 0, as 10, 2.5 or 1e6.
func (f *fields) number(what string) float64 {
	n, ok := parseNumber(f.word())
	if !ok {
		f.bad(what, "a finite number, at least 0")
	}
	return n
}

func parseNumber(w []byte) (float64, bool) {
	if n, end := digits(w, 0); end == len(w) && end > 0 {
		return float64(n), true
	}
	for _, c := range w {
		// ParseFloat also takes hexadecimal numbers, inf and nan.
		if c-'0' > 9 && c != '.' && c != 'e' && c != 'E' && c != '+' && c != '-' {
			return 0, false
		}
	}
	n, err := strconv.ParseFloat(string(w), 64)
	if err != nil || n < 0 || math.IsInf(n, 0) {
		return 0, false
	}
	return n, true
}

// maxCount is the largest count, up to which float64 holds every whole number.
const maxCount = 1 << 53

// count reads a number of elements. Like SimGrid it ignores the digits after the
// decimal point.
func (f *fields) count(what string) float64 {
	n := math.Trunc(f.number(what))
	if n > maxCount {
		f.bad(what, fmt.Sprintf("at most %d", int64(maxCount)))
		return 0
	}
	return n
}

// integer reads a whole number between lo and hi.
func (f *fields) integer(lo, hi int64) (n int32, ok bool) {
	if n, ok := f.digits(); ok {
		return int32(n), lo <= n && n <= hi
	}
	d, err := strconv.ParseInt(string(f.word()), 10, 32)
	return int32(d), err == nil && lo <= d && d <= hi
}

// digits reads the digits from i on, at most 15, and returns the index after them: i if
// there are none or too many.
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

// fieldEnd returns the index after the field that begins at i.
func fieldEnd(b []byte, i int) int {
	for i < len(b) && !isBlank(b[i]) {
		i++
	}
	return i
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// usages says how each action is written after the rank, and actionNames lists the actions
// in the order of the documentation.
var usages, actionNames = func() (map[string]string, string) {
	named, names := map[string]string{}, []string(nil)
	for _, usage := range []string{
		"init [anything]",
		"finalize",
		"comm_size [anything]",
		"comm_split [anything]",
		"comm_dup [anything]",
		"location FILE LINE",
		"compute FLOP",
		"sleep SECONDS",
		"send PEER TAG COUNT [TYPE]",
		"isend PEER TAG COUNT [TYPE]",
		"recv PEER TAG COUNT [TYPE]",
		"irecv PEER TAG COUNT [TYPE]",
		"sendRecv COUNT PEER COUNT PEER TYPE TYPE",
		"wait SOURCE DESTINATION TAG",
		"test SOURCE DESTINATION TAG",
		"waitall [anything]",
		"barrier",
		"bcast COUNT [ROOT [TYPE]]",
		"reduce COUNT FLOP [ROOT [TYPE]]",
		"allreduce COUNT FLOP [TYPE]",
		"reducescatter COUNTS FLOP [TYPE]",
		"scan COUNT FLOP [TYPE]",
		"exscan COUNT FLOP [TYPE]",
		"gather COUNT COUNT [ROOT [TYPE [TYPE]]]",
		"scatter COUNT COUNT [ROOT [TYPE [TYPE]]]",
		"allgather COUNT COUNT [TYPE [TYPE]]",
		"alltoall COUNT COUNT [TYPE [TYPE]]",
		"gatherv COUNT COUNTS [ROOT [TYPE [TYPE]]]",
		"scatterv COUNTS COUNT [ROOT [TYPE [TYPE]]]",
		"allgatherv COUNT COUNTS [TYPE [TYPE]] [DISPLACEMENTS]",
		"alltoallv COUNT COUNTS COUNT COUNTS [TYPE [TYPE]]",
	} {
		name, _, _ := strings.Cut(usage, " ")
		named[name], names = usage, append(names, name)
	}
	return named, strings.Join(names, ", ")
}()

// expectedAction says what was expected in place of a word that is no action.
func expectedAction(word []byte) string {
	for name := range strings.SplitSeq(actionNames, ", ") {
		if strings.EqualFold(name, string(word)) {
			return fmt.Sprintf("%q, written like this", name)
		}
	}
	return "one of " + actionNames
}

// SyntaxError is a mistake in a trace, with its place.
type SyntaxError = lines.SyntaxError

// wholeFile returns an error about a file as a whole.
func wholeFile(file, expected, what string, args ...any) error {
	return &SyntaxError{File: file, What: fmt.Sprintf(what, args...), Expected: expected}
}

// readError returns the error for a line that could not be read.
func readError(file string, line int, err error) error {
	var (
		path    *fs.PathError
		corrupt flate.CorruptInputError
	)
	what, expected, ofText := lines.Problem(err, maxLine)
	switch {
	case ofText:
		return &SyntaxError{File: file, Line: line, Column: 1, What: what, Expected: expected}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, gzip.ErrHeader),
		errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		return wholeFile(file, "a complete file of gzip", "%v", err)
	case errors.As(err, &path):
		return err // has the name already
	}
	return fmt.Errorf("%s: %w", file, err)
}
