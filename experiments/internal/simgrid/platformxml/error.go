package platformxml

import "fmt"

// SyntaxError is a place in a file that is not a platform, or is one that
// cannot be simulated.
type SyntaxError struct {
	File         string
	Line, Column int // from 1; the column counts bytes
	What         string
	Expected     string
}

// Error returns "file:line:column: what is wrong; expected what".
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s; expected %s", e.File, e.Line, e.Column, e.What, e.Expected)
}
