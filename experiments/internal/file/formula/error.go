package formula

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/expr-lang/expr/file"
)

// Error is one line about what is wrong with an expression, or why it has no
// value.
type Error struct {
	Problem   string // what is wrong, as in "unknown name r3"
	Character int    // the place in the text, from 1; 0: all of it
	Expected  string // what is allowed there; empty if the caller gives an example
	Unknown   string // the undefined name, if that is the problem
}

// Error returns the problem with its place and what was expected.
func (e *Error) Error() string {
	if e.Expected == "" {
		return e.Where()
	}
	return e.Where() + "; expected " + e.Expected
}

// Where returns the problem with its place.
func (e *Error) Where() string {
	if e.Character == 0 {
		return e.Problem
	}
	return fmt.Sprintf("%s (at character %d)", e.Problem, e.Character)
}

// problem is an error of expr without its excerpt of the text.
func problem(before string, err error) *Error {
	if e, ok := errors.AsType[*file.Error](err); ok {
		return &Error{Problem: before + oneLine(e.Message), Character: e.From + 1}
	}
	return &Error{Problem: before + oneLine(err.Error())}
}

// oneLine replaces line ends, which texts and patterns may contain, by spaces.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}
