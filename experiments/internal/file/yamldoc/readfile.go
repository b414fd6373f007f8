package yamldoc

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ReadFile reads the YAML document in a file. It also returns the bytes that it
// read, so that a checksum covers exactly those. Every error is an *Error
// or Problems; errors.Is works with fs.ErrNotExist and similar errors.
func ReadFile(path string) (*Node, []byte, error) { return ReadFileAs(path, "a YAML file", Parse) }

// ReadFileAs is ReadFile for a file of another form, which want names and parse reads.
// A file of more than 4 MiB is cut after one byte more, for parse to find it too large.
func ReadFileAs(path, want string, parse func(file string, data []byte) (*Node, error)) (*Node, []byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, readError(path, want, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, readError(path, want, err)
	}
	if info.IsDir() {
		return nil, nil, &Error{Pos: Position{File: path}, Msg: "is a directory", Want: want}
	}
	// A pipe or a device has no size, so the size is not queried.
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, nil, readError(path, want, err)
	}
	root, err := parse(path, data)
	return root, data, err
}

// readError keeps only the reason of a PathError: the position has its path.
func readError(path, want string, err error) error {
	reason := err
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		reason = p.Err
	}
	return &Error{Pos: Position{File: path}, Msg: "cannot read: " + reason.Error(), Want: want + Beside(path, err), cause: err}
}

// Beside returns the end of a message about a missing file: the nearest name with the same ending in its folder.
func Beside(path string, missing error) string {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || !errors.Is(missing, fs.ErrNotExist) {
		return ""
	}
	ending := filepath.Ext(path)
	var stems []string // the same endings would make all names alike
	for _, e := range entries[:min(len(entries), mostBeside)] {
		if stem, ok := strings.CutSuffix(e.Name(), ending); ok {
			stems = append(stems, stem)
		}
	}
	near := Nearest(strings.TrimSuffix(filepath.Base(path), ending), stems)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + filepath.Join(filepath.Dir(path), near[0]+ending) + "?"
}

// mostBeside is how many files of a folder are compared: among thousands, a similar name means little.
const mostBeside = 1000
