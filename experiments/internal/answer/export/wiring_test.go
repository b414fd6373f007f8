package export

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// room is a platform of three hosts at one switch and one behind an uplink.
func room(t *testing.T) *topology.Platform {
	t.Helper()
	n := build.DefaultNetwork()
	n.Latency, n.Bandwidth = 2e-6, 1e9
	c := build.Cluster{Name: "room", Network: n, Topology: build.Tree{Nodes: 3, Subclusters: []build.Subcluster{
		{Nodes: 1, Uplink: topology.Connection{Latency: 5e-6, Bandwidth: 4e9}},
	}}}
	for _, name := range []string{"a", "b", "c", "d"} {
		c.Nodes = append(c.Nodes, build.Node{Name: name, Cores: 1, Speed: 1e9})
	}
	p, err := c.Platform()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Only routes that are used are there, and back only for acknowledgements.
func TestRoutesOfPairs(t *testing.T) {
	pairs := map[pair]bool{{1, 0}: true, {0, 1}: true, {0, 2}: true}
	for _, tt := range []struct {
		p    flow.Parameters
		want []pair
	}{
		{flow.Plain(), []pair{{0, 1}, {0, 2}, {1, 0}}},
		{flow.CM02(), []pair{{0, 1}, {0, 2}, {1, 0}, {2, 0}}},
	} {
		w, err := newWiring(room(t), tt.p, pairs)
		if err != nil {
			t.Fatal(err)
		}
		var got []pair
		for _, r := range w.routes {
			got = append(got, pair{r.From, r.To})
			if len(r.Links) != 2 {
				t.Errorf("route of %d links, want up and down", len(r.Links))
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("routes %v, want %v", got, tt.want)
		}
		if w.weightS != tt.p.WeightS {
			t.Errorf("S = %v; want %v: all routes have 2 us", w.weightS, tt.p.WeightS)
		}
	}
}

// Where routes of 2 us and of 7 us share a link, all get the penalty 1 of SimGrid's
// formula, by links that are wider than any other.
func TestRoutesAreBalanced(t *testing.T) {
	pairs := map[pair]bool{{0, 1}: true, {0, 3}: true}
	w, err := newWiring(room(t), flow.Plain(), pairs)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range w.routes {
		penalty, latency := 0.0, 0.0
		for _, l := range r.Links {
			latency += float64(w.links[l].Latency)
		}
		penalty = latency
		for _, l := range r.Links {
			link := w.links[l]
			penalty += float64(w.weightS) / float64(link.Bandwidth)
			if own := strings.HasPrefix(link.Name, "weight"); own && (link.Bandwidth < 8e9*(1-1e-9) || link.Latency != 0 || !link.FatPipe) {
				t.Errorf("%s limits flows: %+v", link.Name, link)
			}
		}
		if penalty != 1 {
			t.Errorf("route from %d to %d: penalty %.17g, want 1", r.From, r.To, penalty)
		}
	}
	weighted, err := newWiring(room(t), flow.CM02(), maps.Clone(pairs))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range weighted.links {
		if strings.HasPrefix(l.Name, "weight") {
			t.Errorf("CM02 weights flows itself, but there is %s", l.Name)
		}
	}
}

// Sizes with a part of a byte get whole ones that no other size has.
func TestPayloads(t *testing.T) {
	p := newPayloads()
	for _, tt := range []struct{ size, want units.Bytes }{{10, 10}, {9.5, 11}, {9.25, 12}, {10, 10}, {11, 13}, {0, 0}} {
		if got := p.of(tt.size); got != tt.want {
			t.Errorf("%g B become %g, want %g", float64(tt.size), float64(got), float64(tt.want))
		}
		if got := p.size[p.of(tt.size)]; got != tt.size {
			t.Errorf("%g B are remembered as %g", float64(tt.size), float64(got))
		}
	}
	if p.exact {
		t.Error("sizes have changed")
	}
}
