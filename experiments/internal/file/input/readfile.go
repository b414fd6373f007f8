package input

import (
	"fmt"
	"io"
	"os"

	"github.com/isoscale/isoscale/model/units"
)

// maxFile is the largest file that ReadFile reads, in bytes: a platform of a million
// hosts with a line each takes less.
const maxFile = 256 << 20

// ReadFile reads a file as a whole, a pipe or a device up to its end. A regular file that
// is too large is an error before anything is read.
func ReadFile(path string) ([]byte, error) { return readFile(path, maxFile) }

func readFile(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	tooLarge := fmt.Errorf("larger than %v", units.Bytes(most).Binary())
	if info.Mode().IsRegular() && info.Size() > most {
		return nil, tooLarge
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, tooLarge
	}
	return data, err
}
