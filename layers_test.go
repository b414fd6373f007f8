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

	"github.com/isoscale/isoscale/internal/expect"
)

const module = "github.com/isoscale/isoscale"

// A subject is a folder of packages about one thing, with the subjects that they may
// import. The doc.go of the folder has a row for each package inside, under [rowsHeading].
type subject struct {
	folder string
	may    string   // folders of subjects, space apart
	also   []string // public packages outside the folder that belong to it
}

// subjects are all subjects, from the bottom up.
var subjects = []subject{
	{"internal/expect", "", nil},
	{"model/units", "", nil},
	{"internal/heap", "", nil},
	{"model", "model/units internal/heap", nil},
	{"topology", "model/units", nil},
	{"workloads", "model/units internal/heap", nil},
	{"internal/wrapped", "model/units workloads", nil},
	{"internal/told", "model/units", nil},
	{"internal/each", "", nil},
	{"sim", "model/units model topology workloads internal/wrapped internal/told", nil},
	{"experiments/internal/file", "model/units topology internal/each", nil},
	{"experiments/internal/simgrid", "model/units topology internal/each internal/heap", nil},
	{"experiments/internal/chart", "model/units internal/each", []string{"experiments/report"}},
	{"experiments/internal/page", belowExperiments + "file chart", []string{"experiments/report/html"}},
	{"experiments/internal/scenario", belowExperiments + "file simgrid", nil},
	{"experiments/internal/metric", belowExperiments + "file chart page", nil},
	{"experiments/internal/answer", belowExperiments + "internal/wrapped internal/told file simgrid chart page scenario metric", nil},
	{"experiments/internal/study", belowExperiments + "file chart page scenario metric answer", nil},
	{"experiments/internal/buy", belowExperiments + "file chart page scenario metric answer study", nil},
	{"experiments/internal/paper", belowExperiments + "file chart page scenario answer study", nil},
	{"experiments/internal/explorer", belowExperiments + "file chart page scenario metric answer study buy", nil},
	{"experiments/internal/catalogue", belowExperiments + "file page scenario metric answer study buy examples/lessons", nil},
	{"experiments/command", belowExperiments + "file chart page scenario metric answer study buy paper explorer catalogue examples/lessons", nil},
	{"experiments", belowExperiments + "file scenario answer", nil},
	{"examples/lessons", "", nil},
	{".", belowExperiments + "experiments", nil},
	{"cmd", "experiments/command", nil},
}

// belowExperiments are the subjects that all of experiments may import.
const belowExperiments = "model/units model topology workloads sim internal/each internal/heap "

// rowsHeading is above the rows of a doc.go: a package and, after a colon, what it imports
// of its own subject.
const rowsHeading = "Packages, and what each imports of the others:"

// testKits are for tests and nothing else.
var testKits = []string{
	"experiments/internal/buy/buytest",
	"experiments/internal/file/schema/schematest",
	"experiments/internal/page/browsertest",
	"experiments/internal/scenario/scenariotest",
	"experiments/internal/study/analysis/analysistest",
	"experiments/internal/study/sweep/sweeptest",
	"internal/expect",
}

// testsMay has the subjects that tests may import beyond their subject's row: the tests
// of one package or, with /..., all tests below a folder.
var testsMay = map[string]string{
	"experiments":                      "experiments/internal", // one question to several commands
	"experiments/...":                  "experiments/report/html",
	"experiments/internal/file/output": "experiments/internal/study/store",
}

// A dependency is a module with the packages that may import it. If anyTest is set, all tests may too.
type dependency struct {
	module    string
	anyTest   bool
	importers []string
}

