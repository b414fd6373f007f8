package catalogue

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema/schematest"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/topology"
)

// compiled returns the schemas of all kinds of file, and that of any kind as "".
func compiled(t testing.TB) map[string]*schematest.Schema {
	t.Helper()
	all := map[string]*schematest.Schema{}
	for _, name := range append(SchemaNames(), "") {
		s := expect.Value(Schema(name))(t)
		all[name] = schematest.Compile(t, s)
	}
	return all
}

// examples are the YAML files of the examples.
func examples(t testing.TB) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir("../../../examples", func(path string, d fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".yaml" {
			files = append(files, path)
		}
		return err
	})
	expect.Need(t, err == nil && len(files) >= 20, "%d examples (%v)", len(files), err)
	return files
}

// Every example and every machine of the catalogue matches the schema of its kind,
// and that of files of any kind.
func TestExamplesMatchTheirSchemas(t *testing.T) {
	schemas := compiled(t)
	seen := map[string]bool{}
	check := func(file string, root *yamldoc.Node) {
		kind := kindOf(root).short
		seen[kind] = true
		for _, name := range []string{kind, ""} {
			err := schemas[name].Validate(root)
			expect.That(t, err == nil, "%s as %q: %v", file, name, err)
		}
	}
	for _, file := range examples(t) {
		root, _, err := yamldoc.ReadFile(file)
		expect.Success(t, err)
		check(file, root)
	}
	for _, name := range topology.CatalogueNames() {
		data, _ := topology.CatalogueFile(name)
		root := expect.Value(yamldoc.Parse(name, data))(t)
		check(name, root)
	}
	expect.That(t, len(seen) == len(kinds),
		"checked kinds %v, want all of %v", slices.Sorted(maps.Keys(seen)), SchemaNames())
}

// fewer makes examples smaller where a reader looks at every level of every factor.
var fewer = map[string][]input.Override{
	"sunwulf-sweep.yaml": {{Path: "factors.n.to", Value: "175"}, {Path: "factors.latency.log.count", Value: "2"}, {Path: "factors.bandwidth.log.count", Value: "2"}},
}

// A fault is put at every place of the examples: an unknown key, a missing key, a value of another type. The schema and
// the reader must agree on each. The usual form of the test puts one of 32 faults there.
func TestSchemasAndReadersAgree(t *testing.T) {
	schemas := compiled(t)
	every := expect.Often(32, 1)
	refused, accepted, seen := 0, 0, map[string]bool{}
	for _, path := range examples(t) {
		root := expect.Value(new(document.Reader).Open(path, fewer[filepath.Base(path)]))(t)
		kind := kindOf(root)
		for _, fault := range faults(root.Plain()) {
			if seen[kind.short+fault.alike] {
				continue
			}
			seen[kind.short+fault.alike] = true
			if len(seen)%every != 0 {
				continue
			}
			text := expect.Value(json.Marshal(fault.doc))(t)
			changed := expect.Value(yamldoc.ParseJSON("", text))(t)
			if kindOf(changed) != kind {
				continue // the fault turns it into a file of another kind
			}
			_, reader := kind.show(&file{path: path, reader: &document.Reader{}, root: changed})
			if reader == nil {
				accepted++
			} else {
				refused++
			}
			if kind.name == input.KindSweep && ofScenario(fault.what, reader) {
				continue
			}
			if reader != nil && (ofApplication(kind, root, fault.what) || ofLesson(kind, reader) || ofLayout(reader)) {
				continue
			}
			err := schemas[kind.short].Agree(changed, reader)
			expect.That(t, err == nil, "%s: %s: %v", filepath.Base(path), fault.what, err)
		}
	}
	expect.That(t, refused >= 4000/every && accepted >= 400/every,
		"%d faults refused and %d accepted; the test sees too little", refused, accepted)
	t.Logf("%d faults refused, %d accepted", refused, accepted)
}

