package experiments

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// documentedMetric is a row of a table of formulas in docs/validation/metrics.md.
type documentedMetric struct{ family, symbols, formula, ownSymbols, source, functions string }

// readMetricsPage reads the tables of docs/validation/metrics.md.
func readMetricsPage(t *testing.T) (advice [][]string, formulas []documentedMetric) {
	t.Helper()
	text, err := os.ReadFile("../docs/validation/metrics.md")
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
	for _, f := range metricFamilies {
		for _, m := range f.metrics {
			got = append(got, documentedMetric{f.title, f.symbols, m.formula, m.symbols, m.source, list(m.functions)})
			used[m.advice.metrics] = true
			if row := []string{m.advice.metrics, m.advice.question, m.advice.needs, m.advice.misleads}; !slices.ContainsFunc(advice, func(a []string) bool { return slices.Equal(a, row) }) {
				t.Errorf("%s: the page has no row %q", m.name, row)
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
	files, err := filepath.Glob("../model/scalability/*.go")
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
	for _, f := range metricFamilies {
		for _, m := range f.metrics {
			for _, fn := range m.functions {
				named[fn] = true
				if _, ok := exported[fn]; !ok {
					t.Errorf("%s: model/scalability has no %s", m.name, fn)
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

// Every name in the catalogue is of one thing only, and describe knows it.
func TestEveryNameIsDescribed(t *testing.T) {
	sections, err := List()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{}
	for _, s := range sections {
		if len(s.Entries) == 0 {
			t.Errorf("no %s", s.Kind)
		}
		for _, e := range s.Entries {
			if other, again := kinds[e.Name]; again {
				t.Errorf("%s is in %s and in %s", e.Name, other, s.Kind)
			}
			kinds[e.Name] = s.Kind
			d, err := Describe(e.Name, DescribeOptions{})
			if err != nil {
				t.Errorf("%s: %v", e.Name, err)
				continue
			}
			if d.Kind+"s" != s.Kind || d.Name != e.Name || (len(d.Facts)+len(d.Tables) == 0 && e.Name != "ideal") { // which has no parameters
				t.Errorf("%s of %s: %+v", e.Name, s.Kind, d)
			}
		}
	}
}
