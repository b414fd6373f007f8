package catalogue

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/measured"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Every name in the catalogue stands for one thing only, and describe knows it; but a machine may have the name of its
// node type, and is then described with it.
func TestEveryNameIsDescribed(t *testing.T) {
	sections := expect.Value(List())(t)
	kinds := map[string]string{}
	for _, s := range sections {
		expect.That(t, len(s.Entries) != 0, "no %s", s.Kind)
		for _, e := range s.Entries {
			other, again := kinds[e.Name]
			if other == "machines" && s.Kind == "nodes" {
				d := expect.Value(Describe(e.Name, DescribeOptions{}))(t)
				expect.That(t, slices.ContainsFunc(d.Tables, func(x input.DataTable) bool { return x.Title == "figures of a node in plans, "+e.Title }), "%s: %+v", e.Name, d)
				continue
			}
			expect.That(t, !again, "%s is in %s and in %s", e.Name, other, s.Kind)
			kinds[e.Name] = s.Kind
			d, err := Describe(e.Name, DescribeOptions{})
			expect.Need(t, err == nil, "%s: %v", e.Name, err)
			if d.Kind+"s" != s.Kind || d.Name != e.Name || (len(d.Facts)+len(d.Tables) == 0 && e.Name != "ideal") { // which has no parameters
				t.Errorf("%s of %s: %+v", e.Name, s.Kind, d)
			}
		}
	}
}

// A metric is described under its name in the JSON of measured times, in either spelling, with the same words.
func TestMetricsHaveOneDescription(t *testing.T) {
	for _, m := range measured.Metrics() {
		d := expect.Value(Describe(m.Name, DescribeOptions{}))(t)
		other, err := Describe(strings.ReplaceAll(m.Name, "_", "-"), DescribeOptions{})
		expect.That(t, err == nil && reflect.DeepEqual(d, other), "%s with hyphens: %+v, %v", m.Name, other, err)
		said := false
		for _, f := range d.Facts {
			said = said || f.Name == "misleads when" && f.Value == m.Misleads
		}
		expect.That(t, said, "%s does not say when it misleads: %+v", m.Name, d.Facts)
	}
}

// Every algorithm of every operation is described, and no other.
func TestAlgorithmsAreDescribed(t *testing.T) {
	for _, op := range collective.Operations() {
		var documented []string
		for _, a := range algorithmDocs {
			if slices.Contains(strings.Fields(a[0]), op.String()) {
				documented = append(documented, a[1])
			}
		}
		slices.Sort(documented)
		names := collective.Names(op)
		expect.That(t, slices.Equal(documented, names), "%v: described are %q, there are %q", op, documented, names)
		for _, name := range slices.Concat(collective.Names(op), collective.RulesNames()) {
			d, err := Describe(name, DescribeOptions{})
			if err != nil {
				t.Error(err)
				continue
			}
			expect.That(t, d.Kind == "rules" ||
				slices.ContainsFunc(d.Tables[0].Rows, func(row []string) bool { return row[0] == op.String() }),
				"%s: no row for %v: %v", name, op, d.Tables)
		}
	}
}

// The words begin with what files call the topology.
func TestTopologyWordsBeginWithTheKind(t *testing.T) {
	for _, x := range []build.Topology{
		build.Star{}, build.Bus{}, build.Backbone{}, build.LeafSpine{Hosts: 4, Spines: 2, Oversubscription: 2},
		build.FatTree{Down: []int{4, 2}, Up: []int{1, 2}, Cables: []int{1, 3}},
		build.Rails{Tree: build.LeafSpine{Hosts: 4, Spines: 2, Oversubscription: 2}}, build.Rails{Tree: build.FatTree{Down: []int{4, 2}, Up: []int{1, 2}, Cables: []int{1, 3}}, Planes: true},
		build.Torus{Dimensions: []int{4, 2}}, build.Torus{Dimensions: []int{8}, Mesh: true},
		build.Dragonfly{Groups: 2, Chassis: 1, Routers: 2, Nodes: 2},
		build.Tree{Nodes: 1, Subclusters: []build.Subcluster{{Nodes: 3}}},
		build.Graph{Links: []build.Cable{{From: "n-1", To: "n-2"}}},
	} {
		words := topologyWords(build.Cluster{Topology: x})
		expect.That(t, strings.HasPrefix(words, strings.ReplaceAll(x.Kind(), "-", " ")+": "),
			"%s is described as %q", x.Kind(), words)
	}
}

// What the program knows of a node type and of a network that plans may buy is described with its range, date and mark
// of an estimate; the documents are listed, and so are the ports of a switch.
func TestEntriesOfPlansAreDescribed(t *testing.T) {
	for name, want := range map[string][]string{
		"dgx-h100":       {"price 270000 USD 199000 to 317000 2023-05 yes", "marked speed 365.4 Tflop/s", "supercluster.blog secondary, read 2026-11-26: https://"},
		"infiniband-ndr": {"price of a cable 1280 USD 586 to 1280 2024-08 yes", "price of a switch 43000 USD 36000 to 50000", "ports of a switch 64"},
	} {
		d := expect.Value(Describe(name, DescribeOptions{}))(t)
		var all strings.Builder
		for _, f := range d.Facts {
			all.WriteString(f.Name + " " + f.Value + "\n")
		}
		for _, x := range d.Tables {
			for _, row := range x.Rows {
				all.WriteString(strings.Join(row, " ") + "\n")
			}
		}
		for _, line := range want {
			expect.That(t, strings.Contains(all.String(), line), "%s: no %q in\n%s", name, line, all.String())
		}
	}
	for wrong, near := range map[string]string{"turn": "turin", "h100": "dgx-h100, h100-pcie", "infiniband-ndt": "infiniband-ndr"} {
		_, err := Describe(wrong, DescribeOptions{})
		expect.That(t, err != nil && strings.Contains(err.Error(), "did you mean "+near), "%s: %v", wrong, err)
	}
}
