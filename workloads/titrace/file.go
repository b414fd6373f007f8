package titrace

import (
	"errors"
	"os"
)

// errNoFile is why a pipe or a device is refused: a trace is read more than once.
var errNoFile = errors.New("it is not a regular file, and a trace is read more than once")

// openFile opens a file of a trace. It refuses pipes and devices before they are opened:
// opening a named pipe would wait for a writer.
func openFile(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() && !info.IsDir() {
		return nil, &os.PathError{Op: "open", Path: path, Err: errNoFile}
	}
	return os.Open(path)
}
