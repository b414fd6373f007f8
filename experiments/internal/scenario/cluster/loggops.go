package cluster

import (
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// LogGOPS is the model of [network.LogGOPS].
var LogGOPS = Kind{
	Name: "loggops", Title: "LogGP with overhead per byte and synchronous messages: cores and interfaces are busy with every message, at both ends",
	OfGOAL: true,
}

// LogGOPSPricing is how connections of a machine set its costs.
var LogGOPSPricing = &Pricing[network.LogGOPS]{
	Of: func(l network.LogGOPS, c topology.Connection) network.LogGOPS {
		l.Latency, l.GapPerByte = c.Latency, perByte(c.Bandwidth)
		return l
	},
	Behind: func(l network.LogGOPS, latency units.Seconds, bandwidth units.BytesPerSecond) network.LogGOPS {
		l.Latency, l.GapPerByte = l.Latency+latency, max(l.GapPerByte, perByte(bandwidth))
		return l
	},
	Changed: changedLogGOPS, Parameters: loggopsParameters, Bill: loggopsBill,
}

// LogGOPSOf returns the model with the parameters of a machine.
func LogGOPSOf(m topology.Network) network.LogGOPS {
	return network.LogGOPS{Latency: m.Latency, Overhead: m.SendOverhead,
		GapPerByte: perByte(m.Bandwidth), Synchronous: network.NoLimit}
}

// The gap g is a time of interfaces, like the gap per byte, and O is a time of cores.
func changedLogGOPS(l network.LogGOPS, c Change) network.LogGOPS {
	l.Latency *= units.Seconds(c.Latency)
	l.Gap *= units.Seconds(c.Transfer)
	l.GapPerByte *= units.Seconds(c.Transfer)
	l.Overhead *= units.Seconds(c.Overhead)
	l.OverheadPerByte *= units.Seconds(c.Overhead)
	if !c.Waits {
		l.Synchronous = network.NoLimit
	}
	return l
}

func loggopsParameters(l network.LogGOPS) []Parameter {
	return []Parameter{
		{Name: "latency L", Value: float64(l.Latency), Unit: "s", Own: true, Kind: Latency},
		{Name: "gap per byte G", Value: float64(l.GapPerByte), Unit: "s/B", Own: true, Kind: Bandwidth},
		{Name: "overhead o", Value: float64(l.Overhead), Unit: "s", Kind: Overhead},
		{Name: "gap g", Value: float64(l.Gap), Unit: "s", Kind: Gap},
		{Name: "overhead per byte O", Value: float64(l.OverheadPerByte), Unit: "s/B", Kind: Overhead},
	}
}

func loggopsBill(l network.LogGOPS, size units.Bytes) Bill {
	rest := float64(max(size-1, 0))
	b := Bill{Latency: Terms{1, 0, 1}, Transmission: Terms{0, rest, 0, 1}, SendOverhead: Terms{0, 0, 1, 0, rest}, RecvOverhead: Terms{0, rest, 1}}
	if l.OverheadPerByte > l.GapPerByte {
		b.RecvOverhead = b.SendOverhead
	}
	return b
}