var dependencies = []dependency{
	{"github.com/fschuetz04/simgo", false, []string{"sim/kernel"}},
	{"github.com/go-echarts/go-echarts", false, []string{"experiments/internal/chart"}},
	{"github.com/goccy/go-yaml", false, []string{"experiments/internal/file/yamldoc"}},
	{"github.com/spf13/cobra", false, []string{"experiments/command"}},
	{"github.com/spf13/pflag", false, []string{"experiments/command"}},
	{"gonum.org/v1/gonum", true, []string{"model/regression", "model/scalability",
		"experiments/internal/study", "experiments/internal/metric", "experiments/internal/buy/search"}},
	{"gonum.org/v1/plot", false, []string{"experiments/internal/chart"}},
	{"codeberg.org/go-pdf/fpdf", false, []string{"experiments/internal/chart/canvas"}},
	{"codeberg.org/go-fonts/liberation", false, []string{"experiments/internal/chart"}},
	{"golang.org/x/image", false, []string{"experiments/internal/chart"}},
	{"github.com/chromedp/chromedp", true, []string{"experiments/internal/page/browsertest"}},
	{"github.com/chromedp/cdproto", true, []string{"experiments/internal/page/browsertest"}},
	{"github.com/google/go-cmp", true, []string{"internal/expect"}},
	{"github.com/santhosh-tekuri/jsonschema", false, []string{"experiments/internal/file/schema/schematest"}},
	{"github.com/rogpeppe/go-internal", true, nil},
	{"pgregory.net/rapid", true, nil},
}

// emptyNames are package names that say nothing about what is inside.
var emptyNames = []string{"util", "utils", "common", "helper", "helpers", "types"}

func TestLayers(t *testing.T) {
	tree := os.DirFS(".")
	c := check(t, tree)
	for _, v := range c.violations {
		t.Error(v)
	}
	for _, s := range subjects {
		expect.That(t, slices.ContainsFunc(c.packages, func(p string) bool { return subjectOf(p).folder == s.folder }),
			"no package of subject %s was checked", s.folder)
	}
	for _, d := range dependencies {
		expect.That(t, c.used[d.module] != 0, "no import of %s was checked", d.module)
	}
	// At a glance: a newcomer sees the architecture in the names of a dozen folders.
	entries, err := fs.ReadDir(tree, "experiments/internal")
	expect.That(t, err == nil && len(entries) <= 12,
		"experiments/internal has %d entries, %v; expected at most 12 subjects", len(entries), err)
	t.Logf("checked %d packages, %d files, %d imports", len(c.packages), c.files, c.imports)
}

// A program that only simulates links no reader of files, no linear algebra and no charts:
// the only other module that the root needs is the kernel's.
func TestTheRootOnlySimulates(t *testing.T) {
	c := check(t, os.DirFS("."))
	behind := []string{"."}
	for i := 0; i < len(behind); i++ {
		for _, imported := range c.all[behind[i]] {
			switch {
			case slices.Contains(behind, imported):
			case slices.Contains(c.packages, imported) && imported != "experiments/internal/file/yamldoc":
				behind = append(behind, imported)
			case imported != "github.com/fschuetz04/simgo":
				t.Errorf("%s, which the root has behind it, imports %s", behind[i], imported)
			}
		}
	}
	expect.That(t, len(behind) >= 15 && slices.Contains(behind, "sim/kernel"), "the root has only %q behind it", behind)
}

// The table itself is acyclic: a subject imports only those above it.
func TestSubjectsAreInOrder(t *testing.T) {
	for i, s := range subjects {
		for _, m := range s.mayImport() {
			k := slices.IndexFunc(subjects, func(o subject) bool { return o.folder == m })
			// examples/lessons and experiments are leaves, placed beside their topics.
			expect.That(t, k >= 0 && (k < i || m == "examples/lessons"),
				"%s may import %s, which does not stand above it", s.folder, m)
		}
	}
}

