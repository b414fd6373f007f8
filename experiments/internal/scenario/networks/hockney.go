package networks

import (
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

var hockneyNetwork = Kind{
	Name: "hockney", Title: "latency + size/bandwidth, with send and receive overhead; messages of one rank leave one after the other",
	SendsInTurn: true,
	keys: func(k *schema.Keys, s *setup) {
		h := HockneyOf(s.machine)
		hockneyConnection.keys(k, &h)
		overheads(k, &h.SendOverhead, &h.RecvOverhead)
		h.EagerLimit = eagerLimit(k, s, "eager_limit")
		levels(k, s, h, hockneyConnection)
	},
}

var hockneyConnection = newConnection("a connection, as in {latency: 1 us, bandwidth: 10 GB/s}", "{latency, bandwidth}",
	func(k *schema.Keys, h *network.Hockney) {
		k.Optional("latency", schema.Time.To(&h.Latency).Else(ofMachine), "time of an empty message")
		k.Optional("bandwidth", schema.Bandwidth.To(&h.Bandwidth).Else(ofMachine), "of one process's messages")
	},
	func(h network.Hockney, c topology.Connection) network.Hockney {
		h.Latency, h.Bandwidth = c.Latency, c.Bandwidth
		return h
	},
	func(h network.Hockney, latency units.Seconds, bandwidth units.BytesPerSecond) network.Hockney {
		h.Latency, h.Bandwidth = h.Latency+latency, min(h.Bandwidth, bandwidth)
		return h
	})
