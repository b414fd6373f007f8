package yamldoc

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// ReadFile reads the YAML document in a file. It also returns the bytes that it
// read, for a checksum of exactly what was understood. Every error is an *Error
// or Problems; errors.Is with fs.ErrNotExist and its kin works.
func ReadFile(path string) (*Node, []byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, readError(path, err)
	}
	// Closing a file that was only read cannot lose data.
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, readError(path, err)
	}
	if info.IsDir() {
		return nil, nil, &Error{Pos: Position{File: path}, Msg: "is a directory", Want: "a YAML file"}
	}
	// The size is not asked for: a pipe or a device has none.
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, nil, readError(path, err)
	}
	root, err := Parse(path, data)
	return root, data, err
}

// readError keeps only the reason: the operation and the path of a PathError
// are said by the position.
func readError(path string, err error) error {
	reason := err
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		reason = p.Err
	}
	return &Error{Pos: Position{File: path}, Msg: "cannot read: " + reason.Error(), Want: "a YAML file", cause: err}
}
