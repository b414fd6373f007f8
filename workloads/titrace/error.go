package titrace

import (
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/isoscale/isoscale/workloads/internal/lines"
)

// SyntaxError is a trace that is not as it must be.
type SyntaxError = lines.SyntaxError

// wholeFile is for what is wrong with a file and not at a place in it.
func wholeFile(file, expected, what string, args ...any) error {
	return &SyntaxError{File: file, What: fmt.Sprintf(what, args...), Expected: expected}
}

// readError is for a line that could not be read.
func readError(file string, line int, err error) error {
	var (
		path    *fs.PathError
		corrupt flate.CorruptInputError
	)
	switch {
	case err == lines.ErrTooLong:
		return &SyntaxError{File: file, Line: line, Column: 1,
			What: fmt.Sprintf("the line is longer than %d bytes", maxLine), Expected: "shorter lines"}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		return wholeFile(file, "a complete file of gzip", "%v", err)
	case errors.As(err, &path):
		return err // has the name already
	}
	return fmt.Errorf("%s: %w", file, err)
}
