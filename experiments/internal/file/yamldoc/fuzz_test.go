package yamldoc

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// walk visits every node and checks what holds for all of them. It returns the
// number of nodes.
func walk(t *testing.T, root *Node) int {
	t.Helper()
	count := 0
	var visit func(n, parent *Node, depth int)
	visit = func(n, parent *Node, depth int) {
		count++
		expect.Need(t, n.parent == parent, "%s: wrong parent", n.Path())
		expect.Need(t, n.pos.Line >= 1 && n.pos.Column >= 1, "%s: position %v", n.Path(), n.pos)
		expect.Need(t, !n.IsMapping() && !n.IsSequence() || depth < maxDepth, "%s: depth %d", n.Path(), depth)
		// The path of a node leads to the node.
		at := root
		steps, _, msg := parsePath(n.Path())
		expect.Need(t, msg == "" || n == root, "path %q: %s", n.Path(), msg)
		for _, s := range steps {
			if s.isIndex {
				at = at.Item(s.index)
			} else {
				at = at.Value(s.key)
			}
		}
		expect.Need(t, at == n, "path %q leads elsewhere", n.Path())
		for _, e := range n.entries {
			expect.Need(t, !n.IsMapping() || e.pos.Line >= 1 && e.pos.Column >= 1, "%s: position of key %q: %v", n.Path(), e.key, e.pos)
			visit(e.value, n, depth+1)
		}
	}
	visit(root, nil, 0)
	return count
}

// checkError checks that every error is ours and that each problem is one line.
func checkError(t *testing.T, err error) {
	t.Helper()
	var problems Problems
	var single *Error
	switch {
	case errors.As(err, &problems):
	case errors.As(err, &single):
		problems = Problems{single}
	default:
		t.Fatalf("foreign error %T: %v", err, err)
	}
	expect.Need(t, len(problems) != 0, "an error without a problem")
	for _, p := range problems {
		expect.Need(t, !strings.ContainsAny(p.Error(), "\r\n"), "several lines: %q", p.Error())
	}
}

// read asks every decoder method of every node: none may panic.
func read(d *Decoder, n *Node) {
	d.String(n, "text")
	d.Int(n, -5, 5, "")
	d.Float(n, "number", nil)
	d.Bool(n)
	d.OneOf(n, []string{"gauss", "matmul"}, "workload")
	Quantity(d, n, parseLength, Positive, "length")
	for _, item := range d.Sequence(n, "things") {
		read(d, item)
	}
	m := d.Mapping(n, "a thing")
	for i, key := range m.Keys() {
		if i%2 == 0 {
			read(d, m.Take(key))
		}
	}
	m.Require("name", "a name")
	m.Done()
}

func addCorpus(f *testing.F, add func(data []byte)) {
	files, err := filepath.Glob("testdata/*.yaml")
	expect.Need(f, err == nil && len(files) != 0, "no seeds: %v", err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		add(data)
	}
	for _, c := range parseErrors {
		if len(c.in) < 1000 {
			add([]byte(c.in))
		}
	}
	for _, s := range []string{
		"a: 1\nb: [1, {c: 50 us}]\n", "- a\n-\n- b: c\n  d:\n", "a: |\n  x\n  y\n", "{a", "[a: b, c]",
		"a:\n - b: &x 1\n - *x\n", "\"\\x41\\u00e9\\ud83d\\ude00\"", "a: >-\n\n  x\n", "? a\n: b", "'': 1",
		// Panics of earlier releases of the parser.
		"a:\n- b: c\n- \n", "0::", "{\"\"\"\":", "{{},<<}",
	} {
		add([]byte(s))
	}
}

func FuzzParse(f *testing.F) {
	addCorpus(f, func(data []byte) { f.Add(data) })
	f.Fuzz(func(t *testing.T, data []byte) {
		root, err := Parse("f.yaml", data)
		if err != nil {
			expect.Need(t, root == nil, "a tree beside an error")
			checkError(t, err)
			return
		}
		// Two bytes make at most three nodes: "[," or "a:" and their values.
		n := walk(t, root)
		expect.Need(t, n <= 2*len(data)+2, "%d nodes from %d bytes", n, len(data))
		root.Plain()
		var d Decoder
		read(&d, root)
		if err := d.Err(); err != nil {
			checkError(t, err)
		}
	})
}

func FuzzSet(f *testing.F) {
	const doc = "network: hockney\nsystems:\n- {name: C2}\n- nodes: {blade: 1}\n"
	for _, c := range setCases {
		f.Add([]byte(c.doc), c.path, c.value)
	}
	for _, c := range setErrors {
		f.Add([]byte(doc), c.path, c.value)
	}
	f.Fuzz(func(t *testing.T, data []byte, path, value string) {
		root, err := Parse("f.yaml", data)
		if err != nil {
			return
		}
		before := dump(root)
		changed, err := root.Set(path, value)
		expect.Need(t, dump(root) == before, "Set changed its receiver")
		if err != nil {
			checkError(t, err)
			return
		}
		walk(t, changed)
		// Setting the same again changes nothing.
		again := expect.Value(changed.Set(path, value))(t)
		expect.Need(t, dump(again) == dump(changed), "not idempotent:\n%s\n%s", dump(changed), dump(again))
	})
}

// FuzzJSON checks that whatever a document holds survives the way to JSON and
// back.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{"a: 1", "a: [1, {b: ~}]", "- 1e3\n- .5\n- \"x\"", "a: 0x10\nb: 1_000",
		"-1e33133", "a: -1e33133 # too large for a number, but JSON"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		root, err := Parse("f", []byte(text))
		if err != nil {
			t.Skip()
		}
		first := root.JSON()
		back, err := ParseJSON("g", first)
		expect.Need(t, err == nil, "%s: %v", first, err)
		expect.Need(t, reflect.DeepEqual(root.Plain(), back.Plain()), "%q came back from %s as %v", text, first, back.Plain())
		second := back.JSON()
		expect.Need(t, string(second) == string(first), "%s, then %s", first, second)
		written := root.YAML()
		for line := range strings.Lines(written) {
			if len(line) > maxLine {
				t.Skip() // a text that no line can hold
			}
		}
		if len(written) > 1<<20 {
			t.Skip() // near the limits of what can be read
		}
		again, err := Parse("h", []byte(written))
		expect.Need(t, err == nil, "%q, written as %q: %v", text, written, err)
		third := again.JSON()
		expect.Need(t, string(third) == string(first), "%s, written as YAML %s", first, third)
	})
}

// FuzzParseJSON checks that no text makes the reader of JSON panic.
func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{`{"a":1}`, `[[[]]]`, `{"a":`, `"x"`, `{"a":1,"a":2}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := ParseJSON("f", []byte(text))
		if err == nil {
			n.JSON()
		}
	})
}
