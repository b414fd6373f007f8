package document

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/each"
)

// Library holds the documents that the scenarios of a study name, each read once, and
// what was made of them. Its methods can be called by several goroutines at once.
type Library struct {
	base   string // the folder that names of files start from
	sealed bool   // nothing is read from disk

	mu        sync.Mutex
	documents []input.Document

	made sync.Map // what was made of documents, by [madeOf]
}

// madeOf is the key of what was made of a document: its name, and the type of what was
// made.
type madeOf struct {
	document string
	of       reflect.Type
}

// NewLibrary returns a library of files on disk, whose names start from a folder.
func NewLibrary(base string) *Library { return &Library{base: base} }

// SealedLibrary returns a library of these documents, which reads nothing from disk.
func SealedLibrary(documents []input.Document) *Library {
	return &Library{sealed: true, documents: documents}
}

func (l *Library) Reader() *Reader { return &Reader{library: l} }

func (l *Library) document(name string, f Format) (*yamldoc.Node, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range l.documents {
		if d.Name == name {
			return d.Root, nil
		}
	}
	if l.sealed {
		return nil, &yamldoc.Error{Pos: yamldoc.Position{File: name}, Msg: name + " is not among the files of the study"}
	}
	root, _, err := yamldoc.ReadFileAs(input.Resolve(l.base, name), f.Want, f.Parse)
	if err != nil {
		return nil, err
	}
	l.documents = append(l.documents, input.Document{Name: name, Root: root})
	return root, nil
}

// Documents returns the documents that were asked for so far, by name.
func (l *Library) Documents() []input.Document {
	l.mu.Lock()
	defer l.mu.Unlock()
	byName := func(a, b input.Document) int { return strings.Compare(a.Name, b.Name) }
	return slices.SortedFunc(slices.Values(l.documents), byName)
}

// Files returns the paths of these documents on disk, none for a sealed library.
func (l *Library) Files() []string {
	if l.sealed {
		return nil
	}
	return each.Append(nil, l.Documents(), func(d input.Document) string { return input.Resolve(l.base, d.Name) })
}

// Once returns what read makes of the document name, and keeps it for all readers of the
// library, who must not change it. What is made with a problem is not kept.
func Once[T any](r *Reader, name string, read func() *T) *T {
	l := r.library
	if l == nil {
		return read()
	}
	key := madeOf{name, reflect.TypeFor[T]()}
	if made, ok := l.made.Load(key); ok {
		return made.(*T)
	}
	before := r.ProblemCount()
	made := read()
	if r.ProblemCount() == before {
		l.made.Store(key, made)
	}
	return made
}
