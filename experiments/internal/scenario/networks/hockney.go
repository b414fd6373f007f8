package networks

import (
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/model/network"
)

var hockneyNetwork = Kind{Kind: &cluster.Hockney, connection: hockneyConnection.record.Fields, keys: func(k *schema.Keys, s *setup) {
	h := cluster.HockneyOf(s.machine)
	hockneyConnection.keys(k, &h)
	overheads(k, &h.SendOverhead, &h.RecvOverhead)
	h.EagerLimit = eagerLimit(k, s, "eager_limit", network.NoLimit)
	levels(k, s, h, hockneyConnection)
}}

var hockneyConnection = newConnection(cluster.HockneyPricing, "a connection, as in {latency: 1 us, bandwidth: 10 GB/s}", "{latency, bandwidth}",
	func(k *schema.Keys, h *network.Hockney) {
		k.Optional("latency", schema.Time.To(&h.Latency).Else(ofMachine), "time of an empty message")
		k.Optional("bandwidth", schema.Bandwidth.To(&h.Bandwidth).Else(ofMachine), "of one process's messages")
	})
