package experiments

import (
	"math"

	"github.com/isoscale/isoscale/experiments/yamldoc"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// Network is a network model with its parameters, ready for use.
type Network struct {
	Model      string // its name in the catalogue
	Parameters []Parameter
	sim        sim.Network
}

// Parameter is a named value as a reader should see it.
type Parameter struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Note  string `json:"note,omitempty"` // where the value comes from
}

// networkModels lists the network models from the simplest to the richest.
var networkModels = []struct {
	name, doc string
}{
	{"ideal", "messages cost nothing: the upper bound"},
	{"hockney", "latency + size/bandwidth, with send and receive overhead; messages of one rank leave one after the other"},
}

func networkNames() []string {
	names := make([]string, len(networkModels))
	for i, m := range networkModels {
		names[i] = m.name
	}
	return names
}

// network reads the network of a scenario: the name of a model, or a mapping
// with name and parameters. Parameters that are not given are the machine's.
func (r *reader) network(n *yamldoc.Node, m *topology.Machine) Network {
	nameNode := n
	if n.IsMapping() {
		d := r.Mapping(n, "a network")
		nameNode = d.Require("name", "the name of a network model")
		if nameNode == nil {
			return Network{}
		}
		model := r.OneOf(nameNode, networkNames(), "network model")
		if model == "hockney" {
			return r.hockney(d, m)
		}
		d.Done()
		return idealNetwork()
	}
	switch r.OneOf(nameNode, networkNames(), "network model") {
	case "ideal":
		return idealNetwork()
	case "hockney":
		var empty reader
		return empty.hockney(empty.Mapping(emptyMapping, ""), m)
	}
	return Network{}
}

func idealNetwork() Network { return Network{Model: "ideal", sim: network.Ideal{}} }

// emptyMapping stands for {} where a file gives only the name of a thing.
var emptyMapping = func() *yamldoc.Node {
	n, err := yamldoc.Parse("empty mapping", []byte("{}"))
	if err != nil {
		panic("experiments: " + err.Error())
	}
	return n
}()

func (r *reader) hockney(d *yamldoc.Mapping, m *topology.Machine) Network {
	if m == nil {
		m = &topology.Machine{}
	}
	h := network.Hockney{
		Latency:      m.Network.Latency,
		Bandwidth:    m.Network.Bandwidth,
		SendOverhead: m.Network.SendOverhead,
		RecvOverhead: m.Network.RecvOverhead,
		EagerLimit:   units.Bytes(math.Inf(1)),
	}
	source := map[string]string{}
	take := func(key string) *yamldoc.Node {
		v := d.Take(key)
		if v != nil {
			source[key] = "scenario"
		} else {
			source[key] = "machine"
		}
		return v
	}
	if v := take("latency"); v != nil {
		h.Latency = yamldoc.Quantity(&r.Decoder, v, units.ParseSeconds, yamldoc.NonNegative, wantTime)
	}
	if v := take("bandwidth"); v != nil {
		h.Bandwidth = yamldoc.Quantity(&r.Decoder, v, units.ParseBytesPerSecond, yamldoc.Positive, wantBandwidth)
	}
	if v := take("send_overhead"); v != nil {
		h.SendOverhead = yamldoc.Quantity(&r.Decoder, v, units.ParseSeconds, yamldoc.NonNegative, wantTime)
	}
	if v := take("recv_overhead"); v != nil {
		h.RecvOverhead = yamldoc.Quantity(&r.Decoder, v, units.ParseSeconds, yamldoc.NonNegative, wantTime)
	}
	eager := Parameter{"eager_limit", "none", "default: every message is eager"}
	if v := d.Take("eager_limit"); v != nil {
		const want = "the largest size sent without waiting for the receiver, at least 0, such as 64 KiB"
		h.EagerLimit = yamldoc.Quantity(&r.Decoder, v, units.ParseBytes, yamldoc.NonNegative, want)
		eager = Parameter{"eager_limit", h.EagerLimit.String(), "scenario"}
	}
	d.Done()
	return Network{Model: "hockney", sim: h, Parameters: []Parameter{
		{"latency", h.Latency.String(), source["latency"]},
		{"bandwidth", h.Bandwidth.String(), source["bandwidth"]},
		{"send_overhead", h.SendOverhead.String(), source["send_overhead"]},
		{"recv_overhead", h.RecvOverhead.String(), source["recv_overhead"]},
		eager,
	}}
}
