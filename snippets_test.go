package isoscale_test

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// Go code in Markdown compiles; programs run and print something. The programs of
// docs/library.md have a test of their own, in library_test.go.
func TestGoCodeInMarkdown(t *testing.T) {
	count := map[string]int{}
	expect.Success(t, filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".md" || name == filepath.Join("docs", "library.md") {
			return err
		}
		page, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, b := range goBlocks(string(page)) {
			count[name]++
			t.Run(filepath.Base(name)+":"+b.first, func(t *testing.T) {
				t.Parallel()
				file := filepath.Join(t.TempDir(), "main.go")
				if err := os.WriteFile(file, []byte(b.source(t)), 0o666); err != nil {
					t.Fatal(err)
				}
				verb := []string{"build", "-o", os.DevNull}
				if b.program {
					verb = []string{"run"}
				}
				out, err := exec.Command("go", append(verb, file)...).CombinedOutput()
				if err != nil || b.program && len(out) == 0 {
					t.Errorf("%v\n%s\n%s", err, out, b.text)
				}
			})
		}
		return nil
	}))
	for _, page := range []string{"docs/models/programs.md", "docs/models/processes.md"} {
		expect.That(t, count[filepath.FromSlash(page)] != 0, "no Go code on %s", page)
	}
}

// block is Go code in Markdown: a program, or declarations.
type block struct {
	text    string
	first   string // line
	program bool
}

var goBlock = regexp.MustCompile("(?ms)^```go\n(.*?)^```$")

func goBlocks(page string) []block {
	var all []block
	for _, m := range goBlock.FindAllStringSubmatch(page, -1) {
		first, _, _ := strings.Cut(strings.TrimLeft(m[1], "/ "), "\n")
		all = append(all, block{m[1], first, strings.HasPrefix(m[1], "package main\n")})
	}
	return all
}

// snippetPackages are the packages that declarations may use without an import.
var snippetPackages = map[string]string{
	"context":   "context",
	"fmt":       "fmt",
	"isoscale":  module,
	"network":   module + "/model/network",
	"sim":       module + "/sim",
	"units":     module + "/model/units",
	"workloads": module + "/workloads",
}

// source returns a file to compile: declarations get a package and the imports that
// they use. The code must be formatted.
func (b block) source(t *testing.T) string {
	t.Helper()
	if formatted, err := format.Source([]byte(b.text)); err != nil || string(formatted) != b.text {
		t.Errorf("not formatted (%v); expected\n%s", err, formatted)
	}
	if b.program {
		return b.text
	}
	const clause = "package snippet\n"
	file, err := parser.ParseFile(token.NewFileSet(), "", clause+b.text, parser.SkipObjectResolution)
	expect.Need(t, err == nil, "%v\n%s", err, b.text)
	imports := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && snippetPackages[x.Name] != "" {
				imports[snippetPackages[x.Name]] = true
			}
		}
		return true
	})
	text := clause
	for path := range imports {
		text += "import \"" + path + "\"\n"
	}
	return text + b.text
}
