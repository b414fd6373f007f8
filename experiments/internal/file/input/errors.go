package input

import (
	"errors"
	"fmt"
	"os"

	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// Error is an error in the input.
type Error = fault.Error

// Errorf returns an *Error without a place.
func Errorf(format string, args ...any) error { return fault.Errorf(format, args...) }

// PlacedErrorf is Errorf for a message that begins with the place in a file.
func PlacedErrorf(format string, args ...any) error {
	return &Error{Msg: fmt.Sprintf(format, args...), Placed: true}
}

// Unread is the error for a file that cannot be read; want says what the file should be.
func Unread(path string, err error, want string) error {
	return PlacedErrorf("%s: cannot read: %v; expected %s%s", path, Reason(err), want, yamldoc.Beside(path, err))
}

// IsError reports whether err is about the user's input rather than about
// a simulation that failed.
func IsError(err error) bool {
	var input *Error
	return errors.As(err, &input) || isYAML(err)
}

// HasPosition reports whether err begins with the place in a file that it is
// about.
func HasPosition(err error) bool {
	var unattainable *fault.UnattainableError
	if input, ok := errors.AsType[*Error](err); ok {
		return input.Placed
	}
	return isYAML(err) || errors.As(err, &unattainable)
}

func isYAML(err error) bool {
	var problems yamldoc.Problems
	var problem *yamldoc.Error
	return errors.As(err, &problems) || errors.As(err, &problem)
}

// Reason drops the operation and the names of files from an error of the operating
// system, for messages that give them in their own words.
func Reason(err error) error {
	if p, ok := errors.AsType[*os.PathError](err); ok {
		return p.Err
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		return l.Err
	}
	return err
}
