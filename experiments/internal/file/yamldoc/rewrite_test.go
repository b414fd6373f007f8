package yamldoc

import (
	"strings"
	"testing"
)

// Only the texts that change are others; the tree before stays, and so do places.
func TestRewritten(t *testing.T) {
	n, err := Parse("in", []byte("a: 4 +- 1\nb: ['5 +- 1', {c: x}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	before := string(n.JSON())
	var paths []string
	got := n.Rewritten(func(n *Node) string {
		paths = append(paths, n.Path())
		value, _, _ := strings.Cut(n.Text(), " +-")
		return value
	})
	if want := `{"a":4,"b":[5,{"c":"x"}]}`; string(got.JSON()) != want {
		t.Errorf("%s, want %s", got.JSON(), want)
	}
	if want := "a b[0] b[1].c"; strings.Join(paths, " ") != want {
		t.Errorf("asked for %v", paths)
	}
	if string(n.JSON()) != before {
		t.Error("the tree before has changed")
	}
	if got.get("b").Pos() != n.get("b").Pos() {
		t.Error("a place has changed")
	}
}
