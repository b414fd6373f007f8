package catalogue

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/yamldoc"
	"github.com/isoscale/isoscale/topology"
)

// compiled returns the schema of a kind of file for a validator that is not ours.
func compiled(t testing.TB, name string) *jsonschema.Schema {
	t.Helper()
	s, err := Schema(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatalf("schema of %q: %v", name, err)
	}
	return compiled
}

// shortName is the name of a kind in the command line.
func shortName(t testing.TB, k input.Kind) string {
	t.Helper()
	for i := range kinds {
		if kinds[i].name == k {
			return kinds[i].short
		}
	}
	t.Fatalf("no kind %q", k)
	return ""
}

// instance is a file as a validator sees it.
func instance(t testing.TB, root *yamldoc.Node) any {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(root.JSON()))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// examples are the YAML files of the examples below a folder.
func examples(t testing.TB, dir string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".yaml" {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) < 20 {
		t.Fatalf("%d examples (%v)", len(files), err)
	}
	return files
}

// Every example and every machine of the catalogue matches the schema of its kind,
// and that of files of any kind.
func TestExamplesMatchTheirSchemas(t *testing.T) {
	schemas := map[string]*jsonschema.Schema{}
	for _, name := range append(SchemaNames(), "") {
		schemas[name] = compiled(t, name)
	}
	seen := map[string]bool{}
	check := func(file string, root *yamldoc.Node) {
		kind := shortName(t, input.KindOf(root))
		seen[kind] = true
		for _, name := range []string{kind, ""} {
			if err := schemas[name].Validate(instance(t, root)); err != nil {
				t.Errorf("%s as %q: %v", file, name, err)
			}
		}
	}
	for _, file := range examples(t, "../../examples") {
		root, _, err := yamldoc.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		check(file, root)
	}
	for _, name := range topology.CatalogueNames() {
		data, _ := topology.CatalogueFile(name)
		root, err := yamldoc.Parse(name, data)
		if err != nil {
			t.Fatal(err)
		}
		check(name, root)
	}
	if len(seen) != len(kinds) {
		t.Errorf("checked kinds %v, want all of %v", slices.Sorted(maps.Keys(seen)), SchemaNames())
	}
}

// A fault is put at every place of the examples: a key that is not known, one that
// is missing, a value of another type. A schema must accept what the reader accepts,
// and refuse what has an unknown key or lacks one.
func TestSchemasAndReadersAgree(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../examples")); err != nil {
		t.Fatal(err)
	}
	schemas := map[string]*jsonschema.Schema{}
	for _, name := range SchemaNames() {
		schemas[name] = compiled(t, name)
	}
	refused, accepted := 0, 0
	for _, file := range examples(t, dir) {
		root, _, err := yamldoc.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		kind := shortName(t, input.KindOf(root))
		if kind == "plan" && testing.Short() {
			continue // takes long to read
		}
		for _, fault := range faults(root.Plain()) {
			text, err := json.Marshal(fault.doc)
			if err != nil {
				t.Fatal(err)
			}
			bad := filepath.Join(filepath.Dir(file), "faulty.yaml")
			if err := os.WriteFile(bad, text, 0o600); err != nil {
				t.Fatal(err)
			}
			changed, err := yamldoc.Parse("faulty.yaml", text)
			if err != nil {
				t.Fatal(err)
			}
			if shortName(t, input.KindOf(changed)) != kind {
				continue // the fault makes it a file of another kind
			}
			_, reader := Validate(context.Background(), bad, nil)
			schema := schemas[kind].Validate(instance(t, changed))
			if reader == nil {
				accepted++
			} else {
				refused++
			}
			name := fmt.Sprintf("%s: %s", filepath.Base(file), fault.what)
			switch {
			case kind == "sweep" && strings.HasPrefix(fault.what, ".scenario") && (reader == nil || strings.Contains(reader.Error(), "missing key")):
				// Factors set what the scenario leaves out, and replace what it says.
			case reader == nil && schema != nil:
				t.Errorf("%s: the reader accepts it, the schema does not: %v", name, schema)
			case reader != nil && schema == nil && expressible(reader) && !ofFactor(fault.what, reader):
				t.Errorf("%s: the schema accepts it, the reader does not: %v", name, reader)
			}
		}
	}
	if refused < 1000 || accepted < 100 {
		t.Errorf("%d faults refused and %d accepted; the test sees too little", refused, accepted)
	}
	t.Logf("%d faults refused, %d accepted", refused, accepted)
}

// expressible reports whether a schema can express a fault. Keys and types it can;
// names that other parts of a file define it cannot, nor keys that another key
// calls for (imbalance by the method, count by the design), nor what a level does
// to the scenario.
func expressible(err error) bool {
	first, _, _ := strings.Cut(err.Error(), "\n")
	if strings.Contains(first, `missing key "imbalance"`) || strings.Contains(first, `missing key "count"`) || strings.Contains(first, "is invalid (") {
		return false
	}
	ofNames := slices.ContainsFunc([]string{"nodes: ", "placement: ", "compare.n: "}, func(at string) bool { return strings.Contains(first, at) })
	return strings.Contains(first, "unknown key") && !ofNames ||
		strings.Contains(first, "missing key") || strings.Contains(first, ": found a mapping")
}

// ofFactor reports whether a factor sets what is not a field of the scenario, which
// no schema can know.
func ofFactor(fault string, err error) bool {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return strings.HasPrefix(fault, ".factors") && !strings.Contains(first, "factors.") && !strings.Contains(first, "factors:")
}

type fault struct {
	what string
	doc  any
}

// faults returns copies of a document, each with one fault.
func faults(doc any) []fault {
	var all []fault
	var visit func(path string, v any, put func(any) any)
	visit = func(path string, v any, put func(any) any) {
		for name, other := range map[string]any{"a list": []any{}, "a mapping": map[string]any{"zzz": 1}, "a text": "zzz", "a number": -3.5, "no value": nil} {
			all = append(all, fault{path + " is " + name, put(other)})
		}
		switch v := v.(type) {
		case map[string]any:
			more := maps.Clone(v)
			more["zzz"] = 1
			all = append(all, fault{path + " has an unknown key", put(more)})
			for _, key := range slices.Sorted(maps.Keys(v)) {
				less := maps.Clone(v)
				delete(less, key)
				all = append(all, fault{path + " lacks " + key, put(less)})
				visit(path+"."+key, v[key], func(x any) any {
					c := maps.Clone(v)
					c[key] = x
					return put(c)
				})
			}
		case []any:
			for i := range min(len(v), 2) {
				visit(fmt.Sprintf("%s[%d]", path, i), v[i], func(x any) any {
					c := slices.Clone(v)
					c[i] = x
					return put(c)
				})
			}
		}
	}
	visit("", doc, func(x any) any { return x })
	slices.SortStableFunc(all, func(a, b fault) int { return strings.Compare(a.what, b.what) })
	return all
}
