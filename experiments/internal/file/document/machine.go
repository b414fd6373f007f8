package document

import (
	"path/filepath"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/topology"
)

// Machine opens a machine by its name: an entry of the catalogue, or the file at path if the name looks like a file's.
// It also returns the name that the machine has unless it states another; root is nil for any other name.
func (r *Reader) Machine(name, path string) (root *yamldoc.Node, own string, err error) {
	if data, ok := topology.CatalogueFile(name); ok {
		file := "catalogue/" + name + ".yaml"
		r.Record(file, data)
		root, err = yamldoc.Parse(file, data)
		return root, name, err
	}
	if LooksLikeFile(name) {
		root, err = r.ReadFile(path)
	}
	return root, strings.TrimSuffix(filepath.Base(name), ".yaml"), err
}

// WithMachine replaces the name of a machine in a scenario or study by the machine, so
// that values in it can be set as if it had been written there. The name is one of [Reader.Machine],
// with files in folder base; anything else stays as it is, for the reader to judge.
func (r *Reader) WithMachine(root *yamldoc.Node, base string) (*yamldoc.Node, error) {
	n := root.Value("machine")
	if !n.IsScalar() {
		return root, nil
	}
	machine, name, err := r.Machine(n.Text(), input.Resolve(base, n.Text()))
	switch {
	case err != nil:
		return nil, err
	case machine == nil:
		return root, nil
	case !input.MayBeMachine(machine):
		return nil, input.WrongKind(machine, input.KindMachine)
	case !machine.Has("name") && schema.IsName(name):
		if machine, err = machine.Set("name", `"`+name+`"`); err != nil {
			return nil, err
		}
	}
	return root.With(yamldoc.Change{Path: "machine", Value: machine})
}
