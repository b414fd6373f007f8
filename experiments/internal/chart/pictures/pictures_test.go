package pictures

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

func TestTextsDoNotBreakAtJoints(t *testing.T) {
	for text, want := range map[string]string{
		"3 us later":         "3\u00a0µs later",
		"1.5 GB/s, 20 %":     "1.5\u00a0GB/s, 20\u00a0%",
		"4 us":               "4\u00a0µs",
		"r2 = 3":             "r2\u00a0=\u00a03",
		"8 bus lines":        "8 bus lines",
		"12 hosts of 3 MiB":  "12 hosts of 3\u00a0MiB",
		"990 232 EUR":        "990\u00a0232\u00a0EUR",
		"1 to 1048576 of it": "1 to 1\u00a0048\u00a0576 of it",
		"1 000 000 EUR":      "1\u00a0000\u00a0000\u00a0EUR",
		"(12000, 24000)":     "(12\u00a0000, 24\u00a0000)",
		"0.12345 in x65536":  "0.12345 in x65536", // a fraction, a name
		"9654 in 2026":       "9654 in 2026",
		"1000000000 B":       "1\u00a0000\u00a0000\u00a0000\u00a0B",
		"g=1000,S=65535":     "g=1000,S=65535", // as it is typed
	} {
		expect.Equal(t, Joined(text), want, "%s", text)
	}
	expect.List(t, Names("from node-1 to leaf-2.up-0"), []string{"from ", "node-1", " to ", "leaf-2.up-0", ""}, "names")
	expect.That(t, !strings.Contains(Elements, "JOINTS") && strings.Contains(Elements, "µs"), "the script has no joints")
}

// What a page unpacks is what was packed. The SHA-256 of nothing is known, e3b0c442 98fc1c14 ... 7852b855.
func TestPackedAndAllowed(t *testing.T) {
	text := strings.Repeat("lane,", 1000)
	packed := Packed([]byte(text))
	expect.That(t, len(packed) < len(text)/10, "%d bytes of %d", len(packed), len(text))
	r := expect.Value(gzip.NewReader(bytes.NewReader(packed)))(t)
	expect.Equal(t, string(expect.Value(io.ReadAll(r))(t)), text, "unpacked")
	expect.Equal(t, Hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "hash of nothing")
}
