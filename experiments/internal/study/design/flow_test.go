package design

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// roundTrip writes a value in one line, sets it and reads it back.
func roundTrip(t interface{ Fatalf(string, ...any) }, value *yamldoc.Node) {
	text := flow(value)
	if strings.ContainsAny(text, "\r\n") {
		t.Fatalf("several lines: %q", text)
	}
	root, err := yamldoc.Parse("f.yaml", []byte("k: 0"))
	if err != nil {
		t.Fatalf("%v", err)
	}
	if root, err = root.Set("k", text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	got := root.Plain().(map[string]any)["k"]
	if diff := cmp.Diff(value.Plain(), got); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", text, diff)
	}
}

func TestFlow(t *testing.T) {
	for in, want := range map[string]string{
		"50 us":                   "50 us",
		"1e3":                     "1e3",
		"'1e3'":                   `"1e3"`,
		"'true'":                  `"true"`,
		"Null":                    "null",
		"a: b\nc:\n- d, e\n- [ ]": `{a: b, c: ["d, e", []]}`,
		"|\n  one\n  two\n":       `"one\ntwo\n"`,
		"{}":                      "{}",
		"{a: {'b c': '', '': 1}}": `{a: {b c: "", "": 1}}`,
		"0x10":                    "0x10",
		"inf":                     `"inf"`,
		"50 µs":                   `"50 µs"`,
	} {
		root, err := yamldoc.Parse("f.yaml", []byte(in))
		if err != nil {
			t.Fatal(err)
		}
		if got := flow(root); got != want {
			t.Errorf("%q is written %s, want %s", in, got, want)
		}
		roundTrip(t, root)
	}
}

func TestFlowRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "string")
		// Any string at all can only be given in quotes.
		root, err := yamldoc.Parse("f.yaml", fmt.Appendf(nil, "[%q, {k: %q}]", s, s))
		if err != nil {
			t.Skip("not a document:", err)
		}
		roundTrip(t, root)
	})
}
