package replay

import (
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/topology"
)

func TestSimGridOptions(t *testing.T) {
	for _, c := range []struct {
		settings string
		check    func(o *simGridOptions) bool
	}{
		{"", func(o *simGridOptions) bool {
			return o.flow.WeightS == 8775 && o.flow.CrossTraffic && o.protocol.DetachedBelow == 65536 && o.loopbackBandwidth == 10e9
		}},
		{"network/model:CM02", func(o *simGridOptions) bool {
			return o.flow.WeightS == 0 && o.flow.LatencyFactor == nil && o.flow.Window == 4194304
		}},
		// The model gives what is not set, in whatever order the settings come.
		{"network/weight-S:30000 network/crosstraffic:no network/model:LV08", func(o *simGridOptions) bool {
			return o.flow.WeightS == 30000 && !o.flow.CrossTraffic && o.flow.LatencyFactor.At(1) == 13.01
		}},
		{"network/TCP-gamma:1 network/TCP-gamma:0", func(o *simGridOptions) bool { return o.flow.Window == 0 }},
		{"network/latency-factor:2.5 network/model:LV08", func(o *simGridOptions) bool { return o.flow.LatencyFactor.At(1e9) == 2.5 }},
		{"smpi/bw-factor:1000:0.5;0:0.25", func(o *simGridOptions) bool {
			return slices.Equal(o.flow.BandwidthFactor, flow.Factors{{Above: 0, Value: 0.25}, {Above: 1000, Value: 0.5}})
		}},
		{"smpi/os:1000:1e-5:2e-9;0:1e-6:0", func(o *simGridOptions) bool {
			return slices.Equal(o.protocol.Send, network.Overheads{{PerByte: 0, Fixed: 1e-6}, {Above: 1000, Fixed: 1e-5, PerByte: 2e-9}})
		}},
		{"smpi/or:3e-6 smpi/test:2e-4 smpi/async-small-thresh:100 smpi/send-is-detached-thresh:200", func(o *simGridOptions) bool {
			p := o.protocol
			return p.Recv.At(5) == 3e-6 && p.TestStep == 2e-4 && p.EagerBelow == 100 && p.DetachedBelow == 200
		}},
		// SimGrid 3.32 gives the same times with and without these, to the last bit.
		{"network/bandwidth-factor:0.5 network/latency-factor:9", func(o *simGridOptions) bool {
			return len(o.notes) == 2 && o.flow.BandwidthFactor.At(1e6) == 0.940694 && o.flow.LatencyFactor.At(1e6) == 11.6436
		}},
		{"network/bandwidth-factor:0.5 network/model:CM02", func(o *simGridOptions) bool {
			return len(o.notes) == 0 && o.flow.BandwidthFactor.At(1e6) == 0.5
		}},
		// Of a table of factors SimGrid takes 1 up to the first size, of a table
		// of overheads the first piece.
		{"smpi/lat-factor:2000:9 smpi/or:2000:1e-4:0", func(o *simGridOptions) bool {
			return o.flow.LatencyFactor.At(2000) == 1 && o.flow.LatencyFactor.At(2001) == 9 && o.protocol.Recv.At(1) == 1e-4
		}},
		{"host/model:compound network/solver:maxmin cpu/solver:maxmin maxmin/concurrency-limit:-1", func(o *simGridOptions) bool {
			return len(o.notes) == 0
		}},
		{"smpi/grow-injected-times:no", func(o *simGridOptions) bool { return o.protocol.SteadyTests }},
		{"smpi/async-small-thresh:200 smpi/send-is-detached-thresh:200", func(o *simGridOptions) bool { return o.protocol.EagerBelow == 200 }},
		{"surf/precision:1e-9 tracing:no", func(o *simGridOptions) bool { return len(o.notes) == 2 }},
		{"smpi/bw-factor:0:0.5 network/model:CM02", func(o *simGridOptions) bool {
			return len(o.notes) == 1 && o.flow.BandwidthFactor == nil
		}},
		{"network/loopback-bw:1e9 network/loopback-lat:1e-6", func(o *simGridOptions) bool {
			p := &topology.Platform{Links: []topology.Link{{Name: "x"}, {Name: implicitLoopback}}}
			o.loopback(p)
			return p.Links[0].Bandwidth == 0 && p.Links[1].Bandwidth == 1e9 && p.Links[1].Latency == 1e-6
		}},
	} {
		o, err := newSimGridOptions(strings.Fields(c.settings))
		if err != nil || !c.check(o) {
			t.Errorf("%s: %+v, %v", c.settings, o, err)
		}
	}
}

func TestSimGridOptionsRefused(t *testing.T) {
	for setting, want := range map[string]string{
		"network/model":                 "no value",
		"network/model:IB":              "expected one of CM02, LV08, SMPI",
		"network/crostraffic:no":        `did you mean network/crosstraffic`,
		"nonsense:1":                    "known: ",
		"network/crosstraffic:maybe":    "expected yes or no",
		"network/TCP-gamma:-1":          "at least 0",
		"network/weight-S:nan":          "at least 0",
		"smpi/lat-factor:0":             "above 0",
		"network/loopback-bw:0":         "above 0",
		"smpi/bw-factor:0:1;0:2":        "ascending",
		"smpi/bw-factor:0:1:2":          "SIZE:VALUE",
		"smpi/os:0:1e-6:0;x:1:1":        "at least 0",
		"smpi/allreduce:fast":           "unknown algorithm",
		"smpi/coll-selector:impi":       "exists in SimGrid but not here",
		"cpu/model:TI":                  "expected Cas01",
		"host/model:default":            "changes SimGrid's times",
		"host/model:ptask_L07":          "expected compound",
		"host/modell:compound":          "did you mean host/model",
		"network/solver:bmf":            "expected maxmin",
		"cpu/solver:fairbottleneck":     "expected maxmin",
		"maxmin/concurrency-limit:2":    "expected -1",
		"smpi/async-small-thresh:65537": "at most the second",
		"smpi/send-is-detached-thresh":  "no value",
	} {
		_, err := newSimGridOptions([]string{setting})
		if err == nil || !strings.Contains(err.Error(), want) || !input.IsError(err) {
			t.Errorf("%s: error %v, want one with %q", setting, err, want)
		}
	}
}

func TestHostfile(t *testing.T) {
	p := &topology.Platform{Hosts: []topology.Host{{Name: "a"}, {Name: "b:1"}, {Name: "c"}}}
	for _, c := range []struct {
		text  string
		ranks int
		want  []int32
	}{
		{"c\na\n", 0, []int32{2, 0}},
		{"c:2\n\n a \n", 0, []int32{2, 2, 0}},
		{"c\na\n", 5, []int32{2, 0, 2, 0, 2}},
		{"b:1\nb:1:2\n", 0, []int32{1, 1, 1}},
		{"a\nc", 1, []int32{0}},
	} {
		got, _, err := placeByHostfile("hosts", []byte(c.text), p, c.ranks)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, %v; want %v", c.text, got, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"":              "hosts: no host",
		"a\nx\n":        `hosts:2: no host "x"`,
		"a:0\n":         `hosts:1: "0" after the host`,
		"a:many\n":      `hosts:1: "many" after the host`,
		"a:99999999999": "hosts:1:",
	} {
		if _, _, err := placeByHostfile("hosts", []byte(text), p, 0); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}
