package isoscale_test

import (
	"fmt"
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
)

const module = "github.com/isoscale/isoscale"

// layer is what a package may import.
type layer struct {
	importer string // a folder, or "sim/..." for one with everything below it
	may      []string
}

// dependency is who may import a module. Tests of these packages may too, and with
// anyTest all tests.
type dependency struct {
	module    string
	importers []string
	anyTest   bool
}

// rules are the tables under "Imports" of docs/architecture.md.
type rules struct {
	layers       []layer // the first that matches a package holds for it
	testLayers   []layer // what tests may import on top of that
	testKits     []string
	dependencies []dependency
}

// readRules reads the tables.
func readRules(t *testing.T) rules {
	t.Helper()
	page, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Imports\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var r rules
	table := ""
	for line := range strings.Lines(section) {
		line = strings.TrimSpace(line)
		cells := strings.Split(strings.Trim(line, "|"), "|")
		switch {
		case !strings.HasPrefix(line, "|"):
			table = ""
			continue
		case table == "":
			table = strings.TrimSpace(cells[0])
			continue
		case strings.HasPrefix(line, "|--"):
			continue
		}
		first, rest := names(cells[0])[0], names(cells[len(cells)-1])
		switch table {
		case "package":
			r.layers = append(r.layers, layer{first, rest})
		case "tests of":
			r.testLayers = append(r.testLayers, layer{first, rest})
		case "test kit, for any test and nothing else":
			r.testKits = append(r.testKits, first)
		case "module":
			r.dependencies = append(r.dependencies, dependency{first, rest, strings.Contains(cells[1], "any test")})
		default:
			t.Fatalf("docs/architecture.md: unknown table %q", table)
		}
	}
	if len(r.layers) == 0 || len(r.testLayers) == 0 || len(r.testKits) == 0 || len(r.dependencies) == 0 {
		t.Fatalf("docs/architecture.md: a table is missing: %+v", r)
	}
	return r
}

// names returns what stands in backquotes in a cell.
func names(cell string) []string {
	var all []string
	for i, part := range strings.Split(cell, "`") {
		if i%2 == 1 {
			all = append(all, part)
		}
	}
	return all
}

// emptyNames are package names that say nothing about what is inside.
var emptyNames = []string{"util", "utils", "common", "helper", "helpers", "types"}

func TestLayers(t *testing.T) {
	c := check(t, os.DirFS("."))
	for _, v := range c.violations {
		t.Error(v)
	}
	for _, row := range c.layers {
		if strings.HasPrefix(row.importer, "experiments/") && strings.HasSuffix(row.importer, "/...") {
			t.Errorf("%s: packages of experiments have a row each", row.importer)
		}
	}
	// A row that nothing matches is out of date, or the checker is blind.
	for _, row := range c.layers {
		if !slices.ContainsFunc(c.packages, func(p string) bool { return inPattern(p, row.importer) }) {
			t.Errorf("no package that matches %s was checked", row.importer)
		}
	}
	for _, row := range c.dependencies {
		if c.matched[row.module] == 0 {
			t.Errorf("no import of %s was checked", row.module)
		}
	}
	t.Logf("checked %d packages, %d files, %d imports", len(c.packages), c.files, c.imports)
}

