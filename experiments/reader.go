package experiments

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"

	"github.com/isoscale/isoscale/experiments/yamldoc"
)

// Input is a file that a result depends on.
type Input struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// Override is a --set path=value of the command line.
type Override struct {
	Path  string `json:"path"`
	Value string `json:"value"`
}

// reader reads scenario, study and machine files: a decoder that remembers
// which files it has read.
type reader struct {
	yamldoc.Decoder
	inputs  []Input
	library *library // what was read before; nil for the files on disk
}

// readFile reads and records a file.
func (r *reader) readFile(path string) (*yamldoc.Node, error) {
	if r.library != nil {
		return r.library.document(path)
	}
	root, data, err := yamldoc.ReadFile(path)
	if err != nil || !root.IsMapping() {
		if form := formOf(path); form != formUnknown {
			return nil, placedErrorf("%s: %s; expected a YAML file; %s", path, form.is(), form.taker(path))
		}
	}
	if err != nil {
		return nil, err
	}
	r.input(path, data)
	return root, nil
}

func (r *reader) input(file string, data []byte) {
	if r.library != nil {
		return // a study records its files itself, and has them read once for many points
	}
	sum := sha256.Sum256(data)
	r.inputs = append(r.inputs, Input{File: filepath.ToSlash(file), SHA256: hex.EncodeToString(sum[:])})
}

// open reads the main file of a command and applies the overrides. Those of values
// in a machine reach into the file or the entry of the catalogue that is named.
func (r *reader) open(path string, overrides []Override) (*yamldoc.Node, error) {
	root, err := r.readFile(path)
	if err != nil {
		return nil, err
	}
	for _, o := range overrides {
		if strings.HasPrefix(o.Path, "machine.") && root.IsMapping() {
			if root, err = r.withMachine(root, filepath.Dir(path)); err != nil {
				return nil, err
			}
		}
		if root, err = root.Set(o.Path, o.Value); err != nil {
			return nil, err
		}
	}
	return root, nil
}

// resolve returns the file that name means in a file in folder base.
func resolve(base, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(base, name)
}

func baseName(path string) string { return filepath.Base(path) }
