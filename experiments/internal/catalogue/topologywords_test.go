package catalogue

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
)

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
		if !strings.HasPrefix(words, strings.ReplaceAll(x.Kind(), "-", " ")+": ") {
			t.Errorf("%s is described as %q", x.Kind(), words)
		}
	}
}
