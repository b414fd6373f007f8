package yamldoc

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// dump writes a tree with all that is known of it, one node a line.
func dump(n *Node) string {
	var b strings.Builder
	var write func(n *Node)
	write = func(n *Node) {
		fmt.Fprintf(&b, "%s %q ", n.Pos(), n.Path())
		switch n.kind {
		case null:
			b.WriteString("null\n")
		case scalar:
			fmt.Fprintf(&b, "%q quoted=%v\n", n.text, n.quoted)
		case mapping:
			b.WriteString("mapping\n")
			for _, e := range n.entries {
				fmt.Fprintf(&b, "%s key %q\n", e.pos, e.key)
				write(e.value)
			}
		case sequence:
			b.WriteString("sequence\n")
			for _, e := range n.entries {
				write(e.value)
			}
		}
	}
	write(n)
	return b.String()
}

func mustParse(t *testing.T, text string) *Node {
	return expect.Value(Parse("f.yaml", []byte(text)))(t)
}

// Positions are counted by hand in the source text.
func TestPositions(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"block", "a: 1\nb:\n  c: x y # comment\n", `
f:1:1 "" mapping
f:1:1 key "a"
f:1:4 "a" "1" quoted=false
f:2:1 key "b"
f:3:3 "b" mapping
f:3:3 key "c"
f:3:6 "b.c" "x y" quoted=false
`},
		{"sequences", "s:\n- n: 1\n-\n- [2, {}]\n", `
f:1:1 "" mapping
f:1:1 key "s"
f:2:1 "s" sequence
f:2:3 "s[0]" mapping
f:2:3 key "n"
f:2:6 "s[0].n" "1" quoted=false
f:3:1 "s[1]" null
f:4:3 "s[2]" sequence
f:4:4 "s[2][0]" "2" quoted=false
f:4:7 "s[2][1]" mapping
`},
		{"no value takes the place of its key", "a:\nb: {c, d: ~}\n", `
f:1:1 "" mapping
f:1:1 key "a"
f:1:1 "a" null
f:2:1 key "b"
f:2:4 "b" mapping
f:2:5 key "c"
f:2:5 "b.c" null
f:2:8 key "d"
f:2:11 "b.d" null
`},
		{"columns count characters", "µs: é\nb: {ä: ö, c: d}\n", `
f:1:1 "" mapping
f:1:1 key "µs"
f:1:5 "µs" "é" quoted=false
f:2:1 key "b"
f:2:4 "b" mapping
f:2:5 key "ä"
f:2:8 "b.ä" "ö" quoted=false
f:2:11 key "c"
f:2:14 "b.c" "d" quoted=false
`},
		{"BOM and CRLF", "\uFEFFa: 1\r\nb: 2\r\n", `
f:1:1 "" mapping
f:1:1 key "a"
f:1:4 "a" "1" quoted=false
f:2:1 key "b"
f:2:4 "b" "2" quoted=false
`},
		{"quotes and blocks", "a: 'x''y'\nb: \"\\u00b5\"\nc: |\n  x\n  y\nd: >-\n  x\n  y\ne: x\n  y\n", `
f:1:1 "" mapping
f:1:1 key "a"
f:1:4 "a" "x'y" quoted=true
f:2:1 key "b"
f:2:4 "b" "µ" quoted=true
f:3:1 key "c"
f:3:4 "c" "x\ny\n" quoted=true
f:6:1 key "d"
f:6:4 "d" "x y" quoted=true
f:9:1 key "e"
f:9:4 "e" "x y" quoted=false
`},
		{"document markers", "---\n1: x\n...\n", `
f:2:1 "" mapping
f:2:1 key "1"
f:2:4 "1" "x" quoted=false
`},
		{"keys that a path must quote", "a.b: {'': 1, 'x y': 2}\n", `
f:1:1 "" mapping
f:1:1 key "a.b"
f:1:6 "[\"a.b\"]" mapping
f:1:7 key ""
f:1:11 "[\"a.b\"][\"\"]" "1" quoted=false
f:1:14 key "x y"
f:1:21 "[\"a.b\"][\"x y\"]" "2" quoted=false
`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			n := expect.Value(Parse("f", []byte(c.in)))(t)
			expect.Same(t, dump(n), strings.TrimPrefix(c.want, "\n"), "what is read")
		})
	}
}

