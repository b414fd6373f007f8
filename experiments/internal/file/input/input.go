package input

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/each"
)

// Parameter is a named value as a reader should see it.
type Parameter struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Note  string `json:"note,omitempty"` // where the value comes from
}

// Facts are named values in their order.
type Facts []Parameter

// Add adds a value, unless it is an empty text, with a note if there is one.
func (f *Facts) Add(name string, value any, note ...string) {
	if text := fmt.Sprint(value); text != "" {
		*f = append(*f, Parameter{Name: name, Value: text, Note: strings.Join(note, "")})
	}
}

// Input is something that a result depends on: a file, the files of a trace, or a text
// that is no file, such as an entry of the catalogue.
type Input struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`

	files []string // that it was read from
}

// NewInput returns an input with a name and a SHA-256 sum that was read from files.
func NewInput(name string, sum []byte, files ...string) Input {
	return Input{File: filepath.ToSlash(name), SHA256: hex.EncodeToString(sum), files: files}
}

// Files returns the files that inputs were read from. No output of the same call may
// replace one of them.
func Files(inputs []Input) []string {
	return slices.Concat(each.Of(inputs, func(in Input) []string { return in.files })...)
}

// Hashed returns an input with a name that was read from files, and the hash of its
// content.
func Hashed(name string, content []byte, files ...string) Input {
	sum := sha256.Sum256(content)
	return NewInput(name, sum[:], files...)
}

// Stream reads a file by a function, hashing what it reads. want says what the file should be,
// for a file that cannot be opened; other returns the error for one that read refuses.
func Stream[T any](path, want string, read func(io.Reader) (T, error), other func(error) error) (x T, in Input, err error) {
	f, err := os.Open(path)
	if err != nil {
		return x, in, Unread(path, err, want)
	}
	defer f.Close()
	sum := sha256.New()
	if x, err = read(io.TeeReader(f, sum)); err != nil {
		return x, in, other(&Error{Msg: err.Error(), Placed: true})
	}
	return x, NewInput(path, sum.Sum(nil), path), nil
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

// Description is a thing in full, resolved and with units.
type Description struct {
	Kind   string      `json:"kind"`
	Name   string      `json:"name"`
	Title  string      `json:"title,omitempty"`
	Source string      `json:"source,omitempty"`
	Facts  Facts       `json:"facts,omitempty"`
	Tables []DataTable `json:"tables,omitempty"`
	Notes  []string    `json:"notes,omitempty"`
}

// DataTable is a table of text.
type DataTable struct {
	Title   string     `json:"title"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}
