package networks

import (
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
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

// costs are the parts of what a message costs, in seconds.
func costs(m network.Model, size units.Bytes) []float64 {
	c := m.Message(0, 1, size)
	return []float64{float64(c.SendOverhead), float64(c.Transmission), float64(c.Latency), float64(c.RecvOverhead)}
}

// A message crosses every uplink once upwards and once downwards, and is not faster than the slowest of these: 1 us at
// one switch, 2 x 5 us more over one level of uplinks, and 2 x 20 us more over two. The first uplinks, of 16 GB/s, are
// faster than the nodes' own 8 GB/s, and the second, of 2 GB/s, are slower. So a level is like a machine without levels
// that has these figures.
func TestMessagesBehindUplinks(t *testing.T) {
	for _, k := range Kinds {
		if k.connection == nil {
			continue
		}
		n := expect.Value(readOn(t, k.Name, subclusters()))(t)
		like := []topology.Connection{{Latency: 1e-6, Bandwidth: 8e9}, {Latency: 11e-6, Bandwidth: 8e9}, {Latency: 51e-6, Bandwidth: 2e9}}
		expect.Need(t, n.Tree != nil && len(n.Tree.Below) == len(like), "%s: levels %+v, want %d", k.Name, n.Tree, len(like))
		for level, c := range like {
			flat := subclusters()
			flat.Network = topology.Network{Latency: c.Latency, Bandwidth: c.Bandwidth}
			want := costs(expect.Value(readOn(t, k.Name, flat))(t).Base, 1e6)
			for i, got := range costs(n.Tree.Below[level], 1e6) {
				expect.Close(t, got, want[i], 1e-12, "%s below a switch of level %d, part %d of the cost", k.Name, level, i)
			}
		}
	}
}

// What the scenario says of the innermost level also counts beneath the uplinks.
func TestParametersCountBehindUplinks(t *testing.T) {
	n := expect.Value(readOn(t, "{name: hockney, latency: 3 us, eager_limit: 1 kB}", subclusters()))(t)
	for level, latency := range []float64{3e-6, 13e-6, 53e-6} {
		m := n.Tree.Below[level]
		expect.Close(t, float64(m.Message(0, 1, 0).Latency), latency, 1e-12, "latency below a switch of level %d", level)
		expect.That(t, m.Rendezvous(1001) && !m.Rendezvous(1000), "below a switch of level %d the limit is another", level)
	}
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
		if n.Flow == nil {
			return n.Base.Rendezvous(units.Bytes(size))
		}
		p := n.Flow.Protocol
		expect.That(t, p.Eager(units.Bytes(size)) == p.Detached(units.Bytes(size)),
			"flow: %v bytes are eager %v and detached %v", size, p.Eager(units.Bytes(size)), p.Detached(units.Bytes(size)))
		return !p.Eager(units.Bytes(size))
	}
	for _, k := range Kinds {
		if k.Free {
			continue
		}
		n := expect.Value(readOn(t, k.Name, subclusters()))(t)
		expect.That(t, !waits(n, 65536) && waits(n, 65537) == k.SharesLinks, "%s has another limit by itself", k.Name)
		limits := slices.DeleteFunc(slices.Clone(k.Parameters()), func(f schema.Field) bool {
			return !strings.Contains(f.Meaning, "(eager)")
		})
		if len(limits) == 0 {
			continue
		}
		model, key := k.Name, limits[0].Key
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
