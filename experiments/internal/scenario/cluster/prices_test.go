package cluster_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// pair is a machine of two nodes.
func pair(n topology.Network) *topology.Machine {
	return &topology.Machine{
		Name:    "m",
		Types:   []topology.NodeType{{Name: "node", Cores: 1, MarkedSpeed: 1e9}},
		Groups:  []topology.Group{{Type: "node", Name: "node", Count: 2, First: 1}},
		Network: n,
	}
}

// parts are the parts of what a message costs, in seconds.
func parts(m network.Model, size units.Bytes) []float64 {
	c := m.Message(0, 1, size)
	return []float64{float64(c.SendOverhead), float64(c.Transmission), float64(c.Latency), float64(c.RecvOverhead)}
}

// random is a random value of a parameter as a file states it, "" for other types.
func random(r *rand.Rand, of schema.Type) string {
	switch of.(type) {
	case schema.Quantity[units.Seconds]:
		return fmt.Sprint(r.Float64(), " s")
	case schema.Quantity[units.BytesPerSecond]:
		return fmt.Sprint(0.1+r.Float64(), " B/s")
	}
	return ""
}

// readOn reads a network on a machine.
func readOn(t *testing.T, text string, m *topology.Machine) networks.Network {
	t.Helper()
	root := expect.Value(yamldoc.Parse("test.yaml", []byte(text)))(t)
	var d yamldoc.Decoder
	n := networks.Read(&d, root, m)
	expect.Success(t, d.Err())
	return n
}

// levelOf returns what messages between the two nodes of a pair consist of.
func levelOf(t *testing.T, n cluster.Network, m *topology.Machine) cluster.Level {
	t.Helper()
	s := expect.Value(cluster.New(m, topology.Selection{}, n, 1<<20))(t)
	return s.Prices().Levels[0]
}

// Of each model that prices messages one by one: every parameter counts; the bill of a message, evaluated with the
// values of its parameters, is its cost; a change multiplies the parameters of a kind, and nothing else.
func TestModelsThatPriceMessages(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 5))
	for _, k := range networks.Kinds {
		if k.Free || k.SharesLinks {
			continue
		}
		for range 100 {
			m := pair(topology.Network{Latency: 2, Bandwidth: 3, SendOverhead: 4, RecvOverhead: 5})
			byDefault := readOn(t, k.Name, m).Base
			text, parameters := "{name: "+k.Name, 0
			for _, f := range k.Parameters() {
				value := random(r, f.Type)
				if value == "" {
					continue
				}
				text, parameters = text+", "+f.Key+": "+value, parameters+1
				one := readOn(t, "{name: "+k.Name+", "+f.Key+": "+value+"}", m).Base
				expect.That(t, !reflect.DeepEqual(one, byDefault), "%s of %s sets nothing", f.Key, k.Name)
			}
			n := readOn(t, text+"}", m)
			level := levelOf(t, n.Network, m)
			expect.Need(t, parameters == len(level.Parameters), "%s has %d keys and %d parameters", k.Name, parameters, len(level.Parameters))
			size := units.Bytes(r.IntN(3) * r.IntN(1000)) // often 0
			checkBill(t, level, n.Base, size)

			c := cluster.AsIs
			c.Latency, c.Transfer, c.Overhead = r.Float64(), r.Float64(), r.Float64()
			factors := map[cluster.ParameterKind]float64{
				cluster.Latency: c.Latency, cluster.Bandwidth: c.Transfer, cluster.Gap: c.Transfer, cluster.Overhead: c.Overhead,
			}
			changed := n.With(c)
			after := levelOf(t, changed, m)
			for i, p := range level.Parameters {
				expect.Close(t, after.Parameters[i].Cost(), p.Cost()*factors[p.Kind], 1e-12, "%s of %s, changed by %+v", p.Name, k.Name, c)
			}
			checkBill(t, after, changed.Base, size)
		}
	}
}

func checkBill(t *testing.T, level cluster.Level, m network.Model, size units.Bytes) {
	t.Helper()
	b, want := level.Bill(size), parts(m, size)
	for part, terms := range []cluster.Terms{b.SendOverhead, b.Transmission, b.Latency, b.RecvOverhead} {
		sum := 0.0
		for i, p := range level.Parameters {
			sum += terms[i] * p.Cost()
		}
		expect.Close(t, sum, want[part], 1e-12, "part %d of %+v, %v", part, m, size)
	}
}
