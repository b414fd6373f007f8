package isoscale_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mostIdentifiers is how many identifiers the package may export: it is an entry,
// not a second library.
const mostIdentifiers = 20

// Every exported identifier of the package has a comment and stands on the page
// for users of the library, and there are few.
func TestTheDoorIsSmall(t *testing.T) {
	files := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	count := 0
	check := func(name string, comments ...*ast.CommentGroup) {
		if !ast.IsExported(name) {
			return
		}
		count++
		commented := false
		for _, c := range comments {
			commented = commented || c.Text() != ""
		}
		if !commented {
			t.Errorf("%s has no comment", name)
		}
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("%s is not on docs/library.md", name)
		}
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					check(d.Name.Name, d.Doc)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						check(s.Name.Name, d.Doc, s.Doc)
					case *ast.ValueSpec:
						for _, n := range s.Names {
							check(n.Name, d.Doc, s.Doc)
						}
					}
				}
			}
		}
	}
	if count == 0 || count > mostIdentifiers {
		t.Errorf("%d exported identifiers; expected 1 to %d", count, mostIdentifiers)
	}
}
