package networks

import (
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/model/network"
)

var loggopsNetwork = Kind{Kind: &cluster.LogGOPS, connection: loggopsConnection.record.Fields, keys: func(k *schema.Keys, s *setup) {
	l := cluster.LogGOPSOf(s.machine)
	k.Optional("L", schema.Time.To(&l.Latency).Else("the machine's latency"), "latency")
	k.Optional("o", schema.Time.To(&l.Overhead).Else("the machine's send_overhead"),
		"overhead: time of a core per message")
	k.Optional("g", schema.Time.To(&l.Gap).Or(0), "gap: time of an interface per message")
	k.Optional("G", schema.Time.To(&l.GapPerByte).Else("1 / the machine's bandwidth"), "gap per byte")
	k.Optional("O", schema.Time.To(&l.OverheadPerByte).Or(0), "overhead per byte")
	l.Synchronous = eagerLimit(k, s, "S", network.NoLimit)
	levels(k, s, l, loggopsConnection)
}}

var loggopsConnection = newConnection(cluster.LogGOPSPricing, "a connection, as in {L: 1 us, G: 0.1 ns}", "{L, G}",
	func(k *schema.Keys, l *network.LogGOPS) {
		k.Optional("L", schema.Time.To(&l.Latency).Else("the machine's latency"), "latency")
		k.Optional("G", schema.Time.To(&l.GapPerByte).Else("1 / the machine's bandwidth"), "gap per byte")
	})
