package cluster_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// pairOn is a scenario of two nodes with a network.
func pairOn(t *testing.T, network string) *scenario.Scenario {
	t.Helper()
	return scenariotest.Scenario(t, `
machine:
  node_types: {w: {cores: 1, marked_speed: 1 Gflop/s}}
  nodes: [{type: w, count: 2}]
  network: {latency: 2 s, bandwidth: 3 B/s, send_overhead: 4 s, recv_overhead: 5 s}
workload: {name: matmul, n: 8}
network: `+network+"\n")
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

// levelOf returns what messages between the two nodes of a pair consist of.
func levelOf(t *testing.T, s *scenario.Scenario) cluster.Level {
	t.Helper()
	return made(t, s, topology.Selection{}).Prices().Levels[0]
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
			byDefault := pairOn(t, k.Name).Network.Base
			text, parameters := "{name: "+k.Name, 0
			for _, f := range k.Parameters() {
				value := random(r, f.Type)
				if value == "" {
					continue
				}
				text, parameters = text+", "+f.Key+": "+value, parameters+1
				one := pairOn(t, "{name: "+k.Name+", "+f.Key+": "+value+"}").Network.Base
				expect.That(t, !reflect.DeepEqual(one, byDefault), "%s of %s sets nothing", f.Key, k.Name)
			}
			s := pairOn(t, text+"}")
			level := levelOf(t, s)
			expect.Need(t, parameters == len(level.Parameters), "%s has %d keys and %d parameters", k.Name, parameters, len(level.Parameters))
			size := units.Bytes(r.IntN(3) * r.IntN(1000)) // often 0
			checkBill(t, level, s.Network.Base, size)

			c := cluster.AsIs
			c.Latency, c.Transfer, c.Overhead = r.Float64(), r.Float64(), r.Float64()
			factors := map[cluster.ParameterKind]float64{
				cluster.Latency: c.Latency, cluster.Bandwidth: c.Transfer, cluster.Gap: c.Transfer, cluster.Overhead: c.Overhead,
			}
			s.Network.Network = s.Network.With(c)
			after := levelOf(t, s)
			for i, p := range level.Parameters {
				expect.Close(t, after.Parameters[i].Cost(), p.Cost()*factors[p.Kind], 1e-12, "%s of %s, changed by %+v", p.Name, k.Name, c)
			}
			checkBill(t, after, s.Network.Base, size)
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
