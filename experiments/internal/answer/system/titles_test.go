package system

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
	"github.com/isoscale/isoscale/internal/expect"
)

// Titles of applications that look like known benchmarks say what these applications leave out.
func TestTitlesSayWhatIsLeftOut(t *testing.T) {
	for name, words := range map[string][]string{
		"cg":      {"without preconditioner", "neither NPB CG nor HPCG"},
		"sweep3d": {"without the reduction of an iteration"},
	} {
		expect.Says(t, strings.SplitN(string(application.CatalogueFile(name)), "\n", 3)[1], words...)
	}
}
