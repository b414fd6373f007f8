package experiments

import (
	"math"
	"strconv"

	"github.com/isoscale/isoscale/experiments/yamldoc"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// flowNetwork is the network model whose messages share links.
type flowNetwork struct {
	parameters flow.Parameters
	protocol   network.Protocol
}

// flowPresets are the variants of the flow model by name.
var flowPresets = []struct {
	name       string
	parameters func() flow.Parameters
}{
	{"plain", flow.Plain}, {"CM02", flow.CM02}, {"LV08", flow.LV08}, {"SMPI", flow.SMPI},
}

// flow reads the parameters of the flow model.
func (p *parameterReader) flow(m topology.Network) Network {
	var names []string
	for _, preset := range flowPresets {
		names = append(names, preset.name)
	}
	model := "plain"
	if n := p.Take("model"); n != nil {
		model = p.OneOf(n, names, "variant of the flow model")
		p.note("model", model, "scenario")
	} else {
		p.note("model", model, "default")
	}
	f := &flowNetwork{}
	for _, preset := range flowPresets {
		if preset.name == model {
			f.parameters = preset.parameters()
		}
	}
	q := &f.parameters
	preset := &parameterReader{reader: p.reader, Mapping: p.Mapping, other: "model"}
	p.factor("latency_factor", &q.LatencyFactor, model)
	p.factor("bandwidth_factor", &q.BandwidthFactor, model)
	q.WeightS = preset.size("weight_s", q.WeightS)
	q.Window = preset.size("window", q.Window)
	q.Envelope = preset.size("envelope", q.Envelope)
	q.CrossTraffic = preset.answer("cross_traffic", q.CrossTraffic)
	q.Weighted = preset.answer("weighted", q.Weighted)
	p.notes = append(p.notes, preset.notes...)

	send, recv := p.time("send_overhead", m.SendOverhead), p.time("recv_overhead", m.RecvOverhead)
	limit := p.limit("eager_limit")
	below := units.Bytes(math.Nextafter(float64(limit), math.Inf(1)))
	f.protocol = network.Protocol{
		EagerBelow: below, DetachedBelow: below, EveryMessage: true,
		Send: overhead(send), Isend: overhead(send), Recv: overhead(recv),
	}
	return Network{flow: f}
}

func overhead(t units.Seconds) network.Overheads { return network.Overheads{{Fixed: t}} }

// size reads a size that replaces the one of the model.
func (p *parameterReader) size(key string, value units.Bytes) units.Bytes {
	n, source := p.take(key)
	if n != nil {
		value = yamldoc.Quantity(&p.Decoder, n, units.ParseBytes, yamldoc.NonNegative, "a size of at least 0, such as 4 MiB")
	}
	p.note(key, value.String(), source)
	return value
}

// answer reads true or false, which replaces what the model says.
func (p *parameterReader) answer(key string, value bool) bool {
	if n := p.Take(key); n != nil {
		value = p.Bool(n)
	}
	p.note(key, strconv.FormatBool(value), "")
	return value
}

// factor reads a factor for all sizes that replaces those of the model.
func (p *parameterReader) factor(key string, f *flow.Factors, model string) {
	if n := p.Take(key); n != nil {
		x := p.Float(n, "a factor above 0", func(x float64) bool { return x > 0 && !math.IsInf(x, 1) })
		*f = flow.Constant(x)
		p.note(key, formatFloat(x), "scenario")
		return
	}
	switch len(*f) {
	case 0:
		p.note(key, "1", "model")
	case 1:
		p.note(key, formatFloat((*f)[0].Value), "model")
	default:
		p.note(key, "by size", "model "+model)
	}
}

// carriage is what carries the messages of a system: a network that prices them,
// or links on which they flow.
type carriage struct {
	network sim.Network // nil with flow
	*flowNetwork
	platform *topology.Platform
	place    []int32 // host of each rank
	record   bool    // what links do
	last     *flow.Model
}

// newCarriage returns what carries messages between the processes of a placement.
func newCarriage(n Network, m *topology.Machine, p *topology.Placement) (*carriage, error) {
	if n.flow == nil {
		return &carriage{network: n.on(p)}, nil
	}
	platform, err := machinePlatform(m)
	if err != nil {
		return nil, err
	}
	return &carriage{flowNetwork: n.flow, platform: platform, place: hostsOf(m, p)}, nil
}

// carry completes the configuration of a simulation in which rank r computes at
// rates[r].
func (c *carriage) carry(s *sim.Config) error {
	if c.network != nil {
		s.Network = c.network
		return nil
	}
	m := flowMachine(c.platform, c.place[:len(s.Rates)])
	// What processes of a node sustain is the same for all of them.
	for r, h := range m.Place {
		m.Hosts[h].Speed = s.Rates[r]
	}
	f, err := flow.New(m, c.parameters)
	if err != nil {
		return inputErrorf("%v", err)
	}
	if c.record {
		f.Record()
	}
	s.Fabric, s.Protocol, c.last = f, c.protocol, f
	return nil
}

// hostsOf returns the host of each rank on the platform of the machine, whose
// hosts are all nodes in the order of the groups.
func hostsOf(m *topology.Machine, p *topology.Placement) []int32 {
	hosts := make([]int32, 0, p.Ranks())
	first, run := 0, 0
	for _, g := range m.Groups {
		if run < len(p.Runs) && p.Runs[run].Group == g {
			for i := range p.Runs[run].Nodes {
				for range p.Runs[run].Processes {
					hosts = append(hosts, int32(first+i))
				}
			}
			run++
		}
		first += g.Count
	}
	return hosts
}