// The table of the package comment. Whatever the type, the text is kept.
func TestScalars(t *testing.T) {
	cases := []struct {
		text string
		want any
	}{
		{"null", nil}, {"Null", nil}, {"NULL", nil}, {"~", nil},
		{"true", true}, {"True", true}, {"TRUE", true}, {"false", false}, {"False", false}, {"FALSE", false},
		{"10", int64(10)}, {"-3", int64(-3)}, {"+7", int64(7)}, {"0", int64(0)}, {"-0", int64(0)},
		{"9223372036854775807", int64(math.MaxInt64)},
		{"0.5", 0.5}, {"1e6", 1e6}, {"-2.5E-3", -0.0025}, {".5", 0.5}, {"10.", 10.0}, {"1e+3", 1000.0}, {"10.0", 10.0},
		{"9223372036854775808", "9223372036854775808"},
		{"1e999", "1e999"},
		{"yes", "yes"}, {"no", "no"}, {"on", "on"}, {"off", "off"}, {"y", "y"}, {"tRUE", "tRUE"},
		{"0x10", "0x10"}, {"0o17", "0o17"}, {"0b1", "0b1"}, {"010", "010"}, {"1_000", "1_000"}, {"00.5", "00.5"},
		{".inf", ".inf"}, {"-.inf", "-.inf"}, {".nan", ".nan"}, {"NaN", "NaN"}, {"inf", "inf"}, {"0x1p4", "0x1p4"},
		{"2026-01-01", "2026-01-01"}, {"1:30", "1:30"}, {"1.2.3", "1.2.3"}, {".", "."}, {"-", "-"}, {"<<", "<<"},
		{"50 us", "50 us"}, {"100 Mbit/s", "100 Mbit/s"}, {"-5 µs", "-5 µs"},
	}
	for _, c := range cases {
		if c.text != "-" { // without quotes a lone dash starts a sequence
			n := mustParse(t, "k: "+c.text).Value("k")
			expect.Same(t, n.Plain(), c.want, "%s", c.text)
			got := n.Text()
			expect.That(t, got == c.text || c.want == nil, "%s: text %q", c.text, got)
		}
		for _, q := range []string{`"`, `'`} {
			n := mustParse(t, "k: "+q+c.text+q).Value("k")
			expect.That(t, n.Plain() == any(c.text) && n.IsScalar(), "%s in quotes: %#v", c.text, n.Plain())
		}
	}
}

func TestPlain(t *testing.T) {
	n := mustParse(t, "a: [1, 2.5, x, true, ~]\nb: {c: {}, d: []}\n")
	want := map[string]any{
		"a": []any{int64(1), 2.5, "x", true, nil},
		"b": map[string]any{"c": map[string]any{}, "d": []any{}},
	}
	expect.Same(t, n.Plain(), any(want), "plain value")
}

func TestNilNode(t *testing.T) {
	var n *Node
	expect.That(t, !n.IsNull() && !n.IsScalar() && !n.IsMapping() && !n.IsSequence() && n.Plain() == nil &&
		n.Text() == "" && n.Path() == "" && n.Pos() == (Position{}),
		"a nil node is not an absent value")
}

// nested returns depth brackets in each other.
func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

// siblings returns a block mapping with n keys.
func siblings(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d: 1\n", i)
	}
	return b.String()
}

