package networks

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

var loggopsNetwork = Kind{
	Name: "loggops", Title: "LogGP with overhead per byte and synchronous messages: cores and interfaces are busy with every message, at both ends",
	Parameters: slices.Concat([]schema.Field{
		{Key: "L", Type: schema.Time, Default: "the machine's latency", Meaning: "latency"},
		{Key: "o", Type: schema.Time, Default: "the machine's send_overhead", Meaning: "overhead: time of a core, for each message"},
		{Key: "g", Type: schema.Time, Default: "0 s", Meaning: "gap: time of an interface, for each message"},
		{Key: "G", Type: schema.Time, Default: "1 / the machine's bandwidth", Meaning: "gap per byte"},
		{Key: "O", Type: schema.Time, Default: "0 s", Meaning: "overhead per byte"},
		eagerLimit("S"),
	}, levels("{L, G}", &schema.Object{What: "a connection, as in {L: 1 us, G: 0.1 ns}", Fields: []schema.Field{
		{Key: "L", Type: schema.Time, Default: "the machine's latency", Meaning: "latency"},
		{Key: "G", Type: schema.Time, Default: "1 / the machine's bandwidth", Meaning: "gap per byte"},
	}})),
	read: readLogGOPS,
}

func readLogGOPS(p *reader, m topology.Network) Network {
	perByte := func(b units.BytesPerSecond) units.Seconds {
		if b == 0 { // the machine could not be read
			return 0
		}
		return units.Seconds(1 / float64(b))
	}
	l := network.LogGOPS{
		Latency:         p.time("L", m.Latency),
		Overhead:        p.time("o", m.SendOverhead),
		Gap:             p.time("g", 0),
		GapPerByte:      p.time("G", perByte(m.Bandwidth)),
		OverheadPerByte: p.time("O", 0),
		Synchronous:     p.limit("S"),
	}
	n := Network{Base: l, connected: func(c topology.Connection) network.Model {
		level := l
		level.Latency, level.GapPerByte = c.Latency, perByte(c.Bandwidth)
		return level
	}}
	p.levels(&n, m, func(q *reader, c topology.Connection) network.Model {
		level := l
		level.Latency, level.GapPerByte = q.time("L", c.Latency), q.time("G", perByte(c.Bandwidth))
		return level
	}, func(latency units.Seconds, bandwidth units.BytesPerSecond) (network.Model, []input.Parameter) {
		level := l
		level.Latency, level.GapPerByte = l.Latency+latency, max(l.GapPerByte, perByte(bandwidth))
		return level, []input.Parameter{{Name: "L", Value: level.Latency.String()}, {Name: "G", Value: level.GapPerByte.String()}}
	})
	return n
}
