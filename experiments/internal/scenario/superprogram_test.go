package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema/schematest"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/expect"
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
	expect.Success(t, os.WriteFile(path, []byte(text), 0o666))
	_, s, err := Disk.ReadRunnable(path, nil)
	expect.Success(t, err)
	d := s.Description()
	all := each.Append(nil, d.Facts, func(f input.Parameter) string { return f.Value })
	for _, table := range d.Tables {
		for _, row := range table.Rows {
			all = append(all, row...)
		}
	}
	described := "|" + strings.Join(all, "|") + "|"
	for _, want := range []string{"3", "5", "70", "110", "0.25", "0.75", "dispatch", "13 ms", "0.125",
		"2", "separate", "17 us", "19 us", "23 kB", "29 kB", "31 MB/s", "37 MB/s",
		"4", "first-node", "41 us", "43 us", "47 kB", "53 kB", "59 MB/s", "61 MB/s"} {
		expect.That(t, strings.Contains(described, "|"+want+"|"), "the description has no %s: %s", want, described)
	}
}

func TestSuperProgramErrors(t *testing.T) {
	form := schematest.Of(t, SuperProgramType)
	type mistake struct{ text, want string }
	unsaid := []mistake{ // by the schema
		{"levels: [[4, 8], 4]\ntasks: [1, 1]\nmethod: dispatch", ":2:10: levels[0]: a list at the outermost level, which is one group; expected a number, because the outermost level is first: [2, [4, 8]] are 2 clusters with these counts, and [2, [4, 8], 4] those of 4 nodes each; the levels of a tree are in the other order"},
		{"levels: [2, [4, 8]]\ntasks: [1, 1]\nimbalance: [1, 1]", ":2:9: levels: the nodes of level 2 differ, but [Jin] Eq. 24 to 26 are for nodes that are alike; expected method: dispatch"},
		{"levels: [2, 4]\ntasks: [1, 1]\nimbalance: [1, 1]\nspeeds: [[1, 2], 1]", "the nodes of level 1 differ"},
	}
	for i, tt := range append(unsaid, []mistake{
		{"levels: [4, 4]\ntasks: [10]\nimbalance: [1, 1]", ":3:8: tasks: 1 values; expected 2, one for each level"},
		{"levels: []\ntasks: []\nimbalance: []", ":2:9: levels: 0 levels; expected 1 to 16 levels"},
		{"levels: [0]\ntasks: [1]\nimbalance: [1]", ":2:10: levels[0]: 0 is less than 1"},
		{"log2_levels: [27]\ntasks: [1]\nimbalance: [1]", ":2:15: log2_levels[0]: 27 is more than 26"},
		{"levels: [2]\nlog2_levels: [1]\ntasks: [1]\nimbalance: [1]", "levels and log2_levels say the same; expected one of them"},
		{"levels: [2]\ntasks: [n2]\nimbalance: [1]", `:3:9: tasks[0]: "n2": unknown name n2 (at character 1); expected one of n1`},
		{"levels: [2]\ntasks: [0 - n1]\nimbalance: [1]", ":3:9: tasks[0]: 0 - n1 is -2; expected a number of SIs above 0"},
		{"levels: [2]\ntasks: [n1 * 2 kB]\nimbalance: [1]", `:3:9: tasks[0]: "n1 * 2 kB": this is a size; expected a number of SIs above 0`},
		{"levels: [2]\ntasks: [4]", `missing key "imbalance"`},
		{"levels: [2]\ntasks: [4]\nimbalance: [1]\nmethod: magic", `unknown method "magic"`},
		{"levels: [2]\ntasks: [4]\nimbalance: [1]\nnodes: {a: 1}", "nodes"},
		{"levels: [2]\ntasks: [4]\nmethod: dispatch\ndispatch: {latency: 5 kg}", "dispatch.latency"},
		{"levels: [2]\ntasks: [4]\nmethod: dispatch\nscatter: 2", "scatter: 2 is out of range"},
		{"levels: [2, 4]\ntasks: [1, 1]\nmethod: dispatch\nspeeds: [1]", "speeds: 1 values; expected 2, one for each level"},
		{"levels: [2, 4]\ntasks: [1, 1]\nmethod: dispatch\nspeeds: [1, [1, 0]]", "speeds[1][1]: 0 is out of range; expected a speed above 0"},
		{"levels: [2, []]\ntasks: [1, 1]\nmethod: dispatch", "levels[1]: no groups"},
		{"levels: [2, [4, 0]]\ntasks: [1, 1]\nmethod: dispatch", "levels[1][1]: 0 is less than 1"},
		{"log2_levels: [2, [4, 0]]\ntasks: [1, 1]\nmethod: dispatch", "log2_levels[1]"},
	}...) {
		text := "workload: super-program\n" + tt.text + "\n"
		_, _, err := Documents{"super.yaml": []byte(text)}.ReadRunnable("super.yaml", nil)
		expect.That(t, err != nil && strings.Contains(err.Error(), tt.want) && input.IsError(err),
			"%s\ngives %v\nwant %s", tt.text, err, tt.want)
		err = form.AgreeText(text, err)
		expect.That(t, err == nil || i < len(unsaid), "%s: %v", tt.text, err)
	}
}
