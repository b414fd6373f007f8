package networks

import (
	"math"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

var flowNetwork = Kind{
	Name: "flow", Title: "messages share the links of the machine's topology, computations the memory of their node: max-min fairness",
	SharesLinks: true, SharesMemory: true,
	Parameters: []schema.Field{
		{Key: "model", Type: schema.OneOf(flowModels()), Default: "plain", Meaning: "plain: links as they are, equal shares; or a model of SimGrid"},
		eagerLimit("eager_limit"),
		{Key: "send_overhead", Type: schema.Time, Default: "the machine's", Meaning: "time of the sending core, for each message"},
		{Key: "recv_overhead", Type: schema.Time, Default: "the machine's", Meaning: "time of the receiving core, for each message"},
		{Key: "latency_factor", Type: factor, Default: "the model's", Meaning: "factor of the latency of every message"},
		{Key: "bandwidth_factor", Type: factor, Default: "the model's", Meaning: "factor of the bandwidth of every message"},
		{Key: "weighted", Type: schema.Boolean, Default: "the model's", Meaning: "true: flows over long routes get less"},
		{Key: "weight_s", Type: schema.Size, Default: "the model's", Meaning: "S in these weights: a slow link counts as longer (SimGrid's weight-S)"},
		{Key: "window", Type: schema.Size, Default: "the model's", Meaning: "TCP window: a flow is not faster than window/(2 latency); 0 B for no limit"},
		{Key: "cross_traffic", Type: schema.Boolean, Default: "the model's", Meaning: "true: acknowledgements use 5 % of the rate in the opposite direction"},
		{Key: "envelope", Type: schema.Size, Default: "the model's", Meaning: "bytes added to every message"},
	},
	read: readFlow,
}

// factor is a factor of latencies or bandwidths.
var factor = schema.Number{Max: math.MaxFloat64, Above: true}

// Flow is the network model whose messages share links.
type Flow struct {
	Parameters flow.Parameters
	Protocol   network.Protocol
}

// flowPresets are the variants of the flow model by name.
var flowPresets = []struct {
	name       string
	parameters func() flow.Parameters
}{
	{"plain", flow.Plain}, {"CM02", flow.CM02}, {"LV08", flow.LV08}, {"SMPI", flow.SMPI},
}

func flowModels() []string {
	var names []string
	for _, preset := range flowPresets {
		names = append(names, preset.name)
	}
	return names
}

func readFlow(p *reader, m topology.Network) Network {
	model := "plain"
	if n := p.Take("model"); n != nil {
		model = p.OneOf(n, flowModels(), "variant of the flow model")
		p.note("model", model, "scenario")
	} else {
		p.note("model", model, "default")
	}
	f := &Flow{}
	for _, preset := range flowPresets {
		if preset.name == model {
			f.Parameters = preset.parameters()
		}
	}
	q := &f.Parameters
	preset := &reader{Decoder: p.Decoder, Mapping: p.Mapping, other: "model"}
	p.factor("latency_factor", &q.LatencyFactor, model)
	p.factor("bandwidth_factor", &q.BandwidthFactor, model)
	q.WeightS = noted(preset, schema.Size, "weight_s", q.WeightS)
	q.Window = noted(preset, schema.Size, "window", q.Window)
	q.Envelope = noted(preset, schema.Size, "envelope", q.Envelope)
	q.CrossTraffic = preset.answer("cross_traffic", q.CrossTraffic)
	q.Weighted = preset.answer("weighted", q.Weighted)
	p.notes = append(p.notes, preset.notes...)

	send, recv := p.time("send_overhead", m.SendOverhead), p.time("recv_overhead", m.RecvOverhead)
	limit := p.limit("eager_limit")
	below := units.Bytes(math.Nextafter(float64(max(limit, 0)), math.Inf(1)))
	f.Protocol = network.Protocol{
		EagerBelow: below, DetachedBelow: below, EveryMessage: true,
		Send: overhead(send), Isend: overhead(send), Recv: overhead(recv),
	}
	return Network{Flow: f}
}

func overhead(t units.Seconds) network.Overheads { return network.Overheads{{Fixed: t}} }

// answer reads true or false, which replaces what the model says.
func (p *reader) answer(key string, value bool) bool {
	if n := p.Take(key); n != nil {
		value = p.Bool(n)
	}
	p.note(key, strconv.FormatBool(value), "")
	return value
}

// factor reads a factor for all sizes that replaces those of the model.
func (p *reader) factor(key string, f *flow.Factors, model string) {
	if n := p.Take(key); n != nil {
		x := p.Float(n, "a factor above 0", factor.In)
		*f = flow.Constant(x)
		p.note(key, input.Number(x), "scenario")
		return
	}
	switch len(*f) {
	case 0:
		p.note(key, "1", "model")
	case 1:
		p.note(key, input.Number((*f)[0].Value), "model")
	default:
		p.note(key, "by size", "model "+model)
	}
}
