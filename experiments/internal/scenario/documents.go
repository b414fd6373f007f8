package scenario

import (
	"path/filepath"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// Documents are the texts of files by name. They take the place of the file
// system where there is none, as in a browser: a file that a document names is
// looked for among them, from the folder of the document that names it.
type Documents map[string][]byte

// Read reads the scenario in a document, as [Read] does with a file.
func (d Documents) Read(name string, overrides []input.Override) (*Scenario, error) {
	return read(document.OfTexts(d), name, overrides)
}

// ReadStudy reads the study in a document, as [ReadStudy] does with a file.
func (d Documents) ReadStudy(name string, overrides []input.Override) (*Study, error) {
	return readStudy(document.OfTexts(d), name, overrides)
}

// ReadRunnable reads the scenario or super-program in a document, as [ReadRunnable]
// does with a file.
func (d Documents) ReadRunnable(name string, overrides []input.Override) (*Scenario, *SuperProgram, error) {
	return readRunnable(document.OfTexts(d), name, overrides)
}

// Root returns the tree of a document with what overrides set in it.
func (d Documents) Root(name string, overrides []input.Override) (*yamldoc.Node, error) {
	return document.OfTexts(d).Open(name, overrides)
}

// WithMachine is [Documents.Root] with the machine that the document names written into
// it, so that it needs no other file for that.
func (d Documents) WithMachine(name string, overrides []input.Override) (*yamldoc.Node, error) {
	r := document.OfTexts(d)
	root, err := r.Open(name, overrides)
	if err != nil {
		return nil, err
	}
	return r.WithMachine(root, filepath.Dir(name))
}
