package catalogue

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/internal/expect"
)

// otherWords are files in which a word that is also a name means something else.
var otherWords = map[string]string{
	"experiments/internal/simgrid/platformxml/builder.go": "floyd",   // SimGrid's routing
	"experiments/internal/file/schema/money.go":           "pattern", // JSON Schema's keyword
	"experiments/internal/file/schema/quantity.go":        "pattern",
	"experiments/internal/file/schema/type.go":            "pattern",
	"experiments/internal/file/schema/value.go":           "pattern",
}

// entriesByName are files that name entries of their kind themselves.
var entriesByName = map[string]string{"experiments/internal/metric/measured/values.go": "metrics"}

// judgeOutcomes are where outcomes are judged. Elsewhere words such as nodes and time are
// keys of files and heads of columns.
var judgeOutcomes = []string{"experiments/internal/study/", "experiments/internal/buy/search/", "experiments/internal/explorer/", "experiments/command/"}

// What a workload, a network, an outcome or a metric can do is a method or a field of its entry. Code that compares
// with its name would decide physics by what a thing is called: a new entry would silently take the other branch, and
// one of the user's the wrong one.
func TestNothingIsDecidedByName(t *testing.T) {
	sections := expect.Value(List())(t)
	names := map[string]string{} // kind by name
	for _, s := range sections {
		for _, e := range s.Entries {
			if s.Kind == "workloads" || s.Kind == "networks" || s.Kind == "metrics" {
				names[e.Name] = s.Kind
			}
		}
	}
	outcomes := map[string]string{}
	for _, o := range slices.Concat(system.OutcomesOfScenarios(system.More{}), system.OutcomesOfSuperPrograms(1)) {
		outcomes[o.Name] = "outcomes"
	}
	for name := range outcomes {
		delete(names, name) // a metric of the same name
	}
	tree := os.DirFS("../../..")
	found, files := comparisons(t, tree, names)
	expect.That(t, files >= 300, "only %d files were read", files)
	for _, c := range found {
		own := c.name + ".go" // an entry's own file may say its name
		expect.That(t, otherWords[c.file] == c.name || path.Base(c.file) == own || entriesByName[c.file] == c.kind,
			"%v; expected a method or field of its entry", c)
	}
	found, _ = comparisons(t, tree, outcomes)
	for _, c := range found {
		if slices.ContainsFunc(judgeOutcomes, func(folder string) bool { return strings.HasPrefix(c.file, folder) }) && !c.listed {
			if otherWords[c.file] == c.name {
				continue
			}
			t.Errorf("%v; expected a trait of the outcome", c)
		}
	}
}

func TestComparisonsWithNamesAreFound(t *testing.T) {
	names := map[string]string{"gauss": "workloads", "hockney": "networks"}
	for source, want := range map[string]int{
		`func f(s string) bool { return s == "gauss" }`:                                     1,
		`func f(s string) bool { return "gauss" != s }`:                                     1,
		`func f(s string) int { switch s { case "gauss", "hockney": return 1 }; return 0 }`: 2,
		`func f(s string) bool { return slices.Contains([]string{"gauss"}, s) }`:            1,
		`func f(s string) bool { return map[string]bool{"gauss": true}[s] }`:                1,
		`var of = map[string]bool{"gauss": true}`:                                           1,
		`const name = "gauss"; func f(s string) bool { return s == name }`:                  1,
		`var k = Kind{Name: "gauss"}`:                                                       0,
		`func f(s string) bool { return s == "other" }`:                                     0,
		`func f() { run("gauss") }`:                                                         0,
	} {
		tree := fstest.MapFS{"a/a.go": {Data: []byte("package a\n" + source)}, "a/a_test.go": {Data: []byte("package a\nvar b = x == \"gauss\"\n")}}
		got, _ := comparisons(t, tree, names)
		expect.That(t, len(got) == want, "%s: %q; want %d", source, got, want)
	}
}

// A comparison is a place where code compares with a name of an entry.
type comparison struct {
	file       string
	line       int
	name, kind string
	listed     bool // the name stands in a list of texts
}

func (c comparison) String() string {
	return fmt.Sprintf("%s:%d: compares with %q of the %s", c.file, c.line, c.name, c.kind)
}

// comparisons finds where code other than tests compares with one of the names: by == and !=, in cases of a switch, as
// an element or key of a table of names.
func comparisons(t *testing.T, tree fs.FS, names map[string]string) (found []comparison, files int) {
	t.Helper()
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && name != "."):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		source, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		places := token.NewFileSet()
		file, err := parser.ParseFile(places, name, source, 0)
		if err != nil {
			return err
		}
		files++
		constants := map[string]string{}
		text := func(e ast.Expr) string {
			switch e := e.(type) {
			case *ast.BasicLit:
				if s, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
					return s
				}
			case *ast.Ident:
				return constants[e.Name]
			case *ast.SelectorExpr: // exported names of outcomes
				if of, ok := e.X.(*ast.Ident); ok && of.Name == "system" {
					return strings.ToLower(e.Sel.Name)
				}
			}
			return ""
		}
		check := func(e ast.Expr, listed bool) {
			if kind := names[text(e)]; kind != "" {
				found = append(found, comparison{name, places.Position(e.Pos()).Line, text(e), kind, listed})
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.ValueSpec); ok {
				for i, v := range s.Values {
					if l, ok := v.(*ast.BasicLit); ok {
						constants[s.Names[i].Name] = text(l)
					}
				}
			}
			return true
		})
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op == token.EQL || n.Op == token.NEQ {
					check(n.X, false)
					check(n.Y, false)
				}
			case *ast.CaseClause:
				for _, e := range n.List {
					check(e, false)
				}
			case *ast.CompositeLit:
				switch of := n.Type.(type) {
				case *ast.MapType:
					for _, e := range n.Elts {
						if kv, ok := e.(*ast.KeyValueExpr); ok {
							check(kv.Key, false)
						}
					}
				case *ast.ArrayType:
					if elem, ok := of.Elt.(*ast.Ident); ok && elem.Name == "string" {
						for _, e := range n.Elts {
							check(e, true)
						}
					}
				}
			}
			return true
		})
		return nil
	})
	expect.Success(t, err)
	return found, files
}
