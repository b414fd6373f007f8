package machines

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

func TestReadMachine(t *testing.T) {
	m := expect.Value(Parse("m.yaml", []byte(`
name: mine
title: a machine
source: a shop
notes: [one, two]
node_types:
  fat: {title: big, cores: 4, marked_speed: 10 Gflop/s, memory: 64 GiB, memory_bandwidth: 20 GB/s, nic: 10 Gbit/s, power: 350 W, price: 3200 EUR}
  thin: {marked_speed: 1 Gflop/s}
nodes:
  - {type: thin}
  - {type: fat, count: 2, name: f}
  - {type: thin, count: 2, name: t, first: 7}
network: {title: net, latency: 5 us, bandwidth: 1 Gbit/s, send_overhead: 1 us, recv_overhead: 2 us}
`)))(t)
	want := &topology.Machine{
		Name: "mine", Title: "a machine", Source: "a shop", Notes: []string{"one", "two"},
		Types: []topology.NodeType{
			{Name: "fat", Title: "big", Cores: 4, MarkedSpeed: 10e9, Memory: 64 << 30, MemoryBandwidth: 20e9, NIC: 1.25e9,
				Power: 350, Price: units.Money{Amount: 3200, Currency: "EUR"}},
			{Name: "thin", Cores: 1, MarkedSpeed: 1e9},
		},
		Groups: []topology.Group{
			{Type: "thin", Count: 1, Name: "thin"},
			{Type: "fat", Count: 2, Name: "f", First: 1}, // numbered from 1 where there are several
			{Type: "thin", Count: 2, Name: "t", First: 7},
		},
		Network: topology.Network{Title: "net", Latency: 5e-6, Bandwidth: 125e6, SendOverhead: 1e-6, RecvOverhead: 2e-6},
	}
	expect.Same(t, m, want, "what was read")
}
