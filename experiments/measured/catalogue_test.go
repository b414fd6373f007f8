package measured

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/input"
)

// documentedMetric is a row of a table of formulas in docs/validation/metrics.md.
type documentedMetric struct{ family, symbols, formula, ownSymbols, source, functions string }

// readMetricsPage reads the tables of docs/validation/metrics.md.
func readMetricsPage(t *testing.T) (advice [][]string, formulas []documentedMetric) {
	t.Helper()
	text, err := os.ReadFile("../../docs/validation/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	section, family, symbols := "", "", ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "## "):
			section = line[3:]
		case strings.HasPrefix(line, "### "):
			family, symbols = line[4:], ""
		case section == "Formulas" && line != "" && symbols == "" && line[0] != '|':
			symbols = line
		case strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| metric |"):
			cells := strings.Split(strings.ReplaceAll(strings.Trim(line, "|"), `\|`, "\x00"), "|")
			for i := range cells {
				cells[i] = strings.NewReplacer("\x00", "|", "`", "").Replace(strings.TrimSpace(cells[i]))
			}
			switch section {
			case "Which one to take":
				advice = append(advice, cells)
			case "Formulas":
				formulas = append(formulas, documentedMetric{family, symbols, cells[1], cells[2], cells[3], cells[4]})
			}
		}
	}
	return advice, formulas
}

// The page and the catalogue say the same, in the same order.
func TestMetricsPageIsTheCatalogue(t *testing.T) {
	advice, want := readMetricsPage(t)
	var got []documentedMetric
	used := map[string]bool{}
	for _, f := range MetricFamilies {
		for _, m := range f.Metrics {
			got = append(got, documentedMetric{f.title, f.Symbols, m.Formula, m.Symbols, m.Source, input.List(m.Functions)})
			used[m.Advice.metrics] = true
			if row := []string{m.Advice.metrics, m.Advice.Question, m.Advice.Needs, m.Advice.Misleads}; !slices.ContainsFunc(advice, func(a []string) bool { return slices.Equal(a, row) }) {
				t.Errorf("%s: the page has no row %q", m.Name, row)
			}
		}
	}
	if !slices.Equal(got, want) {
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				t.Fatalf("row %d of the formulas differs: the page has\n%+v\nthe catalogue\n%+v", i, want[min(i, len(want)-1)], got[min(i, len(got)-1)])
			}
		}
	}
	if len(used) != len(advice) || len(advice) < 20 {
		t.Errorf("%d rows of advice, %d of them in the catalogue", len(advice), len(used))
	}
}

// The catalogue names every function of model/scalability that computes something,
// and no other.
func TestMetricsAreComplete(t *testing.T) {
	// Steps on the way to a metric, and means to compute it.
	helpers := []string{"FitTrend", "Overhead", "SequentialTime"}
	exported := map[string]bool{}
	files, err := filepath.Glob("../../model/scalability/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() {
				continue
			}
			name := fn.Name.Name
			if fn.Recv != nil {
				kind := fn.Recv.List[0].Type
				if star, ok := kind.(*ast.StarExpr); ok {
					kind = star.X
				}
				name = kind.(*ast.Ident).Name + "." + name
			}
			exported[name] = fn.Recv == nil // whether it must be named
		}
	}
	named := map[string]bool{}
	for _, f := range MetricFamilies {
		for _, m := range f.Metrics {
			for _, fn := range m.Functions {
				named[fn] = true
				if _, ok := exported[fn]; !ok {
					t.Errorf("%s: model/scalability has no %s", m.Name, fn)
				}
			}
		}
	}
	for fn, must := range exported {
		if must && !named[fn] && !slices.Contains(helpers, fn) {
			t.Errorf("no metric names %s", fn)
		}
	}
}
