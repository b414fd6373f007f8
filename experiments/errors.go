package experiments

import (
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/experiments/yamldoc"
)

// InputError is a fault in what the user asked for that the reader of YAML files
// does not know of.
type InputError struct {
	Msg    string
	placed bool // Msg begins with the place in a file
}

func (e *InputError) Error() string { return e.Msg }

func inputErrorf(format string, args ...any) error {
	return &InputError{Msg: fmt.Sprintf(format, args...)}
}

// placedErrorf is inputErrorf for a message that begins with the place in a file.
func placedErrorf(format string, args ...any) error {
	return &InputError{Msg: fmt.Sprintf(format, args...), placed: true}
}

// IsInputError reports whether err is about the user's input rather than about
// a simulation that failed.
func IsInputError(err error) bool {
	var input *InputError
	return errors.As(err, &input) || isYAML(err)
}

// HasPosition reports whether err begins with the place in a file that it is
// about.
func HasPosition(err error) bool {
	var unattainable *UnattainableError
	var input *InputError
	if errors.As(err, &input) {
		return input.placed
	}
	return isYAML(err) || errors.As(err, &unattainable)
}

func isYAML(err error) bool {
	var problems yamldoc.Problems
	var problem *yamldoc.Error
	return errors.As(err, &problems) || errors.As(err, &problem)
}
