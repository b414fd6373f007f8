package replay

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads/titrace"
)

// simGridOptions are settings with the keys and values of SimGrid's command line.
type simGridOptions struct {
	flow              flow.Parameters
	protocol          network.Protocol
	collectives       titrace.Algorithms
	loopbackBandwidth units.BytesPerSecond // of hosts without a loopback of their own
	loopbackLatency   units.Seconds
	given             []input.Override // as they were given
	notes             []string
}

// simGridModels are the network models by their names in SimGrid.
var simGridModels = map[string]func() flow.Parameters{"CM02": flow.CM02, "LV08": flow.LV08, "SMPI": flow.SMPI}

// simGridKey applies the value of a key.
type simGridKey func(o *simGridOptions, value string) error

// to is a key whose value is read into a field.
func to[T any](read func(value string) (T, error), field func(o *simGridOptions) *T) simGridKey {
	return func(o *simGridOptions, value string) (err error) {
		*field(o), err = read(value)
		return err
	}
}

// simGridKeys are the keys that change what is simulated, except network/model,
// which the others refine, and the keys of collective operations.
var simGridKeys = map[string]simGridKey{
	"network/crosstraffic": to(yesOrNo, func(o *simGridOptions) *bool { return &o.flow.CrossTraffic }),
	"network/TCP-gamma":    to(number[units.Bytes], func(o *simGridOptions) *units.Bytes { return &o.flow.Window }),
	"network/weight-S":     to(number[units.Bytes], func(o *simGridOptions) *units.Bytes { return &o.flow.WeightS }),
	"network/loopback-bw": func(o *simGridOptions, v string) error {
		b, err := number[units.BytesPerSecond](v)
		if err == nil && b == 0 {
			err = fmt.Errorf("bandwidth %s; expected one above 0", v)
		}
		o.loopbackBandwidth = b
		return err
	},
	"network/loopback-lat":         to(number[units.Seconds], func(o *simGridOptions) *units.Seconds { return &o.loopbackLatency }),
	"smpi/async-small-thresh":      to(number[units.Bytes], func(o *simGridOptions) *units.Bytes { return &o.protocol.EagerBelow }),
	"smpi/send-is-detached-thresh": to(number[units.Bytes], func(o *simGridOptions) *units.Bytes { return &o.protocol.DetachedBelow }),
	"smpi/os":                      to(overheads, func(o *simGridOptions) *network.Overheads { return &o.protocol.Send }),
	"smpi/ois":                     to(overheads, func(o *simGridOptions) *network.Overheads { return &o.protocol.Isend }),
	"smpi/or":                      to(overheads, func(o *simGridOptions) *network.Overheads { return &o.protocol.Recv }),
	"smpi/coll-selector":           func(o *simGridOptions, v string) error { return o.collectives.SetAll(v) },
	"smpi/test":                    to(number[units.Seconds], func(o *simGridOptions) *units.Seconds { return &o.protocol.TestStep }),
	"smpi/grow-injected-times": func(o *simGridOptions, v string) error {
		grow, err := yesOrNo(v)
		o.protocol.SteadyTests = !grow
		return err
	},
}

// simGridFactorKeys replace the factors of some models and have no effect with the
// others: the model SMPI uses only tables of its own, which no other model uses.
var simGridFactorKeys = map[string]struct {
	smpi  bool // true: for the model SMPI; false: for the others
	apply simGridKey
}{
	"network/bandwidth-factor": {false, setBandwidthFactor},
	"network/latency-factor":   {false, setLatencyFactor},
	"smpi/bw-factor":           {true, setBandwidthFactor},
	"smpi/lat-factor":          {true, setLatencyFactor},
}

var (
	setBandwidthFactor = to(factors, func(o *simGridOptions) *flow.Factors { return &o.flow.BandwidthFactor })
	setLatencyFactor   = to(factors, func(o *simGridOptions) *flow.Factors { return &o.flow.LatencyFactor })
)

// simGridFixed are the keys of which only one value is simulated here. With other
// values SimGrid's times differ.
var simGridFixed = map[string]string{
	"cpu/model":                "Cas01",
	"cpu/solver":               "maxmin",
	"host/model":               "compound",
	"maxmin/concurrency-limit": "-1",
	"network/solver":           "maxmin",
}

