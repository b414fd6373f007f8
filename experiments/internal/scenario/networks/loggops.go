package networks

import (
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

var loggopsNetwork = Kind{
	Name: "loggops", Title: "LogGP with overhead per byte and synchronous messages: cores and interfaces are busy with every message, at both ends",
	OfGOAL: true,
	keys: func(k *schema.Keys, s *setup) {
		l := LogGOPSOf(s.machine)
		k.Optional("L", schema.Time.To(&l.Latency).Else("the machine's latency"), "latency")
		k.Optional("o", schema.Time.To(&l.Overhead).Else("the machine's send_overhead"), "overhead: time of a core, for each message")
		k.Optional("g", schema.Time.To(&l.Gap).Or(0), "gap: time of an interface, for each message")
		k.Optional("G", schema.Time.To(&l.GapPerByte).Else("1 / the machine's bandwidth"), "gap per byte")
		k.Optional("O", schema.Time.To(&l.OverheadPerByte).Or(0), "overhead per byte")
		l.Synchronous = eagerLimit(k, s, "S")
		levels(k, s, l, loggopsConnection)
	},
}

var loggopsConnection = newConnection("a connection, as in {L: 1 us, G: 0.1 ns}", "{L, G}",
	func(k *schema.Keys, l *network.LogGOPS) {
		k.Optional("L", schema.Time.To(&l.Latency).Else("the machine's latency"), "latency")
		k.Optional("G", schema.Time.To(&l.GapPerByte).Else("1 / the machine's bandwidth"), "gap per byte")
	},
	func(l network.LogGOPS, c topology.Connection) network.LogGOPS {
		l.Latency, l.GapPerByte = c.Latency, perByte(c.Bandwidth)
		return l
	},
	func(l network.LogGOPS, latency units.Seconds, bandwidth units.BytesPerSecond) network.LogGOPS {
		l.Latency, l.GapPerByte = l.Latency+latency, max(l.GapPerByte, perByte(bandwidth))
		return l
	})

func perByte(b units.BytesPerSecond) units.Seconds {
	if b == 0 { // the machine could not be read
		return 0
	}
	return units.Seconds(1 / float64(b))
}
