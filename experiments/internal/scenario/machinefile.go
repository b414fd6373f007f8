package scenario

import (
	"github.com/isoscale/isoscale/experiments/internal/document"
	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/experiments/internal/yamldoc"
	"github.com/isoscale/isoscale/topology"
)

// ReadMachine reads a machine file, or a machine of the catalogue.
func ReadMachine(name string) (*topology.Machine, error) {
	return namedMachine(&document.Reader{}, name)
}

// ParseMachine reads the text of a machine file.
func ParseMachine(file string, data []byte) (*topology.Machine, error) {
	return namedMachine(document.OfTexts(map[string][]byte{file: data}), file)
}

// NewNetwork returns a network model on a machine. Settings are parameters as in a
// scenario, such as "latency: 2 us"; what they leave out is the machine's, and 0 if
// m is nil.
func NewNetwork(model string, settings []string, m *topology.Machine) (Network, error) {
	text := []byte("name: " + model + "\n")
	for _, s := range settings {
		text = append(append(text, s...), '\n')
	}
	root, err := yamldoc.Parse("network "+model, text)
	if err != nil {
		return Network{}, err
	}
	if !root.IsMapping() {
		return Network{}, input.Errorf("network %s: expected settings such as \"latency: 2 us\"", model)
	}
	var d yamldoc.Decoder
	k := networkKind(model)
	n := networkOf(&d, k, root, m)
	if k.SharesLinks && m != nil {
		checkLinks(&d, root, m)
	}
	return n, d.Err()
}
