package machines

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/topology"
)

// Open reads a machine file, or a machine of the catalogue.
func Open(name string) (*topology.Machine, error) {
	return named(&document.Reader{}, name)
}

// Parse reads the text of a machine file.
func Parse(file string, data []byte) (*topology.Machine, error) {
	return named(document.OfTexts(map[string][]byte{file: data}), file)
}

// named reads a machine file, or a machine of the catalogue.
func named(r *document.Reader, name string) (*topology.Machine, error) {
	if document.LooksLikeFile(name) {
		root, err := r.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if !input.MayBeMachine(root) {
			return nil, input.WrongKind(root, input.KindMachine)
		}
		m := ReadBody(&r.Decoder, root, strings.TrimSuffix(filepath.Base(name), ".yaml"))
		return m, r.Err()
	}
	if form := input.FormOf(name); form != input.FormUnknown && form != input.FormPlatform {
		return nil, input.PlacedErrorf("%s: %s; expected a machine; %s", name, form.Sentence(), form.CommandHint(name))
	}
	if !slices.Contains(topology.CatalogueNames(), name) {
		return nil, input.Errorf("--platform %s: no such machine; expected a SimGrid platform (.xml), a machine file (.yaml) or one of the catalogue: %s", name, input.List(topology.CatalogueNames()))
	}
	m, err := Catalogue(name)
	if err != nil {
		return nil, err
	}
	data, _ := topology.CatalogueFile(name)
	r.RecordText("catalogue/"+name+".yaml", data)
	return m, nil
}
