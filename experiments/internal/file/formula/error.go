package formula

import (
	"fmt"
	"strings"
	"unicode"
)

// Error is one line about what is wrong with an expression, or why it has no value.
type Error struct {
	Problem   string   // what is wrong, as in "unknown name r3"
	Character int      // the place in the text, from 1; 0: all of it
	Expected  string   // what is allowed there; empty if the caller gives an example
	Unknown   string   // the undefined name, if that is the problem
	Known     []string // what could stand in its place
}

// Error returns the problem with its place and what was expected.
func (e *Error) Error() string {
	if e.Expected == "" {
		return e.Where()
	}
	return e.Where() + "; expected " + e.Expected
}

func (e *Error) Where() string {
	if e.Character == 0 {
		return e.Problem
	}
	return fmt.Sprintf("%s (at character %d)", e.Problem, e.Character)
}

// unknown reports a word that is none of those known.
func unknown(at int, what, word string, known []string) *Error {
	e := &Error{Problem: what + " " + word, Character: at, Unknown: word, Known: known}
	if len(known) > 0 && len(known) <= mostListed {
		e.Expected = "one of " + strings.Join(known, ", ")
	}
	return e
}

// mostListed is how many known words a message lists.
const mostListed = 60

// oneLine replaces line ends, which texts and patterns may contain, by spaces.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}
