package yamldoc

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/internal/each"
)

// Position is a place in a file. Line and Column count from 1, Column in
// characters. Line 0 means the file as a whole.
type Position struct {
	File         string
	Line, Column int
}

// String returns file:line:column, or only the file when the line is unknown.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return p.File + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
}

func (p Position) compare(q Position) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// Error is one problem with its place.
type Error struct {
	Pos  Position
	Path string // dotted path of the value, "" for the document
	Msg  string // what is wrong
	Want string // what was expected, "" if Msg is sufficient

	cause error
}

// Error returns "file:line:column: path: message; expected want" in one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Pos.String())
	if e.Path != "" {
		if b.Len() > 0 {
			b.WriteString(": ")
		}
		b.WriteString(e.Path)
	}
	b.WriteString(": " + e.Msg)
	if e.Want != "" {
		b.WriteString("; expected " + e.Want)
	}
	return oneLine(b.String())
}

// Unwrap returns the error of the operating system or of the parser of a
// quantity, if there is one: errors.Is(err, fs.ErrNotExist) works.
func (e *Error) Unwrap() error { return e.cause }

// Problems are errors sorted by position.
type Problems []*Error

// Error returns one line for each problem.
func (p Problems) Error() string {
	lines := each.Of(p, (*Error).Error)
	return strings.Join(lines, "\n")
}

// Unwrap returns the problems for errors.Is and errors.As.
func (p Problems) Unwrap() []error {
	return each.Of(p, func(e *Error) error { return e })
}

// InWordsOfTheFile returns an error for users who have set values without a command line. A
// problem of a value of [Node.Set] has its path instead of "--set path=value", as in
// "network.latency: ...". Other errors stay as they are.
func InWordsOfTheFile(err error) error {
	switch e := err.(type) {
	case *Error:
		return e.inWordsOfTheFile()
	case Problems:
		return Problems(each.Of(e, (*Error).inWordsOfTheFile))
	}
	return err
}

func (e *Error) inWordsOfTheFile() *Error {
	setting, ok := strings.CutPrefix(e.Pos.File, setFlag)
	if !ok {
		return e
	}
	path, _, _ := strings.Cut(setting, "=")
	told := *e
	told.Pos, told.Path = Position{}, cmp.Or(e.Path, path)
	return &told
}

// err returns p sorted by position, equal positions in the order found, or nil. A problem that several
// readers found at one position is kept once.
func (p Problems) err() error {
	if len(p) == 0 {
		return nil
	}
	sorted := slices.Clone(p)
	slices.SortStableFunc(sorted, func(a, b *Error) int { return a.Pos.compare(b.Pos) })
	return slices.CompactFunc(sorted, func(a, b *Error) bool {
		return a.Pos.Line > 0 && a.Pos == b.Pos && a.Msg == b.Msg && a.Want == b.Want
	})
}

// oneLine escapes control characters, so that no text taken from a file or
// from another package can break a message into lines.
func oneLine(s string) string {
	if !strings.ContainsFunc(s, isControl) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isControl(r) {
			q := strconv.QuoteRune(r)
			b.WriteString(q[1 : len(q)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isControl(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029'
}
