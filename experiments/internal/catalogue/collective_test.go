package catalogue

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/workloads/collective"
)

// The page on collective operations has the same table of algorithms.
func TestAlgorithmsAreOnTheirPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/models/collectives.md")
	if err != nil {
		t.Fatal(err)
	}
	before := ""
	for _, a := range algorithmDocs {
		var names []string
		for _, op := range a.operations {
			names = append(names, "`"+op.String()+"`")
		}
		first := input.List(names)
		if first == before {
			first = ""
		} else {
			before, first = first, first+" "
		}
		row := "| " + first + "| `" + a.name + "` | " + a.how + " | " + a.source + " |"
		if !strings.Contains(strings.ReplaceAll(string(page), "`chain:8192`", "chain:8192"), row) {
			t.Errorf("the page lacks\n%s", row)
		}
	}
}

// Every algorithm of every operation is described, and no other.
func TestAlgorithmsAreDescribed(t *testing.T) {
	for _, op := range collective.Operations() {
		var documented []string
		for _, a := range algorithmDocs {
			if slices.Contains(a.operations, op) {
				documented = append(documented, a.name)
			}
		}
		slices.Sort(documented)
		if names := collective.Names(op); !slices.Equal(documented, names) {
			t.Errorf("%v: described are %q, there are %q", op, documented, names)
		}
		for _, name := range slices.Concat(collective.Names(op), collective.RulesNames()) {
			d, err := Describe(name, DescribeOptions{})
			if err != nil {
				t.Error(err)
				continue
			}
			if d.Kind != "rules" && !slices.ContainsFunc(d.Tables[0].Rows, func(row []string) bool { return row[0] == op.String() }) {
				t.Errorf("%s: no row for %v: %v", name, op, d.Tables)
			}
		}
	}
}
