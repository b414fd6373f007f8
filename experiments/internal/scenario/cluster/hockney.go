package cluster

import (
	"math"

	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Hockney is the model of [network.Hockney].
var Hockney = Kind{
	Name: "hockney", Title: "latency + size/bandwidth, with send and receive overhead; messages of one rank leave one after the other",
	SendsInTurn: true,
}

// HockneyPricing is how connections of a machine set its costs.
var HockneyPricing = &Pricing[network.Hockney]{
	Of: func(h network.Hockney, c topology.Connection) network.Hockney {
		h.Latency, h.Bandwidth = c.Latency, c.Bandwidth
		return h
	},
	Behind: func(h network.Hockney, latency units.Seconds, bandwidth units.BytesPerSecond) network.Hockney {
		h.Latency, h.Bandwidth = h.Latency+latency, min(h.Bandwidth, bandwidth)
		return h
	},
	Changed: changedHockney, Parameters: hockneyParameters, Bill: hockneyBill,
}

// HockneyOf returns the model with the parameters of a machine.
func HockneyOf(m topology.Network) network.Hockney {
	return network.Hockney{Latency: m.Latency, Bandwidth: m.Bandwidth,
		SendOverhead: m.SendOverhead, RecvOverhead: m.RecvOverhead, EagerLimit: network.NoLimit}
}

func changedHockney(h network.Hockney, c Change) network.Hockney {
	h.Latency *= units.Seconds(c.Latency)
	h.Bandwidth = units.BytesPerSecond(min(float64(h.Bandwidth)/c.Transfer, math.MaxFloat64))
	h.SendOverhead *= units.Seconds(c.Overhead)
	h.RecvOverhead *= units.Seconds(c.Overhead)
	if !c.Waits {
		h.EagerLimit = network.NoLimit
	}
	return h
}

func hockneyParameters(h network.Hockney) []Parameter {
	return []Parameter{
		{Name: "latency", Value: float64(h.Latency), Unit: "s", Own: true, Kind: Latency},
		{Name: "bandwidth", Value: float64(h.Bandwidth), Unit: "B/s", Reciprocal: true, Own: true, Kind: Bandwidth},
		{Name: "send overhead", Value: float64(h.SendOverhead), Unit: "s", Kind: Overhead},
		{Name: "receive overhead", Value: float64(h.RecvOverhead), Unit: "s", Kind: Overhead},
	}
}

func hockneyBill(_ network.Hockney, size units.Bytes) Bill {
	return Bill{Latency: Terms{1}, Transmission: Terms{0, float64(size)}, SendOverhead: Terms{0, 0, 1}, RecvOverhead: Terms{0, 0, 0, 1}}
}
