package fault

import "fmt"

// Error is an error in the input, that is a file or the command line. Package yamldoc has
// errors of its own.
type Error struct {
	Msg    string
	Placed bool // Msg begins with the place in a file
}

func (e *Error) Error() string { return e.Msg }

// Errorf returns an *Error without a place.
func Errorf(format string, args ...any) error {
	return &Error{Msg: fmt.Sprintf(format, args...)}
}
