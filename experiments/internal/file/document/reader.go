package document

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// Reader opens documents, decodes what is in them, and remembers which it has read. The
// zero value reads files on disk.
type Reader struct {
	yamldoc.Decoder
	inputs  []input.Input
	texts   map[string][]byte // by name, read instead of files on disk; nil: files are read
	library *Library          // what was read before; nil for a reader that reads files as it meets them
}

// OfTexts returns a reader of texts by name, instead of files on disk.
func OfTexts(texts map[string][]byte) *Reader {
	if texts == nil {
		texts = map[string][]byte{} // nil would stand for the files on disk
	}
	return &Reader{texts: texts}
}

// Inputs returns the files read so far.
func (r *Reader) Inputs() []input.Input { return r.inputs }

// Format is a form of files.
type Format struct {
	Want  string // as a noun phrase
	Parse func(file string, data []byte) (*yamldoc.Node, error)
}

// yamlFormat is the form of files unless another one is named.
var yamlFormat = Format{"a YAML file", yamldoc.Parse}

// ReadFile reads and records a YAML file.
func (r *Reader) ReadFile(path string) (*yamldoc.Node, error) {
	root, err := r.ReadAs(yamlFormat, path)
	if r.library != nil || r.texts != nil {
		return root, err
	}
	if err != nil || !root.IsMapping() {
		if form := input.FormOf(path); form != input.FormUnknown {
			return nil, input.PlacedErrorf("%s: %s; expected a YAML file; %s", path, form.Sentence(), form.CommandHint(path))
		}
	}
	return root, err
}

// ReadAs reads and records a file of a form.
func (r *Reader) ReadAs(f Format, path string) (*yamldoc.Node, error) {
	if r.library != nil {
		return r.library.document(path, f)
	}
	if r.texts != nil {
		return r.text(path, f)
	}
	root, data, err := yamldoc.ReadFileAs(path, f.Want, f.Parse)
	if err != nil {
		return nil, err
	}
	r.Record(path, data, path)
	return root, nil
}

// ReadNamed is ReadAs for the file that n names. After a problem, which it records, it returns nil.
func (r *Reader) ReadNamed(f Format, n *yamldoc.Node, path string) *yamldoc.Node {
	root, err := r.ReadAs(f, path)
	if err != nil {
		r.Unread(n, path, err)
		return nil
	}
	return root
}

// Unread records why the file that n names was not read: each problem at its place in the file or, where there is
// none, at n.
func (r *Reader) Unread(n *yamldoc.Node, path string, err error) {
	if problems, ok := errors.AsType[yamldoc.Problems](err); ok {
		r.Include(problems)
	} else {
		r.Fail(n, strings.TrimPrefix(err.Error(), path+": "), "") // the error says what was expected
	}
}

// mostListed is how many names an error lists.
const mostListed = 12

func (r *Reader) text(name string, f Format) (*yamldoc.Node, error) {
	data, ok := r.texts[name]
	if !ok {
		known := slices.Sorted(maps.Keys(r.texts))
		near := input.Suggestion(name, known)
		if more := len(known) - mostListed; more > 0 {
			known = append(known[:mostListed], fmt.Sprintf("and %d more", more))
		}
		return nil, input.PlacedErrorf("%s: no such document; expected one of: %s%s", name, input.List(known), near)
	}
	root, err := f.Parse(name, data)
	if err != nil {
		return nil, err
	}
	r.Record(name, data)
	return root, nil
}

// Record records an input by its name, with its hash and the files that it was read from, if any.
func (r *Reader) Record(name string, data []byte, files ...string) {
	if r.library != nil {
		return // a study records its files itself, and has them read once for many points
	}
	r.inputs = append(r.inputs, input.Hashed(name, data, files...))
}

// Open reads the main file of a command and applies the overrides. Those of values in
// a machine apply to the machine that the file names, as it is on disk or in the catalogue.
func (r *Reader) Open(path string, overrides []input.Override) (*yamldoc.Node, error) {
	root, err := r.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for _, o := range overrides {
		if strings.HasPrefix(o.Path, "machine.") && root.IsMapping() {
			if root, err = r.WithMachine(root, filepath.Dir(path)); err != nil {
				return nil, err
			}
		}
		if root, err = root.Set(o.Path, o.Value); err != nil {
			return nil, err
		}
	}
	return root, nil
}

// FileType is the type of a file name; [LooksLikeFile] says what is one.
var FileType = schema.Pattern(`[/\\]|\.ya?ml$`)

// LooksLikeFile tells a file name from a catalogue name. A platform is a file, so that the error says what takes it.
func LooksLikeFile(s string) bool {
	return strings.HasSuffix(s, ".yaml") || strings.HasSuffix(s, ".yml") || strings.HasSuffix(s, ".xml") ||
		strings.ContainsRune(s, os.PathSeparator) || strings.ContainsRune(s, '/')
}
