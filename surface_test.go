package isoscale_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/internal/expect"
)

// How many functions, types, constants and variables may be exported: by the root
// package, which is an entry point and not a second library, and by all public packages.
const (
	mostInRoot = 20
	mostInAll  = 510
)

const surfaceFile = "testdata/surface.txt"

var update = flag.Bool("update", false, "write "+surfaceFile)

// publicPackage is a package that users of the module can import.
type publicPackage struct {
	folder   string // "." is the root
	files    *token.FileSet
	doc      *doc.Package
	examples []*doc.Example
}

// publicPackages parses all packages that are not commands and not internal.
func publicPackages(t *testing.T, mode parser.Mode) []publicPackage {
	t.Helper()
	var all []publicPackage
	expect.Success(t, filepath.WalkDir(".", func(folder string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if base := d.Name(); folder != "." && (base == "testdata" || base == "internal" || base[0] == '.' || base[0] == '_') {
			return fs.SkipDir
		}
		p, err := parsed(folder, mode)
		if p.doc != nil {
			all = append(all, p)
		}
		return err
	}))
	expect.Need(t, len(all) >= 10, "found only %d public packages", len(all))
	return all
}

// parsed returns the package of a folder, without doc if there is no package or a command.
func parsed(folder string, mode parser.Mode) (publicPackage, error) {
	p := publicPackage{folder: filepath.ToSlash(folder), files: token.NewFileSet()}
	b, err := build.ImportDir(folder, 0)
	if _, ok := err.(*build.NoGoError); ok || err == nil && (b.Name == "main" || len(b.GoFiles) == 0) {
		return p, nil
	} else if err != nil {
		return p, err
	}
	var files []*ast.File
	for _, name := range slices.Concat(b.GoFiles, b.TestGoFiles, b.XTestGoFiles) {
		f, err := parser.ParseFile(p.files, filepath.Join(folder, name), nil, mode)
		if err != nil {
			return p, err
		}
		files = append(files, f)
	}
	p.doc, err = doc.NewFromFiles(p.files, files, module+"/"+p.folder)
	p.examples = doc.Examples(files...)
	return p, err
}

// identifiers returns what a package exports, and whether each has a comment.
func (p publicPackage) identifiers() map[string]bool {
	commented := map[string]bool{}
	values := func(groups []*doc.Value) {
		for _, g := range groups {
			for _, s := range g.Decl.Specs {
				s := s.(*ast.ValueSpec)
				for _, n := range s.Names {
					if n.IsExported() {
						commented[n.Name] = g.Doc != "" || s.Doc.Text() != "" || s.Comment.Text() != ""
					}
				}
			}
		}
	}
	functions := func(list []*doc.Func) {
		for _, f := range list {
			commented[f.Name] = f.Doc != ""
		}
	}
	values(p.doc.Consts)
	values(p.doc.Vars)
	functions(p.doc.Funcs)
	for _, x := range p.doc.Types {
		commented[x.Name] = x.Doc != ""
		values(x.Consts)
		values(x.Vars)
		functions(x.Funcs)
	}
	return commented
}

func TestSurfaceIsSmall(t *testing.T) {
	total := 0
	for _, p := range publicPackages(t, parser.ParseComments) {
		identifiers := p.identifiers()
		for name, commented := range identifiers {
			expect.That(t, commented, "%s: %s has no comment", p.folder, name)
		}
		t.Logf("%4d %s", len(identifiers), p.folder)
		total += len(identifiers)
		expect.That(t, p.folder != "." || (len(identifiers) != 0 && len(identifiers) <= mostInRoot),
			"the root exports %d identifiers; expected 1 to %d", len(identifiers), mostInRoot)
	}
	t.Logf("%4d in all", total)
	expect.That(t, total <= mostInAll,
		"%d exported identifiers; expected at most %d: make internal what nobody outside needs", total, mostInAll)
}

// Everything that a user can see of the module is in testdata/surface.txt, so that
// changes are visible.
func TestSurfaceIsAsListed(t *testing.T) {
	var b bytes.Buffer
	for _, p := range publicPackages(t, parser.SkipObjectResolution) {
		p.list(t, &b)
	}
	if *update {
		expect.Success(t, os.WriteFile(surfaceFile, b.Bytes(), 0o666))
	}
	listed := expect.Value(os.ReadFile(surfaceFile))(t)
	if d := cmp.Diff(strings.Split(string(listed), "\n"), strings.Split(b.String(), "\n")); d != "" {
		t.Errorf("the public surface has changed: listed -, now +\n%s\nIf users are to see this, go test . -run Surface -update, and see \"What stays compatible\" in docs/library.md.", d)
	}
}

// list writes the declarations of a package without their comments.
func (p publicPackage) list(t *testing.T, b *bytes.Buffer) {
	t.Helper()
	fmt.Fprintf(b, "package %s // %s\n\n", p.doc.Name, p.folder)
	write := func(d ast.Decl) { p.write(t, b, d) }
	values := func(groups []*doc.Value) {
		for _, g := range groups {
			write(g.Decl)
		}
	}
	functions := func(list []*doc.Func) {
		for _, f := range list {
			write(f.Decl)
		}
	}
	values(p.doc.Consts)
	values(p.doc.Vars)
	functions(p.doc.Funcs)
	for _, x := range p.doc.Types {
		write(x.Decl)
		values(x.Consts)
		values(x.Vars)
		functions(x.Funcs)
		functions(x.Methods)
		if of, behind := p.behind(t, x); behind != nil { // users see the other type
			of.write(t, b, behind.Decl)
			for _, m := range behind.Methods {
				of.write(t, b, m.Decl)
			}
		}
	}
	b.WriteString("\n")
}

// oneLine undoes the wrapping of a list of parameters.
var oneLine = strings.NewReplacer("(\n\t", "(", ",\n)", ")", ",\n\t", ", ")

// write writes a declaration without its body.
func (p publicPackage) write(t *testing.T, b *bytes.Buffer, d ast.Decl) {
	f, isFunc := d.(*ast.FuncDecl)
	if isFunc {
		f.Body = nil
	}
	var text strings.Builder
	expect.Success(t, format.Node(&text, p.files, d))
	if isFunc {
		oneLine.WriteString(b, text.String())
	} else {
		b.WriteString(text.String())
	}
	b.WriteString("\n")
}

// behind returns the type of an internal package that an alias stands for, and that
// package; nil if x is no such alias.
func (p publicPackage) behind(t *testing.T, x *doc.Type) (publicPackage, *doc.Type) {
	spec := x.Decl.Specs[0].(*ast.TypeSpec)
	name, ok := spec.Type.(*ast.SelectorExpr)
	if !ok || !spec.Assign.IsValid() {
		return publicPackage{}, nil
	}
	for _, path := range p.doc.Imports {
		folder, own := strings.CutPrefix(path, module+"/")
		if !own || !strings.Contains(folder, "internal/") || filepath.Base(folder) != name.X.(*ast.Ident).Name {
			continue
		}
		of := expect.Value(parsed(folder, parser.SkipObjectResolution))(t)
		for _, y := range of.doc.Types {
			if y.Name == name.Sel.Name {
				return of, y
			}
		}
	}
	return publicPackage{}, nil
}
