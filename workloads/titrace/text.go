package titrace

import "os"

// fileText is a file that is open only while something is read of it, so that
// a program may have more ranks than a process may have open files.
type fileText struct {
	path string
	at   int64
}

func (t *fileText) Read(p []byte) (int, error) {
	f, err := os.Open(t.path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	n, err := f.ReadAt(p, t.at)
	t.at += int64(n)
	return n, err // io.EOF with the last bytes, so that it need not be opened once more
}
