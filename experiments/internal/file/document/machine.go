package document

import (
	"path/filepath"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/topology"
)

// WithMachine replaces the name of a machine in a scenario or study by the machine, so
// that values in it can be set as if it had been written there. The name is that of a
// machine of the catalogue, or of a file in folder base; anything else stays as it is,
// for the reader to judge.
func (r *Reader) WithMachine(root *yamldoc.Node, base string) (*yamldoc.Node, error) {
	var d yamldoc.Decoder
	n := d.Mapping(root, "").Take("machine")
	if !n.IsScalar() || n.IsNull() {
		return root, nil
	}
	name := n.Text()
	var machine *yamldoc.Node
	var err error
	if data, ok := topology.CatalogueFile(name); ok {
		file := "catalogue/" + name + ".yaml"
		machine, err = r.library.parse(file, data)
		r.Record(file, data)
	} else if LooksLikeFile(name) {
		machine, err = r.ReadFile(input.Resolve(base, name))
		name = strings.TrimSuffix(filepath.Base(name), ".yaml")
	} else {
		return root, nil
	}
	if err != nil {
		return nil, err
	}
	if !input.MayBeMachine(machine) {
		return nil, input.WrongKind(machine, input.KindMachine)
	}
	if d.Mapping(machine, "").Take("name") == nil && schema.IsName(name) {
		if machine, err = machine.Set("name", `"`+name+`"`); err != nil {
			return nil, err
		}
	}
	return root.With(yamldoc.Change{Path: "machine", Value: machine})
}
