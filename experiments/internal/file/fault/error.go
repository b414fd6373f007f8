package fault

import "fmt"

// Error is an error in the input, a file or the command line, other than those of package
// yamldoc.
type Error struct {
	Msg    string
	Placed bool // Msg begins with the place in a file
}

func (e *Error) Error() string { return e.Msg }

// Errorf returns an *Error without a place.
func Errorf(format string, args ...any) error {
	return &Error{Msg: fmt.Sprintf(format, args...)}
}
