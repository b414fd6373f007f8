package command

import (
	"errors"
	"io"
	"io/fs"
)

// standardOutput remembers the first error of writing, which the library that prints
// the help does not return.
type standardOutput struct {
	io.Writer
	err   error
	first func() // nil, or what is done once before something is written
}

func (o *standardOutput) Write(p []byte) (int, error) {
	if o.first != nil {
		o.first()
		o.first = nil
	}
	n, err := o.Writer.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// Stat describes the file that standard output is, if it is one.
func (o *standardOutput) Stat() (fs.FileInfo, error) {
	if f, ok := o.Writer.(interface{ Stat() (fs.FileInfo, error) }); ok {
		return f.Stat()
	}
	return nil, errors.ErrUnsupported
}
