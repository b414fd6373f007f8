package machines

import (
	"path/filepath"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/experiments/internal/simgrid/platformxml"
	"github.com/isoscale/isoscale/topology"
)

// IsPlatformFile tells the file of a SimGrid platform from a machine.
func IsPlatformFile(name string) bool { return strings.HasSuffix(name, ".xml") }

// ReadPlatform reads a platform: a SimGrid file, or a machine file or a name in the
// catalogue.
func ReadPlatform(r *document.Reader, path string) (*topology.Platform, error) {
	if !IsPlatformFile(path) {
		m, err := named(r, path)
		if err != nil {
			return nil, err
		}
		return build.Platform(m)
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
