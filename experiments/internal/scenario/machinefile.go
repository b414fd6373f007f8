package scenario

import (
	"github.com/isoscale/isoscale/experiments/internal/document"
	"github.com/isoscale/isoscale/topology"
)

// OpenMachine reads a machine file, or a machine of the catalogue.
func OpenMachine(name string) (*topology.Machine, error) {
	return namedMachine(&document.Reader{}, name)
}

// ParseMachine reads the text of a machine file.
func ParseMachine(file string, data []byte) (*topology.Machine, error) {
	return namedMachine(document.OfTexts(map[string][]byte{file: data}), file)
}