// ofScenario reports whether what a reader says of a fault in a sweep depends on what the factors and the derived
// fields make of the scenario: they set what it leaves out, and may set what it does not have. The values that they
// replace must be right.
func ofScenario(fault string, reader error) bool {
	switch {
	case strings.HasPrefix(fault, ".scenario"):
		lacks := reader != nil && strings.HasSuffix(fault, " lacks on") && strings.Contains(reader.Error(), "unknown key") // which other keys depend on
		return reader != nil && (lacks || strings.Contains(reader.Error(), "missing key") || strings.Contains(reader.Error(), "found no value"))
	case strings.HasPrefix(fault, ".probes."): // what a probe makes of the scenario
		return reader != nil
	case strings.HasPrefix(fault, ".derived"), strings.HasSuffix(fault, " lacks derived"):
		return reader != nil && !strings.Contains(reader.Error(), "derived")
	case strings.HasPrefix(fault, ".factors"):
		return reader != nil && !strings.Contains(reader.Error(), "factors")
	}
	return false
}

// ofApplication reports whether only the reader can refuse a fault: the names in the expressions of an application file
// are its own, and so are the parameters that a workload of such a file may set.
func ofApplication(k *kind, root *yamldoc.Node, fault string) bool {
	if k.name == input.KindApplication {
		return !strings.HasSuffix(fault, "has an unknown key") || strings.HasPrefix(fault, ".parameters has") || strings.HasPrefix(fault, ".let has") ||
			strings.HasPrefix(fault, ".grid has") || strings.HasPrefix(fault, ".distributions has") || strings.Contains(fault, ".size has")
	}
	var d yamldoc.Decoder
	doc := d.Mapping(root, "")
	if workload := doc.Take("workload"); workload.Has("application") && strings.HasPrefix(fault, ".workload") {
		return true
	}
	for i, w := range d.Sequence(doc.Take("workloads"), "") {
		if run := d.Mapping(w, "").Take("run"); run.Has("application") && strings.HasPrefix(fault, fmt.Sprintf(".workloads[%d].run", i)) {
			return true
		}
	}
	return false
}

// ofLesson reports whether only the reader can refuse a fault: the names in the
// expressions of a lesson are those of its runs, a condition is no number, and one end of
// an axis is above the other.
func ofLesson(k *kind, reader error) bool {
	if k.name != input.KindLesson {
		return false
	}
	for _, problem := range []string{"names are RUN_OUTCOME", "unknown run", "the condition is wrong", "the upper end is not above"} {
		if strings.Contains(reader.Error(), problem) {
			return true
		}
	}
	return false
}

// ofLayout reports whether only the reader can refuse a fault: parameters of which one does not divide the other.
func ofLayout(reader error) bool {
	return strings.Contains(reader.Error(), "expected a divisor") || strings.Contains(reader.Error(), "expected a multiple") ||
		strings.Contains(reader.Error(), "expected a product") || strings.Contains(reader.Error(), "as many experts on each device")
}

// A defect is a copy of a document with one thing wrong.
type defect struct {
	what string // is wrong, with its place in the document
	// alike is the same for faults of which one says as much as all: those of a list's elements, and of mappings with
	// the same keys.
	alike string
	doc   any
}

// faults returns all faults of a document.
func faults(doc any) []defect {
	var all []defect
	var visit func(path, alike string, v any, put func(any) any)
	visit = func(path, alike string, v any, put func(any) any) {
		add := func(what string, v any) {
			all = append(all, defect{path + " " + what, alike + " " + what, put(v)})
		}
		add("is a list", []any{})
		add("is a mapping", map[string]any{"zzz": 1})
		add("is a text", "zzz")
		add("is a number", -3.5)
		add("is no value", nil)
		switch v := v.(type) {
		case map[string]any:
			alike += form(v)
			more := maps.Clone(v)
			more["zzz"] = 1
			add("has an unknown key", more)
			for _, key := range slices.Sorted(maps.Keys(v)) {
				less := maps.Clone(v)
				delete(less, key)
				add("lacks "+key, less)
				visit(path+"."+key, alike+"."+key, v[key], func(x any) any {
					c := maps.Clone(v)
					c[key] = x
					return put(c)
				})
			}
		case []any:
			for i := range v {
				visit(fmt.Sprintf("%s[%d]", path, i), alike+"[]", v[i], func(x any) any {
					c := slices.Clone(v)
					c[i] = x
					return put(c)
				})
			}
		}
	}
	visit("", "", doc, func(x any) any { return x })
	return all
}

// form tells mappings apart that may have different rules: by their keys, and by the values that decide which other
// keys there are.
func form(m map[string]any) string {
	return fmt.Sprint(slices.Sorted(maps.Keys(m)), m["name"], m["method"])
}
