package measured

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

var update = flag.Bool("update", false, "write the questions of docs/validation/metrics.md anew")

// questions has a line for each advice: what the metrics with that advice answer.
func questions() string {
	var order []Advice
	names := map[Advice][]string{}
	for _, m := range Metrics() {
		if names[m.Advice] == nil {
			order = append(order, m.Advice)
		}
		names[m.Advice] = append(names[m.Advice], "`"+m.Name+"`")
	}
	var list strings.Builder
	for _, a := range order {
		fmt.Fprintf(&list, "- %s: %s\n", a.Question, strings.Join(names[a], ", "))
	}
	return list.String()
}

// The questions on the page are those of the registry.
func TestMetricsPage(t *testing.T) {
	const file = "../../../../docs/validation/metrics.md"
	text := expect.Value(os.ReadFile(file))(t)
	page := string(text)
	replace := func(after, before, with string) {
		head, rest, ok := strings.Cut(page, after)
		_, tail, ends := strings.Cut(rest, before)
		expect.Need(t, ok && ends, "%s has no place between %q and %q", file, after, before)
		page = head + after + with + before + tail
	}
	replace("\n## Which one to take\n\n", "\nThree distinctions", questions())
	if *update {
		expect.Success(t, os.WriteFile(file, []byte(page), 0o644))
		return
	}
	expect.That(t, string(text) == page,
		"the questions of %s are not those of the registry; go test ./experiments/internal/metric/measured -update writes it", file)
}

// The format of measured times names the key of every metric of points.
func TestKeysAreDocumented(t *testing.T) {
	text := expect.Value(os.ReadFile("../../../../docs/formats/measurements.md"))(t)
	for _, m := range pointMetrics() {
		expect.Says(t, string(text), "`"+m.Key+"`")
	}
}

// Every metric says all that the commands and the page show.
func TestMetricsSayEverything(t *testing.T) {
	name := regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)*$`)
	seen, columns, keys := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, m := range Metrics() {
		expect.That(t, name.MatchString(m.Name) && !seen[m.Name],
			"the name %q is not of small letters and underscores, or there twice", m.Name)
		seen[m.Name] = true
		for _, text := range []string{m.Title, m.Meaning, m.Formula, m.Source, m.Question, m.Needs, m.Misleads} {
			expect.That(t, text != "" && !strings.HasSuffix(text, "."),
				"%s: %q is empty or ends like a sentence", m.Name, text)
		}
		for _, spelling := range []string{m.Name, strings.ReplaceAll(m.Name, "_", "-")} {
			_, found := FindMetric(spelling)
			expect.That(t, found == m, "%s is not found as %s", m.Name, spelling)
		}
		want := m.of != nil || m.says != nil || m.Holds != nil
		expect.That(t, want == (m.InTimes != "") && (!want || slices.Contains(m.Commands, "metrics")),
			"%s: needs %q of measured times, commands %q; the code computes it: %v", m.Name, m.InTimes, m.Commands, want)
		expect.That(t, (m.Key != "") == (m.of != nil) && (m.Holds != nil) == (m.value != nil) &&
			(m.value != nil) == (m.capacity != nil),
			"%s: metrics.json and computations differ in what it is of", m.Name)
		expect.That(t, m.of == nil || m.Symbol != "" && !columns[m.Symbol] && !keys[m.Key] && m.format != nil,
			"%s: symbol %q and key %q must be its own", m.Name, m.Symbol, m.Key)
		if m.of != nil {
			columns[m.Symbol], keys[m.Key] = true, true
		}
	}
	for _, c := range computations {
		expect.That(t, seen[c.name], "metrics.json has no %s", c.name)
	}
	_, m := FindMetric("no_metric")
	expect.That(t, m == nil, "found %+v", m)
}

// The registry names every function of model/scalability that computes something,
// and no other.
func TestMetricsAreComplete(t *testing.T) {
	// Steps on the way to a metric, and means to compute it.
	helpers := []string{"FitTrend", "Trend.ReadOff", "Point.Overhead", "Sequential.Time"}
	// computes reports whether a function can refuse its arguments.
	computes := func(f *ast.FuncType) bool {
		results := f.Results.List
		last, ok := results[len(results)-1].Type.(*ast.Ident)
		return ok && last.Name == "error"
	}
	exported := map[string]bool{}
	files := expect.Value(filepath.Glob("../../../../model/scalability/*.go"))(t)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f := expect.Value(parser.ParseFile(token.NewFileSet(), file, nil, 0))(t)
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
			exported[name] = fn.Recv == nil || fn.Type.Results != nil && computes(fn.Type) // whether it must be named
		}
	}
	named := map[string]bool{}
	for _, m := range Metrics() {
		for _, fn := range m.Functions {
			named[fn] = true
			_, ok := exported[fn]
			expect.That(t, ok, "%s: model/scalability has no %s", m.Name, fn)
		}
	}
	for fn, must := range exported {
		expect.That(t, !must || named[fn] || slices.Contains(helpers, fn), "no metric names %s", fn)
	}
}
