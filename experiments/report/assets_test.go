package report

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const libraryFolder = "assets/echarts-5.6.0"

// The vendored files are those whose checksums were recorded when they were
// taken over, and the embedded library is one of them.
func TestVendoredFilesAreUnmodified(t *testing.T) {
	recorded, err := os.ReadFile(filepath.Join(libraryFolder, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	sums := make(map[string]string)
	for line := range strings.Lines(string(recorded)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		sums[name] = sum
	}
	for _, name := range []string{"echarts.min.js", "LICENSE", "LICENSE-d3", "NOTICE"} {
		data, err := os.ReadFile(filepath.Join(libraryFolder, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := sha256.Sum256(data); hex.EncodeToString(got[:]) != sums[name] {
			t.Errorf("%s has SHA-256 %x; recorded is %q", name, got, sums[name])
		}
		if name == "echarts.min.js" && string(data) != libraryText {
			t.Error("the embedded library is not the vendored file")
		}
	}
}

// Scripts and style sheet go into the page as they are, so they must not hold
// what ends their element or changes how a browser reads it. A carriage return
// would be changed by the browser, and the hash of the policy would not fit.
func TestAssetsFitTheirElements(t *testing.T) {
	for name, text := range map[string]string{"library": libraryText, "script": scriptText, "style": styleText} {
		for _, bad := range []string{"</script", "<script", "<!--", "</style", "\r", "\x00"} {
			if strings.Contains(strings.ToLower(text), bad) {
				t.Errorf("the %s contains %q", name, bad)
			}
		}
	}
}
