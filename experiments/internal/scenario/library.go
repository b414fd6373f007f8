package scenario

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/experiments/internal/yamldoc"
)

// library holds the files that the scenarios of a template name, each read once,
// and what was made of them. Its methods can be called by several goroutines at once.
type library struct {
	base   string // the folder that names of files start from
	sealed bool   // nothing is read from disk

	mu        sync.Mutex
	documents []input.Document
	entries   map[string]*yamldoc.Node // of the catalogue
	made      map[madeOf]any
}

// madeOf is the key of what was made of a document: its name, and the type of what was
// made.
type madeOf struct {
	document string
	of       reflect.Type
}

// newLibrary returns a library of files on disk, whose names start from a folder.
func newLibrary(base string) *library { return &library{base: base} }

// sealedLibrary returns a library of these documents, which reads nothing from disk.
func sealedLibrary(documents []input.Document) *library {
	return &library{sealed: true, documents: documents}
}

// reader returns a reader of the files of the library.
func (l *library) reader() *Reader { return &Reader{library: l} }

// parse reads the text of an entry of the catalogue.
func (l *library) parse(file string, data []byte) (*yamldoc.Node, error) {
	if l == nil {
		return yamldoc.Parse(file, data)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if root := l.entries[file]; root != nil {
		return root, nil
	}
	root, err := yamldoc.Parse(file, data)
	if err != nil {
		return nil, err
	}
	if l.entries == nil {
		l.entries = map[string]*yamldoc.Node{}
	}
	l.entries[file] = root
	return root, nil
}

// document returns a file.
func (l *library) document(name string, f format) (*yamldoc.Node, error) {
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
	root, _, err := yamldoc.ReadFileAs(input.Resolve(l.base, name), f.want, f.Parse)
	if err != nil {
		return nil, err
	}
	l.documents = append(l.documents, input.Document{Name: name, Root: root})
	return root, nil
}

// all returns the documents that were asked for so far, by name.
func (l *library) all() []input.Document {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.SortedFunc(slices.Values(l.documents), func(a, b input.Document) int { return strings.Compare(a.Name, b.Name) })
}

// files returns where on disk these documents are, none for a library that reads none.
func (l *library) files() []string {
	if l.sealed {
		return nil
	}
	var files []string
	for _, d := range l.all() {
		files = append(files, input.Resolve(l.base, d.Name))
	}
	return files
}

// once makes something of a document, a file by its name, once for all readers of a
// library. What is made with a problem is not kept, what is kept must not be changed.
func once[T any](r *Reader, name string, read func() *T) *T {
	l := r.library
	if l == nil {
		return read()
	}
	key := madeOf{name, reflect.TypeFor[T]()}
	if made, ok := l.kept(key).(*T); ok {
		return made
	}
	before := r.ProblemCount()
	made := read()
	if r.ProblemCount() == before {
		l.keep(key, made)
	}
	return made
}

// kept returns what was made, or nil.
func (l *library) kept(key madeOf) any {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.made[key]
}

func (l *library) keep(key madeOf, made any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.made == nil {
		l.made = map[madeOf]any{}
	}
	l.made[key] = made
}
