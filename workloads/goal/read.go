package goal

import (
	"fmt"
	"io"
	"math"

	"github.com/isoscale/isoscale/workloads/internal/lines"
)

// maxLine is the longest line of a text, in bytes.
const maxLine = 1 << 20

// bufferSize is how many bytes of a text are read at once.
const bufferSize = 256 << 10

// Read reads a schedule, plain or compressed by gzip (told by its first two
// bytes). The name is for messages only. Reading stops after the last rank:
// what follows is not looked at.
//
// Errors in the text are of type *SyntaxError.
func Read(name string, r io.Reader) (*Schedule, error) {
	return ReadMax(name, r, math.MaxInt64)
}

// ReadMax is Read that gives up when the schedule would hold more than
// maxMemory bytes (Shape.Memory), so that a small compressed file cannot use
// up the memory of the machine.
func ReadMax(name string, r io.Reader, maxMemory int64) (*Schedule, error) {
	text, err := lines.Decompress(r, 4<<10)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; expected a file compressed by gzip", name, err)
	}
	p := parser{name: name, labels: newLabels(), maxMemory: maxMemory}
	if err := p.parse(lines.NewReader(text, bufferSize, maxLine)); err != nil {
		return nil, err
	}
	s, err := p.b.finish()
	if err != nil {
		return nil, err
	}
	return s, nil
}
