package scenario

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/document"
	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/experiments/internal/platformxml"
	"github.com/isoscale/isoscale/topology"
)

// IsPlatformFile tells the file of a SimGrid platform from a machine.
func IsPlatformFile(name string) bool { return strings.HasSuffix(name, ".xml") }

// Platform reads a platform: a SimGrid file, or a machine file or a name in the
// catalogue.
func Platform(r *document.Reader, path string) (*topology.Platform, error) {
	if !IsPlatformFile(path) {
		m, err := namedMachine(r, path)
		if err != nil {
			return nil, err
		}
		return MachinePlatform(m)
	}
	data, err := input.ReadFile(path)
	if err != nil {
		return nil, input.Errorf("%s: cannot read: %v; expected a SimGrid platform", path, input.Reason(err))
	}
	p, err := ParsePlatform(path, data)
	if err != nil {
		return nil, err
	}
	r.Record(path, data)
	return p, nil
}

// ParsePlatform reads the text of a SimGrid platform.
func ParsePlatform(path string, data []byte) (*topology.Platform, error) {
	p, err := platformxml.Read(filepath.ToSlash(path), data)
	if err != nil {
		return nil, input.OrOtherForm(path, &input.Error{Msg: err.Error(), Placed: true}, "a SimGrid platform", input.FormPlatform)
	}
	return p, nil
}

// namedMachine reads a machine file, or a machine of the catalogue.
func namedMachine(r *document.Reader, name string) (*topology.Machine, error) {
	if document.LooksLikeFile(name) {
		root, err := r.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if !input.MayBeMachine(root) {
			return nil, input.WrongKind(root, input.KindOf(root), input.KindMachine)
		}
		m := MachineBody(&r.Decoder, root, strings.TrimSuffix(filepath.Base(name), ".yaml"))
		return m, r.Err()
	}
	if form := input.FormOf(name); form != input.FormUnknown && form != input.FormPlatform {
		return nil, input.PlacedErrorf("%s: %s; expected a machine; %s", name, form.Sentence(), form.CommandHint(name))
	}
	if !slices.Contains(topology.CatalogueNames(), name) {
		return nil, input.Errorf("--platform %s: no such machine; expected a SimGrid platform (.xml), a machine file (.yaml) or one of the catalogue: %s", name, input.List(topology.CatalogueNames()))
	}
	m, err := CatalogueMachine(name)
	if err != nil {
		return nil, err
	}
	data, _ := topology.CatalogueFile(name)
	r.RecordText("catalogue/"+name+".yaml", data)
	return m, nil
}
