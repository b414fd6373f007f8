package lines

import "fmt"

// SyntaxError is a place in a text that is not as it must be.
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
