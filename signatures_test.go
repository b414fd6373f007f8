package isoscale_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

var (
	signature  = regexp.MustCompile("`(?:[a-z]\\w*\\.)*([A-Z]\\w*)\\(([^()`]*)\\)`")
	parameters = regexp.MustCompile(`^([a-z]\w*(\.\.\.)?(, )?)*$`)
)

// A signature in Markdown, such as Send(to, tag, size), has the parameters of a function or
// method of that name, in order: in another order, types may convert to each other, and
// calls compile. For a call with values, only their number is compared.
func TestSignaturesInMarkdown(t *testing.T) {
	declared := declaredParameters(t)
	found := 0
	expect.Success(t, filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".md" {
			return err
		}
		page, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, m := range signature.FindAllStringSubmatch(string(page), -1) {
			if len(declared[m[1]]) == 0 {
				t.Errorf("%s: %s: there is no function %s", name, m[0], m[1])
				continue
			}
			found++
			if !slices.ContainsFunc(declared[m[1]], func(of []string) bool { return agrees(m[2], of) }) {
				t.Errorf("%s: %s; expected the parameters %q", name, m[0], declared[m[1]])
			}
		}
		return nil
	}))
	expect.That(t, found >= 15, "only %d signatures were found", found)
}

// agrees compares a text between brackets with the names of parameters.
func agrees(text string, of []string) bool {
	if parameters.MatchString(text) && text != "" {
		return text == strings.Join(of, ", ")
	}
	n := 0
	if text != "" {
		n = len(strings.Split(text, ","))
	}
	return n == len(of) || len(of) > 0 && strings.HasSuffix(of[len(of)-1], "...") && n >= len(of)-1
}

func TestSignaturesAgree(t *testing.T) {
	of := []string{"to", "tag", "size"}
	for text, want := range map[string]bool{"to, tag, size": true, "to, size, tag": false, "to, tag": false, `1, 2, "x"`: true, "1, 2": false, "": false} {
		expect.That(t, agrees(text, of) == want, "%q: %v", text, !want)
	}
	if !agrees("", []string{"requests..."}) || !agrees("1, 2", []string{"requests..."}) || agrees("r", []string{"requests..."}) {
		t.Error("of any number of values")
	}
}

// declaredParameters returns the names of the parameters of all exported functions, methods
// and methods of interfaces, by name.
func declaredParameters(t *testing.T) map[string][][]string {
	t.Helper()
	all := map[string][][]string{}
	add := func(name string, f *ast.FuncType) {
		var names []string
		for _, p := range f.Params.List {
			for _, n := range p.Names {
				name := n.Name
				if _, variadic := p.Type.(*ast.Ellipsis); variadic {
					name += "..."
				}
				names = append(names, name)
			}
		}
		all[name] = append(all[name], names)
	}
	expect.Success(t, filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				add(n.Name.Name, n.Type)
			case *ast.InterfaceType:
				for _, m := range n.Methods.List {
					if f, ok := m.Type.(*ast.FuncType); ok && len(m.Names) == 1 {
						add(m.Names[0].Name, f)
					}
				}
			}
			return true
		})
		return nil
	}))
	return all
}
