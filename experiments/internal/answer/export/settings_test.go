package export

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// flowNetwork reads a network.
func flowNetwork(t *testing.T, text string) *cluster.Flow {
	t.Helper()
	return scenariotest.Scenario(t, `
machine: {node_types: {w: {marked_speed: 1 Mflop/s}}, nodes: [{type: w, count: 2}], network: {latency: 1 us, bandwidth: 1 GB/s}}
network: `+text+`
workload: {name: gauss, n: 3}
`).Network.Flow
}

// Where a model agrees with SimGrid's, the options are SimGrid's defaults for that
// model, or are stated.
func TestSettings(t *testing.T) {
	end := []string{"surf/precision:1e-12", "network/optim:Full"}
	none := []string{"smpi/async-small-thresh:2147483647", "smpi/send-is-detached-thresh:2147483647"}
	for _, tt := range []struct {
		network string
		sizes   []units.Bytes
		want    []string
	}{
		{"{name: flow, model: CM02, eager_limit: none}", []units.Bytes{1, 2, 3},
			slices.Concat([]string{"network/model:CM02", "network/weight-S:0", "network/TCP-gamma:4194304", "network/crosstraffic:yes"}, none, end)},
		{"{name: flow, model: LV08, send_overhead: 2 us, recv_overhead: 3 us, eager_limit: none}", []units.Bytes{1},
			slices.Concat([]string{"network/model:CM02", "network/latency-factor:13.01", "network/bandwidth-factor:0.97",
				"network/weight-S:20537", "network/TCP-gamma:4194304", "network/crosstraffic:yes"}, none,
				[]string{"smpi/os:0:2e-06:0", "smpi/ois:0:2e-06:0", "smpi/or:0:3e-06:0"}, end)},
		// 4 bytes count as 20 in SimGrid and as 4 here: 20/5 = 4; 16 as 32: 32/2 = 16.
		// Of 0 bytes, 16 in SimGrid, there is nothing to transfer.
		// 64 KiB, the default, still flow at once: SimGrid's thresholds are the first size above.
		{"{name: flow, model: CM02}", []units.Bytes{1},
			slices.Concat([]string{"network/model:CM02", "network/weight-S:0", "network/TCP-gamma:4194304", "network/crosstraffic:yes",
				"smpi/async-small-thresh:65537", "smpi/send-is-detached-thresh:65537"}, end)},
		{"{name: flow, eager_limit: 2 MB}", []units.Bytes{16, 4, 0},
			slices.Concat([]string{"network/model:SMPI", "smpi/lat-factor:0:1", "smpi/bw-factor:0:1000000000;16:5;20:2",
				"network/weight-S:0", "network/TCP-gamma:0", "network/crosstraffic:no",
				"smpi/async-small-thresh:2000001", "smpi/send-is-detached-thresh:2000001"}, end)},
	} {
		s := settings{Flow: flowNetwork(t, tt.network), sizes: newPayloads()}
		s.weightS = s.Parameters.WeightS
		for _, size := range tt.sizes {
			s.sizes.of(size)
		}
		got, err := s.list()
		expect.That(t, err == nil && slices.Equal(got, tt.want), "%s: %q, %v\nwant %q", tt.network, got, err, tt.want)
	}
}

// Many sizes share steps, so that the option stays short; each factor is right to
// 1e-7. Too many different factors are refused.
func TestManySizes(t *testing.T) {
	s := settings{Flow: flowNetwork(t, "flow"), sizes: newPayloads()}
	for i := range 20_000 {
		s.sizes.of(units.Bytes(100_000 + 8*i))
	}
	_, bandwidth, err := s.factors()
	expect.Success(t, err)
	n := len(table(bandwidth))
	expect.That(t, n <= longestOption, "the option has %d characters", n)
	for q := range s.sizes.size {
		f := bandwidth.At(q+16) * float64(q) / float64(q+16)
		expect.Need(t, f >= 1-1e-7 && f <= 1+1e-7, "a message of %v takes %.12g times as long", q, 1/f)
	}
	for i := range 20_000 {
		s.sizes.of(units.Bytes(1 + i))
	}
	_, _, err = s.factors()
	expect.That(t, err != nil, "20 000 small sizes are accepted")
}