// simGridIgnored are keys of SimGrid that concern its implementation, its output, or
// programs instead of traces. They have no effect here.
var simGridIgnored = []string{
	"surf/precision", "maxmin/precision", "network/optim", "network/maxmin-selective-update",
	"cpu/optim", "cpu/maxmin-selective-update", "contexts/factory", "contexts/nthreads",
	"contexts/stack-size", "contexts/guard-size", "contexts/synchro", "smpi/privatization", "smpi/privatize-libs", "smpi/keep-temps", "smpi/tmpdir",
	"smpi/display-timing", "smpi/display-allocs", "smpi/list-leaks", "smpi/pedantic", "smpi/errors-are-fatal", "smpi/host-speed", "smpi/cpu-threshold",
	"smpi/simulate-computation", "smpi/wtime", "smpi/iprobe", "smpi/iprobe-cpu-usage", "smpi/shared-malloc",
	"smpi/comp-adjustment-file", "smpi/trace-call-location", "smpi/init", "smpi/papi-events", "tracing", "tracing/filename",
	"tracing/smpi", "tracing/smpi/format", "tracing/smpi/computing", "tracing/smpi/sleeping", "tracing/smpi/group", "tracing/smpi/internals",
	"tracing/smpi/display-sizes", "tracing/platform", "tracing/actor", "tracing/categorized", "tracing/uncategorized",
	"tracing/comment", "debug/verbose-exit", "debug/clean-atexit",
}

// newSimGridOptions returns the settings of smpirun, with the given ones, each as
// KEY:VALUE, applied in order.
func newSimGridOptions(settings []string) (*simGridOptions, error) {
	o := &simGridOptions{flow: flow.SMPI(), protocol: network.SMPI(), loopbackBandwidth: 10e9}
	type setting struct{ text, value string }
	given := map[string]setting{} // the last of each key counts
	var order []string
	for _, text := range settings {
		key, value, ok := strings.Cut(text, ":")
		if !ok {
			return nil, input.Errorf("--cfg %s: no value; expected KEY:VALUE, as in network/model:CM02", text)
		}
		if _, again := given[key]; !again {
			order = append(order, key)
		}
		o.given = append(o.given, input.Override{Path: key, Value: value})
		given[key] = setting{text, value}
	}
	model := "SMPI"
	if s, ok := given["network/model"]; ok {
		preset, known := simGridModels[s.value]
		if !known {
			return nil, input.Errorf("--cfg %s: this model is not supported; expected one of %s", s.text, input.List(slices.Sorted(maps.Keys(simGridModels))))
		}
		model, o.flow = s.value, preset()
	}
	for _, key := range order {
		s := given[key]
		apply, known := simGridKeys[key]
		if factor, ok := simGridFactorKeys[key]; ok {
			if apply, known = factor.apply, true; factor.smpi != (model == "SMPI") {
				o.notes = append(o.notes, fmt.Sprintf("--cfg %s has no effect with network/model:%s", s.text, model))
				continue
			}
		}
		fixed, only := simGridFixed[key]
		switch {
		case key == "network/model":
		case only && s.value != fixed:
			return nil, input.Errorf("--cfg %s: this value changes SimGrid's times and is not supported; expected %s", s.text, fixed)
		case only:
		case known:
			if err := apply(o, s.value); err != nil {
				return nil, input.Errorf("--cfg %s: %v", s.text, err)
			}
		case slices.Contains(simGridIgnored, key):
			o.notes = append(o.notes, fmt.Sprintf("--cfg %s has no effect here", s.text))
		case slices.Contains(collectiveKeys(), key):
			if err := o.collectives.Set(strings.TrimPrefix(key, "smpi/"), s.value); err != nil {
				return nil, input.Errorf("--cfg %s: %v", s.text, err)
			}
		default:
			return nil, input.Errorf("--cfg %s: unknown key %q; %s", s.text, key, knownSimGridKeys(key))
		}
	}
	if err := o.flow.Validate(); err != nil {
		return nil, input.Errorf("--cfg: %v", err)
	}
	if err := o.protocol.Validate(); err != nil {
		return nil, input.Errorf("--cfg: %v", err)
	}
	// A test that takes no time takes none however often it is repeated. With this set,
	// the protocol is never the zero one, which has no limits.
	o.protocol.SteadyTests = o.protocol.SteadyTests || o.protocol.TestStep == 0
	if p := o.protocol; p.EagerBelow > p.DetachedBelow {
		return nil, input.Errorf("--cfg: smpi/async-small-thresh is %g, smpi/send-is-detached-thresh %g; expected the first to be at most the second, as SimGrid does",
			float64(p.EagerBelow), float64(p.DetachedBelow))
	}
	return o, nil
}