// The checker must find each kind of breach, and only that.
func TestLayersCheckerFindsBreaches(t *testing.T) {
	const doc = "// The comment of a package.\n"
	for _, tt := range []struct {
		name  string
		files map[string]string // a file's imports, ~ for this module; or its source
		want  string            // "": no breach
	}{
		{"test kit in a test", map[string]string{"experiments/internal/system/doc.go": "", "experiments/internal/system/a_test.go": "~/experiments/internal/schema/schematest"}, ""},
		{"test kit", map[string]string{"experiments/internal/system/doc.go": "~/experiments/internal/schema/schematest"}, "experiments/internal/system must not import experiments/internal/schema/schematest"},
		{"what tests of a package may import", map[string]string{"experiments/internal/paper/doc.go": "", "experiments/internal/paper/a_test.go": "~/experiments/internal/run"}, ""},
		{"what only its tests may import", map[string]string{"experiments/internal/paper/doc.go": "~/experiments/internal/run"}, "experiments/internal/paper must not import experiments/internal/run"},
		{"nothing", map[string]string{"sim/doc.go": ""}, ""},
		{"downward", map[string]string{"sim/doc.go": "fmt ~/model/network ~/topology ~/workloads/algorithm ~/sim/kernel"}, ""},
		{"leaf", map[string]string{"model/units/doc.go": "~/model/network"}, "model/units must not import model/network"},
		{"two models", map[string]string{"model/network/doc.go": "~/model/scalability"}, "model/network must not import model/scalability"},
		{"models via a subfolder", map[string]string{"model/network/flow/doc.go": "~/model/sharing"}, "must not import model/sharing"},
		{"own parent", map[string]string{"model/network/flow/doc.go": "~/model/network ~/model/units"}, ""},
		{"siblings", map[string]string{"workloads/algorithm/doc.go": "~/workloads ~/workloads/collective"}, ""},
		{"own child", map[string]string{"workloads/doc.go": "~/workloads/collective"}, "workloads must not import workloads/collective"},
		{"own child in a test", map[string]string{"workloads/doc.go": "", "workloads/a_test.go": "~/workloads ~/workloads/collective"}, ""},
		{"other family in a test", map[string]string{"workloads/doc.go": "", "workloads/a_test.go": "~/topology"}, "workloads/a_test.go: workloads must not import topology"},
		{"topology on workloads", map[string]string{"experiments/internal/build/doc.go": "~/workloads"}, "experiments/internal/build must not import workloads"},
		{"model on the engine", map[string]string{"model/network/doc.go": "~/sim"}, "model/network must not import sim"},
		{"engine on experiments", map[string]string{"sim/doc.go": "~/experiments"}, "sim must not import experiments"},
		{"kernel on the engine", map[string]string{"sim/kernel/doc.go": "~/sim"}, "sim/kernel must not import sim"},
		{"experiments on cmd", map[string]string{"experiments/doc.go": "~/cmd/isoscale"}, "experiments must not import cmd/isoscale"},
		{"report on the engine", map[string]string{"experiments/report/doc.go": "~/sim"}, "experiments/report must not import sim"},
		{"cmd on the engine", map[string]string{"cmd/isoscale/main.go": "~/sim"}, "cmd/isoscale must not import sim"},
		{"cmd downward", map[string]string{"cmd/isoscale/main.go": "~/experiments/command"}, ""},
		{"the commands", map[string]string{"experiments/command/doc.go": "~/experiments/internal/run ~/experiments/command/internal/flags ~/model/units github.com/spf13/pflag"}, ""},
		{"flags elsewhere", map[string]string{"experiments/internal/run/doc.go": "github.com/spf13/pflag"}, "experiments/internal/run must not import github.com/spf13/pflag"},
		{"not in the table", map[string]string{"tools/doc.go": "~/sim"}, "tools must not import sim"},
		{"the root's tests on the root", map[string]string{"doc.go": "", "a_test.go": "~"}, ""},
		{"anything on the root", map[string]string{"sim/doc.go": "~"}, "sim must not import the root"},
		{"simgo elsewhere", map[string]string{"sim/doc.go": "github.com/fschuetz04/simgo"}, "sim must not import github.com/fschuetz04/simgo"},
		{"simgo in a test elsewhere", map[string]string{"sim/doc.go": "", "sim/a_test.go": "github.com/fschuetz04/simgo"}, "sim must not import github.com/fschuetz04/simgo"},
		{"simgo", map[string]string{"sim/kernel/doc.go": "github.com/fschuetz04/simgo"}, ""},
		{"a package of a module", map[string]string{"experiments/doc.go": "github.com/go-echarts/go-echarts/v2/charts"}, "experiments must not import github.com/go-echarts/go-echarts/v2/charts"},
		{"a module of similar name", map[string]string{"sim/kernel/doc.go": "github.com/fschuetz04/simgo2"}, "sim/kernel must not import github.com/fschuetz04/simgo2"},
		{"gonum below experiments", map[string]string{"experiments/internal/store/doc.go": "gonum.org/v1/gonum/mat"}, "experiments/internal/store must not import gonum.org/v1/gonum/mat"},
		{"gonum in a test", map[string]string{"topology/doc.go": "", "topology/a_test.go": "gonum.org/v1/gonum/mat"}, ""},
		{"test module outside tests", map[string]string{"topology/doc.go": "pgregory.net/rapid"}, "topology must not import pgregory.net/rapid"},
		{"unlisted module", map[string]string{"topology/doc.go": "", "topology/a_test.go": "example.org/x"}, "topology must not import example.org/x"},
		{"second file", map[string]string{"sim/doc.go": "", "sim/run.go": "package sim\nimport \"example.org/x\"\n"}, "sim/run.go: sim must not import example.org/x"},
		{"no package comment", map[string]string{"sim/doc.go": "package sim\n"}, "sim has 0 package comments"},
		{"two package comments", map[string]string{"sim/doc.go": "", "sim/main.go": ""}, "sim has 2 package comments"},
		{"package comment elsewhere", map[string]string{"sim/run.go": ""}, "sim/run.go: the package comment belongs in doc.go or main.go"},
		{"test package without a comment", map[string]string{"a_test.go": "package isoscale_test\n"}, ""},
		{"empty name", map[string]string{"sim/helpers/doc.go": doc + "package helpers\n"}, "helpers says nothing"},
		{"empty name in another folder", map[string]string{"sim/x/doc.go": doc + "package util\n"}, "util says nothing"},
		{"testdata", map[string]string{"sim/doc.go": "", "sim/testdata/x.go": "~/cmd/isoscale"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tree := fstest.MapFS{}
			for name, content := range tt.files {
				if !strings.Contains(content, "\n") {
					source := doc + "package p\n"
					for _, imp := range strings.Fields(content) {
						source += "import " + strconv.Quote(strings.Replace(imp, "~", module, 1)) + "\n"
					}
					content = source
				}
				tree[name] = &fstest.MapFile{Data: []byte(content)}
			}
			c := check(t, tree)
			switch {
			case c.files == 0:
				t.Error("no file was checked")
			case tt.want == "" && len(c.violations) > 0:
				t.Errorf("unexpected breaches %q", c.violations)
			case tt.want != "" && (len(c.violations) != 1 || !strings.Contains(c.violations[0], tt.want)):
				t.Errorf("got %q, want one breach with %q", c.violations, tt.want)
			}
		})
	}
}

