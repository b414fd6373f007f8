package html

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/internal/expect"
)

// The vendored files have the checksums recorded when they were taken over, and the embedded texts are among them.
func TestVendoredFilesAreUnmodified(t *testing.T) {
	for _, vendored := range []struct {
		folder   string
		files    []string
		embedded map[string]string
	}{
		{"assets/echarts", []string{"echarts.min.js.gz", "LICENSE", "LICENSE-d3", "LICENSE-zrender", "NOTICE"}, map[string]string{"echarts.min.js.gz": string(libraryPacked)}},
		{"assets/echarts-gl-2.0.9", []string{"echarts-gl.min.js", "echarts-gl.min.js.LICENSE.txt", "LICENSE", "LICENSE-claygl"},
			map[string]string{"echarts-gl.min.js": spaceLibraryText, "LICENSE": spaceLicence, "LICENSE-claygl": clayLicence}},
	} {
		sums := recordedSums(t, vendored.folder)
		for _, name := range vendored.files {
			data := expect.Value(os.ReadFile(filepath.Join(vendored.folder, name)))(t)
			got := sha256.Sum256(data)
			expect.That(t, hex.EncodeToString(got[:]) == sums[name],
				"%s: %s has SHA-256 %x; recorded is %q", vendored.folder, name, got, sums[name])
			text, embedded := vendored.embedded[name]
			expect.That(t, !embedded || string(data) == text, "the embedded text is not the vendored file %s", name)
		}
	}
}

// Without its script, a kind of chart would stop the page of each report that has one. Timelines are pictures.
func TestEachKindHasItsScript(t *testing.T) {
	for _, kind := range chart.Kinds() {
		has := strings.Contains(scriptText(), "kinds."+kind+" = ") || strings.Contains(scriptText(), `kinds["`+kind+`"] = `)
		expect.That(t, has || kind == "timeline", "assets/kinds has no script that sets kinds[%q]", kind)
	}
}

func recordedSums(t *testing.T, folder string) map[string]string {
	t.Helper()
	recorded := expect.Value(os.ReadFile(filepath.Join(folder, "SHA256SUMS")))(t)
	sums := make(map[string]string)
	for line := range strings.Lines(string(recorded)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		sums[name] = sum
	}
	return sums
}

// Scripts and style sheet go into the page unchanged, so they must hold nothing that ends their element or changes how
// a browser reads it. A browser would change a carriage return, and the hash in the policy would not fit.
func TestAssetsFitTheirElements(t *testing.T) {
	for name, text := range map[string]string{"library": libraryText(), "loader": loaderText, "space library": spaceLibraryText, "script": scriptText(), "style": styleText(), "style of sizes": sizesText} {
		for _, bad := range []string{"</script", "<script", "<!--", "</style", "\r", "\x00"} {
			expect.That(t, !strings.Contains(strings.ToLower(text), bad), "the %s contains %q", name, bad)
		}
	}
}