var parseErrors = []struct{ name, in, want string }{
	{"empty", "", `f.yaml:1:1: empty document; expected a YAML mapping`},
	{"only a comment", "# x\n", `f.yaml:1:1: empty document; expected a YAML mapping`},
	{"only a marker", "---\n", `f.yaml:1:1: empty document; expected a YAML mapping`},

	{"duplicate", "a: 1\nb: 2\na: 3\n", `f.yaml:3:1: duplicate key "a", first given in line 1; expected every key once`},
	{"duplicate in flow", "x: {a: 1, a: 2}", `f.yaml:1:11: duplicate key "a", first given in line 1; expected every key once`},
	{"duplicate with other quotes", "a: 1\n'a': 2\n", `f.yaml:2:1: duplicate key "a", first given in line 1; expected every key once`},
	{"all duplicates", "a: {c: 1, c: 2}\na: 1\n", "f.yaml:1:11: duplicate key \"c\", first given in line 1; expected every key once\n" +
		"f.yaml:2:1: duplicate key \"a\", first given in line 1; expected every key once"},

	{"anchor and alias", "a: &x 1\nb: *x\n", "f.yaml:1:4: anchors (&) are not supported; expected the value written out\n" +
		"f.yaml:2:4: aliases (*) are not supported; expected the value written out"},
	{"merge key", "<<: {a: 1}\n", `f.yaml:1:1: merge keys (<<) are not supported; expected the keys written out`},
	{"tag", "a: !!int 3\n", `f.yaml:1:4: tags (!) are not supported; expected a value without a tag`},
	{"directive", "%YAML 1.2\n---\na: 1\n", `f.yaml:1:1: directives (%) are not supported; expected a document without them`},
	{"explicit key", "? a\n: b\n", `f.yaml:1:1: explicit keys (?) are not supported; expected key: value`},
	{"two documents", "a: 1\n---\nb: 2\n", `f.yaml:2:1: a second document starts here; expected one document in a file`},
	{"document after the end", "a: 1\n...\nb: 2\n", `f.yaml:3:1: a second document starts here; expected one document in a file`},
	{"two markers", "---\n---\na: 1\n", `f.yaml:2:1: a second document starts here; expected one document in a file`},

	{"open sequence", "a: [1,\n", `f.yaml:1:4: not valid YAML: sequence end token ']' not found`},
	{"open mapping", "a: {b: 1\n", `f.yaml:1:4: not valid YAML: could not find flow mapping end token '}'`},
	{"open quote", "a: \"x\n", `f.yaml:1:4: not valid YAML: could not find end character of double-quoted text`},
	{"two colons", "a: b: c\n", `f.yaml:1:4: not valid YAML: mapping value is not allowed in this context`},
	{"tab", "a:\n\tb: 1\n", `f.yaml:2:1: not valid YAML: found character '\t' that cannot start any token; expected spaces for indentation`},
	{"list in mapping", "- a\nb: c\n", `f.yaml:2:1: not valid YAML: value is not allowed in this context`},
	{"reserved", "a: @x\n", `f.yaml:1:4: not valid YAML: '@' is a reserved character`},
	{"collection as key", "a: 1\n[b]: c\n", `f.yaml:2:4: not valid YAML: found an invalid key for this map`},

	{"NUL", "a: 1\nb: x\x00y\n", `f.yaml:2:5: control character U+0000; expected a text file in UTF-8`},
	{"escape", "a: \x1b[31m", `f.yaml:1:4: control character U+001B; expected a text file in UTF-8`},
	{"latin-1", "é: \xe9\n", `f.yaml:1:4: byte 0xe9 is not valid UTF-8; expected a text file in UTF-8`},

	{"long line", "a: 1\n# " + strings.Repeat("x", maxLine), `f.yaml:2:1: the line is too long; expected at most 8192 bytes in a line`},
	{"long key", strings.Repeat("k", maxKey+1) + ": 1", `f.yaml:1:1: the key is too long; expected at most 128 bytes`},
	{"too large", strings.Repeat("#\n", maxBytes/2) + "#", `f.yaml: too large; expected at most 4 MiB`},
	{"65 levels", nested(maxDepth + 1), `f.yaml:1:65: nested too deeply; expected at most 64 levels`},
	// The guard before the parser counts up to two levels for one.
	{"a thousand brackets", strings.Repeat("[", 1000), `f.yaml:1:129: nested too deeply; expected at most 64 levels`},
	{"a thousand dashes", strings.Repeat("- ", 1000), `f.yaml:1:257: nested too deeply; expected at most 64 levels`},
	// "[" and two tokens a line: token 262145 is the "1" of line 131073.
	{"too many values", "[" + strings.Repeat("1,\n", maxTokens/2+1) + "]",
		`f.yaml:131072:2: too many values; expected at most 262144 keys, values and punctuation marks`},
	{"too many keys", siblings(maxKeys + 1), `f.yaml:8193:1: too many keys in a mapping; expected at most 8192`},
	{"too many keys in flow", "{" + strings.ReplaceAll(siblings(maxKeys+1), "\n", ",\n") + "}", `f.yaml:1:1: too many keys in a mapping; expected at most 8192`},
	// 3 tokens a key, 64 levels, keys of 128 bytes: 2^28 bytes of paths are 32768 tokens.
	{"long paths", strings.Repeat("{"+strings.Repeat("k", maxKey)+": \n", 63) + "[\n" + strings.Repeat("1,\n", 20000),
		`f.yaml: too large for its depth and the length of its keys; expected a smaller or flatter document`},
}

func TestParseErrors(t *testing.T) {
	for _, c := range parseErrors {
		t.Run(c.name, func(t *testing.T) {
			n, err := Parse("f.yaml", []byte(c.in))
			expect.Need(t, n == nil && err != nil, "got a tree; want %s", c.want)
			checkError(t, err)
			expect.Same(t, err.Error(), c.want, "what is read")
		})
	}
}

// What the limits just allow.
func TestParseLimits(t *testing.T) {
	expect.Long(t, "reads as much as may be read")
	for name, in := range map[string]string{
		"levels":       nested(maxDepth),
		"block levels": strings.Repeat("- ", maxDepth) + "x",
		"keys":         siblings(maxKeys),
		"key":          strings.Repeat("k", maxKey) + ": 1",
		"line":         "a: 1\n#" + strings.Repeat("x", maxLine-1) + "\n",
		"bytes":        strings.Repeat("#"+strings.Repeat("x", 4094)+"\n", maxBytes/4096-1) + "a: " + strings.Repeat("x", 4093),
		"values":       "[" + strings.Repeat("1,\n", maxTokens/2-1) + "]",
	} {
		_, err := Parse("f.yaml", []byte(in))
		expect.That(t, err == nil, "%s: %v", name, err)
	}
}

func TestGuard(t *testing.T) {
	err := source{file: "f.yaml"}.guard(func() error {
		var none []int
		return fmt.Errorf("unreachable: %d", none[len(none)])
	})
	checkError(t, err)
	const want = "f.yaml: the YAML parser failed: runtime error: index out of range [0] with length 0; expected a well-formed document"
	expect.That(t, err.Error() == want, "got %v, want %s", err, want)
}
