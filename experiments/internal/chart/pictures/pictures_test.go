package pictures

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

func TestTextsDoNotBreakAtJoints(t *testing.T) {
	for text, want := range map[string]string{
		"3 us later":        "3\u00a0µs later",
		"1.5 GB/s, 20 %":    "1.5\u00a0GB/s, 20\u00a0%",
		"4 us":              "4\u00a0µs",
		"r2 = 3":            "r2\u00a0=\u00a03",
		"8 bus lines":       "8 bus lines",
		"12 hosts of 3 MiB": "12 hosts of 3\u00a0MiB",
	} {
		expect.Equal(t, Joined(text), want, "%s", text)
	}
	expect.List(t, Names("from node-1 to leaf-2.up-0"), []string{"from ", "node-1", " to ", "leaf-2.up-0", ""}, "names")
	expect.That(t, !strings.Contains(Elements, "JOINTS") && strings.Contains(Elements, "µs"), "the script has no joints")
}
