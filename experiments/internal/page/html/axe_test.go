package html

import (
	"os"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/page/browsertest"
)

// axe-core finds nothing serious on a report with every kind of flat chart, all started:
// without ISOSCALE_LONG on a phone.
func testAccessible(t *testing.T, tab *tab) {
	axe := browsertest.Axe(t)
	for _, screen := range []struct {
		width int64
		theme string
		long  bool
	}{{1366, "light", true}, {phone, "dark", false}} {
		if screen.long && os.Getenv("ISOSCALE_LONG") == "" {
			continue
		}
		tab.screen(screen.width, 844, screen.theme)
		tab.open(flatDocument())
		if found := browsertest.Violations(tab.Tab, axe); found != "" {
			t.Errorf("%d px, %s:\n%s", screen.width, screen.theme, found)
		}
	}
}