// knownSimGridKeys lists the known keys, or only those with a similar name.
func knownSimGridKeys(key string) string {
	known := slices.AppendSeq(append(collectiveKeys(), "network/model"), maps.Keys(simGridKeys))
	known = slices.AppendSeq(slices.AppendSeq(known, maps.Keys(simGridFactorKeys)), maps.Keys(simGridFixed))
	slices.Sort(known)
	if near := yamldoc.Nearest(key, known); len(near) > 0 {
		return "did you mean " + input.List(near) + "?"
	}
	return "known: " + input.List(known)
}

// collectiveKeys are the keys that choose algorithms of collective operations.
func collectiveKeys() []string {
	return each.Append(nil, (titrace.Algorithms{}).Operations(), func(o string) string { return "smpi/" + o })
}

func yesOrNo(v string) (bool, error) {
	switch strings.ToLower(v) {
	case "yes", "on", "true", "1":
		return true, nil
	case "no", "off", "false", "0":
		return false, nil
	}
	return false, fmt.Errorf("%q; expected yes or no", v)
}

// number reads a finite number of at least 0.
func number[T ~float64](v string) (T, error) {
	x, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
	if err != nil || !(x >= 0) || math.IsInf(x, 1) {
		return 0, fmt.Errorf("%q; expected a number of at least 0", v)
	}
	return T(x), nil
}

// table reads "SIZE:A[:B];SIZE:A[:B]...", in any order, as rows of numbers by ascending size.
func table(v string, least, most int) ([][]float64, error) {
	var rows [][]float64
	for text := range strings.SplitSeq(v, ";") {
		fields := strings.Split(text, ":")
		if len(fields) < least || len(fields) > most {
			return nil, fmt.Errorf("%q; expected SIZE:VALUE pieces separated by semicolons", text)
		}
		row := make([]float64, most)
		for i, f := range fields {
			x, err := number[float64](f)
			if err != nil {
				return nil, err
			}
			row[i] = x
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b []float64) int { return cmp.Compare(a[0], b[0]) })
	return rows, nil
}

// factors reads one factor for all sizes, or a table of them.
func factors(v string) (flow.Factors, error) {
	if !strings.Contains(v, ":") {
		x, err := number[float64](v)
		return flow.Constant(x), err
	}
	rows, err := table(v, 2, 2)
	var f flow.Factors
	for _, row := range rows {
		f = append(f, flow.Factor{Above: units.Bytes(row[0]), Value: row[1]})
	}
	return f, err
}

// overheads reads one overhead for all sizes, or a table of them.
func overheads(v string) (network.Overheads, error) {
	if !strings.Contains(v, ":") {
		x, err := number[units.Seconds](v)
		return network.Overheads{{Fixed: x}}, err
	}
	rows, err := table(v, 2, 3)
	var o network.Overheads
	for _, row := range rows {
		o = append(o, network.Overhead{Above: units.Bytes(row[0]), Fixed: units.Seconds(row[1]),
			PerByte: units.Seconds(row[2])})
	}
	return o, err
}

// implicitLoopback is the link over which hosts without a loopback of their own send
// to themselves.
const implicitLoopback = "__loopback__"

// network returns the network that the settings describe.
func (o *simGridOptions) network() cluster.Network {
	return cluster.Network{Flow: &cluster.Flow{Parameters: o.flow, Protocol: o.protocol}}
}

// loopback applies the settings for hosts without a loopback of their own.
func (o *simGridOptions) loopback(p *topology.Platform) {
	for i := range p.Links {
		if p.Links[i].Name == implicitLoopback {
			p.Links[i].Bandwidth, p.Links[i].Latency = o.loopbackBandwidth, o.loopbackLatency
		}
	}
}
