package store

import (
	"fmt"
	"io/fs"
	"os"
)

// OpenFile opens a file of a results directory to read it. It refuses anything else in
// its place: opening a named pipe would wait for a writer, and a device may have no end.
func OpenFile(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	what := ""
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return os.Open(name)
	case mode.IsDir():
		what = "a directory"
	case mode&fs.ModeNamedPipe != 0:
		what = "a named pipe"
	case mode&fs.ModeDevice != 0:
		what = "a device"
	default:
		what = "something else"
	}
	return nil, fmt.Errorf("it is %s, not a file", what)
}
