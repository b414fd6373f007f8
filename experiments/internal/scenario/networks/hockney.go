package networks

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// hockneyConnection is what differs between connections.
var hockneyConnection = []schema.Field{
	{Key: "latency", Type: schema.Time, Default: "the machine's", Meaning: "time of an empty message"},
	{Key: "bandwidth", Type: schema.Bandwidth, Default: "the machine's", Meaning: "of one process's messages"},
}

var hockneyNetwork = Kind{
	Name: "hockney", Title: "latency + size/bandwidth, with send and receive overhead; messages of one rank leave one after the other",
	Parameters: slices.Concat(hockneyConnection, []schema.Field{
		{Key: "send_overhead", Type: schema.Time, Default: "the machine's", Meaning: "time of the sending core, for each message"},
		{Key: "recv_overhead", Type: schema.Time, Default: "the machine's", Meaning: "time of the receiving core, for each message"},
		eagerLimit("eager_limit"),
	}, levels("{latency, bandwidth}", &schema.Object{What: "a connection, as in {latency: 1 us, bandwidth: 10 GB/s}", Fields: hockneyConnection})),
	read: readHockney,
}

func readHockney(p *reader, m topology.Network) Network {
	h := network.Hockney{
		Latency:      p.time("latency", m.Latency),
		Bandwidth:    noted(p, schema.Bandwidth, "bandwidth", m.Bandwidth),
		SendOverhead: p.time("send_overhead", m.SendOverhead),
		RecvOverhead: p.time("recv_overhead", m.RecvOverhead),
		EagerLimit:   p.limit("eager_limit"),
	}
	n := Network{Base: h, connected: func(c topology.Connection) network.Model {
		level := h
		level.Latency, level.Bandwidth = c.Latency, c.Bandwidth
		return level
	}}
	p.levels(&n, m, func(q *reader, c topology.Connection) network.Model {
		level := h
		level.Latency, level.Bandwidth = q.time("latency", c.Latency), noted(q, schema.Bandwidth, "bandwidth", c.Bandwidth)
		return level
	}, func(latency units.Seconds, bandwidth units.BytesPerSecond) (network.Model, []input.Parameter) {
		level := h
		level.Latency, level.Bandwidth = h.Latency+latency, min(h.Bandwidth, bandwidth)
		return level, []input.Parameter{{Name: "latency", Value: level.Latency.String()}, {Name: "bandwidth", Value: level.Bandwidth.String()}}
	})
	return n
}
