package isoscale_test

import (
	"go/parser"
	"os"
	"strings"
	"testing"
)

// Every public package has an example that runs, and of the root every identifier.
// The identifiers of the root stand on the page for users of the library.
func TestExamples(t *testing.T) {
	page, err := os.ReadFile("docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range publicPackages(t, parser.ParseComments) {
		running := map[string]bool{} // by what the example is of
		for _, e := range p.examples {
			if e.Output != "" || e.EmptyOutput {
				of, _, _ := strings.Cut(e.Name, "_")
				running[of] = true
			}
		}
		if len(running) == 0 && len(p.identifiers()) > 0 {
			t.Errorf("%s has no example with an output", p.folder)
		}
		if p.folder != "." {
			continue
		}
		for name := range p.identifiers() {
			if !running[name] {
				t.Errorf("%s has no example with an output", name)
			}
			if !strings.Contains(string(page), "`"+name+"`") {
				t.Errorf("%s is not on docs/library.md", name)
			}
		}
	}
}
