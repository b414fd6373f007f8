package yamldoc

import (
	"bytes"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// What is written is read as the same tree, whatever its texts look like.
func TestYAML(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a: 50 us\n", "a: 50 us\n"},
		{`{"a": "50 us", "b": [1, 2.50, "x"]}`, "a: 50 us\nb: [1, 2.50, x]\n"},
		{`{a: {b: {c: 1}}, d: [{e: 1, f: [g]}, {e: 2}]}`, "a:\n  b:\n    c: 1\nd:\n  - e: 1\n    f: [g]\n  - e: 2\n"},
		{`{a: "1", b: "true", c: "", d: null, e: {}, f: []}`, "a: \"1\"\nb: \"true\"\nc: \"\"\nd: null\ne: {}\nf: []\n"},
		{`{a: "x: y", b: "- z", c: "# no comment", d: "two\nlines", e: "[1]"}`, "a: \"x: y\"\nb: \"- z\"\nc: \"# no comment\"\nd: \"two\\nlines\"\ne: \"[1]\"\n"},
		{`{a: ["b, c", "d]", [1, [2]]]}`, "a: [\"b, c\", \"d]\", [1, [2]]]\n"},
		{`{a: [[{b: 1}], 2]}`, "a:\n  - - b: 1\n  - 2\n"},
		{`[1, 2]`, "[1, 2]\n"},
		{`x`, "\"x\"\n"},
		{`-1e33133`, "-1e33133\n"},
		{`{a: "<b> & c: d"}`, "a: \"<b> & c: d\"\n"},
		// Ten numbers of seven characters end at column 96 after 8 other characters, not after 9.
		{`{a: {bcd: [` + strings.Repeat("1234567, ", 9) + `1234567]}}`, "a:\n  bcd: [" + strings.Repeat("1234567, ", 9) + "1234567]\n"},
		{`{a: {bcde: [` + strings.Repeat("1234567, ", 9) + `7654321]}}`, "a:\n  bcde: [" + strings.Repeat("1234567, ", 8) + "1234567,\n    7654321]\n"},
		{`[` + strings.Repeat("1234567, ", 10) + `7654321]`, "[" + strings.Repeat("1234567, ", 9) + "1234567,\n7654321]\n"},
	} {
		n := expect.Value(Parse("in", []byte(c.in)))(t)
		got := n.YAML()
		expect.That(t, got == c.want, "%s: got\n%s\nwant\n%s", c.in, got, c.want)
		again, err := Parse("out", []byte(got))
		if err != nil {
			t.Errorf("%s: written as\n%s\nwhich cannot be read: %v", c.in, got, err)
		} else if !bytes.Equal(again.JSON(), n.JSON()) {
			t.Errorf("%s: written as\n%s\nwhich is read as %s", c.in, got, again.JSON())
		}
	}
}

// A list that was given over several lines is longer than one line may be.
func TestYAMLOfLongLists(t *testing.T) {
	in := "speeds:\n  - [" + strings.Repeat("1000000,\n", 3000) + "1]\n  - {x: [" + strings.Repeat("1000000,\n", 3000) + "1]}\n"
	n := expect.Value(Parse("in", []byte(in)))(t)
	again := expect.Value(Parse("out", []byte(n.YAML())))(t)
	expect.That(t, bytes.Equal(again.JSON(), n.JSON()), "read as another list")
}
