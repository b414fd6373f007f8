package yamldoc

import (
	"fmt"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

func TestJSON(t *testing.T) {
	for _, tt := range []struct{ yaml, want string }{
		{"b: 1\na: two words", `{"b":1,"a":"two words"}`}, // the order of the file
		{`n: "10"`, `{"n":"10"}`},                         // a text stays a text
		{"n: 0.10", `{"n":0.10}`},                         // digits as written
		{"n: .5", `{"n":0.5}`},                            // JSON has no such number
		{"n: +1e3", `{"n":1000.0}`},                       // a number that is not written as an integer stays none
		{"n: 123456789012345678901234567890", `{"n":123456789012345678901234567890}`},
		{"n:", `{"n":null}`},
		{"n: [true, {a: ~}]", `{"n":[true,{"a":null}]}`},
		{"n: 100 Mbit/s", `{"n":"100 Mbit/s"}`},
		{`n: "a\"b\n"`, `{"n":"a\"b\n"}`},
	} {
		n := expect.Value(Parse("f", []byte(tt.yaml)))(t)
		got := string(n.JSON())
		expect.That(t, got == tt.want, "%q as JSON: %s, want %s", tt.yaml, got, tt.want)
		back, err := ParseJSON("g", []byte(got))
		expect.Need(t, err == nil, "%s: %v", got, err)
		expect.Same(t, back.Plain(), n.Plain(), "%q read back", tt.yaml)
		again := string(back.JSON())
		expect.That(t, again == got, "%s read back and written: %s", got, again)
	}
}

func TestParseJSONRefuses(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{``, "f: not valid JSON: EOF"},
		{`{"a":`, "f: not valid JSON: EOF"},
		{`{"a":1} 2`, "f: unexpected data after the value; expected one JSON value"},
		{`{"a":1,"a":2}`, `f: the key "a" occurs twice; expected every key once`},
	} {
		n, err := ParseJSON("f", []byte(tt.text))
		expect.That(t, err != nil && err.Error() == tt.want, "ParseJSON(%q) = %v, %v; want error %s", tt.text, n, err, tt.want)
	}
}

func TestWith(t *testing.T) {
	parse := func(text string) *Node { return expect.Value(Parse("f", []byte(text)))(t) }
	root := parse("network: hockney\nnodes: [1, 2]")
	got := expect.Value(root.With(Change{"network.latency", parse("v: 5 us").Value("v")}, Change{"nodes[1]", parse("v: {a: 3}").Value("v")}))(t)
	expect.Equal(t, string(got.JSON()), `{"network":{"name":"hockney","latency":"5 us"},"nodes":[1,{"a":3}]}`, "changed tree")
	expect.Equal(t, string(root.JSON()), `{"network":"hockney","nodes":[1,2]}`, "the tree that With was called on")
	_, err := root.With(Change{"nodes[2]", parse("v: 5").Value("v")})
	expect.Equal(t, fmt.Sprint(err), "f:1:4: nodes: there is no element 2; expected an index below 2", "error")
}

func TestMerge(t *testing.T) {
	for _, tt := range []struct{ base, over, want string }{
		{`{"a":1,"b":{"c":2,"d":3}}`, `{"b":{"d":4,"e":5}}`, `{"a":1,"b":{"c":2,"d":4,"e":5}}`},
		{`{"a":[1,2]}`, `{"a":[3]}`, `{"a":[3]}`}, // sequences are replaced
		{`{"a":"x"}`, `{"a":{"b":1}}`, `{"a":{"b":1}}`},
		{`{"a":{"b":1}}`, `{"a":null}`, `{"a":null}`},
	} {
		base := expect.Value(ParseJSON("base", []byte(tt.base)))(t)
		over := expect.Value(ParseJSON("over", []byte(tt.over)))(t)
		expect.Equal(t, string(base.Merge(over).JSON()), tt.want, "%s merged with %s", tt.base, tt.over)
		expect.That(t, string(base.JSON()) == tt.base, "Merge changed its receiver to %s", base.JSON())
	}
	n := expect.Value(ParseJSON("n", []byte(`{"a":1,"b":2}`)))(t)
	expect.Equal(t, string(n.Without("a").JSON()), `{"b":2}`, "without a")
}
