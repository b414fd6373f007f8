package networks

import (
	"reflect"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/topology"
)

func TestReadNetwork(t *testing.T) {
	machine := &topology.Machine{Name: "m", Network: topology.Network{Latency: 5e-6, Bandwidth: 1e6, SendOverhead: 1e-6, RecvOverhead: 2e-6}}
	read := func(text string) network.Model {
		t.Helper()
		root := expect.Value(yamldoc.Parse("test.yaml", []byte(text)))(t)
		var d yamldoc.Decoder
		n := Read(&d, root, machine)
		expect.Success(t, d.Err())
		return n.Base
	}
	own := network.Hockney{Latency: 5e-6, Bandwidth: 1e6, SendOverhead: 1e-6, RecvOverhead: 2e-6, EagerLimit: network.NoLimit}
	with := func(change func(*network.Hockney)) network.Hockney { h := own; change(&h); return h }
	for text, want := range map[string]any{
		"ideal":                               network.Ideal{},
		"{name: ideal}":                       network.Ideal{},
		"hockney":                             own,
		"{name: hockney}":                     own,
		"{name: hockney, latency: 0 s}":       with(func(h *network.Hockney) { h.Latency = 0 }),
		"{name: hockney, latency: 1 ms}":      with(func(h *network.Hockney) { h.Latency = 1e-3 }),
		"{name: hockney, bandwidth: 8 bit/s}": with(func(h *network.Hockney) { h.Bandwidth = 1 }),
		"{name: hockney, send_overhead: 3 s, recv_overhead: 4 s}": with(func(h *network.Hockney) { h.SendOverhead, h.RecvOverhead = 3, 4 }),
		"{name: hockney, eager_limit: 0 B}":                       with(func(h *network.Hockney) { h.EagerLimit = 0 }),
		"{name: hockney, eager_limit: none}":                      own,
		"{name: hockney, eager_limit: 2 kB}":                      with(func(h *network.Hockney) { h.EagerLimit = 2000 }),
	} {
		got := read(text)
		expect.That(t, reflect.DeepEqual(any(got), want), "network %s is %+v, want %+v", text, got, want)
	}
}