// checked is what check found and how much it looked at.
type checked struct {
	rules
	packages       []string // folders
	files, imports int
	matched        map[string]int // imports by the module of the table that they are of
	violations     []string
}

// check holds every Go file of the tree against the tables.
func check(t *testing.T, tree fs.FS) checked {
	t.Helper()
	c := checked{rules: readRules(t), matched: map[string]int{}}
	comments := map[string]int{}    // by folder
	hasPackage := map[string]bool{} // folders with more than tests
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			base := d.Name()
			if name != "." && (base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		source, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		c.files++
		folder, isTest := path.Dir(name), strings.HasSuffix(name, "_test.go")
		if !slices.Contains(c.packages, folder) {
			c.packages = append(c.packages, folder)
		}
		if slices.Contains(emptyNames, f.Name.Name) {
			c.fail("%s: the package name %s says nothing", name, f.Name.Name)
		}
		if !isTest {
			hasPackage[folder] = true
			if f.Doc != nil {
				comments[folder]++
				if base := path.Base(name); base != "doc.go" && base != "main.go" {
					c.fail("%s: the package comment belongs in doc.go or main.go", name)
				}
			}
		}
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			c.imports++
			c.checkImport(name, folder, imported, isTest)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range c.packages {
		if n := comments[folder]; hasPackage[folder] && n != 1 {
			c.fail("%s has %d package comments, want 1", folder, n)
		}
	}
	return c
}

func (c *checked) fail(format string, args ...any) {
	c.violations = append(c.violations, fmt.Sprintf(format, args...))
}

func (c *checked) checkImport(file, importer, imported string, isTest bool) {
	own := strings.HasPrefix(imported+"/", module+"/")
	first, _, _ := strings.Cut(imported, "/")
	switch {
	case own:
		imported = strings.TrimPrefix(strings.TrimPrefix(imported, module), "/")
		if imported == "" {
			imported = "the root"
			if importer == "." && isTest {
				return // its own tests
			}
		}
		if c.mayImport(importer, imported, isTest) {
			return
		}
	case !strings.Contains(first, "."): // the standard library
		return
	case c.mayDepend(importer, imported, isTest):
		return
	}
	c.fail("%s: %s must not import %s", file, importer, imported)
}

func (c *checked) mayImport(importer, imported string, isTest bool) bool {
	if isTest && inPattern(imported, importer+"/...") || sameFamily(importer, imported) {
		return true
	}
	if slices.Contains(c.testKits, imported) {
		return isTest
	}
	for _, row := range c.testLayers {
		if isTest && inPattern(importer, row.importer) && slices.ContainsFunc(row.may, func(p string) bool { return inPattern(imported, p) }) {
			return true
		}
	}
	for _, row := range c.layers {
		if inPattern(importer, row.importer) {
			return slices.ContainsFunc(row.may, func(p string) bool { return inPattern(imported, p) })
		}
	}
	return false
}

func (c *checked) mayDepend(importer, imported string, isTest bool) bool {
	for _, row := range c.dependencies {
		if inPattern(imported, row.module+"/...") {
			c.matched[row.module]++
			return row.anyTest && isTest || slices.ContainsFunc(row.importers, func(p string) bool { return inPattern(importer, p) })
		}
	}
	return false
}

// sameFamily reports whether importer is nested in imported or beside it, in
// one of the families that must not know of each other.
func sameFamily(importer, imported string) bool {
	family := func(folder string) string {
		parts := strings.Split(folder, "/")
		switch {
		case parts[0] == "model" && len(parts) > 1:
			return parts[0] + "/" + parts[1]
		case parts[0] == "topology", parts[0] == "workloads":
			return parts[0]
		}
		return ""
	}
	if f := family(importer); f == "" || f != family(imported) || importer == imported {
		return false
	}
	return inPattern(importer, imported+"/...") || path.Dir(importer) == path.Dir(imported)
}

// inPattern reports whether folder is what the pattern names.
func inPattern(folder, pattern string) bool {
	if top, ok := strings.CutSuffix(pattern, "/..."); ok {
		return folder == top || strings.HasPrefix(folder, top+"/")
	}
	return folder == pattern
}
