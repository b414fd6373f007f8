package networks

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/sharing/flow"
)

var flowNetwork = Kind{Kind: &cluster.SharedLinks, keys: flowKeys}

type flowPreset struct {
	name       string
	parameters func() flow.Parameters
}

// flowPresets are the variants of the flow model by name.
var flowPresets = []flowPreset{
	{"plain", flow.Plain}, {"CM02", flow.CM02}, {"LV08", flow.LV08}, {"SMPI", flow.SMPI},
}

func flowKeys(k *schema.Keys, s *setup) {
	var q flow.Parameters
	var model string
	k.Noted = s.noted("", "default")
	names := each.Of(flowPresets, func(p flowPreset) string { return p.name })
	k.Optional("model", schema.Choice(&model, "variant of the flow model", names).Or(flowPresets[0].name),
		"plain: links as they are, equal shares; or a model of SimGrid")
	for _, preset := range flowPresets {
		if preset.name == model {
			q = preset.parameters()
		}
	}
	const otherwise = "the model's"
	k.Noted = s.noted("", "model")
	factorKey(k, s, "latency_factor", &q.LatencyFactor, model, "factor of the latency of every message")
	factorKey(k, s, "bandwidth_factor", &q.BandwidthFactor, model, "factor of the bandwidth of every message")
	k.Optional("weight_s", schema.Size.To(&q.WeightS).Else(otherwise),
		"S in the weights of flows: a slow link counts as longer (SimGrid's weight-S)")
	k.Optional("window", schema.Size.To(&q.Window).Else(otherwise),
		"TCP window: a flow is not faster than window/(2 latency); 0 B for no limit")
	k.Optional("envelope", schema.Size.To(&q.Envelope).Else(otherwise), "bytes added to every message")
	k.Noted = func(key, value string, _ bool) { s.note(key, value, "") }
	k.Optional("cross_traffic", schema.Boolean.To(&q.CrossTraffic).Else(otherwise),
		"true: acknowledgements use 5 % of the rate in the opposite direction")
	k.Optional("weighted", schema.Boolean.To(&q.Weighted).Else(otherwise), "true: flows over long routes get less")
	routing := build.Minimal
	k.Noted = nil // usual values are not worth a line
	k.Optional("routing", schema.Choice(&routing, "routing", build.Routings).Else(string(build.Minimal)),
		"paths of messages on fat trees and dragonflies: one, all shortest in equal parts, or through a random group")
	if why := build.RoutingProblem(s.machine.Topology, routing); why != "" && s.machine.Bandwidth > 0 { // readable
		k.Fail(k.Node("routing"), fmt.Sprintf("routing %s on %s", routing, why), string(build.Minimal))
	} else if routing != build.Minimal {
		s.note("routing", string(routing), "scenario")
	}
	k.Noted = s.noted("", fromMachine)
	send, recv := s.machine.SendOverhead, s.machine.RecvOverhead
	overheads(k, &send, &recv)
	limit := eagerLimit(k, s, "eager_limit", cluster.FlowEagerLimit)
	s.network = cluster.NewFlow(q, send, recv, limit)
	s.network.Flow.Routing = routing
}

// factor is a factor of latencies or bandwidths.
var factor = schema.Number{Max: math.MaxFloat64, Above: true, Want: "a factor above 0"}

// factorKey declares a factor for all sizes that replaces the model's factors.
func factorKey(k *schema.Keys, s *setup, key string, f *flow.Factors, model, meaning string) {
	value, source := "by size", "model "+model
	switch len(*f) {
	case 0:
		value, source = "1", "model"
	case 1:
		value, source = input.Number((*f)[0].Value), "model"
	}
	k.Optional(key, schema.Func(factor, func(n *yamldoc.Node) {
		x := factor.Read(k.Decoder, n)
		*f = flow.Constant(x)
		value, source = input.Number(x), "scenario"
	}).Else("the model's"), meaning)
	s.note(key, value, source)
}
