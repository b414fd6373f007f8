package yamldoc

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

var update = flag.Bool("update", false, "rewrite the expected problems in testdata")

// readScenario is a small reader in the style of the real ones.
func readScenario(root *Node) error {
	var d Decoder
	m := d.Mapping(root, "a scenario")
	d.String(m.Require("machine", "a machine"), "a machine")
	nodes := d.Mapping(m.Take("nodes"), "the nodes that take part")
	for _, kind := range nodes.Keys() {
		d.Int(nodes.Take(kind), 0, math.MaxInt, "")
	}
	network := d.Mapping(m.Take("network"), "a network")
	d.OneOf(network.Require("name", "a network"), []string{"ideal", "hockney", "loggops", "flow"}, "network")
	Quantity(&d, network.Take("latency"), parseLength, NonNegative, "a length")
	Quantity(&d, network.Take("bandwidth"), parseLength, Positive, "a length")
	network.Done()
	workload := d.Mapping(m.Require("workload", "a workload"), "a workload")
	d.String(workload.Require("name", "the name of a workload"), "the name of a workload")
	d.Int(m.Take("seed"), 0, math.MaxInt, "")
	m.Done()
	return d.Err()
}

// Each testdata/x.yaml has mistakes; x.txt lists the problems they give.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.yaml")
	expect.Need(t, err == nil && len(files) != 0, "no test data: %v", err)
	for _, file := range files {
		data := expect.Value(os.ReadFile(file))(t)
		root, err := Parse(filepath.Base(file), data)
		if err == nil {
			err = readScenario(root)
		}
		expect.Need(t, err != nil, "%s has no problems", file)
		got := err.Error() + "\n"
		golden := strings.TrimSuffix(file, ".yaml") + ".txt"
		if *update {
			expect.Success(t, os.WriteFile(golden, []byte(got), 0o644))
		}
		want := expect.Value(os.ReadFile(golden))(t)
		expect.Same(t, got, string(want), "%s", file)
	}
}