// The checker must find each kind of breach, and only that.
func TestLayersCheckerFindsBreaches(t *testing.T) {
	const doc = "// The comment of a package.\n"
	rows := func(lines ...string) string {
		text := "// Package study is a subject.\n//\n// " + rowsHeading + "\n//\n"
		for _, l := range lines {
			text += "//\t" + l + "\n"
		}
		return text + "package study\n"
	}
	const study = "experiments/internal/study"
	for _, tt := range []struct {
		name  string
		files map[string]string // a file's imports, ~ for this module; or its source
		want  string            // "": no breach
	}{
		{"nothing", map[string]string{"sim/kernel/doc.go": ""}, ""},
		{"downward", map[string]string{"sim/kernel/doc.go": "fmt ~/model/network ~/topology ~/workloads/algorithm"}, ""},
		{"upward", map[string]string{"model/units/doc.go": "~/model/network"}, "model/units must not import model/network"},
		{"engine on experiments", map[string]string{"sim/kernel/doc.go": "~/experiments"}, "sim/kernel must not import experiments"},
		{"subject on a higher one", map[string]string{study + "/doc.go": rows(), "experiments/internal/page/overlay/doc.go": "~/" + study}, "must not import " + study},
		{"inside, with a row", map[string]string{study + "/doc.go": rows("a", "b: a"), study + "/a/doc.go": "", study + "/b/doc.go": "~/" + study + "/a"}, ""},
		{"inside, without a row", map[string]string{study + "/doc.go": rows("a", "b"), study + "/a/doc.go": "", study + "/b/doc.go": "~/" + study + "/a"}, study + "/doc.go: row of b: must say \"b: a\""},
		{"inside, no row at all", map[string]string{study + "/doc.go": rows("a"), study + "/a/doc.go": "", study + "/b/doc.go": "~/" + study + "/a"}, study + "/doc.go: no row of b; expected \"b: a\""},
		{"inside, more than it imports", map[string]string{study + "/doc.go": rows("a", "b: a", "c: b"), study + "/a/doc.go": "", study + "/b/doc.go": "", study + "/c/doc.go": "~/" + study + "/b"}, study + "/doc.go: row of b: must say \"b\""},
		{"inside, below what it imports", map[string]string{study + "/doc.go": rows("b: a", "a"), study + "/a/doc.go": "", study + "/b/doc.go": "~/" + study + "/a"}, study + "/doc.go: row of b: a must stand above it"},
		{"inside, a package that is gone", map[string]string{study + "/doc.go": rows("a", "b", "c: b"), study + "/b/doc.go": "", study + "/c/doc.go": "~/" + study + "/b"}, study + "/doc.go: row of a: no such package"},
		{"inside, in a test", map[string]string{study + "/doc.go": rows("a", "b"), study + "/a/doc.go": "", study + "/b/doc.go": "", study + "/a/a_test.go": "~/" + study + "/b"}, ""},
		{"test kit in a test", map[string]string{study + "/doc.go": rows(), study + "/a_test.go": "~/experiments/internal/file/schema/schematest"}, ""},
		{"test kit", map[string]string{"cmd/isoscale/main.go": "~/experiments/internal/page/browsertest"}, "cmd/isoscale must not import experiments/internal/page/browsertest"},
		{"cmd on the engine", map[string]string{"cmd/isoscale/main.go": "~/sim"}, "cmd/isoscale must not import sim"},
		{"cmd downward", map[string]string{"cmd/isoscale/main.go": "~/experiments/command"}, ""},
		{"not in the table", map[string]string{"tools/doc.go": "~/sim"}, "tools must not import sim"},
		{"the root's tests on the root", map[string]string{"doc.go": "", "a_test.go": "~"}, ""},
		{"anything on the root", map[string]string{"cmd/doc.go": "~"}, "cmd must not import the root"},
		{"simgo elsewhere", map[string]string{"sim/meter/doc.go": "github.com/fschuetz04/simgo"}, "sim/meter must not import github.com/fschuetz04/simgo"},
		{"simgo in a test elsewhere", map[string]string{"sim/meter/doc.go": "", "sim/meter/a_test.go": "github.com/fschuetz04/simgo"}, "sim/meter must not import github.com/fschuetz04/simgo"},
		{"simgo", map[string]string{"sim/kernel/doc.go": "github.com/fschuetz04/simgo"}, ""},
		{"a package of a module", map[string]string{"cmd/doc.go": "github.com/go-echarts/go-echarts/v2/charts"}, "cmd must not import github.com/go-echarts/go-echarts/v2/charts"},
		{"a module of similar name", map[string]string{"sim/kernel/doc.go": "github.com/fschuetz04/simgo2"}, "sim/kernel must not import github.com/fschuetz04/simgo2"},
		{"gonum in a test", map[string]string{"cmd/doc.go": "", "cmd/a_test.go": "gonum.org/v1/gonum/mat"}, ""},
		{"test module outside tests", map[string]string{"cmd/doc.go": "pgregory.net/rapid"}, "cmd must not import pgregory.net/rapid"},
		{"unlisted module", map[string]string{"cmd/doc.go": "", "cmd/a_test.go": "example.org/x"}, "cmd must not import example.org/x"},
		{"second file", map[string]string{"cmd/doc.go": "", "cmd/run.go": "package cmd\nimport \"example.org/x\"\n"}, "cmd/run.go: cmd must not import example.org/x"},
		{"no package comment", map[string]string{"cmd/doc.go": "package cmd\n"}, "cmd has 0 package comments"},
		{"two package comments", map[string]string{"cmd/doc.go": "", "cmd/main.go": ""}, "cmd has 2 package comments"},
		{"package comment elsewhere", map[string]string{"cmd/run.go": ""}, "cmd/run.go: the package comment belongs in doc.go or main.go"},
		{"test package without a comment", map[string]string{"a_test.go": "package isoscale_test\n"}, ""},
		{"empty name", map[string]string{"cmd/helpers/doc.go": doc + "package helpers\n"}, "helpers says nothing"},
		{"testdata", map[string]string{"cmd/doc.go": "", "cmd/testdata/x.go": "~/sim"}, ""},
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
			// Rows of subjects that are not part of the case do not matter.
			c.violations = slices.DeleteFunc(c.violations, func(v string) bool {
				file, _, _ := strings.Cut(v, ":")
				_, there := tree[file]
				return strings.Contains(v, "doc.go: no row") && !there
			})
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

func (s subject) mayImport() []string {
	var folders []string
	for _, f := range strings.Fields(s.may) {
		if slices.ContainsFunc(subjects, func(o subject) bool { return o.folder == f }) {
			folders = append(folders, f)
		} else {
			folders = append(folders, "experiments/internal/"+f)
		}
	}
	return folders
}

// subjectOf returns the most specific subject that a folder belongs to.
func subjectOf(folder string) subject {
	var of subject
	longest := -1
	for _, s := range subjects {
		for _, f := range append([]string{s.folder}, s.also...) {
			if inFolder(folder, f) && len(f) > longest {
				of, longest = s, len(f)
			}
		}
	}
	return of
}

// checked is what check found, and how much it has checked.
type checked struct {
	packages       []string                   // folders
	inside         map[string]map[string]bool // what a package imports of its own subject
	all            map[string][]string        // what it imports, except the standard library
	files, imports int
	used           map[string]int // imports by module
	violations     []string
}

// check compares every Go file of the tree with the tables.
func check(t *testing.T, tree fs.FS) checked {
	t.Helper()
	c := checked{inside: map[string]map[string]bool{}, all: map[string][]string{}, used: map[string]int{}}
	comments := map[string]int{} // by folder
	expect.Success(t, fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			if name != "." && (base == "testdata" || base == "node_modules" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
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
			if c.inside[folder] == nil {
				c.inside[folder] = map[string]bool{}
			}
			if f.Doc != nil {
				comments[folder]++
				if base != "doc.go" && base != "main.go" {
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
			if first, _, _ := strings.Cut(imported, "/"); !isTest && strings.Contains(first, ".") {
				c.all[folder] = append(c.all[folder], ownName(imported))
			}
			if !c.allowed(folder, imported, isTest) {
				c.fail("%s: %s must not import %s", name, folder, ownName(imported))
			}
		}
		return nil
	}))
	for folder := range c.inside {
		if n := comments[folder]; n != 1 {
			c.fail("%s has %d package comments, want 1", folder, n)
		}
	}
	for _, s := range subjects {
		c.checkRows(tree, s)
	}
	return c
}

func (c *checked) fail(format string, args ...any) {
	c.violations = append(c.violations, fmt.Sprintf(format, args...))
}

// ownName is an import without the path of this module.
func ownName(imported string) string {
	if imported == module {
		return "the root"
	}
	return strings.TrimPrefix(imported, module+"/")
}

func (c *checked) allowed(importer, imported string, isTest bool) bool {
	if !inFolder(imported, module) {
		if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") { // the standard library
			return true
		}
		for _, d := range dependencies {
			if inFolder(imported, d.module) {
				c.used[d.module]++
				return d.anyTest && isTest || slices.ContainsFunc(d.importers, func(f string) bool { return inFolder(importer, f) })
			}
		}
		return false
	}
	imported = ownName(imported)
	if imported == "the root" {
		return importer == "." && isTest // its own tests
	}
	kit := slices.Contains(testKits, importer)
	if slices.Contains(testKits, imported) && (isTest || !kit || imported == "internal/expect") {
		return isTest || kit
	}
	from, to := subjectOf(importer), subjectOf(imported)
	if isTest {
		for folder, may := range testsMay {
			all, below := strings.CutSuffix(folder, "/...")
			if (importer == folder || below && inFolder(importer, all)) && inFolder(imported, may) {
				return true
			}
		}
	}
	if from.folder != "" && from.folder == to.folder {
		if !isTest {
			c.inside[importer][imported] = true
		}
		return true
	}
	return slices.Contains(from.mayImport(), to.folder)
}

// checkRows compares the rows of a subject with the imports of its packages. A subject
// whose packages do not import each other needs none.
func (c *checked) checkRows(tree fs.FS, s subject) {
	var folders []string
	rows := false
	for f, imports := range c.inside {
		if subjectOf(f).folder == s.folder && f != s.folder && !slices.Contains(s.also, f) {
			folders = append(folders, f)
			rows = rows || len(imports) > 0
		}
	}
	if !rows {
		return
	}
	file := path.Join(s.folder, "doc.go")
	source, err := fs.ReadFile(tree, file)
	var above []string
	if err == nil {
		_, text, _ := strings.Cut(string(source), "// "+rowsHeading+"\n//\n")
		for line := range strings.Lines(text) {
			row, ok := strings.CutPrefix(line, "//\t")
			if !ok {
				break
			}
			name, imports, _ := strings.Cut(strings.TrimSpace(row), ": ")
			folder := path.Join(s.folder, name)
			if _, ok := c.inside[folder]; !ok {
				c.fail("%s: row of %s: no such package", file, name)
				continue
			}
			switch want := c.row(s, folder); {
			case want != strings.TrimSpace(row):
				c.fail("%s: row of %s: must say %q", file, name, want)
			default:
				for _, i := range strings.Fields(strings.ReplaceAll(imports, ",", "")) {
					if i = path.Join(s.folder, i); i != s.folder && !slices.Contains(above, i) && !slices.Contains(s.also, i) {
						c.fail("%s: row of %s: %s must stand above it", file, name, strings.TrimPrefix(i, s.folder+"/"))
					}
				}
			}
			above = append(above, folder)
		}
	}
	slices.Sort(folders)
	for _, f := range folders {
		if !slices.Contains(above, f) {
			c.fail("%s: no row of %s; expected %q", file, strings.TrimPrefix(f, s.folder+"/"), c.row(s, f))
		}
	}
}

// row is what the row of a package must say.
func (c *checked) row(s subject, folder string) string {
	name := func(f string) string {
		if f == s.folder {
			return "." // the subject's own package
		}
		return strings.TrimPrefix(f, s.folder+"/")
	}
	var imports []string
	for i := range c.inside[folder] {
		if !slices.Contains(s.also, i) {
			imports = append(imports, name(i))
		}
	}
	if len(imports) == 0 {
		return name(folder)
	}
	slices.Sort(imports)
	return name(folder) + ": " + strings.Join(imports, ", ")
}

// inFolder reports whether a path is that of a folder or lies below it.
func inFolder(name, folder string) bool {
	return name == folder || strings.HasPrefix(name, folder+"/")
}
