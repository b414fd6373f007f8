package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The description of a super-program has every value that its file gives, of each level.
func TestDescriptionOfASuperProgramIsComplete(t *testing.T) {
	path := filepath.Join(t.TempDir(), "super.yaml")
	const text = `workload: super-program
levels: [3, 5]
tasks: [70, 110]
imbalance: [0.25, 0.75]
method: dispatch
time: 13 ms
scatter: 0.125
dispatch:
  - {outstanding: 2, dispatcher: separate, time: 17 us, latency: 19 us, operands: 23 kB, results: 29 kB, bandwidth: 31 MB/s, trunk: 37 MB/s}
  - {outstanding: 4, dispatcher: first-node, time: 41 us, latency: 43 us, operands: 47 kB, results: 53 kB, bandwidth: 59 MB/s, trunk: 61 MB/s}
`
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	_, s, err := ReadRunnable(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := s.Description()
	var all []string
	for _, f := range d.Facts {
		all = append(all, f.Value)
	}
	for _, table := range d.Tables {
		for _, row := range table.Rows {
			all = append(all, row...)
		}
	}
	described := "|" + strings.Join(all, "|") + "|"
	for _, want := range []string{"3", "5", "70", "110", "0.25", "0.75", "dispatch", "13 ms", "0.125",
		"2", "separate", "17 us", "19 us", "23 kB", "29 kB", "31 MB/s", "37 MB/s",
		"4", "first-node", "41 us", "43 us", "47 kB", "53 kB", "59 MB/s", "61 MB/s"} {
		if !strings.Contains(described, "|"+want+"|") {
			t.Errorf("the description has no %s: %s", want, described)
		}
	}
}
