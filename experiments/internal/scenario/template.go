package scenario

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/topology"
)

// Template is a scenario, or a super-program, whose fields are changed again and again, as for the points of a study.
// Several goroutines can use it at once, and after [Template.Documents] it needs no file.
type Template struct {
	Root    *yamldoc.Node // the unchanged scenario
	library *document.Library
	inputs  []input.Input // the file of the scenario, if it has its own
}

// OpenTemplate returns a template of the scenario in a node of a file in folder base: the scenario itself, the name of
// its file, or {name: file} with keys that replace the file's. Files that scenarios name are read on demand.
func OpenTemplate(n *yamldoc.Node, base string) (*Template, error) {
	var d yamldoc.Decoder
	root, over := n, (*yamldoc.Node)(nil)
	var r document.Reader
	if name := d.Mapping(n, "").Take("name"); n.IsMapping() && name.IsScalar() {
		n, over = name, n.Without("name")
	}
	if n.IsScalar() {
		if n.Text() == "" {
			var empty yamldoc.Decoder
			empty.Fail(n, "no file is named", "a scenario, or the name of its file")
			return nil, empty.Err()
		}
		path := input.Resolve(base, n.Text())
		base = filepath.Dir(path)
		var err error
		if root, err = r.Open(path, nil); err != nil {
			return nil, err
		}
		if over != nil {
			root = root.Merge(over)
		}
	}
	if kind := input.KindOf(root); kind != input.KindScenario && kind != input.KindSuper {
		return nil, input.WrongKind(root, input.KindScenario)
	}
	return &Template{root, document.NewLibrary(base), r.Inputs()}, nil
}

// NewTemplate returns a template that reads no file: it is given the scenario and the documents that the scenario
// names.
func NewTemplate(scenario *yamldoc.Node, documents []input.Document) *Template {
	return &Template{Root: scenario, library: document.SealedLibrary(documents)}
}

// Documents returns the files that were requested so far, by name.
func (t *Template) Documents() []input.Document {
	return t.library.Documents()
}

// Files returns the files that were read so far.
func (t *Template) Files() []string {
	return append(input.Files(t.inputs), t.library.Files()...)
}

// Case is one scenario of a template, ready to be carried out.
type Case struct {
	Scenario *Scenario
	Super    *SuperProgram
}

// Case returns the scenario with changes. seed applies if the scenario states none.
func (t *Template) Case(seed int64, changes ...yamldoc.Change) (*Case, error) {
	r := t.library.Reader()
	root, err := changed(r, t.Root, changes)
	if err != nil {
		return nil, err
	}
	c := decode(r, root, "")
	if err := r.Err(); err != nil {
		return nil, err
	}
	if !root.Has("seed") {
		*c.seed() = seed
	}
	return c, nil
}

// Machine returns the machine of the scenario with changes, even if other parts are missing or wrong; nil if no machine
// can be read.
func (t *Template) Machine(changes ...yamldoc.Change) *topology.Machine {
	r := t.library.Reader()
	root, err := changed(r, t.Root, changes)
	if err != nil || input.KindOf(root) == input.KindSuper {
		return nil
	}
	return Decode(r, root, "").Machine
}

// Values returns the values at paths of the scenario with changes, nil where it states none.
func (t *Template) Values(paths []string, changes ...yamldoc.Change) ([]*yamldoc.Node, error) {
	r := t.library.Reader()
	root, err := changed(r, t.Root, changes)
	if err == nil {
		root, err = r.WithMachine(root, "")
	}
	if err != nil {
		return nil, err
	}
	return each.Of(paths, root.At), nil
}

// CheckReplaced reports what is wrong with values of the scenario that changes replace: it applies only the changes
// that fill in what the scenario leaves out.
func (t *Template) CheckReplaced(changes ...yamldoc.Change) error {
	r := t.library.Reader()
	root, err := t.Root.With()
	if err == nil && slices.ContainsFunc(changes, inside) {
		root, err = r.WithMachine(root, "")
	}
	if err != nil {
		return err
	}
	var replaced []*yamldoc.Node
	var missing []yamldoc.Change
	for _, c := range changes {
		if n := root.At(c.Path); n != nil {
			replaced = append(replaced, n)
		} else {
			missing = append(missing, c)
		}
	}
	if root, err = changed(r, root, missing); err != nil {
		return err
	}
	decode(r, root, "")
	return r.ErrIn(replaced)
}

// decode reads what a file in folder base contains.
func decode(r *document.Reader, root *yamldoc.Node, base string) *Case {
	if input.KindOf(root) == input.KindSuper {
		return &Case{Super: DecodeSuperProgram(r, root)}
	}
	return &Case{Scenario: Decode(r, root, base)}
}

// inside reports whether a change concerns a value in the machine.
func inside(c yamldoc.Change) bool { return strings.HasPrefix(c.Path, "machine.") }

// changed applies changes to a scenario; changes inside its machine reach into the file or catalogue entry that it
// names.
func changed(r *document.Reader, root *yamldoc.Node, changes []yamldoc.Change) (*yamldoc.Node, error) {
	if !slices.ContainsFunc(changes, inside) {
		return root.With(changes...)
	}
	root, err := root.With(slices.DeleteFunc(slices.Clone(changes), inside)...)
	if err != nil {
		return nil, err
	}
	if root, err = r.WithMachine(root, ""); err != nil {
		return nil, err
	}
	return root.With(slices.DeleteFunc(slices.Clone(changes), func(c yamldoc.Change) bool { return !inside(c) })...)
}

// Seed returns the seed that the case uses.
func (c *Case) Seed() int64 { return *c.seed() }

func (c *Case) seed() *int64 {
	if c.Super != nil {
		return &c.Super.Seed
	}
	return &c.Scenario.Seed
}

// Draws reports whether a run of the case depends on its seed.
func (c *Case) Draws() bool {
	if c.Super != nil {
		return c.Super.Method == Dispatch && c.Super.Scatter > 0
	}
	s := c.Scenario
	if s.Network.Flow.Draws() {
		return true
	}
	if a := s.Workload.Application; a != nil && !a.MayDraw {
		return false // no need to build many processes for that
	}
	p, err := s.Machine.Place(s.Selection)
	if err != nil {
		return false
	}
	random, ok := s.Workload.Build(s.Workload.N, fewSpeeds(p), s.Seed).(interface{ Draws() bool })
	return ok && random.Draws()
}

// HasSeed reports whether the scenario states its seed.
func (t *Template) HasSeed() bool { return t.Root.Has("seed") }