// room is a platform of three hosts at one switch and one behind an uplink.
func room(t *testing.T) *topology.Platform {
	t.Helper()
	n := build.Network{Latency: 2e-6, Bandwidth: 1e9}
	c := build.Cluster{Name: "room", Network: n, Topology: build.Tree{Nodes: 3, Subclusters: []build.Subcluster{
		{Nodes: 1, Uplink: topology.Connection{Latency: 5e-6, Bandwidth: 4e9}},
	}}}
	for _, name := range []string{"a", "b", "c", "d"} {
		c.Nodes = append(c.Nodes, build.Node{Name: name, Cores: 1, Speed: 1e9})
	}
	return expect.Value(c.Platform())(t)
}

// Only routes that are used are written, and ways back only for acknowledgements.
func TestRoutesOfPairs(t *testing.T) {
	pairs := map[pair]bool{{1, 0}: true, {0, 1}: true, {0, 2}: true}
	for _, tt := range []struct {
		p    flow.Parameters
		want []pair
	}{
		{flow.Plain(), []pair{{0, 1}, {0, 2}, {1, 0}}},
		{flow.CM02(), []pair{{0, 1}, {0, 2}, {1, 0}, {2, 0}}},
	} {
		w := expect.Value(newWiring(room(t), tt.p, pairs))(t)
		var got []pair
		for _, r := range w.routes {
			got = append(got, pair{r.From, r.To})
			expect.That(t, len(r.Links) == 2, "route of %d links, want up and down", len(r.Links))
		}
		expect.That(t, slices.Equal(got, tt.want), "routes %v, want %v", got, tt.want)
		expect.That(t, w.weightS == tt.p.WeightS, "S = %v; want %v: all routes have 2 us", w.weightS, tt.p.WeightS)
	}
}

// Where routes of 2 us and of 7 us share a link, all get the penalty 1 of SimGrid's
// formula, by links that are wider than any other.
func TestRoutesAreBalanced(t *testing.T) {
	pairs := map[pair]bool{{0, 1}: true, {0, 3}: true}
	w := expect.Value(newWiring(room(t), flow.Plain(), pairs))(t)
	for _, r := range w.routes {
		penalty, latency := 0.0, 0.0
		for _, l := range r.Links {
			latency += float64(w.links[l].Latency)
		}
		penalty = latency
		for _, l := range r.Links {
			link := w.links[l]
			penalty += float64(w.weightS) / float64(link.Bandwidth)
			own := strings.HasPrefix(link.Name, "weight")
			expect.That(t, !own || link.Bandwidth >= 8e9*(1-1e-9) && link.Latency == 0 && link.FatPipe,
				"%s limits flows: %+v", link.Name, link)
		}
		expect.That(t, penalty == 1, "route from %d to %d: penalty %.17g, want 1", r.From, r.To, penalty)
	}
	weighted := expect.Value(newWiring(room(t), flow.CM02(), maps.Clone(pairs)))(t)
	for _, l := range weighted.links {
		expect.That(t, !strings.HasPrefix(l.Name, "weight"), "CM02 weights flows itself, but there is %s", l.Name)
	}
}

// Sizes that are not whole numbers get whole ones that no other size has.
func TestPayloads(t *testing.T) {
	p := newPayloads()
	for _, tt := range []struct{ size, want units.Bytes }{{10, 10}, {9.5, 11}, {9.25, 12}, {10, 10}, {11, 13}, {0, 0}} {
		expect.Equal(t, p.of(tt.size), tt.want, "%g B become", float64(tt.size))
		expect.Equal(t, p.size[p.of(tt.size)], tt.size, "a size that is remembered")
	}
	expect.That(t, !p.exact, "sizes have changed")
}
