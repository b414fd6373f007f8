package isoscale_test

import (
	"go/parser"
	"os"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// Every public package has an example that runs, and so has every identifier of the
// root. The page for users of the library names all identifiers of the root.
func TestExamples(t *testing.T) {
	page := expect.Value(os.ReadFile("docs/library.md"))(t)
	for _, p := range publicPackages(t, parser.ParseComments) {
		running := map[string]bool{} // by what the example is of
		for _, e := range p.examples {
			if e.Output != "" || e.EmptyOutput {
				of, _, _ := strings.Cut(e.Name, "_")
				running[of] = true
			}
		}
		expect.That(t, len(running) != 0 || len(p.identifiers()) <= 0, "%s has no example with an output", p.folder)
		if p.folder != "." {
			continue
		}
		for name := range p.identifiers() {
			expect.That(t, running[name], "%s has no example with an output", name)
			expect.That(t, strings.Contains(string(page), "`"+name+"`"), "%s is not on docs/library.md", name)
		}
	}
}
