package catalogue

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/metric/measured"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Every name in the catalogue is of one thing only, and describe knows it.
func TestEveryNameIsDescribed(t *testing.T) {
	sections := expect.Value(List())(t)
	kinds := map[string]string{}
	for _, s := range sections {
		expect.That(t, len(s.Entries) != 0, "no %s", s.Kind)
		for _, e := range s.Entries {
			other, again := kinds[e.Name]
			expect.That(t, !again, "%s is in %s and in %s", e.Name, other, s.Kind)
			kinds[e.Name] = s.Kind
			d, err := Describe(e.Name, DescribeOptions{})
			if err != nil {
				t.Errorf("%s: %v", e.Name, err)
				continue
			}
			if d.Kind+"s" != s.Kind || d.Name != e.Name || (len(d.Facts)+len(d.Tables) == 0 && e.Name != "ideal") { // which has no parameters
				t.Errorf("%s of %s: %+v", e.Name, s.Kind, d)
			}
		}
	}
}

// A metric is described under its name in the JSON of measured times, in either
// spelling, and with the same words.
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
			if d.Kind != "rules" && !slices.ContainsFunc(d.Tables[0].Rows, func(row []string) bool { return row[0] == op.String() }) {
				t.Errorf("%s: no row for %v: %v", name, op, d.Tables)
			}
		}
	}
}

// The words begin with what files call the topology.
func TestTopologyWordsBeginWithTheKind(t *testing.T) {
	for _, x := range []build.Topology{
		build.Star{}, build.Bus{}, build.Backbone{}, build.LeafSpine{Hosts: 4, Spines: 2, Oversubscription: 2},
		build.FatTree{Down: []int{4, 2}, Up: []int{1, 2}, Cables: []int{1, 3}},
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
