package input

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"github.com/isoscale/isoscale/experiments/yamldoc"
)

// Parameter is a named value as a reader should see it.
type Parameter struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Note  string `json:"note,omitempty"` // where the value comes from
}

// Input is a file that a result depends on.
type Input struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// Hashed returns a file with the hash of its content.
func Hashed(file string, content []byte) Input {
	sum := sha256.Sum256(content)
	return Input{File: filepath.ToSlash(file), SHA256: hex.EncodeToString(sum[:])}
}

// Override is a --set path=value of the command line.
type Override struct {
	Path  string `json:"path"`
	Value string `json:"value"`
}

// Resolve returns the file that name means in a file in folder base.
func Resolve(base, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(base, name)
}

// Document is a file that scenarios of a template name.
type Document struct {
	Name string
	Root *yamldoc.Node
}
