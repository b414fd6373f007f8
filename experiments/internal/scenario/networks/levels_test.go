package networks

import (
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// subclusters is a machine of 3 levels: 2 switches of 3 switches of 4 nodes.
func subclusters() *topology.Machine {
	return &topology.Machine{
		Name:   "m",
		Types:  []topology.NodeType{{Name: "node", Cores: 1, MarkedSpeed: 1e9}},
		Groups: []topology.Group{{Type: "node", Name: "node", Count: 24, First: 1}},
		Network: topology.Network{
			Latency: 1e-6, Bandwidth: 8e9,
			Topology: build.Levels{Counts: []int{4, 3, 2}, Uplinks: []topology.Connection{
				{Latency: 5e-6, Bandwidth: 16e9}, {Latency: 20e-6, Bandwidth: 2e9},
			}},
		},
	}
}

func readOn(t *testing.T, text string, m *topology.Machine) (Network, error) {
	t.Helper()
	root := expect.Value(yamldoc.Parse("test.yaml", []byte(text)))(t)
	var d yamldoc.Decoder
	return Read(&d, root, m), d.Err()
}

// A message crosses every uplink once upwards and once downwards, and is not faster than the slowest of these: 1 us at
// one switch, 2 x 5 us more over one level of uplinks, and 2 x 20 us more over two. The first uplinks, of 16 GB/s, are
// faster than the nodes' own 8 GB/s, and the second, of 2 GB/s, are slower.
func TestMessagesBehindUplinks(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []network.Model
	}{
		{"hockney", []network.Model{
			network.Hockney{Latency: 1e-6, Bandwidth: 8e9, EagerLimit: network.NoLimit},
			network.Hockney{Latency: 11e-6, Bandwidth: 8e9, EagerLimit: network.NoLimit},
			network.Hockney{Latency: 51e-6, Bandwidth: 2e9, EagerLimit: network.NoLimit},
		}},
		{"loggops", []network.Model{
			network.LogGOPS{Latency: 1e-6, GapPerByte: 1 / 8e9, Synchronous: network.NoLimit},
			network.LogGOPS{Latency: 11e-6, GapPerByte: 1 / 8e9, Synchronous: network.NoLimit},
			network.LogGOPS{Latency: 51e-6, GapPerByte: 1 / 2e9, Synchronous: network.NoLimit},
		}},
		// What the scenario says of the innermost level also counts beneath the uplinks.
		{"{name: hockney, latency: 3 us, eager_limit: 1 kB}", []network.Model{
			network.Hockney{Latency: 3e-6, Bandwidth: 8e9, EagerLimit: 1000},
			network.Hockney{Latency: 13e-6, Bandwidth: 8e9, EagerLimit: 1000},
			network.Hockney{Latency: 53e-6, Bandwidth: 2e9, EagerLimit: 1000},
		}},
	} {
		n := expect.Value(readOn(t, tt.text, subclusters()))(t)
		expect.Need(t, n.Tree != nil && len(n.Tree.Below) == len(tt.want),
			"%s: levels %+v, want %d", tt.text, n.Tree, len(tt.want))
		for level, got := range n.Tree.Below {
			expect.That(t, near(got, tt.want[level]),
				"%s: between nodes below a switch of level %d: %+v, want %+v", tt.text, level, got, tt.want[level])
		}
	}
}

// near reports whether two models have the same parameters except for rounding, which sums of latencies have.
func near(a, b network.Model) bool {
	const eps = 1e-18
	switch x := a.(type) {
	case network.Hockney:
		y, ok := b.(network.Hockney)
		d := x.Latency - y.Latency
		x.Latency = y.Latency
		return ok && d < eps && d > -eps && x == y
	case network.LogGOPS:
		y, ok := b.(network.LogGOPS)
		d := x.Latency - y.Latency
		x.Latency = y.Latency
		return ok && d < eps && d > -eps && x == y
	}
	return false
}

// The topology has already said it: saying it in a second place is a contradiction.
func TestBetweenGroupsContradictsUplinks(t *testing.T) {
	for _, text := range []string{"{name: hockney, between_groups: {latency: 1 s}}", "{name: loggops, between_groups: {L: 1 s}}"} {
		expect.Refusal(readOn(t, text, subclusters()))(t, "whose uplinks say the same")
	}
}

// A message of the limit's size is sent eagerly in every model, one of the next size waits. 0 B means 0 bytes, so that
// all but empty messages wait; none lets no message wait. Where nothing is said, messages above 64 KiB wait on shared
// links, and none elsewhere.
func TestEagerLimitMeansTheSameEverywhere(t *testing.T) {
	waits := func(n Network, size float64) bool {
		switch m := n.Base.(type) {
		case network.Hockney:
			return m.Rendezvous(units.Bytes(size))
		case network.LogGOPS:
			return m.Rendezvous(units.Bytes(size))
		}
		p := n.Flow.Protocol
		expect.That(t, p.Eager(units.Bytes(size)) == p.Detached(units.Bytes(size)),
			"flow: %v bytes are eager %v and detached %v", size, p.Eager(units.Bytes(size)), p.Detached(units.Bytes(size)))
		return !p.Eager(units.Bytes(size))
	}
	for _, model := range []string{"hockney", "loggops", "flow"} {
		n := expect.Value(readOn(t, model, subclusters()))(t)
		expect.That(t, !waits(n, 65536) && waits(n, 65537) == (model == "flow"), "%s has another limit by itself", model)
	}
	for model, key := range map[string]string{"hockney": "eager_limit", "loggops": "S", "flow": "eager_limit"} {
		for _, tt := range []struct {
			limit         string
			eager, waited []float64
		}{
			{"0 B", []float64{0}, []float64{1, 1e9}},
			{"2 kB", []float64{0, 1, 2000}, []float64{2001, 1e12}},
			{"none", []float64{0, 1, 1e15}, nil},
		} {
			n := expect.Value(readOn(t, "{name: "+model+", "+key+": "+tt.limit+"}", subclusters()))(t)
			for _, size := range tt.eager {
				expect.That(t, !waits(n, size), "%s, %s %s: %v bytes wait", model, key, tt.limit, size)
			}
			for _, size := range tt.waited {
				expect.That(t, waits(n, size), "%s, %s %s: %v bytes do not wait", model, key, tt.limit, size)
			}
		}
	}
}
